// SPDX-License-Identifier: GPL-3.0-or-later
// Invariants of the eevdf document over random queues, against 128-bit arithmetic and brute force: those of
// one instant (I1 to I6, I8, I15). Those of histories: eevdf_histories_test.cpp.
#include "tests/core/sched/support/random_queue.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr std::uint64_t kQueues = 20000;

/// Runs `f(queue, seed)` on every random queue, stops at the first failure.
template<class F> void onQueues(RandomQueue& q, F&& f, int most = 7) {
    for (std::uint64_t seed = 0; seed < kQueues && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        q.fill(seed, most);
        f();
    }
}

} // namespace

TEST(EevdfInvariants, I1_lags_sum_to_zero_up_to_the_floor_of_V) {
    RandomQueue q;
    onQueues(q, [&] {
        Wide sum = 0;
        for (TaskId t : q.members) sum += Wide{q.weight(t)} * q.lag(t);
        EXPECT_LE(sum, 0);
        EXPECT_LT(-q.totalWeight(), sum);
        const Wide keys = q.weightedKeys(), weights = q.totalWeight();
        const Wide offset = static_cast<std::int64_t>(q.V() - q.base);
        EXPECT_TRUE(offset * weights <= keys && keys < (offset + 1) * weights)
            << "V is the floor of the average";
    });
}

TEST(EevdfInvariants, I2_V_lies_between_the_members_and_the_least_vruntime_is_eligible) {
    RandomQueue q;
    onQueues(q, [&] {
        const auto least = std::min_element(q.members.begin(), q.members.end(),
                                            [&](TaskId a, TaskId b) { return q.key(a) < q.key(b); });
        for (TaskId t : q.members) EXPECT_EQ(q.eligible(t), q.owed(t));
        EXPECT_GE(q.lag(*least), 0);
        EXPECT_TRUE(std::any_of(q.members.begin(), q.members.end(), [&](TaskId t) { return q.lag(t) <= 0; }));
        EXPECT_TRUE(q.eligible(*least));
        EXPECT_GE(eevdf::pick(q.s, q.q()), 0);
    });
}

TEST(EevdfInvariants, I3_the_search_finds_the_first_eligible_in_deadline_order) {
    RandomQueue q;
    std::int64_t ties = 0, kept = 0;
    const auto check = [&] {
        const TaskId expected = q.pickByRule();
        EXPECT_EQ(eevdf::pick(q.s, q.q()), expected.v);
        const std::vector<TaskId> waiting = q.waiting();
        for (std::size_t i = 1; i < waiting.size(); ++i)
            ties += q.d(waiting[i - 1]) == q.d(waiting[i]) ? 1 : 0;
        kept += expected.v == q.q().curr && q.q().nr > 1 ? 1 : 0;
    };
    onQueues(q, check);
    for (std::uint64_t seed = 0; seed < 300 && !HasFailure(); ++seed) {
        q.fill(seed, 400);
        check();
    }
    turn(q.s, Feature::RUN_TO_PARITY, false);
    onQueues(q, check);
    EXPECT_GT(ties, 1000);
    EXPECT_GT(kept, 1000);
}

TEST(EevdfInvariants, I4_V_advances_alike_whoever_runs) {
    RandomQueue q;
    onQueues(q, [&] {
        const std::int64_t delta = q.dice.between(1000, 4000000);
        for (TaskId t : q.members) {
            OneQueue& one = q;
            one.run(t);
            const std::uint64_t before = one.V();
            one.spend(delta);
            const Wide moved = static_cast<std::int64_t>(one.V() - before);
            const Wide exact = Wide{delta} * 1024;
            EXPECT_LE(moved * q.totalWeight(), exact + 2 * q.totalWeight());
            EXPECT_GE(moved * q.totalWeight(), exact - 2 * q.totalWeight());
        }
    });
}

TEST(EevdfInvariants, I5_placing_restores_the_lag_and_zero_lag_changes_nothing) {
    RandomQueue q;
    onQueues(q, [&] {
        const std::uint64_t before = q.V();
        const TaskId zero = q.task(q.anyNice());
        q.enqueue(zero);
        EXPECT_EQ(q.V(), before);
        EXPECT_TRUE(q.eligible(zero));
        const TaskId t = q.task(q.anyNice(), q.anySlice());
        const std::int64_t vlag = q.dice.between(-6 * kMs, 6 * kMs);
        q.e(t).vlag = VDelta{vlag};
        q.enqueue(t, q.dice.oneIn(2) ? EnqueueKind::Wakeup : EnqueueKind::Migrate);
        EXPECT_LE(std::abs(q.lag(t) - vlag), 1);
    });
}

TEST(EevdfInvariants, I6_after_charging_the_deadline_is_ahead_by_at_most_the_request) {
    RandomQueue q;
    onQueues(q, [&] {
        if (q.q().curr < 0) q.run(q.any());
        const TaskId curr(q.q().curr);
        for (int i = 0; i < 4; ++i) {
            q.spend(q.dice.between(1, 5000000));
            const std::int64_t ahead = static_cast<std::int64_t>(q.d(curr) - q.v(curr));
            EXPECT_GT(ahead, 0);
            EXPECT_LE(ahead, calcDeltaFair(q.e(curr).slice, q.e(curr)).v);
        }
    });
}

TEST(EevdfInvariants, I8_stored_lag_is_within_two_requests_or_a_tick) {
    RandomQueue q;
    std::int64_t clamped = 0;
    for (std::uint64_t seed = 0; seed < kQueues && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        q.fill(seed, 7, 60 * kMs);
        const TaskId t = q.any();
        const std::int64_t lag = q.lag(t);
        const std::int64_t most = std::max(2 * q.e(t).slice.ns, q.s.kernel.tunables.tick().ns);
        const std::int64_t limit = calcDeltaFair(Duration{most}, q.e(t)).v;
        turn(q.s, Feature::DELAY_DEQUEUE, false);
        ASSERT_TRUE(q.dequeue(t, q.dice.oneIn(2) ? DequeueKind::Sleep : DequeueKind::Save));
        EXPECT_EQ(q.e(t).vlag.v, std::clamp(lag, -limit, limit));
        clamped += q.e(t).vlag.v != lag ? 1 : 0;
    }
    EXPECT_GT(clamped, 500);
}

TEST(EevdfInvariants, I15_a_sleepers_debt_is_permanent_without_delay_and_zero_with_it) {
    RandomQueue q;
    std::int64_t dropped = 0, permanent = 0;
    onQueues(q, [&] {
        if (q.members.size() < 2) return;
        const TaskId t = q.any();
        q.run(t);
        q.spend(1);
        const bool debt = !q.eligible(t);
        const bool delay = q.dice.oneIn(2);
        turn(q.s, Feature::DELAY_DEQUEUE, delay);
        EXPECT_EQ(q.dequeue(t), !(delay && debt));
        if (!delay) {
            const std::int64_t vlag = q.e(t).vlag.v;
            q.schedule();
            q.spend(q.dice.between(1, 1000000));
            for (const std::int64_t pause : {q.dice.between(0, 1000), q.dice.between(1, 100) * kMs}) {
                q.spend(pause);
                q.enqueue(t);
                EXPECT_LE(std::abs(q.lag(t) - vlag), 1);
                ++permanent;
                q.e(t).vlag = VDelta{vlag};
                const VDelta kept = q.e(t).vlag;
                q.dequeue(t);
                q.e(t).vlag = kept;
            }
        } else if (debt) {
            // It competes until it is picked; then its lag is not negative, and what is left of it is zero.
            std::vector<TaskId> out;
            for (int i = 0; i < 20000 && out.empty(); ++i) {
                const TaskId next = q.pick(&out);
                if (!out.empty()) break;
                if (next != TaskId(q.q().curr)) q.run(next);
                q.spend(3 * kMs);
            }
            if (out.empty()) return; // a nice 19 task among heavy ones waits for long
            EXPECT_EQ(out, std::vector<TaskId>{t});
            EXPECT_EQ(q.e(t).vlag.v, 0);
            ++dropped;
        }
    });
    EXPECT_GT(dropped, 2000);
    EXPECT_GT(permanent, 5000);
}
