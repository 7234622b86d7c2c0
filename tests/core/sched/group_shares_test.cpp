// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of group entities and the group's total load: worked examples E7.* and TG-*, and what holds for any
// load.
#include "core/sched/group_shares.h"
#include "core/sched/weights.h"
#include "tests/core/sched/support/one_queue.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr Weight kShares{1 << 20};
constexpr std::int64_t kHog = 1 << 20; ///< weight of a nice-0 task

/// A queue whose `nr` nice-0 hogs have been there for long.
GroupQueueLoad hogs(std::int64_t nr) { return {nr * kHog, nr * 1024, nr * 1024}; }

std::int64_t weight(const GroupQueueLoad& queue, std::int64_t total, Weight shares = kShares) {
    return calcGroupShares(shares, queue, total).w;
}

/// A group on some CPUs.
struct Group {
    std::vector<GroupQueueLoad> queues;
    std::vector<Contribution> entries;
    std::int64_t total = 0;
    explicit Group(std::int64_t cpus)
        : queues(static_cast<std::size_t>(cpus)), entries(static_cast<std::size_t>(cpus)) {}
    std::int64_t sumOfEntries() const {
        return std::accumulate(entries.begin(), entries.end(), std::int64_t{0},
                               [](std::int64_t sum, const Contribution& c) { return sum + c.load; });
    }
};

} // namespace

TEST(GroupShares, E7_1_one_busy_cpu) {
    EXPECT_EQ(weight({kHog, 0, 0}, 0), 1048576) << "before any average has moved";
    EXPECT_EQ(weight(hogs(1), 1024), 1048576);
}

TEST(GroupShares, E7_2_all_cpus_busy) {
    EXPECT_EQ(weight(hogs(1), 16 * 1024), 65536);
    EXPECT_EQ(Weight{65536}.scaled(), 64);
    EXPECT_EQ(weight(hogs(1), 12 * 1024), 87381);
    EXPECT_EQ(Weight{87381}.scaled(), 85);
    EXPECT_EQ(weight({kHog, 0, 0}, 15 * 1024), 65536) << "the sixteenth hog counts at once";
}

TEST(GroupShares, E7_3_two_hogs_against_one) {
    EXPECT_EQ(weight(hogs(2), 3 * 1024), 699050);
    EXPECT_EQ(weight(hogs(1), 3 * 1024), 349525);
}

TEST(GroupShares, E7_4_small_shares) { EXPECT_EQ(weight(hogs(1), 8 * 1024, Weight{15 << 10}), 1920); }

TEST(GroupShares, E7_5_an_empty_queue_keeps_its_average_unless_it_was_detached) {
    EXPECT_EQ(weight({0, 1024, 1024}, 16 * 1024), 65536) << "the task has just blocked";
    EXPECT_EQ(weight({0, 1, 1}, 15 * 1024 + 1), 68) << "long ago";
    EXPECT_EQ(weight({0, 0, 0}, 16 * 1024), 2) << "it migrated away";
    EXPECT_EQ(weight({0, 0, 0}, 0), 2);
}

TEST(GroupShares, E7_7_a_contribution_left_behind_costs_half_the_share) {
    Group g(2);
    EXPECT_TRUE(updateTotal(g.total, g.entries[0], 1024, true, SimTime{0}));
    // The only hog moves within the millisecond: its old queue may not say so, the new one has never written.
    EXPECT_FALSE(updateTotal(g.total, g.entries[0], 0, true, SimTime{600000}));
    EXPECT_TRUE(updateTotal(g.total, g.entries[1], 1024, true, SimTime{600000}));
    EXPECT_EQ(weight({kHog, 1024, g.entries[1].load}, g.total), 524288);
    EXPECT_TRUE(updateTotal(g.total, g.entries[0], 0, true, SimTime{1000000}));
    EXPECT_EQ(weight({kHog, 1024, g.entries[1].load}, g.total), 1048576);
}

TEST(GroupShares, an_entity_keeps_its_weight_when_throttled_or_empty_and_preserved) {
    const GroupQueueLoad gone{};
    EXPECT_EQ(newGroupWeight(kShares, kShares, gone, 0, {}), Weight{2});
    EXPECT_EQ(newGroupWeight(kShares, kShares, gone, 0, {true, false}), std::nullopt);
    EXPECT_EQ(newGroupWeight(Weight{2}, kShares, hogs(1), 1024, {true, false}), kShares);
    EXPECT_EQ(newGroupWeight(Weight{2}, kShares, hogs(1), 1024, {true, true}), std::nullopt);
    EXPECT_EQ(newGroupWeight(kShares, kShares, hogs(1), 1024, {}), std::nullopt) << "already right";
    const GroupQueueLoad blocked{0, 512, 512};
    EXPECT_EQ(newGroupWeight(kShares, kShares, blocked, 1024, {false, false}), Weight{1 << 19});
    EXPECT_EQ(newGroupWeight(kShares, kShares, blocked, 1024, {true, false}), std::nullopt);
}

TEST(GroupShares, shares_of_control_groups) {
    EXPECT_EQ(sharesOfCpuWeight(100), kShares);
    EXPECT_EQ(sharesOfCpuWeight(1).w, 10 << 10);
    EXPECT_EQ(sharesOfCpuWeight(10000).w, 102400 << 10);
    EXPECT_EQ(sharesOfCpuWeight(33).w, 338 << 10) << "337.92";
    EXPECT_EQ(sharesOfCpuWeight(0), sharesOfCpuWeight(1));
    EXPECT_EQ(sharesOfCpuWeight(INT64_MAX), sharesOfCpuWeight(10000));
    EXPECT_EQ(sharesOfCpuShares(1024), kShares);
    EXPECT_EQ(sharesOfCpuShares(1), kMinShares);
    EXPECT_EQ(sharesOfCpuShares(-5), kMinShares);
    EXPECT_EQ(sharesOfCpuShares(INT64_MAX), kMaxShares);
}

TEST(GroupShares, TG_1_a_change_of_up_to_a_64th_is_not_written) {
    std::int64_t total = 5000;
    Contribution c{1024, {}};
    const SimTime later{5 * kMs};
    EXPECT_FALSE(updateTotal(total, c, 1040, true, later));
    EXPECT_FALSE(updateTotal(total, c, 1008, true, later));
    EXPECT_EQ(total, 5000);
    EXPECT_TRUE(updateTotal(total, c, 1041, true, later));
    EXPECT_EQ(total, 5017);
    EXPECT_EQ(c, (Contribution{1041, later}));
    Contribution none;
    EXPECT_FALSE(updateTotal(total, none, 0, true, later));
    EXPECT_TRUE(updateTotal(total, none, 1, true, later)) << "a 64th of nothing";
}

TEST(GroupShares, TG_2_at_most_one_write_per_millisecond) {
    std::int64_t total = 0;
    Contribution c;
    EXPECT_TRUE(updateTotal(total, c, 1024, true, SimTime{0}));
    EXPECT_FALSE(updateTotal(total, c, 0, true, SimTime{999999}));
    EXPECT_EQ(c.written, SimTime{0}) << "a refused write does not start the millisecond anew";
    EXPECT_FALSE(updateTotal(total, c, 1024, true, SimTime{1000000})) << "nothing to say";
    EXPECT_EQ(c.written, SimTime{0});
    EXPECT_TRUE(updateTotal(total, c, 0, true, SimTime{1000000}));
    EXPECT_EQ(total, 0);
    EXPECT_TRUE(updateTotal(total, c, 1024, false, SimTime{1000001})) << "kernels without the limit";
}

TEST(GroupShares, I13_the_total_is_the_sum_of_the_entries) {
    int writes = 0, refusals = 0;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Dice dice(seed);
        const bool limited = dice.oneIn(2);
        Group g(dice.between(1, 8));
        SimTime now{0};
        for (int step = 0; step < 12; ++step) {
            now = now + Duration{dice.below(700000)};
            const auto cpu =
                static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(g.entries.size())));
            const bool wrote = dice.oneIn(8)
                                   ? withdraw(g.total, g.entries[cpu], now)
                                   : updateTotal(g.total, g.entries[cpu],
                                                 dice.oneIn(4) ? 0 : dice.below(90000), limited, now);
            (wrote ? writes : refusals)++;
            ASSERT_EQ(g.total, g.sumOfEntries()) << seed;
        }
    }
    EXPECT_GT(writes, 20000);
    EXPECT_GT(refusals, 20000);
}

TEST(GroupShares, I12_weights_of_a_group_over_its_cpus) {
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Dice dice(seed);
        const Weight shares{dice.between(kMinShares.w, dice.oneIn(2) ? 1 << 20 : kMaxShares.w)};
        Group g(dice.between(1, 64));
        bool busy = false;
        for (GroupQueueLoad& queue : g.queues) {
            const std::int64_t tasks = dice.oneIn(3) ? 0 : dice.between(1, 5);
            for (std::int64_t i = 0; i < tasks; ++i)
                queue.weight += loadOfNice(static_cast<int>(dice.between(-20, 19))).weight.w;
            queue.average = queue.contribution = Weight{queue.weight}.scaled();
            g.total += queue.contribution;
            busy |= tasks > 0;
        }
        std::int64_t sum = 0;
        for (const GroupQueueLoad& queue : g.queues) {
            const std::int64_t w = weight(queue, g.total, shares);
            EXPECT_GE(w, 2);
            EXPECT_LE(w, shares.w);
            sum += w;
        }
        const auto cpus = static_cast<std::int64_t>(g.queues.size());
        EXPECT_GE(sum, busy ? shares.w - cpus : 0);
        // Averages that lag behind, as after a burst of migrations: the bounds of each weight still hold.
        for (GroupQueueLoad& queue : g.queues) {
            queue.average = dice.below(5000);
            const std::int64_t w = weight(queue, g.total, shares);
            EXPECT_GE(w, 2);
            EXPECT_LE(w, shares.w);
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}
