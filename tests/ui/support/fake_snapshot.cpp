// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/fake_snapshot.h"

#include <algorithm>

namespace rqs::test {
namespace {

class Dice {
public:
    explicit Dice(unsigned seed) : m_x(seed * 2654435761U + 12345U) {}
    int below(int n) {
        m_x = m_x * 1664525U + 1013904223U;
        return static_cast<int>((m_x >> 8) % static_cast<unsigned>(std::max(1, n)));
    }

private:
    unsigned m_x;
};

std::shared_ptr<session::RunInfo> makeRun(const FakeShape& f) {
    auto run = std::make_shared<session::RunInfo>();
    run->scenarioId = "02-shared-runq/01-hackbench-7950x";
    run->title = "hackbench";
    run->machineId = f.machineId;
    run->machineTitle = f.title;
    run->kernelId = "6.5-tip-88c56cf";
    run->variant = "B";
    run->unit = "messages";
    run->notes = {"placement: simplified"};
    run->sockets = f.sockets;
    run->nodes = f.sockets * f.nodesPerSocket;
    run->llcs = run->nodes * f.llcsPerNode;
    run->mhzBase = 4500;
    run->seed = 1;
    run->end = {25'000'000};
    run->warmup = {2'000'000};
    const int n = f.cpus(), cores = n / f.threads, coresPerLlc = f.clustersPerLlc * f.coresPerCluster;
    run->cpus.resize(static_cast<std::size_t>(n));
    for (int core = 0; core < cores; ++core)
        for (int t = 0; t < f.threads; ++t) {
            const int cpu = f.threadsLast ? core + t * cores : core * f.threads + t;
            const int llc = core / coresPerLlc, node = llc / f.llcsPerNode;
            auto& c = run->cpus[static_cast<std::size_t>(cpu)];
            c.core = CoreId(core);
            c.llc = LlcId(llc);
            c.node = NodeId(node);
            c.osNode = node;
            c.socket = node / f.nodesPerSocket;
            c.thread = t;
            c.cluster = f.clustersPerLlc > 1 ? core / f.coresPerCluster : -1;
        }
    run->roles = {"snd", "rcv"};
    for (int i = 0; i < f.tasks; ++i)
        run->tasks.push_back(
            {i % 2 ? "receiver" : "sender", i % 2 ? "rcv" : "snd", i % 2, i / 2, 0, 1000 + i});
    return run;
}

void fillCpus(session::Snapshot& s, const FakeShape& f, Dice& dice) {
    int next = 0;
    const auto task = [&] { return next < f.tasks ? TaskId(next++) : TaskId(); };
    s.cpus.resize(s.run->cpus.size());
    for (std::size_t i = 0; i < s.cpus.size(); ++i) {
        auto& c = s.cpus[i];
        c.switches = static_cast<std::uint64_t>(1000 + dice.below(9000));
        if (dice.below(100) < 14 && i > 0) continue;
        c.running = task();
        if (!c.running) continue;
        c.mode = dice.below(3) ? CpuMode::User : CpuMode::Kernel;
        c.sliceUsed = static_cast<std::int16_t>(dice.below(1000));
        const int waiting = std::min(dice.below(7), dice.below(9));
        for (int k = 0; k < waiting; ++k) {
            const TaskId t = task();
            if (!t) break;
            c.queue[c.queued++] = t;
        }
        c.nr = 1 + c.queued;
        if (c.queued > 2 && dice.below(3) == 0) {
            c.delayedBits = 4;
            c.nr -= 1;
            c.nrDelayed = 1;
        }
        if (c.queued > 1 && dice.below(3) == 0) c.ineligibleBits = 2;
        c.needResched = dice.below(12) == 0;
        if (dice.below(100) < 9) {
            c.spinning = true;
            c.mode = CpuMode::Spin;
            c.spinClass = LockClass::Shard;
            c.spinSince = SimTime{s.now.ns - 200 - dice.below(900)};
        }
    }
    const int perLlc = static_cast<int>(s.cpus.size()) / std::max(1, s.run->llcs);
    const int shards = f.shardSize > 0 ? std::max(1, (perLlc + f.shardSize - 1) / f.shardSize) : 0;
    for (int l = 0; l < s.run->llcs; ++l)
        for (int k = 0; k < shards; ++k) {
            session::ShardView v;
            v.llc = LlcId(l);
            v.indexInLlc = k;
            v.length = dice.below(14);
            for (int t = 0; t < v.length; ++t) v.tasks.push_back(TaskId(dice.below(f.tasks)));
            v.lock.held = dice.below(3) > 0;
            v.lock.holder = CpuId(dice.below(static_cast<int>(s.cpus.size())));
            v.lock.since = SimTime{s.now.ns - 210};
            for (std::size_t i = 0; i < s.cpus.size(); ++i)
                if (v.lock.held && s.cpus[i].spinning && s.run->cpus[i].llc.v == l &&
                    static_cast<int>(i) % shards == k) {
                    s.cpus[i].spinInstance = static_cast<std::int32_t>(s.shards.size());
                    if (v.lock.spinning.size() < 16) v.lock.spinning.push_back(CpuId(i));
                    ++v.lock.waiters;
                }
            s.shards.push_back(v);
        }
}

void fillMoves(session::Snapshot& s) {
    const int n = static_cast<int>(s.cpus.size());
    if (n < 16) return;
    using Kind = session::Move::Kind;
    s.moves.push_back(
        {Kind::Migrate, s.now, TaskId(217), CpuId(3), CpuId(5), MoveReason::SharedRunqPull, Distance::Llc});
    s.moves.push_back(
        {Kind::Migrate, s.now, TaskId(75), CpuId(6), CpuId(12), MoveReason::Newidle, Distance::Socket});
    s.moves.push_back(
        {Kind::Wake, s.now, TaskId(11), CpuId(n / 2), CpuId(4), MoveReason::Wakeup, Distance::Llc});
    if (s.run->sockets > 1)
        s.moves.push_back({Kind::Migrate, s.now, TaskId(20), CpuId(1), CpuId(n / 2 - 3), MoveReason::Newidle,
                           Distance::Remote});
}

void fillNumbers(session::Snapshot& s, Dice& dice) {
    auto& n = s.numbers;
    n.now = s.now;
    n.warmup = s.run->warmup;
    n.ops = 201'000;
    n.switches = 7'500;
    n.wakeups = 5'200;
    for (int i = 0; i < 180; ++i) {
        const SimTime t{i * 100'000 + 50'000};
        n.throughput.add(t, (i < 80 ? 1150 : 1480) + dice.below(160));
        n.lockWait[static_cast<std::size_t>(LockClass::Rq)].add(t, 50'000 + dice.below(9'000));
        if (i >= 80) n.lockWait[static_cast<std::size_t>(LockClass::Shard)].add(t, 101'000 + dice.below(9'000));
        n.runnable.add(t, 100'000LL * (36 + dice.below(9)));
        n.idle.add(t, 100'000LL * (2 + dice.below(4)));
        n.idleWhileWaiting.add(t, 100'000LL * dice.below(3));
    }
    for (int i = 0; i < 5000; ++i) {
        std::int64_t ns = 300 + dice.below(900);
        for (int k = dice.below(6); k > 0; --k) ns = ns * 19 / 10;
        n.wakeupLatency.add({ns});
        n.slice.add({ns * 3});
    }
    auto& shard = n.locks[static_cast<std::size_t>(LockClass::Shard)];
    shard.contentions = 5210;
    shard.acquisitions = 91'500;
    shard.waitTotal = {18'400'000};
    shard.holdTotal = {7'100'000};
    auto& rq = n.locks[static_cast<std::size_t>(LockClass::Rq)];
    rq.contentions = 1830;
    rq.acquisitions = 310'000;
    rq.waitTotal = {9'100'000};
    rq.holdTotal = {44'000'000};
    n.flips.push_back({{8'000'000}, static_cast<std::uint8_t>(sched::Feature::SHARED_RUNQ), 1});
    n.cpus.resize(s.cpus.size());
    for (auto& c : n.cpus) {
        c.user = {6'000'000 + dice.below(4'000'000)};
        c.kernel = {5'000'000 + dice.below(3'000'000)};
        c.spin = {dice.below(900'000)};
        c.idle = Duration{s.now.ns} - c.user - c.kernel - c.spin;
        c.switches = static_cast<std::uint64_t>(200 + dice.below(100));
        c.migrationsIn = static_cast<std::uint64_t>(dice.below(90));
        c.wakeups = static_cast<std::uint64_t>(dice.below(300));
    }
    n.tasks.resize(s.run->tasks.size());
    for (auto& t : n.tasks) {
        t.run = {500'000 + dice.below(900'000)};
        t.wait = {dice.below(9'000'000)};
        t.switches = static_cast<std::uint64_t>(dice.below(60));
    }
}

void fillDecision(session::Snapshot& s) {
    Decision d;
    d.question = Question::WhichCpu;
    d.task = TaskId(217);
    d.cpu = CpuId(3);
    d.function = "select_task_rq_fair";
    d.add(3, Test::TargetIdle, false, 2, 0);
    d.add(21, Test::PrevIdle, false, 1, 0);
    d.add(19, Test::RecentIdle, false, 1, 0);
    d.add(-1, Test::IdleCore, false, 0, 0);
    d.add(4, Test::ScanIdle, false, 1, 6);
    d.add(5, Test::ScanIdle, true, 0, 5);
    d.outcome = 5;
    s.decision = d;
    s.decisionTime = s.now;
}

} // namespace

FakeShape ryzen7950x() { return {}; }
FakeShape oneCpu() { return {"one CPU", "gt-up", 1, 1, 1, 1, 1, 1, true, 3, 0, 1}; }
FakeShape laptop16() { return {"Laptop, 16 CPUs", "laptop", 1, 1, 1, 1, 8, 2, true, 60, 0, 3}; }
FakeShape twoSocket256() { return {"2 x Xeon 8358", "xeon", 2, 1, 1, 1, 64, 2, true, 900, 24, 4}; }
FakeShape epyc512() { return {"2 x EPYC 9754", "epyc", 2, 4, 4, 1, 8, 2, true, 4096, 6, 5}; }
FakeShape huge1024() { return {"4 x 256", "huge", 4, 2, 8, 1, 8, 2, true, 6000, 6, 6}; }
FakeShape power8Smt() { return {"POWER9, SMT8", "power9", 2, 1, 12, 1, 1, 8, false, 500, 0, 7}; }
FakeShape clusters() { return {"Kunpeng 920", "kunpeng", 1, 2, 1, 6, 4, 1, true, 200, 0, 8}; }

std::shared_ptr<const session::Snapshot> fakeSnapshot(const FakeShape& shape, bool stepping) {
    auto s = std::make_shared<session::Snapshot>();
    Dice dice(shape.seed);
    s->run = makeRun(shape);
    s->now = {18'204'311};
    s->knownUntil = {21'100'000};
    s->step = 1'204'311;
    s->knownSteps = 1'390'000;
    s->running = !stepping;
    fillCpus(*s, shape, dice);
    fillMoves(*s);
    fillNumbers(*s, dice);
    if (stepping) fillDecision(*s);
    using sched::Feature;
    s->features = {{Feature::SHARED_RUNQ, true, true, ""},
                   {Feature::SIS_SYNC, false, false, "not in 6.5"},
                   {Feature::DELAY_DEQUEUE, false, false, "not in 6.5"},
                   {Feature::SIS_UTIL, true, true, ""},
                   {Feature::TTWU_QUEUE, true, true, ""}};
    for (std::int32_t i = 0; i < 8; ++i) s->tunables.push_back({i, 3'000'000});
    s->preemption = "voluntary";
    s->selectedCpu = CpuId(0);
    for (int i = 0; i < 4; ++i)
        s->selectedQueue.push_back({TaskId(i), 18'000'000 + i * 1000, 21'000'000 + i * 900, 2000 - i * 1300,
                                    3'000'000, i == 0, i == 3, i < 2});
    s->memoryUsed = 96 << 20;
    s->memoryBudget = 256 << 20;
    s->switchesPerWallSecond = 412'000;
    s->idleWhileWaiting = 2;
    s->waiting = 4;
    return s;
}

} // namespace rqs::test
