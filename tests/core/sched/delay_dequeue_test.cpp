// SPDX-License-Identifier: GPL-3.0-or-later
// DELAY_DEQUEUE and DELAY_ZERO on flat queues: worked examples E5.1 to E5.4 of the eevdf document.
#include "tests/core/sched/support/one_queue.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

/// A and B, nice 0, 3 ms slices, both at v = 0; A ran 2 ms and wants to sleep. Two kernels, same rules.
struct DelayDequeue : testing::TestWithParam<const char*> {
    OneQueue q{GetParam()};
    TaskId a, b;
    void SetUp() override {
        q.s.kernel.tunables.base_slice_ns = 3000000;
        a = q.member(0, 0);
        b = q.member(0, 0);
        q.schedule();
        ASSERT_EQ(TaskId(q.q().curr), a);
        q.now = SimTime{2 * kMs};
    }
    /// A sleeps at 2 ms, B takes over. True: A really left.
    bool sleep() {
        const bool gone = q.dequeue(a);
        q.schedule();
        EXPECT_EQ(TaskId(q.q().curr), b);
        return gone;
    }
};

} // namespace

TEST_P(DelayDequeue, E5_1_a_sleeper_in_debt_leaves_when_it_is_picked) {
    EXPECT_FALSE(sleep());
    EXPECT_TRUE(q.e(a).delayed && q.e(a).onRq);
    EXPECT_EQ(q.lag(a), -1000000);
    EXPECT_EQ(q.q().nr, 2);
    EXPECT_EQ(q.q().nrDelayed, 1);
    q.spend(1 * kMs);
    EXPECT_EQ(q.lag(a), -500000);
    q.spend(1 * kMs);
    EXPECT_EQ(q.lag(a), 0);
    EXPECT_EQ(q.pick(), b) << "curr is eligible and protected";
    EXPECT_TRUE(q.spend(1 * kMs)) << "slice end";
    EXPECT_FALSE(q.eligible(b));
    EXPECT_EQ(q.lag(a), 500000);
    std::vector<TaskId> dropped;
    EXPECT_EQ(q.pick(&dropped), b);
    EXPECT_EQ(dropped, std::vector<TaskId>{a});
    EXPECT_FALSE(q.e(a).onRq || q.e(a).delayed);
    EXPECT_EQ(q.e(a).vlag.v, 0) << "clipped";
    EXPECT_EQ(q.q().nr, 1);
    EXPECT_EQ(q.q().nrDelayed, 0);
}

TEST_P(DelayDequeue, E5_2_woken_in_debt_nothing_moves) {
    sleep();
    q.spend(1 * kMs);
    EXPECT_FALSE(requeueDelayed(q.s, q.c, a, q.now));
    EXPECT_FALSE(q.e(a).delayed);
    EXPECT_EQ(q.q().nrDelayed, 0);
    EXPECT_EQ(q.lag(a), -500000);
    EXPECT_EQ(q.v(a), 2000000u);
    EXPECT_EQ(q.d(a), 3000000u);
}

TEST_P(DelayDequeue, E5_3_woken_with_positive_lag_it_is_placed_anew) {
    sleep();
    q.spend(4 * kMs);
    requeueDelayed(q.s, q.c, a, q.now);
    EXPECT_EQ(q.v(a), 4000000u);
    EXPECT_EQ(q.d(a), 7000000u);
    EXPECT_EQ(q.q().nr, 2);
}

TEST_P(DelayDequeue, E5_3_without_DELAY_ZERO_it_keeps_its_lag) {
    turn(q.s, Feature::DELAY_ZERO, false);
    sleep();
    q.spend(4 * kMs);
    requeueDelayed(q.s, q.c, a, q.now);
    EXPECT_EQ(q.v(a), 2000000u);
    EXPECT_EQ(q.lag(a), 1000000);
}

TEST_P(DelayDequeue, the_lag_is_that_of_the_last_accounting_point) {
    sleep();
    q.spend(1 * kMs);
    q.now = q.now + Duration{3 * kMs};
    requeueDelayed(q.s, q.c, a, q.now);
    EXPECT_EQ(q.v(a), 2000000u) << "B's last 3 ms are not charged yet, as recorded";
}

TEST_P(DelayDequeue, E5_4_without_DELAY_DEQUEUE_the_debt_is_permanent) {
    turn(q.s, Feature::DELAY_DEQUEUE, false);
    EXPECT_TRUE(sleep());
    EXPECT_EQ(q.e(a).vlag.v, -1000000);
    for (const std::int64_t pause : {std::int64_t{1000}, 100 * 1000 * kMs}) {
        q.spend(pause);
        const std::uint64_t V = q.V();
        q.enqueue(a);
        EXPECT_EQ(q.v(a), V + 2000000);
        EXPECT_EQ(q.d(a), V + 5000000);
        EXPECT_EQ(q.lag(a), -1000000);
        EXPECT_TRUE(q.dequeue(a));
    }
}

TEST_P(DelayDequeue, the_dying_always_leave_and_migrating_delayed_tasks_stay_delayed) {
    q.s.task(a).state = TaskState::Dead;
    EXPECT_TRUE(dequeueTask(q.s, q.c, a, DequeueKind::Save, q.now));
    EXPECT_FALSE(q.e(a).onRq || q.e(a).relDeadline);

    q.schedule();
    const TaskId c = q.task();
    q.enqueue(c);
    q.spend(1 * kMs);
    EXPECT_FALSE(q.dequeue(b));
    q.schedule();
    EXPECT_TRUE(dequeueTask(q.s, q.c, b, DequeueKind::Migrate, q.now));
    EXPECT_EQ(q.q().nrDelayed, 0);
    EXPECT_TRUE(q.e(b).delayed);
    enqueueTask(q.s, CpuId(1), b, EnqueueKind::Migrate, q.now);
    EXPECT_TRUE(q.e(b).delayed);
    EXPECT_EQ(q.s.rq(CpuId(1)).cfs.nrDelayed, 1);
    std::vector<TaskId> dropped;
    EXPECT_FALSE(pickNext(q.s, CpuId(1), q.now, &dropped))
        << "alone it is picked, dropped, and the CPU idles";
    EXPECT_EQ(dropped, std::vector<TaskId>{b});
}

TEST_P(DelayDequeue, leaving_says_why) {
    Decision why;
    q.s.task(a).state = TaskState::Sleeping;
    EXPECT_FALSE(dequeueTask(q.s, q.c, a, DequeueKind::Sleep, q.now, &why));
    EXPECT_EQ(why.question, Question::LeaveQueue);
    EXPECT_STREQ(why.function, "dequeue_entity");
    ASSERT_EQ(why.count, 1);
    EXPECT_EQ(why.candidates[0].test, rqs::Test::LagNegative);
    EXPECT_TRUE(why.candidates[0].passed);
    EXPECT_EQ(why.candidates[0].a, -1000000);
    EXPECT_EQ(why.outcome, 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, DelayDequeue, testing::Values("6.12.0", "6.12.117-debian"),
                         [](const auto& i) { return i.index == 0 ? "v6_12_0" : "v6_12_117"; });
