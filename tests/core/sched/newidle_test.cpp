// SPDX-License-Identifier: GPL-3.0-or-later
// Newly-idle balancing inside the LLC: gates, averages and costs (NI-*), choice of queue and task (flat
// LB-*).
#include "core/sched/fair.h"
#include "core/sched/newidle.h"
#include "tests/core/sched/support/toy_machine.h"

using namespace rqs;
using namespace rqs::literals;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr SimTime kNow{10000000};
constexpr CpuId c0{0}, c1{1}, c3{3};

/// Two tasks on CPU `c`, one of them running.
void crowd(State& s, int c, int waiters = 1, SimTime ranUntil = {}) {
    busy(s, c);
    for (int i = 0; i < waiters; ++i) queueOn(s, newTask(s), c, ranUntil);
}

} // namespace

TEST(Newidle, NI_1_without_overload_nothing_is_balanced_but_the_stamp_is_set) {
    State s = emptyState(toyBoxA());
    Decision d;
    EXPECT_FALSE(newidleBegin(s, c0, kNow, &d));
    EXPECT_EQ(s.rq(c0).idleStamp, kNow);
    ASSERT_EQ(d.count, 1);
    EXPECT_EQ(d.candidates[0].test, rqs::Test::Overload);
    EXPECT_EQ(d.outcome, 0);
    newidleEnd(s, c0, false, {});
    EXPECT_EQ(s.rq(c0).idleStamp, kNow) << "stays set: a wakeup will sample it";
}

TEST(Newidle, NI_2_levels_are_afforded_until_the_average_is_spent) {
    State s = emptyState(toyBoxA());
    Rq& q = s.rq(c0);
    s.overload = true;
    q.avgIdle = {20000};
    ASSERT_EQ(q.maxNewidleCost.size(), 3u) << "SMT, MC, DIE";
    q.maxNewidleCost = {{3000}, {12000}, {30000}};
    ASSERT_EQ(newidleLevels(s, c0), 2);
    EXPECT_TRUE(newidleBegin(s, c0, kNow));
    Duration spent;
    EXPECT_TRUE(newidleAffordable(s, c0, 0, spent));
    newidleCharge(s, c0, 0, {2500}, kNow);
    spent += {2500};
    EXPECT_TRUE(newidleAffordable(s, c0, 1, spent));
    newidleCharge(s, c0, 1, {11000}, kNow);
    spent += {11000};
    EXPECT_FALSE(newidleAffordable(s, c0, 2, spent)) << "20 000 < 13 500 + 30 000";
    newidleEnd(s, c0, false, spent);
    EXPECT_EQ(q.maxIdleBalanceCost.ns, 500000);
    EXPECT_EQ(q.maxNewidleCost[1].ns, 12000);
}

TEST(Newidle, NI_3_fresh_boot_affords_every_level) {
    State s = emptyState(toyBoxA());
    s.overload = true;
    EXPECT_TRUE(newidleBegin(s, c0, kNow));
    for (int level = 0; level < newidleLevels(s, c0); ++level)
        EXPECT_TRUE(newidleAffordable(s, c0, level, {}));
}

TEST(Newidle, NI_4_avg_idle_sequence) {
    State s = emptyState(toyBoxA());
    Rq& q = s.rq(c0);
    SimTime t{1000000};
    const auto period = [&](std::int64_t ns) {
        q.idleStamp = t;
        t = t + Duration{ns};
        sampleAvgIdle(s, c0, t);
        return q.avgIdle.ns;
    };
    for (std::int64_t expected : {876250, 767969, 673223, 590321, 517781}) EXPECT_EQ(period(10000), expected);
    int n = 5;
    while (q.avgIdle.ns >= 50000) {
        period(10000);
        ++n;
    }
    EXPECT_EQ(n, 25);
    EXPECT_EQ(q.avgIdle.ns, 45147);
    sampleAvgIdle(s, c0, t + 1_s);
    EXPECT_EQ(q.avgIdle.ns, 45147) << "no stamp, no sample";
    for (int i = 0; i < 50; ++i) period(50000000);
    EXPECT_EQ(q.avgIdle.ns, 1000000) << "capped at twice max_idle_balance_cost";
}

TEST(Newidle, DifferencesBelowEightChangeNothing) {
    State s = emptyState(toyBoxA());
    Rq& q = s.rq(c0);
    q.avgIdle = {1000};
    for (std::int64_t d : {993, 1007}) {
        q.idleStamp = {0};
        sampleAvgIdle(s, c0, {d});
        EXPECT_EQ(q.avgIdle.ns, 1000);
    }
    q.idleStamp = {0};
    sampleAvgIdle(s, c0, {992});
    EXPECT_EQ(q.avgIdle.ns, 999);
}

TEST(Newidle, NI_5_cost_decays_once_a_second) {
    State s = emptyState(toyBoxA());
    Rq& q = s.rq(c0);
    SimTime t{0};
    newidleCharge(s, c0, 1, {100000}, t);
    EXPECT_EQ(q.maxNewidleCost[1].ns, 100000);
    newidleCharge(s, c0, 1, {50}, t + 1_s);
    EXPECT_EQ(q.maxNewidleCost[1].ns, 100000) << "exactly a second is not more than one";
    for (std::int64_t expected : {98828, 97669, 96524, 95392, 94274}) {
        t = t + 1_s + 1_ns;
        newidleCharge(s, c0, 1, {50}, t);
        EXPECT_EQ(q.maxNewidleCost[1].ns, expected);
        newidleCharge(s, c0, 1, {50}, t + 1_ms);
        EXPECT_EQ(q.maxNewidleCost[1].ns, expected);
    }
    EXPECT_EQ(q.maxNewidleCost[0].ns, 0);
}

TEST(Newidle, ExpensiveBaseDomainClosesTheGate) {
    State s = emptyState(toyBoxA());
    s.overload = true;
    s.rq(c0).maxNewidleCost[0] = {1000001};
    Decision d;
    EXPECT_FALSE(newidleBegin(s, c0, kNow, &d));
    ASSERT_EQ(d.count, 2);
    EXPECT_EQ(d.candidates[1].test, rqs::Test::AvgIdle);
    EXPECT_TRUE(d.candidates[1].passed);
    EXPECT_EQ(d.candidates[1].a, 1000000);
    s.rq(c0).maxNewidleCost[0] = {1000000};
    EXPECT_TRUE(newidleBegin(s, c0, kNow)) << "equal is not below";
}

TEST(Newidle, SharedRunqV3GateLooksAboveTheLlc) {
    State multi = emptyState(toyBoxA()), single = emptyState(skylake36());
    for (State* s : {&multi, &single}) {
        s->overload = true;
        s->rq(c0).maxNewidleCost[0] = {5000000};
        EXPECT_FALSE(newidleBegin(*s, c0, kNow));
        turn(*s, Feature::SHARED_RUNQ, true);
        EXPECT_TRUE(newidleBegin(*s, c0, kNow)) << "the base domain's cost is not asked";
    }
    multi.rq(c0).maxNewidleCost[2] = {5000000};
    EXPECT_FALSE(newidleBegin(multi, c0, kNow)) << "DIE is asked instead";
    for (Duration& cost : single.rq(c0).maxNewidleCost) cost = {5000000};
    EXPECT_TRUE(newidleBegin(single, c0, kNow)) << "one LLC: nobody above, no test";
}

TEST(Newidle, OverloadIsSetByTheSecondTask) {
    State s = emptyState(fourCores());
    busy(s, 1);
    noteEnqueue(s, c1);
    EXPECT_FALSE(s.overload);
    queueOn(s, newTask(s), 1);
    noteEnqueue(s, c1);
    EXPECT_TRUE(s.overload);
}

TEST(Newidle, OverloadIsClearedByATopLevelPassOnly) {
    State one = emptyState(fourCores());
    one.overload = true;
    int read = 0;
    EXPECT_EQ(newidleBusiest(one, c0, 0, &read), CpuId{});
    EXPECT_FALSE(one.overload);
    EXPECT_EQ(read, 4);
    crowd(one, 2);
    EXPECT_EQ(newidleBusiest(one, c0, 0, &read), CpuId(2));
    EXPECT_TRUE(one.overload);

    State two = emptyState(toyBoxA());
    two.overload = true;
    for (int level = 0; level < newidleLevels(two, c0); ++level)
        EXPECT_EQ(newidleBusiest(two, c0, level, &read), CpuId{});
    EXPECT_EQ(read, 8);
    EXPECT_TRUE(two.overload) << "the pass over both LLCs is not modelled";
}

TEST(Newidle, BusiestLooksOutsideTheLocalGroup) {
    State s = emptyState(toyBoxA());
    crowd(s, 8, 5); // sibling of 0
    crowd(s, 2, 1);
    crowd(s, 11, 2);
    crowd(s, 5, 9); // other LLC
    int read = 0;
    EXPECT_EQ(newidleBusiest(s, c0, 0, &read), CpuId(8));
    EXPECT_EQ(read, 2);
    Decision d;
    EXPECT_EQ(newidleBusiest(s, c0, 1, &read, &d), CpuId(11));
    EXPECT_EQ(read, 8);
    EXPECT_EQ(d.outcome, 11);
    EXPECT_EQ(d.count, 2) << "queues with one task are no candidates";
}

TEST(Newidle, TiesGoToTheFirstGroupInRingOrder) {
    State s = emptyState(toyBoxA());
    crowd(s, 1);
    crowd(s, 3);
    int read = 0;
    EXPECT_EQ(newidleBusiest(s, c0, 1, &read), CpuId(1));
    EXPECT_EQ(newidleBusiest(s, CpuId(2), 1, &read), CpuId(3));
}

TEST(Newidle, LB_1_smt_sibling_gives_one_of_three) {
    State s = emptyState(toyBoxA());
    crowd(s, 8, 2, kNow); // both waiters ran just now: never hot between siblings
    int read = 0;
    const CpuId busiest = newidleBusiest(s, c0, 0, &read);
    ASSERT_EQ(busiest, CpuId(8));
    EXPECT_TRUE(newidleDetachable(s, busiest, c0, 0, kNow));
}

TEST(Newidle, LB_2_hot_tasks_stay) {
    State s = emptyState(fourCores());
    crowd(s, 0, 1, kNow - 200_us);
    busy(s, {1, 2});
    int read = 0;
    ASSERT_EQ(newidleBusiest(s, c3, 0, &read), c0);
    EXPECT_EQ(newidleDetachable(s, c0, c3, 0, kNow), TaskId{});
    EXPECT_TRUE(newidleDetachable(s, c0, c3, 0, kNow + 400_us)) << "600 us ago is cold";
    EXPECT_TRUE(newidleDetachable(s, c0, c3, 0, kNow + 300_us)) << "exactly migration_cost is cold";
    s.kernel.tunables.migration_cost_ns = 0;
    EXPECT_TRUE(newidleDetachable(s, c0, c3, 0, kNow));
    s.kernel.tunables.migration_cost_ns = -1;
    EXPECT_FALSE(newidleDetachable(s, c0, c3, 0, kNow + 400_us)) << "-1: always hot";
}

TEST(Newidle, SchedIdleTasksAreNeverHot) {
    State s = emptyState(fourCores());
    busy(s, 0);
    const TaskId background = addTask(s, 0, TaskPolicy::Idle, MaskId(0), 0, {});
    queueOn(s, newTask(s), 0, kNow);
    queueOn(s, background, 0, kNow);
    EXPECT_EQ(newidleDetachable(s, c0, c3, 0, kNow), background);
}

TEST(Newidle, ColdestMovableTaskGoesFirst) {
    State s = emptyState(fourCores());
    busy(s, 0);
    const TaskId pinned = newTask(s, {0, 1}), leaving = newTask(s), first = newTask(s), second = newTask(s);
    for (TaskId t : {pinned, leaving, first, second}) queueOn(s, t, 0);
    s.entity(leaving).delayed = true;
    EXPECT_EQ(newidleDetachable(s, c0, c3, 0, kNow), first);
    EXPECT_EQ(newidleDetachable(s, c0, c1, 0, kNow), pinned) << "allowed there, and waiting longest";
    s.task(first).onCpu = true; // still switching out
    EXPECT_EQ(newidleDetachable(s, c0, c3, 0, kNow), second);
}

TEST(Newidle, QueueWithOneTaskGivesNothing) {
    State s = emptyState(fourCores());
    queueOn(s, newTask(s), 0); // woken, not yet switched to
    EXPECT_EQ(newidleDetachable(s, c0, c3, 0, kNow), TaskId{});
}

TEST(Newidle, PulledClearsTheStampAndCostRaisesTheCap) {
    State s = emptyState(fourCores());
    s.overload = true;
    newidleBegin(s, c0, kNow);
    newidleEnd(s, c0, true, {700000});
    EXPECT_EQ(s.rq(c0).idleStamp.ns, -1);
    EXPECT_EQ(s.rq(c0).maxIdleBalanceCost.ns, 700000);
}

TEST(Newidle, OfflineCpuDoesNotBalance) {
    State s = emptyState(fourCores());
    s.overload = true;
    s.rq(c0).online = false;
    EXPECT_FALSE(newidleBegin(s, c0, kNow));
}

TEST(Newidle, WalksTheRealQueueOfEitherPolicy) {
    for (const char* kernel : {"6.5-tip-88c56cf", "6.12.0"}) {
        State s = emptyState(fourCores(), kernel);
        SimTime t{1000000};
        std::vector<TaskId> waiting;
        for (int i = 0; i < 12; ++i) {
            const TaskId task = i % 3 == 2 ? newTask(s, {0, 1}) : newTask(s);
            enqueueTask(s, c0, task, EnqueueKind::Wakeup, t);
            s.task(task).cpu = c0;
            waiting.push_back(task);
            t = t + 1000_ns;
        }
        noteEnqueue(s, c0);
        ASSERT_TRUE(newidleBegin(s, c3, t)) << kernel;
        int read = 0, moved = 0;
        while (newidleBusiest(s, c3, 0, &read) == c0) {
            const TaskId task = newidleDetachable(s, c0, c3, 0, t);
            if (!task) break;
            EXPECT_EQ(task, waiting[static_cast<std::size_t>(moved / 2 * 3 + moved % 2)])
                << "longest queued first";
            ASSERT_TRUE(dequeueTask(s, c0, task, DequeueKind::Migrate, t));
            ++moved;
        }
        EXPECT_EQ(moved, 8) << "the four that may not come stay";
        EXPECT_EQ(s.rq(c0).nrRunning(), 4);
    }
}
