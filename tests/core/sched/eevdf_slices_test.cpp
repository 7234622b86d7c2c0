// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks, slices and wakeup preemption: worked examples E4.* of the eevdf document, yield, policies, buddies.
#include "tests/core/sched/support/one_queue.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

/// Stretches in ms.
std::vector<Ran> ms(std::initializer_list<Ran> list) {
    std::vector<Ran> out;
    for (const Ran& r : list) out.push_back({r.task, r.from * kMs, r.to * kMs});
    return out;
}
std::vector<Ran> first(std::vector<Ran> r, std::size_t n) {
    r.resize(std::min(r.size(), n));
    return r;
}

/// A task alone on its CPU, picked at v = 0, that has run until v = `ran`.
struct Alone {
    OneQueue q;
    TaskId curr;
    explicit Alone(std::int64_t ran, std::string_view kernel = "6.12.0") : q(kernel) {
        q.s.kernel.tunables.base_slice_ns = 3000000;
        curr = q.task();
        q.enqueue(curr);
        q.run(curr);
        q.spend(ran);
    }
    TaskId wake(std::int64_t slice = 0, TaskPolicy policy = TaskPolicy::Normal) {
        const TaskId w = q.task(0, slice, policy);
        q.enqueue(w);
        return w;
    }
    bool preempts(TaskId w, Decision* why = nullptr) { return wakeupPreempt(q.s, q.c, w, false, q.now, why); }
};

} // namespace

TEST(EevdfSlices, E4_1) {
    OneQueue q;
    const TaskId a = q.member(0, 0), b = q.member(0, 0);
    ASSERT_TRUE(q.schedule());
    ASSERT_EQ(TaskId(q.q().curr), a) << "equal deadlines: who came first";
    EXPECT_EQ(q.ticks(4 * kMs), ms({{a, 0, 4}}));
    EXPECT_EQ(q.d(a), 7000000u);
    EXPECT_EQ(q.V(), 2000000u);
    EXPECT_EQ(q.ticks(8 * kMs), ms({{b, 4, 8}}));
    EXPECT_TRUE(q.eligible(a));
    EXPECT_TRUE(q.eligible(b)) << "tie of deadlines: the waiting one wins";
    EXPECT_EQ(q.ticks(16 * kMs), ms({{a, 8, 12}, {b, 12, 16}}));
}

/// The document computed E4.2 with the reciprocal of groups (floor), by which three charges of 1 ms are
/// exactly one request of 3 ms. The kernel's table rounds nice 5 up: the request is 1 virtual ns longer than
/// three charges.
TEST(EevdfSlices, E4_2) {
    OneQueue q("6.12.0", 1000);
    const TaskId a = q.member(0, 0), b = q.task(5);
    q.e(b).invWeight = inverseOf(q.e(b).weight);
    q.enqueue(b);
    EXPECT_EQ(q.d(b), 9170148u);
    q.schedule();
    const auto ran = q.ticks(400 * kMs);
    EXPECT_EQ(first(ran, 8), ms({{a, 0, 3},
                                 {b, 3, 6},
                                 {a, 6, 13},
                                 {b, 13, 16},
                                 {a, 16, 25},
                                 {b, 25, 28},
                                 {a, 28, 37},
                                 {b, 37, 40}}));
    std::int64_t ofA = 0, ofB = 0;
    for (const Ran& r : ran)
        if (r.to <= 393 * kMs) (r.task == a ? ofA : ofB) += r.to - r.from;
    EXPECT_EQ(ofA, 294 * kMs);
    EXPECT_EQ(ofB, 99 * kMs);
}

TEST(EevdfSlices, E4_2_with_the_kernels_table_the_nice_5_task_needs_a_fourth_tick) {
    OneQueue q("6.12.0", 1000);
    const TaskId a = q.member(0, 0), b = q.member(5, 0);
    q.schedule();
    EXPECT_EQ(first(q.ticks(40 * kMs), 4), ms({{a, 0, 3}, {b, 3, 7}, {a, 7, 17}, {b, 17, 21}}));
}

TEST(EevdfSlices, E4_2_at_250_HZ) {
    OneQueue q;
    const TaskId a = q.member(0, 0), b = q.member(5, 0);
    q.schedule();
    EXPECT_EQ(first(q.ticks(60 * kMs), 5), ms({{a, 0, 4}, {b, 4, 8}, {a, 8, 20}, {b, 20, 24}, {a, 24, 36}}));
}

TEST(EevdfSlices, E4_2b_a_short_slice_buys_an_earlier_start_not_more_CPU) {
    OneQueue q("6.12.0", 1000);
    const TaskId a = q.member(0, 0, 3000000), b = q.member(0, 0, 1000000);
    q.schedule();
    EXPECT_EQ(first(q.ticks(20 * kMs), 5), ms({{b, 0, 1}, {a, 1, 4}, {b, 4, 7}, {a, 7, 10}, {b, 10, 13}}));
}

TEST(EevdfSlices, E4_3_protection_holds_against_an_equal_slice) {
    Alone x(500000);
    const TaskId w = x.wake();
    EXPECT_EQ(x.q.v(w), 500000u);
    EXPECT_EQ(x.q.d(w), 3500000u);
    Decision why;
    EXPECT_FALSE(x.preempts(w, &why));
    ASSERT_EQ(why.count, 2);
    EXPECT_EQ(why.candidates[1].test, rqs::Test::Protected);
    EXPECT_TRUE(why.candidates[1].passed);
    EXPECT_EQ(why.candidates[1].b, 3000000);
    EXPECT_EQ(why.outcome, 0);
}

TEST(EevdfSlices, E4_3_a_shorter_slice_breaks_protection) {
    for (const auto& [slice, deadline] : {std::pair{1000000, 1500000u}, {100000, 600000u}}) {
        Alone x(500000);
        const TaskId w = x.wake(slice);
        EXPECT_EQ(x.q.d(w), deadline);
        EXPECT_TRUE(x.preempts(w));
        EXPECT_FALSE(eevdf::markerIntact(x.q.e(x.curr)));
        EXPECT_EQ(x.q.pick(), w);
        Alone y(500000);
        turn(y.q.s, Feature::PREEMPT_SHORT, false);
        EXPECT_FALSE(y.preempts(y.wake(slice)));
    }
}

TEST(EevdfSlices, E4_4_protection_needs_eligibility_but_the_wakee_must_be_the_pick) {
    Alone x(500000);
    const TaskId d = x.wake();
    x.q.put(d, 400000, 3400000);
    EXPECT_EQ(x.q.V(), 450000u);
    EXPECT_FALSE(x.q.eligible(x.curr));
    const TaskId w = x.wake();
    EXPECT_EQ(x.q.v(w), 450000u);
    EXPECT_EQ(x.q.d(w), 3450000u);
    EXPECT_FALSE(x.preempts(w)) << "the pick would be the other one";
    EXPECT_EQ(x.q.pick(), d);
}

TEST(EevdfSlices, E4_5_past_its_first_slice_a_lone_task_is_unprotected) {
    Alone x(3000000);
    EXPECT_EQ(x.q.d(x.curr), 6000000u);
    EXPECT_FALSE(eevdf::markerIntact(x.q.e(x.curr)));
    const TaskId w = x.wake();
    EXPECT_EQ(x.q.d(w), 6000000u);
    EXPECT_TRUE(x.preempts(w)) << "tie: the waiting one wins";

    Alone y(3000000);
    y.q.spend(500000);
    const TaskId u = y.wake();
    EXPECT_EQ(y.q.d(u), 6500000u);
    EXPECT_FALSE(y.preempts(u));
    y.q.now = y.q.now + Duration{1};
    EXPECT_TRUE(taskTick(y.q.s, y.q.c, y.q.now)) << "waits at most one tick: curr is ineligible now";
    EXPECT_EQ(y.q.pick(), u);
}

TEST(EevdfSlices, a_pending_reschedule_or_the_feature_off_leaves_curr_alone) {
    Alone x(3000000);
    const TaskId w = x.wake();
    x.q.s.rq(x.q.c).needResched = true;
    EXPECT_FALSE(x.preempts(w));
    x.q.s.rq(x.q.c).needResched = false;
    turn(x.q.s, Feature::WAKEUP_PREEMPTION, false);
    EXPECT_FALSE(x.preempts(w));
    turn(x.q.s, Feature::WAKEUP_PREEMPTION, true);
    EXPECT_TRUE(x.preempts(w));
}

TEST(EevdfSlices, batch_and_idle_wakees_do_not_preempt_and_an_idle_curr_always_gives_way) {
    Alone x(3000000);
    EXPECT_FALSE(x.preempts(x.wake(0, TaskPolicy::Batch)));
    EXPECT_FALSE(x.preempts(x.wake(0, TaskPolicy::Idle)));
    for (const std::string_view kernel : {"6.12.0", "6.16"}) {
        OneQueue q(kernel);
        const TaskId idle = q.task(0, 0, TaskPolicy::Idle);
        EXPECT_EQ(q.e(idle).weight.scaled(), 3);
        q.enqueue(idle);
        q.run(idle);
        q.spend(1000);
        const TaskId w = q.task();
        q.enqueue(w);
        EXPECT_TRUE(wakeupPreempt(q.s, q.c, w, false, q.now));
        EXPECT_EQ(eevdf::markerIntact(q.e(idle)), kernel == "6.12.0") << "6.15 takes the protection away";
    }
}

TEST(EevdfSlices, wakeup_on_an_idle_CPU_always_reschedules) {
    OneQueue q;
    const TaskId t = q.task();
    q.enqueue(t);
    EXPECT_TRUE(wakeupPreempt(q.s, q.c, t, false, q.now));
}

TEST(EevdfSlices, protection_is_for_the_first_slice_after_a_switch_only) {
    OneQueue q;
    const TaskId a = q.member(0, 0), b = q.member(0, 3000000);
    q.run(a);
    EXPECT_TRUE(q.spend(3000000)) << "renewed, and somebody waits";
    EXPECT_FALSE(eevdf::markerIntact(q.e(a)));
    q.s.rules.protectForever = true;
    q.run(b);
    q.spend(3000000);
    EXPECT_TRUE(eevdf::markerIntact(q.e(b)));
}

TEST(EevdfSlices, without_RUN_TO_PARITY_the_earlier_deadline_wins_at_once) {
    Alone x(500000);
    const TaskId w = x.wake();
    x.q.put(w, 500000, 2900000);
    EXPECT_FALSE(x.preempts(w));
    turn(x.q.s, Feature::RUN_TO_PARITY, false);
    EXPECT_TRUE(x.preempts(w));
}

TEST(EevdfSlices, yield_by_version) {
    const auto yields = [](std::string_view kernel, bool eligible) {
        Alone x(500000, kernel);
        const TaskId w = x.wake();
        x.q.put(w, eligible ? 500000 : 400000, 3400000);
        yieldTask(x.q.s, x.q.c, x.q.now);
        return std::pair{x.q.v(x.curr), x.q.d(x.curr)};
    };
    EXPECT_EQ(yields("6.12.0", true), (std::pair<std::uint64_t, std::uint64_t>{500000, 6000000}));
    EXPECT_EQ(yields("6.12.0", false), (std::pair<std::uint64_t, std::uint64_t>{500000, 6000000}));
    EXPECT_EQ(yields("6.12.117-debian", true), (std::pair<std::uint64_t, std::uint64_t>{3000000, 6000000}));
    EXPECT_EQ(yields("6.12.117-debian", false), (std::pair<std::uint64_t, std::uint64_t>{500000, 3000000}));
    Alone lone(500000);
    yieldTask(lone.q.s, lone.q.c, lone.q.now);
    EXPECT_EQ(lone.q.d(lone.curr), 3000000u) << "nobody to yield to";
}

TEST(EevdfSlices, a_next_buddy_is_taken_if_eligible_and_forgotten_when_it_runs) {
    for (const std::string_view kernel : {"6.12.0", "6.12.117-debian"}) {
        OneQueue q(kernel);
        turn(q.s, Feature::NEXT_BUDDY, true);
        const TaskId c = q.member(0, 1000000), other = q.member(0, 1000000);
        q.run(c);
        const TaskId w = q.task();
        q.enqueue(w);
        wakeupPreempt(q.s, q.c, w, true, q.now);
        EXPECT_EQ(q.q().next, -1) << "not for forks";
        wakeupPreempt(q.s, q.c, w, false, q.now);
        EXPECT_EQ(q.q().next, w.v);
        q.put(w, q.V(), q.d(other) + 5000000);
        EXPECT_EQ(q.pick(), w);
        if (kernel == "6.12.117-debian") {
            turn(q.s, Feature::PICK_BUDDY, false);
            EXPECT_NE(q.pick(), w);
            turn(q.s, Feature::PICK_BUDDY, true);
        }
        q.run(w);
        EXPECT_EQ(q.q().next, -1);
    }
}

TEST(EevdfSlices, a_changed_base_slice_takes_effect_at_the_next_renewal) {
    OneQueue q;
    const TaskId a = q.member(0, 0);
    q.member(0, 0);
    q.run(a);
    q.s.kernel.tunables.base_slice_ns = 1000000;
    tunablesChanged(q.s);
    q.spend(2000000);
    EXPECT_EQ(q.d(a), 3000000u);
    q.spend(1000000);
    EXPECT_EQ(q.d(a), 4000000u);
}

TEST(EevdfSlices, tick_decision_shows_the_used_request) {
    OneQueue q;
    const TaskId a = q.member(0, 0);
    q.member(0, 0);
    q.run(a);
    q.now = q.now + Duration{4 * kMs};
    Decision why;
    EXPECT_TRUE(taskTick(q.s, q.c, q.now, &why));
    EXPECT_EQ(why.question, Question::SliceEnd);
    ASSERT_GE(why.count, 1);
    EXPECT_EQ(why.candidates[0].test, rqs::Test::SliceUsed);
    EXPECT_TRUE(why.candidates[0].passed);
    EXPECT_EQ(why.candidates[0].a, 4000000);
    EXPECT_EQ(why.candidates[0].b, 3000000);
}

TEST(EevdfSlices, a_clock_that_does_not_advance_charges_nothing) {
    OneQueue q;
    const TaskId a = q.member(0, 0);
    q.run(a);
    q.spend(1000);
    EXPECT_FALSE(updateCurr(q.s, q.c, SimTime{500}));
    EXPECT_EQ(q.v(a), 1000u);
    EXPECT_EQ(q.e(a).sumExec.ns, 1000);
    EXPECT_EQ(q.e(a).execStart.ns, 1000);
}
