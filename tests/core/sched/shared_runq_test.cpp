// SPDX-License-Identifier: GPL-3.0-or-later
// SHARED_RUNQ v3: sharding facts SR-1 to SR-12, the toggle hazard TOG-1 and the invariants SHQ-INV-1 to 3.
#include "core/sched/shared_runq.h"
#include "tests/core/sched/support/toy_machine.h"

#include <map>
#include <random>
#include <set>

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

State sharded(const machine::Shape& shape, std::int64_t size = 6) {
    State s = emptyState(shape);
    turn(s, Feature::SHARED_RUNQ, true);
    s.kernel.tunables.shared_runq_shard_size = size;
    layOutShards(s);
    return s;
}

using Cpus = std::set<int>;
/// CPUs of each shard of an LLC, in shard order.
std::vector<Cpus> shardsOf(const State& s, LlcId llc) {
    std::map<int, Cpus> by;
    for (CpuId c : s.hw->topology.llcCpus(llc)) by[s.shardOfCpu[c.index()].v].insert(c.v);
    std::vector<Cpus> out;
    for (auto& [shard, cpus] : by) out.push_back(cpus);
    return out;
}
std::vector<std::size_t> sizesOf(const State& s, LlcId llc) {
    std::vector<std::size_t> out;
    for (const Cpus& c : shardsOf(s, llc)) out.push_back(c.size());
    return out;
}
/// Cores with all threads in one shard.
int coresKeptTogether(const State& s) {
    int n = 0;
    for (std::int32_t i = 0; i < s.hw->topology.coreCount(); ++i) {
        std::set<int> shards;
        for (CpuId c : s.hw->topology.coreCpus(CoreId(i))) shards.insert(s.shardOfCpu[c.index()].v);
        n += shards.size() == 1 ? 1 : 0;
    }
    return n;
}
/// A task that waits on c and is linked, as after an insert.
TaskId waiting(State& s, int c) {
    const TaskId t = newTask(s);
    queueOn(s, t, c);
    EXPECT_TRUE(shardPush(s, t, CpuId(c)));
    return t;
}

} // namespace

TEST(SharedRunq, SR_1) {
    const State s = sharded(ryzen7950x());
    EXPECT_EQ(shardCountOf(s, CpuId(0)), 3);
    EXPECT_EQ(shardsOf(s, LlcId(0)),
              (std::vector<Cpus>{{0, 1, 6, 7, 18, 19}, {2, 3, 20, 21}, {4, 5, 16, 17, 22, 23}}));
    EXPECT_EQ(s.shards.size(), 6u);
    EXPECT_EQ(s.shards[5].llc, LlcId(1));
}

TEST(SharedRunq, SR_2) {
    const State s = sharded(skylake36());
    EXPECT_EQ(shardCountOf(s, CpuId(35)), 6);
    EXPECT_EQ(sizesOf(s, LlcId(0)), (std::vector<std::size_t>(6, 6)));
    EXPECT_EQ(shardsOf(s, LlcId(0))[0], (Cpus{0, 1, 12, 13, 24, 25}));
}

TEST(SharedRunq, SR_3) {
    const State s = sharded(milan72());
    EXPECT_EQ(shardsOf(s, LlcId(0)), (std::vector<Cpus>{{0, 1, 4, 5, 36, 37, 40, 41}, {2, 3, 38, 39}}));
    EXPECT_EQ(sizesOf(s, LlcId(1)), (std::vector<std::size_t>{4, 8}));
}

TEST(SharedRunq, SR_4) {
    const State s = sharded(power9());
    EXPECT_EQ(shardsOf(s, LlcId(0)), (std::vector<Cpus>{{0, 1, 4, 5}, {2, 3, 6, 7}}));
    EXPECT_EQ(coresKeptTogether(s), 0);
}

TEST(SharedRunq, SR_5) {
    EXPECT_EQ(shardCountOf(sharded(zen3Two64()), CpuId(0)), 3);
    const State whole = sharded(zen3Two64(), 16);
    EXPECT_EQ(shardCountOf(whole, CpuId(0)), 1);
    EXPECT_EQ(whole.shards.size(), 16u);
}

TEST(SharedRunq, SR_6) {
    const State s = sharded(iceLakeInterleaved());
    EXPECT_EQ(shardCountOf(s, CpuId(0)), 11);
    for (std::int32_t l = 0; l < 2; ++l)
        for (std::size_t n : sizesOf(s, LlcId(l))) EXPECT_TRUE(n == 5 || n == 6) << n;
    EXPECT_EQ(shardsOf(s, LlcId(0)).size(), 11u) << "no shard stays empty";
}

TEST(SharedRunq, SR_7) {
    EXPECT_EQ(coresKeptTogether(sharded(skylake36())), 0);
    EXPECT_EQ(coresKeptTogether(sharded(ryzen7950x())), 0);
    EXPECT_EQ(coresKeptTogether(sharded(zen3Two64())), 0);
    EXPECT_EQ(coresKeptTogether(sharded(milan72())), 36);
}

TEST(SharedRunq, SR_8) {
    EXPECT_EQ(sizesOf(sharded(skylake36(), 16), LlcId(0)), (std::vector<std::size_t>{12, 12, 12}));
    EXPECT_EQ(sizesOf(sharded(skylake36(), 36), LlcId(0)), (std::vector<std::size_t>{36}));
    EXPECT_EQ(shardCountOf(sharded(skylake36(), 1), CpuId(0)), 36);
}

TEST(SharedRunq, SR_9) {
    State s = sharded(ryzen7950x());
    const TaskId a = waiting(s, 0), b = waiting(s, 7), c = waiting(s, 19);
    const ShardId shard = s.shardOfCpu[0];
    EXPECT_EQ(shardPop(s, shard, CpuId(1)), a);
    EXPECT_EQ(shardPop(s, shard, CpuId(18)), b);
    EXPECT_EQ(shardPop(s, shard, CpuId(6)), c);
    EXPECT_TRUE(shardEmpty(s, shard));
    EXPECT_EQ(shardPop(s, shard, CpuId(6)), TaskId{});
}

TEST(SharedRunq, SR_10) {
    State s = sharded(ryzen7950x());
    const TaskId a = newTask(s, {0, 1});
    queueOn(s, a, 0);
    ASSERT_TRUE(shardPush(s, a, CpuId(0)));
    const TaskId b = waiting(s, 0);
    const TaskId other = waiting(s, 2);
    EXPECT_EQ(shardPop(s, s.shardOfCpu[0], CpuId(4)), TaskId{}) << "b waits behind a head that may not come";
    EXPECT_EQ(s.task(b).shard, s.shardOfCpu[0]);
    EXPECT_EQ(s.task(a).shard, s.shardOfCpu[0]);
    TaskId got;
    for (int i = 0; i < shardCountOf(s, CpuId(4)) && !got; ++i)
        got = shardPop(s, pullOrder(s, CpuId(4), i), CpuId(4));
    EXPECT_EQ(got, other);
}

TEST(SharedRunq, SR_11) {
    State s = sharded(ryzen7950x());
    EXPECT_FALSE(wantsShard(s, newTask(s, {3})));
    EXPECT_TRUE(wantsShard(s, newTask(s, {3, 4})));
    EXPECT_TRUE(wantsShard(s, newTask(s)));
    turn(s, Feature::SHARED_RUNQ, false);
    EXPECT_FALSE(wantsShard(s, newTask(s)));
}

TEST(SharedRunq, SR_12) {
    const State s = sharded(ryzen7950x());
    const CpuId c(12); // LLC 1; (12 >> 1) mod 3 = 0, so own shard is the first of LLC 1
    EXPECT_EQ(pullOrder(s, c, 0), ShardId(3));
    const CpuId last(10); // (10 >> 1) mod 3 = 2
    EXPECT_EQ(pullOrder(s, last, 0), ShardId(5));
    EXPECT_EQ(pullOrder(s, last, 1), ShardId(3));
    EXPECT_EQ(pullOrder(s, last, 2), ShardId(4));
}

TEST(SharedRunq, PullOrderOnLlcsOfUnequalSize) {
    machine::TopologySpec spec;
    for (int c = 0; c < 24; ++c) { // LLC 0 has 6 CPUs, LLC 1 has 18
        machine::CpuInfo cpu;
        cpu.id = CpuId(c);
        cpu.core = CoreId(c);
        cpu.llc = LlcId(c < 6 ? 0 : 1);
        cpu.node = NodeId(0);
        spec.cpus.push_back(cpu);
    }
    auto topology = machine::Topology::build(std::move(spec));
    ASSERT_TRUE(topology) << topology.error().text();
    machine::Hardware hw;
    hw.topology = std::move(topology).value();
    State s;
    s.hw = std::make_shared<const machine::Hardware>(std::move(hw));
    layOutShards(s);
    ASSERT_EQ(s.shards.size(), 4u);
    EXPECT_EQ(shardCountOf(s, CpuId(3)), 1);
    EXPECT_EQ(pullOrder(s, CpuId(3), 0), ShardId(0));
    const CpuId c(10); // (10 >> 1) mod 3 = 2: the last shard of LLC 1
    EXPECT_EQ(pullOrder(s, c, 0), ShardId(3));
    EXPECT_EQ(pullOrder(s, c, 1), ShardId(1));
    EXPECT_EQ(pullOrder(s, c, 2), ShardId(2));
}

TEST(SharedRunq, EraseFromHeadMiddleAndTail) {
    for (int victim = 0; victim < 3; ++victim) {
        State s = sharded(skylake36());
        std::vector<TaskId> t{waiting(s, 0), waiting(s, 0), waiting(s, 1)};
        shardErase(s, t[static_cast<std::size_t>(victim)]);
        shardErase(s, t[static_cast<std::size_t>(victim)]); // a second time does nothing
        EXPECT_EQ(s.shards[0].length, 2);
        EXPECT_TRUE(checkShards(s, true));
        t.erase(t.begin() + victim);
        EXPECT_EQ(shardPop(s, ShardId(0), CpuId(12)), t[0]);
        EXPECT_EQ(shardPop(s, ShardId(0), CpuId(12)), t[1]);
    }
}

TEST(SharedRunq, TOG_1) {
    State s = sharded(ryzen7950x());
    const TaskId t = waiting(s, 0), neighbour = waiting(s, 0);
    turn(s, Feature::SHARED_RUNQ, false);
    EXPECT_FALSE(wantsErase(s, t)) << "v3 stops erasing at once, the drain comes later";
    // t moves to CPU 2 without being unlinked; the feature comes back before the drain.
    s.task(t).cpu = CpuId(2);
    turn(s, Feature::SHARED_RUNQ, true);
    ASSERT_TRUE(wantsShard(s, t));
    EXPECT_FALSE(shardPush(s, t, CpuId(2))) << "list corruption: the node is linked already";
    EXPECT_EQ(checkShards(s).fault, ShardFault::WrongShard);
    EXPECT_EQ(s.shards[0].length, 2) << "lists stay usable";
    EXPECT_EQ(shardPop(s, ShardId(0), CpuId(1)), t);
    EXPECT_EQ(shardPop(s, ShardId(0), CpuId(1)), neighbour);
}

TEST(SharedRunq, DrainThenInsertIsClean) {
    State s = sharded(ryzen7950x());
    const TaskId a = waiting(s, 0);
    waiting(s, 1);
    waiting(s, 9);
    EXPECT_EQ(drainShard(s, ShardId(0)), 2);
    EXPECT_EQ(drainShard(s, ShardId(0)), 0);
    EXPECT_TRUE(checkShards(s, true));
    EXPECT_EQ(checkShards(s).fault, ShardFault::Missing);
    EXPECT_TRUE(shardPush(s, a, CpuId(0)));
    layOutShards(s);
    for (std::size_t i = 0; i < s.shards.size(); ++i) EXPECT_TRUE(shardEmpty(s, ShardId(i)));
    EXPECT_TRUE(shardPush(s, a, CpuId(0)));
}

TEST(SharedRunq, CheckerNamesEachFault) {
    State clean = sharded(ryzen7950x());
    const TaskId a = waiting(clean, 0), b = waiting(clean, 0), c = waiting(clean, 2);
    ASSERT_TRUE(checkShards(clean));
    const auto fault = [&](auto&& damage) {
        State s = clean;
        damage(s);
        return checkShards(s).fault;
    };
    EXPECT_EQ(fault([&](State& s) { s.task(a).shardNext = c; }), ShardFault::BrokenList);
    EXPECT_EQ(fault([&](State& s) { s.task(b).shardNext = a; }), ShardFault::BrokenList) << "a cycle ends";
    EXPECT_EQ(fault([&](State& s) { s.shards[0].tail = a; }), ShardFault::BrokenList);
    EXPECT_EQ(fault([&](State& s) { ++s.shards[0].length; }), ShardFault::BrokenList);
    EXPECT_EQ(fault([&](State& s) { s.shards[1] = Shard{{}, {}, 0, LlcId(0)}; }), ShardFault::BrokenList);
    EXPECT_EQ(fault([&](State& s) { runOn(s, a, 0); }), ShardFault::Running);
    EXPECT_EQ(fault([&](State& s) { s.entity(b).onRq = false; }), ShardFault::NotQueued);
    EXPECT_EQ(fault([&](State& s) { s.task(c).cpu = CpuId(4); }), ShardFault::WrongShard);
    EXPECT_EQ(fault([&](State& s) { s.task(c).cpu = CpuId(9); }), ShardFault::WrongLlc);
    EXPECT_EQ(fault([&](State& s) { shardErase(s, b); }), ShardFault::Missing);
    EXPECT_STRNE(shardFaultText(ShardFault::Missing), shardFaultText(ShardFault::None));
}

/// Random inserts, picks, put-backs, departures and pulls as the kernel orders them.
TEST(SharedRunq, SHQ_INV_1_SHQ_INV_2_SHQ_INV_3_random_operations) {
    for (unsigned seed = 1; seed <= 12; ++seed) {
        std::mt19937 rng(seed);
        State s = sharded(seed % 2 ? ryzen7950x() : milan72());
        const int cpus = s.hw->topology.cpuCount();
        const auto pick = [&](int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); };
        std::vector<TaskId> sleeping;
        std::vector<std::vector<TaskId>> queue(static_cast<std::size_t>(cpus));
        for (int i = 0; i < 60; ++i) sleeping.push_back(i % 10 == 0 ? newTask(s, {pick(cpus)}) : newTask(s));
        const auto insert = [&](TaskId t, int c) {
            s.entity(t).onRq = true;
            s.task(t).cpu = CpuId(c);
            queue[static_cast<std::size_t>(c)].push_back(t);
            if (wantsShard(s, t)) {
                ASSERT_TRUE(shardPush(s, t, CpuId(c)));
            }
        };
        int pulls = 0;
        for (int step = 0; step < 3000; ++step) {
            const int c = pick(cpus);
            Rq& q = s.rq(CpuId(c));
            auto& waitingHere = queue[static_cast<std::size_t>(c)];
            switch (pick(5)) {
            case 0: // wakeup
            case 1: {
                if (sleeping.empty()) break;
                const TaskId t = sleeping.back();
                const int to = s.allowedOn(t, CpuId(c)) ? c : s.masks[s.task(t).allowed.index()].first().v;
                sleeping.pop_back();
                insert(t, to);
                break;
            }
            case 2: { // put back what runs, run the first that waits
                if (q.curr) {
                    const TaskId prev = q.curr;
                    q.curr = {};
                    q.cfs.curr = -1;
                    insert(prev, c);
                }
                if (waitingHere.empty()) break;
                const TaskId next = waitingHere.front();
                waitingHere.erase(waitingHere.begin());
                if (wantsErase(s, next)) shardErase(s, next);
                q.curr = next;
                q.cfs.curr = next.v;
                break;
            }
            case 3: { // the running task sleeps
                if (!q.curr) break;
                s.entity(q.curr).onRq = false;
                sleeping.push_back(q.curr);
                q.curr = {};
                q.cfs.curr = -1;
                break;
            }
            case 4: { // pull
                for (int i = 0; i < shardCountOf(s, CpuId(c)); ++i) {
                    const ShardId shard = pullOrder(s, CpuId(c), i);
                    if (shardEmpty(s, shard)) continue;
                    const TaskId t = shardPop(s, shard, CpuId(c));
                    if (!t) continue;
                    ++pulls;
                    ASSERT_TRUE(s.hw->topology.shareCache(s.task(t).cpu, CpuId(c))) << "SHQ-INV-3";
                    auto& from = queue[s.task(t).cpu.index()];
                    from.erase(std::find(from.begin(), from.end(), t));
                    insert(t, c);
                    break;
                }
                break;
            }
            }
            const ShardCheck check = checkShards(s);
            ASSERT_TRUE(check) << shardFaultText(check.fault) << ", task " << check.task.v << ", step "
                               << step;
        }
        EXPECT_GT(pulls, 20);
    }
}
