// SPDX-License-Identifier: GPL-3.0-or-later
// Queued spinlocks: FIFO order, hand-over, and what lock_stat would count (wakeup_balance 5.1, 5.2).
#include "core/engine/random.h"
#include "core/machine/locks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace rqs::machine {
namespace {

/// Keeps lock records, and sums the columns of lock_stat independently of core/metrics.
struct Columns final : RecordSink {
    std::uint64_t acquisitions = 0, contentions = 0, conBounces = 0, acqBounces = 0;
    std::vector<std::int64_t> waits, holds;
    std::vector<CpuId> order;
    std::map<CallSite, int> waitSites;
    void on(SimTime, const Record& r) override {
        const auto& l = std::get<LockRecord>(r);
        switch (l.phase) {
        case LockPhase::Contend:
            conBounces += l.bounced;
            ++waitSites[l.site];
            break;
        case LockPhase::Acquire:
            order.push_back(l.cpu);
            acqBounces += l.bounced;
            if (l.contended && l.wait.ns > 0) {
                ++contentions;
                waits.push_back(l.wait.ns);
            }
            break;
        case LockPhase::Release:
            ++acquisitions;
            holds.push_back(l.hold.ns);
            break;
        }
    }
    static std::int64_t sum(const std::vector<std::int64_t>& v) {
        std::int64_t s = 0;
        for (auto x : v) s += x;
        return s;
    }
};

TEST(Lock, LOCK_1_three_cpus_hand_over_in_order) {
    LockTable t(3);
    const LockId l = t.add(LockClass::Shard, 0);
    Columns c;
    constexpr std::int64_t kHold = 300, kPending = 60, kMcs = 100;
    EXPECT_TRUE(t.acquire(l, CpuId(0), CallSite::SharedRunqPop, {0}, &c));
    EXPECT_FALSE(t.acquire(l, CpuId(1), CallSite::EnqueueEntity, {100}, &c));
    EXPECT_FALSE(t.acquire(l, CpuId(2), CallSite::DequeueEntity, {150}, &c));
    std::int64_t now = kHold;
    Handover h = t.release(l, CpuId(0), {now}, &c);
    EXPECT_EQ(h.to, CpuId(1));
    EXPECT_TRUE(h.pending);
    now += kPending;
    t.granted(l, CpuId(1), {now}, &c);
    EXPECT_EQ(now, 360);
    now += kHold;
    h = t.release(l, CpuId(1), {now}, &c);
    EXPECT_EQ(h.to, CpuId(2));
    EXPECT_FALSE(h.pending) << "the second waiter queued on an MCS node";
    now += kMcs;
    t.granted(l, CpuId(2), {now}, &c);
    EXPECT_EQ(now, 760);
    now += kHold;
    EXPECT_FALSE(t.release(l, CpuId(2), {now}, &c).to);
    EXPECT_EQ(now, 1060);
    EXPECT_EQ(c.acquisitions, 3u);
    EXPECT_EQ(c.contentions, 2u);
    EXPECT_EQ(c.conBounces, 2u);
    EXPECT_EQ(c.acqBounces, 3u) << "2, and 1 for the first acquirer nobody preceded";
    EXPECT_EQ(*std::min_element(c.waits.begin(), c.waits.end()), 260);
    EXPECT_EQ(*std::max_element(c.waits.begin(), c.waits.end()), 610);
    EXPECT_EQ(Columns::sum(c.waits), 870);
    EXPECT_EQ(Columns::sum(c.holds), 900);
}

TEST(Lock, LOCK_2_alone_never_contends) {
    LockTable t(4);
    const LockId l = t.add(LockClass::Rq, 2);
    Columns c;
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(t.acquire(l, CpuId(3), CallSite::Schedule, {i * 100}, &c));
        t.release(l, CpuId(3), {i * 100 + 40}, &c);
    }
    EXPECT_EQ(c.acquisitions, 10u);
    EXPECT_EQ(c.contentions, 0u);
    EXPECT_EQ(c.acqBounces, 1u);
    EXPECT_TRUE(c.waitSites.empty());
    EXPECT_EQ(Columns::sum(c.holds), 400);
}

TEST(Lock, a_lock_in_hand_over_is_not_stolen_and_a_late_waiter_queues_behind) {
    LockTable t(3);
    const LockId l = t.add(LockClass::Rq, 0);
    EXPECT_TRUE(t.acquire(l, CpuId(0), CallSite::Schedule, {0}, nullptr));
    EXPECT_FALSE(t.acquire(l, CpuId(1), CallSite::Schedule, {10}, nullptr));
    EXPECT_EQ(t.release(l, CpuId(0), {20}, nullptr).to, CpuId(1));
    EXPECT_FALSE(t.acquire(l, CpuId(2), CallSite::Schedule, {25}, nullptr));
    EXPECT_FALSE(t.waiter(CpuId(2)).pending) << "the pending place is taken by the hand-over";
    t.granted(l, CpuId(1), {30}, nullptr);
    EXPECT_EQ(t.lock(l).owner, CpuId(1));
}

TEST(Lock, cycles_in_the_wait_for_graph_are_seen) {
    LockTable t(2);
    const LockId a = t.add(LockClass::Rq, 0), b = t.add(LockClass::Rq, 1);
    EXPECT_TRUE(t.acquire(a, CpuId(0), CallSite::Schedule, {0}, nullptr));
    EXPECT_TRUE(t.acquire(b, CpuId(1), CallSite::Schedule, {0}, nullptr));
    EXPECT_FALSE(t.wouldDeadlock(b, CpuId(0)));
    EXPECT_FALSE(t.acquire(b, CpuId(0), CallSite::Schedule, {1}, nullptr));
    EXPECT_TRUE(t.wouldDeadlock(a, CpuId(1)));
}

/// Random traffic on a few locks; checks the invariants of wakeup_balance 5.2 and fairness of 5.1.
class LockTraffic : public ::testing::TestWithParam<int> {};

TEST_P(LockTraffic, LS_INV_1_LS_INV_2_LS_INV_3_and_FIFO) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    constexpr int kCpus = 9;
    LockTable t(kCpus);
    const LockId l = t.add(LockClass::Shard, 0);
    Columns c;
    constexpr CallSite kSites[] = {CallSite::EnqueueEntity, CallSite::DequeueEntity, CallSite::SharedRunqPop};
    struct Agent { enum { Think, Wait, Travel, Hold } state = Think; std::int64_t at = 0; };
    std::array<Agent, kCpus> agents;
    std::uint64_t draws = 0;
    auto draw = [&](std::uint64_t n) {
        return static_cast<std::int64_t>(engine::drawBelow(seed, 1, engine::Purpose::Workload, ++draws, n));
    };
    for (auto& a : agents) a.at = draw(2000);
    std::vector<CpuId> arrivals;
    std::int64_t now = 0;
    for (int events = 0; events < 20000; ++events) {
        int next = -1;
        for (int i = 0; i < kCpus; ++i)
            if (agents[static_cast<std::size_t>(i)].state != Agent::Wait &&
                (next < 0 || agents[static_cast<std::size_t>(i)].at < agents[static_cast<std::size_t>(next)].at))
                next = i;
        Agent& a = agents[static_cast<std::size_t>(next)];
        now = a.at;
        const CpuId cpu(next);
        switch (a.state) {
        case Agent::Think: {
            const CallSite site = kSites[draw(3)];
            arrivals.push_back(cpu);
            if (t.acquire(l, cpu, site, {now}, &c)) a = {Agent::Hold, now + 1 + draw(300)};
            else a.state = Agent::Wait;
            break;
        }
        case Agent::Travel:
            t.granted(l, cpu, {now}, &c);
            a = {Agent::Hold, now + 1 + draw(300)};
            break;
        case Agent::Hold: {
            const Handover h = t.release(l, cpu, {now}, &c);
            a = {Agent::Think, now + draw(2000)};
            if (h.to) agents[h.to.index()] = {Agent::Travel, now + (h.pending ? 60 : 120)};
            break;
        }
        case Agent::Wait: FAIL();
        }
    }
    const std::uint64_t inFlight = kCpus;
    EXPECT_LE(c.acqBounces, c.acquisitions + inFlight);
    EXPECT_LE(c.conBounces, c.contentions + inFlight);
    EXPECT_LE(c.contentions, c.acquisitions + inFlight);
    EXPECT_GT(c.contentions, 100u);
    std::uint64_t sites = 0;
    for (const auto& [site, n] : c.waitSites) sites += static_cast<std::uint64_t>(n);
    EXPECT_LE(c.contentions, sites);
    EXPECT_LE(sites, c.contentions + inFlight) << "every contention has one call site";
    EXPECT_LE(Columns::sum(c.holds), now) << "one lock cannot be held longer than the time observed";
    arrivals.resize(c.order.size());
    EXPECT_EQ(c.order, arrivals) << "order of acquisition is order of arrival";
}
INSTANTIATE_TEST_SUITE_P(Seeds, LockTraffic, ::testing::Range(1, 9));

} // namespace
} // namespace rqs::machine
