// SPDX-License-Identifier: GPL-3.0-or-later
// V, lag, eligibility, pick and placement: worked examples E2.* and E3.* of the eevdf document.
#include "tests/core/sched/support/one_queue.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

/// Two nice-0 members around V = 11 ms, for the placement examples.
struct Placement : testing::Test {
    OneQueue q;
    TaskId a = q.member(0, 10000000), b = q.member(0, 12000000);
    TaskId joins(int nice, std::int64_t vlag, EnqueueKind kind = EnqueueKind::Wakeup) {
        const TaskId t = q.task(nice);
        q.e(t).vlag = VDelta{vlag};
        q.enqueue(t, kind);
        return t;
    }
};

} // namespace

TEST(Eevdf, E2_1) {
    OneQueue q;
    q.reference(1000000);
    const TaskId a = q.member(0, 1000000), b = q.member(0, 1003000), c = q.member(5, 1010000);
    EXPECT_EQ(eevdf::sums(q.s, q.q()).avg, 6422000);
    EXPECT_EQ(eevdf::sums(q.s, q.q()).weight, 2383);
    EXPECT_EQ(q.V(), 1002694u);
    EXPECT_EQ(q.lag(a), 2694);
    EXPECT_EQ(q.lag(b), -306);
    EXPECT_EQ(q.lag(c), -7306);
    EXPECT_TRUE(q.eligible(a));
    EXPECT_FALSE(q.eligible(b));
    EXPECT_FALSE(q.eligible(c));
    EXPECT_EQ(q.d(a), 4000000u);
    EXPECT_EQ(q.d(b), 4003000u);
    EXPECT_EQ(q.d(c), 10180149u)
        << "the document's ...148 comes from a floored reciprocal; the kernel's table rounds";
    EXPECT_EQ(q.pick(), a);
    EXPECT_EQ(1024 * q.lag(a) + 1024 * q.lag(b) + 335 * q.lag(c), -2198);
}

TEST(Eevdf, E2_2_the_average_rounds_down_below_the_reference) {
    OneQueue q;
    q.reference(100);
    const TaskId a = q.member(0, 99), b = q.member(0, 100);
    EXPECT_EQ(eevdf::sums(q.s, q.q()).avg, -1024);
    EXPECT_EQ(q.V(), 99u);
    EXPECT_TRUE(q.eligible(a));
    EXPECT_FALSE(q.eligible(b));
    q.s.rules.truncateAverage = true;
    EXPECT_EQ(q.V(), 100u) << "the 6.6-rc bug: V would make b look eligible";
}

TEST(Eevdf, E2_3_stored_lag_is_clamped_to_two_requests) {
    const auto lags = [](int niceOfB, bool clamp) {
        OneQueue q;
        q.s.rules.noLagClamp = !clamp;
        const TaskId a = q.member(0, 0), b = q.member(niceOfB, 20000000);
        EXPECT_EQ(q.V(), niceOfB == 0 ? 10000000u : 288739u);
        return std::pair{eevdf::clampedLag(q.s, q.q(), a.v).v, eevdf::clampedLag(q.s, q.q(), b.v).v};
    };
    EXPECT_EQ(lags(0, true), (std::pair<std::int64_t, std::int64_t>{6000000, -6000000}));
    EXPECT_EQ(lags(0, false), (std::pair<std::int64_t, std::int64_t>{10000000, -10000000}));
    EXPECT_EQ(lags(19, true), (std::pair<std::int64_t, std::int64_t>{288739, -19711261}))
        << "limit 409 599 999";
}

TEST(Eevdf, E2_3_the_clamp_is_at_least_one_tick_and_follows_the_longest_slice_in_7_1) {
    OneQueue q;
    const TaskId a = q.member(0, 0, 100000), b = q.member(0, 20000000);
    EXPECT_EQ(eevdf::clampedLag(q.s, q.q(), a.v).v, 4000000);
    OneQueue late("7.1");
    late.s.kernel.tunables.base_slice_ns = 3000000;
    const TaskId x = late.member(0, 0, 100000);
    late.member(0, 20000000);
    EXPECT_EQ(eevdf::clampedLag(late.s, late.q(), x.v).v, 7000000);
    EXPECT_EQ(eevdf::clampedLag(q.s, q.q(), b.v).v, -6000000);
}

TEST(Eevdf, E2_4_the_earliest_deadline_alone_is_not_enough) {
    OneQueue q;
    const TaskId x = q.member(0, 6000000, 1000000), y = q.member(0, 1000000), z = q.member(0, 2000000);
    q.put(y, 1000000, 8000000);
    q.put(z, 2000000, 9000000);
    EXPECT_EQ(q.d(x), 7000000u);
    EXPECT_EQ(q.V(), 3000000u);
    EXPECT_FALSE(q.eligible(x));
    EXPECT_EQ(q.pick(), y);
    q.s.rules.everyoneEligible = true;
    EXPECT_EQ(q.pick(), x);
}

TEST(Eevdf, pick_says_why_and_why_not) {
    OneQueue q;
    const TaskId x = q.member(0, 6000000, 1000000), y = q.member(0, 1000000);
    q.put(y, 1000000, 8000000);
    Decision why;
    EXPECT_EQ(pickNext(q.s, q.c, q.now, nullptr, &why), y);
    EXPECT_EQ(why.question, Question::WhoRuns);
    EXPECT_STREQ(why.function, "pick_eevdf");
    EXPECT_EQ(why.outcome, y.v);
    ASSERT_EQ(why.count, 3);
    EXPECT_EQ(why.candidates[0].who, x.v);
    EXPECT_EQ(why.candidates[0].test, rqs::Test::Eligible);
    EXPECT_FALSE(why.candidates[0].passed);
    EXPECT_EQ(why.candidates[0].a, -2500000);
    EXPECT_TRUE(why.candidates[1].passed);
    EXPECT_EQ(why.candidates[2].test, rqs::Test::EarliestDeadline);
}

TEST_F(Placement, E3_1) {
    const TaskId t = joins(0, 1500000);
    EXPECT_EQ(q.v(t), 8750000u);
    EXPECT_EQ(q.V(), 10250000u);
    EXPECT_EQ(q.lag(t), 1500000);
    EXPECT_EQ(q.d(t), 11750000u);
}

TEST_F(Placement, E3_2) {
    const TaskId t = joins(0, -1500000);
    EXPECT_EQ(q.v(t), 13250000u);
    EXPECT_EQ(q.V(), 11750000u);
    EXPECT_EQ(q.lag(t), -1500000);
    EXPECT_EQ(q.d(t), 16250000u);
}

TEST_F(Placement, E3_3_inflation_keeps_the_lag_of_a_heavy_task) {
    const TaskId t = joins(-20, -10000);
    EXPECT_EQ(q.v(t), 11443403u);
    EXPECT_EQ(q.V(), 11433403u);
    EXPECT_EQ(q.d(t), 11478012u);
}

TEST_F(Placement, E3_3_without_inflation_the_lag_would_shrink) {
    q.s.rules.noLagInflation = true;
    EXPECT_EQ(q.lag(joins(-20, -10000)), -226) << "-225.5, rounded down";
}

TEST_F(Placement, E3_4_fork) {
    const TaskId t = joins(0, 0, EnqueueKind::Fork);
    EXPECT_EQ(q.v(t), 11000000u);
    EXPECT_EQ(q.d(t), 12500000u);
    EXPECT_TRUE(q.eligible(t));
    const TaskId u = joins(5, 0, EnqueueKind::Fork);
    EXPECT_EQ(q.d(u) - q.v(u), 4585074u);
    turn(q.s, Feature::PLACE_DEADLINE_INITIAL, false);
    const TaskId w = joins(0, 0, EnqueueKind::Fork);
    EXPECT_EQ(q.d(w) - q.v(w), 3000000u);
}

TEST_F(Placement, E3_5_migration_keeps_the_distance_to_the_deadline) {
    const TaskId t = q.task();
    q.e(t).vlag = VDelta{-500000};
    q.e(t).deadline = VTime{1200000};
    q.e(t).relDeadline = true;
    q.enqueue(t, EnqueueKind::Migrate);
    EXPECT_EQ(q.v(t), 11750000u);
    EXPECT_EQ(q.d(t), 12950000u);
    EXPECT_FALSE(q.e(t).relDeadline);
}

TEST(Eevdf, E3_6_an_empty_queue_drops_all_history) {
    OneQueue q;
    q.reference(777);
    const TaskId t = q.task();
    q.e(t).vlag = VDelta{123456};
    q.enqueue(t);
    EXPECT_EQ(q.v(t), 777u);
    EXPECT_EQ(q.d(t), 3000777u);
}

TEST_F(Placement, leaving_without_sleeping_stores_the_relative_deadline_where_the_kernel_has_it) {
    q.put(a, 10000000, 11500000);
    EXPECT_TRUE(q.dequeue(a, DequeueKind::Migrate));
    EXPECT_TRUE(q.e(a).relDeadline);
    EXPECT_EQ(q.d(a), 1500000u);
    EXPECT_EQ(q.e(a).vlag.v, 1000000);
    q.enqueue(a, EnqueueKind::Migrate);
    EXPECT_EQ(q.d(a) - q.v(a), 1500000u);
    turn(q.s, Feature::PLACE_REL_DEADLINE, false);
    EXPECT_TRUE(q.dequeue(a, DequeueKind::Migrate));
    q.enqueue(a, EnqueueKind::Migrate);
    EXPECT_EQ(q.d(a) - q.v(a), 3000000u);
}

TEST_F(Placement, without_PLACE_LAG_everybody_joins_at_V) {
    turn(q.s, Feature::PLACE_LAG, false);
    EXPECT_EQ(q.v(joins(0, 1500000)), 11000000u);
}

TEST_F(Placement, decision_shows_the_lag_as_stored_and_as_placed) {
    const TaskId t = q.task();
    q.e(t).vlag = VDelta{1500000};
    Decision why;
    enqueueTask(q.s, q.c, t, EnqueueKind::Wakeup, q.now, &why);
    EXPECT_EQ(why.question, Question::Placement);
    ASSERT_EQ(why.count, 1);
    EXPECT_EQ(why.candidates[0].a, 1500000);
    EXPECT_EQ(why.candidates[0].b, 2250000);
}

TEST_F(Placement, nice_scales_the_stored_lag_and_by_version_the_relative_deadline) {
    q.dequeue(a, DequeueKind::Save);
    ASSERT_EQ(q.e(a).vlag.v, 1000000);
    ASSERT_EQ(q.d(a), 3000000u);
    setNice(q.s, a, 5);
    EXPECT_EQ(q.e(a).vlag.v, 3056716);
    EXPECT_EQ(q.d(a), 3000000u) << "R67 leaves it";
    setNice(q.s, a, 0);
    EXPECT_EQ(q.e(a).vlag.v, 999999);
    q.s.kernel.preset = kernelById("6.13.7");
    setNice(q.s, a, 5);
    EXPECT_EQ(q.d(a), 9170149u) << "R613: 3 ms * 1024 / 335";
    EXPECT_EQ(q.s.task(a).nice, 5);
    EXPECT_EQ(q.e(a).weight.scaled(), 335);
}

TEST(Eevdf, leaving_lets_min_vruntime_move_on_except_for_a_save) {
    for (const DequeueKind kind : {DequeueKind::Sleep, DequeueKind::Migrate, DequeueKind::Save}) {
        OneQueue q;
        const TaskId first = q.member(0, 1000000);
        q.member(0, 5000000);
        q.run(first);
        q.spend(1);
        EXPECT_EQ(q.q().v0.v, 1000001u);
        ASSERT_TRUE(q.dequeue(first, kind));
        EXPECT_EQ(q.q().v0.v, kind == DequeueKind::Save ? 1000001u : 5000000u);
    }
}

TEST(Eevdf, zero_vruntime_is_where_V_was_last_asked_for) {
    OneQueue q("6.12.117-debian");
    q.s.kernel.tunables.base_slice_ns = 3000000;
    const TaskId a = q.member(0, 1000000), b = q.member(0, 5000000);
    q.run(a);
    q.spend(2000000);
    const VTime before = q.q().v0;
    EXPECT_EQ(q.V(), 4000000u) << "charging alone does not ask";
    EXPECT_EQ(q.q().v0, before);
    ASSERT_TRUE(q.dequeue(a));
    EXPECT_EQ(q.q().v0.v, 4000000u) << "storing the lag does";
    ASSERT_TRUE(q.dequeue(b));
    EXPECT_EQ(q.q().v0.v, 5000000u);
    q.enqueue(a);
    EXPECT_EQ(q.v(a), 5000000u) << "an empty queue places at its reference";
}
