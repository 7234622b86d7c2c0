// SPDX-License-Identifier: GPL-3.0-or-later
// CFS 6.5: worked examples E11.* of the eevdf document, buddies, migration, forks.
#include "core/sched/cfs.h"

#include "tests/core/sched/support/one_queue.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

/// Slices are a few ns short of the round figure: the reciprocal of the queue's load is floored.
bool justBelow(std::int64_t x, std::int64_t round) { return x <= round && x >= round - 6; }

struct Cfs : testing::Test {
    OneQueue q{"6.5-tip-88c56cf"};
    TaskId member(std::uint64_t v, int nice = 0) { return q.member(nice, v); }
    TaskId runs(std::uint64_t v, int nice = 0) {
        const TaskId t = member(v, nice);
        q.run(t);
        return t;
    }
    /// Sleeping on this CPU since `since` with that vruntime.
    TaskId sleeper(std::uint64_t v, SimTime since) {
        const TaskId t = q.task();
        q.e(t).home = 0;
        q.e(t).vruntime = VTime{v};
        q.e(t).execStart = since;
        return t;
    }
    bool preempts(TaskId t, bool fork = false) { return wakeupPreempt(q.s, q.c, t, fork, q.now); }
    std::int64_t sliceOf(TaskId t) { return cfs::slice(q.s, q.q(), t.v).ns; }
};

} // namespace

TEST_F(Cfs, E11_1) {
    EXPECT_EQ(q.s.kernel.tunables.latency_ns, 24 * kMs);
    std::vector<TaskId> all;
    for (const auto& [n, expected] : {std::pair{1, 24}, {2, 12}, {4, 6}, {8, 3}, {9, 3}, {20, 3}}) {
        while (static_cast<int>(all.size()) < n) all.push_back(member(0));
        EXPECT_TRUE(justBelow(sliceOf(all[0]), expected * kMs)) << n << " tasks: " << sliceOf(all[0]);
    }
    EXPECT_EQ(cfs::period(q.s, 9).ns, 27 * kMs);
    EXPECT_EQ(cfs::period(q.s, 20).ns, 60 * kMs);
}

TEST_F(Cfs, E11_1_nice_0_and_5) {
    const TaskId a = member(0), b = member(0, 5);
    EXPECT_EQ(sliceOf(a) / 10000, 1808);
    EXPECT_EQ(sliceOf(b) / 10000, 591) << "5.916 ms";
    EXPECT_EQ((sliceOf(b) + 5000) / 10000, 592);
}

TEST_F(Cfs, E11_2_the_slice_overruns_by_a_tick) {
    for (const auto& [hz, quantum] : {std::pair{250, 16}, {1000, 13}}) {
        OneQueue x("6.5-tip-88c56cf", hz);
        x.enqueue(x.task());
        x.enqueue(x.task());
        x.schedule();
        // A switch takes time, so three ticks are a little less than 12 ms.
        const auto ran = x.ticks(60 * kMs, 100);
        ASSERT_GE(ran.size(), 3u);
        EXPECT_EQ(ran[1].to - ran[1].from, quantum * kMs);
        EXPECT_EQ(ran[2].to - ran[2].from, quantum * kMs);
    }
}

TEST_F(Cfs, E11_2_exactly_aligned_ticks_meet_the_floored_ideal_slice) {
    OneQueue x("6.5-tip-88c56cf");
    const TaskId a = x.task();
    x.enqueue(a);
    x.enqueue(x.task());
    x.schedule();
    EXPECT_EQ(cfs::slice(x.s, x.q(), a.v).ns, 11999994);
    EXPECT_EQ(x.ticks(20 * kMs)[0], (Ran{a, 0, 12 * kMs})) << "12 000 000 > 11 999 994";
}

TEST_F(Cfs, E11_3) {
    q.reference(100 * kMs);
    q.now = SimTime{2000 * kMs};
    const TaskId curr = runs(100 * kMs);
    const TaskId s = sleeper(50 * kMs, q.now - Duration{1000 * kMs});
    q.enqueue(s);
    EXPECT_EQ(q.v(s), 88u * kMs);
    EXPECT_TRUE(preempts(s));
    EXPECT_EQ(q.q().next, s.v) << "the pick will prefer it";
    EXPECT_EQ(q.pick(), s);

    q.dequeue(s);
    const TaskId shortly = sleeper(99 * kMs, q.now - Duration{3 * kMs});
    q.enqueue(shortly);
    EXPECT_EQ(q.v(shortly), 99u * kMs);
    EXPECT_FALSE(preempts(shortly));
    EXPECT_EQ(TaskId(q.q().curr), curr);
}

TEST_F(Cfs, E11_3_without_GENTLE_FAIR_SLEEPERS_the_credit_doubles) {
    q.reference(100 * kMs);
    turn(q.s, Feature::GENTLE_FAIR_SLEEPERS, false);
    const TaskId s = sleeper(0, q.now);
    q.enqueue(s);
    EXPECT_EQ(q.v(s), 76u * kMs);
    const TaskId idle = q.task(0, 0, TaskPolicy::Idle);
    q.e(idle).home = 0;
    q.reference(100 * kMs);
    q.enqueue(idle);
    EXPECT_EQ(q.v(idle), 97u * kMs) << "idle entities get min_granularity";
}

TEST_F(Cfs, E11_4_with_these_settings_no_equal_wakee_ever_preempts) {
    Tunables& t = q.s.kernel.tunables;
    t.latency_ns = 20 * kMs;
    t.min_granularity_ns = 10 * kMs;
    t.wakeup_granularity_ns = 12 * kMs;
    t.migration_cost_ns = 0;
    EXPECT_EQ(cfs::period(q.s, 1).ns, 20 * kMs);
    EXPECT_EQ(cfs::period(q.s, 2).ns, 20 * kMs);
    EXPECT_EQ(cfs::period(q.s, 3).ns, 30 * kMs);
    q.reference(100 * kMs);
    runs(100 * kMs);
    const TaskId s = sleeper(0, q.now);
    q.enqueue(s);
    EXPECT_EQ(q.v(s), 90u * kMs);
    EXPECT_FALSE(preempts(s));
}

TEST_F(Cfs, a_sleep_too_long_to_compare_starts_from_the_floor) {
    q.reference(100 * kMs);
    const TaskId s = sleeper(500 * kMs, SimTime{0});
    q.now = SimTime{(std::int64_t{1} << 53) + 1};
    q.enqueue(s);
    EXPECT_EQ(q.v(s), 88u * kMs);
}

TEST_F(Cfs, a_running_task_is_protected_for_the_minimum_granularity_then_by_the_lead) {
    const TaskId a = runs(0);
    member(0);
    q.now = q.now + Duration{2 * kMs};
    EXPECT_FALSE(taskTick(q.s, q.c, q.now));
    q.e(a).vruntime = VTime{20 * kMs};
    q.now = q.now + Duration{kMs / 2};
    EXPECT_FALSE(taskTick(q.s, q.c, q.now)) << "2.5 ms < min_granularity, however far ahead";
    q.now = q.now + Duration{1 * kMs};
    Decision why;
    EXPECT_TRUE(taskTick(q.s, q.c, q.now, &why)) << "leads by more than the ideal slice";
    EXPECT_STREQ(why.function, "check_preempt_tick");
    ASSERT_EQ(why.count, 2);
    EXPECT_EQ(why.candidates[0].test, rqs::Test::IdealSlice);
    EXPECT_FALSE(why.candidates[0].passed);
    EXPECT_TRUE(justBelow(why.candidates[0].b, 12 * kMs));
    EXPECT_EQ(why.candidates[1].test, rqs::Test::Leftmost);
}

TEST_F(Cfs, vruntime_moves_between_queues_relative_to_min_vruntime) {
    q.reference(100 * kMs);
    q.s.rq(CpuId(1)).cfs.v0 = VTime{7 * kMs};
    const TaskId a = member(103 * kMs);
    EXPECT_TRUE(dequeueTask(q.s, q.c, a, DequeueKind::Migrate, q.now));
    EXPECT_EQ(q.v(a), 3u * kMs);
    enqueueTask(q.s, CpuId(1), a, EnqueueKind::Migrate, q.now);
    EXPECT_EQ(q.v(a), 10u * kMs);
    EXPECT_EQ(q.e(a).execStart, Entity::kNeverRan) << "no longer cache hot";

    // A sleeper keeps its absolute vruntime until it is woken elsewhere. Leaving it alone moved CPU 1 to 10
    // ms.
    EXPECT_TRUE(dequeueTask(q.s, CpuId(1), a, DequeueKind::Sleep, q.now));
    EXPECT_EQ(q.v(a), 10u * kMs);
    const std::uint64_t left = q.s.rq(CpuId(1)).cfs.v0.v, joined = q.s.rq(CpuId(2)).cfs.v0.v;
    enqueueTask(q.s, CpuId(2), a, EnqueueKind::Wakeup, q.now);
    EXPECT_EQ(q.v(a), joined + (10u * kMs - left));
}

TEST_F(Cfs, a_fork_starts_one_slice_behind_its_parents_queue) {
    q.reference(100 * kMs);
    const TaskId parent = runs(100 * kMs);
    const TaskId child = q.task();
    q.now = q.now + Duration{1 * kMs};
    forkTask(q.s, q.c, child, q.now);
    EXPECT_EQ(q.v(parent), 101u * kMs);
    CfsRq& other = q.s.rq(CpuId(5)).cfs;
    other.v0 = VTime{40 * kMs};
    enqueueTask(q.s, CpuId(5), child, EnqueueKind::Fork, q.now);
    EXPECT_TRUE(justBelow(static_cast<std::int64_t>(q.v(child)), 52 * kMs))
        << "12 ms = half the period of two";

    const TaskId second = q.task();
    enqueueTask(q.s, q.c, second, EnqueueKind::Fork, q.now);
    EXPECT_TRUE(justBelow(static_cast<std::int64_t>(q.v(second)), 113 * kMs))
        << "its own queue stands in for the parent's";
    turn(q.s, Feature::START_DEBIT, false);
    const TaskId third = q.task();
    enqueueTask(q.s, q.c, third, EnqueueKind::Fork, q.now);
    EXPECT_EQ(q.v(third), 101u * kMs) << "max(curr, min_vruntime)";
}

TEST_F(Cfs, next_and_last_buddies_win_unless_unfair_and_next_comes_first) {
    const TaskId a = member(0), b = member(3 * kMs), c = member(3900000), d = member(4 * kMs + 1);
    EXPECT_EQ(q.pick(), a);
    q.q().last = b.v;
    EXPECT_EQ(q.pick(), b);
    q.q().next = c.v;
    EXPECT_EQ(q.pick(), c);
    q.q().next = d.v;
    EXPECT_EQ(q.pick(), b) << "d leads by more than the granularity";
    q.q().next = c.v;
    q.run(c);
    EXPECT_EQ(q.q().next, -1);
    EXPECT_EQ(q.q().last, b.v);
}

TEST_F(Cfs, a_yielding_task_is_skipped_once_if_that_is_fair) {
    const TaskId a = runs(0), b = member(1 * kMs);
    yieldTask(q.s, q.c, q.now);
    EXPECT_EQ(q.q().skip, a.v);
    EXPECT_EQ(q.pick(), b);
    q.run(b);
    EXPECT_EQ(q.q().skip, a.v);
    q.run(a);
    EXPECT_EQ(q.q().skip, -1);
    q.dequeue(b);
    const TaskId far = member(10 * kMs);
    yieldTask(q.s, q.c, q.now);
    EXPECT_EQ(q.pick(), a) << "10 ms apart";
    EXPECT_NE(far, a);
}

TEST_F(Cfs, the_preempted_task_is_remembered_only_in_a_crowd) {
    q.reference(100 * kMs);
    const TaskId curr = runs(100 * kMs);
    const TaskId w = sleeper(0, q.now);
    q.enqueue(w);
    EXPECT_TRUE(preempts(w));
    EXPECT_EQ(q.q().last, -1);
    while (q.q().nr < 8) member(100 * kMs);
    EXPECT_TRUE(preempts(w));
    EXPECT_EQ(q.q().last, curr.v);
    EXPECT_EQ(q.q().next, w.v);
}

TEST_F(Cfs, policies_decide_before_vruntime) {
    const TaskId idle = q.task(0, 0, TaskPolicy::Idle);
    q.enqueue(idle);
    q.run(idle);
    const TaskId batch = q.task(0, 0, TaskPolicy::Batch);
    q.enqueue(batch);
    EXPECT_TRUE(preempts(batch)) << "an idle curr gives way to anybody else";
    turn(q.s, Feature::WAKEUP_PREEMPTION, false);
    EXPECT_TRUE(preempts(batch)) << "even with the feature off";
    turn(q.s, Feature::WAKEUP_PREEMPTION, true);
    q.run(batch);
    q.e(batch).vruntime = VTime{500 * kMs};
    EXPECT_FALSE(preempts(idle));
    const TaskId other = q.task(0, 0, TaskPolicy::Batch);
    q.enqueue(other);
    EXPECT_FALSE(preempts(other));
}

TEST_F(Cfs, min_vruntime_follows_the_least_and_never_goes_back) {
    const TaskId a = runs(5 * kMs), b = member(2 * kMs);
    q.spend(1 * kMs);
    EXPECT_EQ(avgVruntime(q.s, q.c).v, 2u * kMs);
    q.dequeue(b);
    EXPECT_EQ(avgVruntime(q.s, q.c).v, 6u * kMs);
    member(1 * kMs);
    q.spend(1 * kMs);
    EXPECT_EQ(avgVruntime(q.s, q.c).v, 6u * kMs);
    EXPECT_EQ(q.v(a), 7u * kMs);
}

TEST_F(Cfs, waiting_tasks_are_listed_in_vruntime_order) {
    const TaskId a = member(3 * kMs), b = member(1 * kMs), c = member(2 * kMs), d = member(1 * kMs);
    TaskId out[8];
    ASSERT_EQ(queuedInPickOrder(q.s, q.c, out, 8), 4);
    EXPECT_EQ((std::vector<TaskId>{out, out + 4}), (std::vector<TaskId>{b, d, c, a}));
    EXPECT_EQ(queuedInPickOrder(q.s, q.c, out, 2), 2);
}
