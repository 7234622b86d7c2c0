// SPDX-License-Identifier: GPL-3.0-or-later
// Load averages: worked examples E8.* of the eevdf document, the published table, and what must hold for any
// history.
#include "core/sched/pelt.h"
#include "tests/core/sched/support/one_queue.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr pelt::Activity kRuns{1, 1, true}, kWaits{1, 1, false}, kSleeps{};

SimTime periods(std::int64_t n) { return SimTime{n * pelt::kPeriod.ns}; }
SimTime units(std::int64_t n) { return SimTime{n * 1024}; }

/// A nice-0 task that ran for `n` periods from time 0, charged at the end of each.
PeltAvg ranFor(std::int64_t n) {
    PeltAvg a;
    for (std::int64_t i = 1; i <= n; ++i) pelt::updateEntity(a, periods(i), kRuns, kNice0Weight);
    return a;
}
std::int64_t utilAfterSleep(std::int64_t n) {
    PeltAvg a = ranFor(399);
    pelt::updateEntity(a, periods(399 + n), kSleeps, kNice0Weight);
    return a.utilAvg;
}
/// Utilisation after running and after sleeping `n` periods each, once settled.
std::pair<std::int64_t, std::int64_t> halfDuty(std::int64_t n) {
    PeltAvg a;
    std::int64_t on = 0;
    for (std::int64_t i = 0; i < 400; ++i) {
        pelt::updateEntity(a, periods((2 * i + 1) * n), kRuns, kNice0Weight);
        on = a.utilAvg;
        pelt::updateEntity(a, periods((2 * i + 2) * n), kSleeps, kNice0Weight);
    }
    return {on, a.utilAvg};
}

pelt::Activity anything(Dice& dice) {
    const std::array all{kRuns, kWaits, kSleeps, pelt::Activity{1, 0, false}};
    return all[static_cast<std::size_t>(dice.below(4))];
}
/// An average with some history, on whole units.
PeltAvg somebody(Dice& dice, Weight w) {
    PeltAvg a;
    for (int i = 0; i < 6; ++i) {
        const Duration d{dice.between(0, dice.oneIn(2) ? 3000 : 60000) * 1024};
        pelt::updateEntity(a, a.lastUpdate + d, anything(dice), w);
    }
    return a;
}

void expectBounded(const PeltAvg& a, Weight w) {
    const std::int64_t most = pelt::divider(a);
    EXPECT_GE(std::min({a.loadSum, a.runnableSum, a.utilSum}), 0);
    EXPECT_LE(a.loadSum, most);
    EXPECT_LE(a.runnableSum, most * 1024);
    EXPECT_LE(a.utilSum, a.runnableSum) << "nobody runs without being runnable";
    EXPECT_LE(a.loadAvg, w.scaled());
    EXPECT_LE(a.runnableAvg, 1024);
    EXPECT_GE(a.periodContrib, 0);
    EXPECT_LT(a.periodContrib, 1024);
}

} // namespace

TEST(Pelt, E8_1_running) {
    for (const auto& [n, util] : {std::pair{1, 21},
                                  {2, 43},
                                  {3, 64},
                                  {4, 85},
                                  {8, 163},
                                  {16, 300},
                                  {32, 512},
                                  {64, 768},
                                  {96, 896},
                                  {128, 960},
                                  {345, 1024},
                                  {399, 1024}})
        EXPECT_EQ(ranFor(n).utilAvg, util) << n;
    EXPECT_EQ(ranFor(32).utilSum, 23941816);
    EXPECT_EQ(ranFor(399).loadAvg, 1023);
}

TEST(Pelt, E8_2_sleeping) {
    for (const auto& [n, util] : {std::pair{1, 1002},
                                  {8, 861},
                                  {16, 724},
                                  {32, 512},
                                  {64, 256},
                                  {96, 128},
                                  {320, 1},
                                  {352, 0},
                                  {1000, 0}})
        EXPECT_EQ(utilAfterSleep(n), util) << n;
}

TEST(Pelt, E8_3_half_duty) {
    EXPECT_EQ(halfDuty(1), std::pair(std::int64_t{518}, std::int64_t{506}));
    EXPECT_EQ(halfDuty(10), std::pair(std::int64_t{567}, std::int64_t{456}));
}

TEST(Pelt, E8_4_averages_wait_for_the_end_of_a_period) {
    PeltAvg a;
    EXPECT_FALSE(pelt::updateEntity(a, units(500), kRuns, kNice0Weight));
    EXPECT_EQ(a.utilSum, 512000);
    EXPECT_EQ(a.utilAvg, 0);
    EXPECT_TRUE(pelt::updateEntity(a, units(1100), kRuns, kNice0Weight));
    EXPECT_EQ(a.periodContrib, 76);
    EXPECT_EQ(pelt::divider(a), 46794);
    EXPECT_EQ(a.utilSum, 1103140);
    EXPECT_EQ(a.utilAvg, 23);
}

TEST(Pelt, the_generated_table_is_the_published_one) {
    constexpr std::array<std::uint32_t, 32> kPublished = {
        0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
        0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
        0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
        0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698};
    for (std::size_t n = 0; n < kPublished.size(); ++n)
        EXPECT_EQ(pelt::decay(std::int64_t{1} << 32, static_cast<std::int64_t>(n)), kPublished[n]) << n;
}

TEST(Pelt, decay_halves_every_32_periods_and_forgets) {
    Dice dice(1);
    for (int i = 0; i < 20000; ++i) {
        const std::int64_t x = dice.below(std::int64_t{1} << 31), n = dice.below(2100);
        const std::int64_t now = pelt::decay(x, n), half = pelt::decay(x, n + 32);
        EXPECT_LE(half, now / 2);
        EXPECT_GE(half, now / 2 - 1);
        EXPECT_LE(now, x);
        EXPECT_LE(pelt::decay(x, n + 1), now);
        EXPECT_LE(now, pelt::decay(x + 1, n));
    }
    EXPECT_GT(pelt::decay(INT64_MAX, 2016), 0 - 1);
    EXPECT_EQ(pelt::decay(INT64_MAX, 2017), 0);
}

TEST(Pelt, sums_and_averages_stay_within_their_bounds) {
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Dice dice(seed);
        const Weight w = loadOfNice(static_cast<int>(dice.between(-20, 19))).weight;
        const PeltAvg a = somebody(dice, w);
        expectBounded(a, w);
        if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
    }
}

TEST(Pelt, utilisation_rises_while_running_and_falls_while_sleeping) {
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        Dice dice(seed);
        PeltAvg up = somebody(dice, kNice0Weight);
        pelt::updateEntity(up, up.lastUpdate + pelt::kPeriod, kRuns, kNice0Weight); // fresh averages
        PeltAvg down = up;
        for (int i = 0; i < 20; ++i) {
            const Duration d{dice.between(1, 4000) * 1024};
            const std::int64_t wasUp = up.utilAvg, wasDown = down.utilAvg;
            pelt::updateEntity(up, up.lastUpdate + d, kRuns, kNice0Weight);
            pelt::updateEntity(down, down.lastUpdate + d, kSleeps, kNice0Weight);
            ASSERT_GE(up.utilAvg, wasUp - 1) << seed; // rounding of two decays may cost one
            ASSERT_LE(down.utilAvg, wasDown + 1) << seed;
        }
    }
}

TEST(Pelt, updates_inside_a_period_do_not_matter) {
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Dice dice(seed);
        PeltAvg once = somebody(dice, kNice0Weight), often = once;
        const pelt::Activity did = anything(dice);
        const std::int64_t left = 1023 - once.periodContrib;
        const SimTime end = once.lastUpdate + Duration{left * 1024};
        pelt::updateEntity(once, end, did, kNice0Weight);
        while (often.lastUpdate < end) {
            const Duration step{std::min(dice.between(1, 400) * 1024, (end - often.lastUpdate).ns)};
            EXPECT_FALSE(pelt::updateEntity(often, often.lastUpdate + step, did, kNice0Weight));
        }
        ASSERT_EQ(once, often) << seed;
    }
}

TEST(Pelt, one_long_update_is_many_short_ones_at_period_boundaries) {
    std::int64_t worst = 0;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Dice dice(seed);
        PeltAvg once = somebody(dice, kNice0Weight);
        // To a boundary first, so that both start from the same sums there.
        pelt::updateEntity(once, once.lastUpdate + Duration{(1024 - once.periodContrib) * 1024}, kWaits,
                           kNice0Weight);
        PeltAvg often = once;
        const pelt::Activity did = anything(dice);
        const std::int64_t n = dice.between(1, 100);
        pelt::updateEntity(once, once.lastUpdate + Duration{n * pelt::kPeriod.ns}, did, kNice0Weight);
        for (std::int64_t i = 0; i < n; ++i)
            pelt::updateEntity(often, often.lastUpdate + pelt::kPeriod, did, kNice0Weight);
        ASSERT_EQ(once.lastUpdate, often.lastUpdate);
        ASSERT_EQ(once.periodContrib, often.periodContrib);
        ASSERT_LE(std::abs(once.utilAvg - often.utilAvg), 1) << seed;
        ASSERT_LE(std::abs(once.runnableAvg - often.runnableAvg), 1) << seed;
        ASSERT_LE(std::abs(once.loadAvg - often.loadAvg), 1) << seed;
        worst = std::max(worst, std::abs(once.loadSum - often.loadSum));
    }
    EXPECT_LE(worst, 40) << "of 47742; every step rounds down once, and a sum of rounded steps is finite";
}

TEST(Pelt, less_than_a_unit_changes_nothing_and_is_not_lost) {
    PeltAvg a = ranFor(5);
    const PeltAvg before = a;
    EXPECT_FALSE(pelt::updateEntity(a, before.lastUpdate + Duration{1023}, kRuns, kNice0Weight));
    EXPECT_EQ(a, before);
    pelt::updateEntity(a, before.lastUpdate + Duration{1024 + 1000}, kRuns, kNice0Weight);
    EXPECT_EQ(a.lastUpdate, before.lastUpdate + Duration{1024});
    EXPECT_EQ(a.utilSum, before.utilSum + 1024);
    pelt::updateEntity(a, SimTime{7}, kRuns, kNice0Weight);
    EXPECT_EQ(a.lastUpdate, SimTime{7}) << "a clock that went back";
    EXPECT_EQ(a.utilSum, before.utilSum + 1024);
}

TEST(Pelt, a_delayed_entity_is_load_but_not_runnable) {
    PeltAvg a = ranFor(100);
    const std::int64_t runnable = a.runnableAvg;
    pelt::updateEntity(a, periods(132), pelt::entityActivity(true, 0, false), kNice0Weight);
    EXPECT_GE(a.loadAvg, 960);
    EXPECT_NEAR(static_cast<double>(a.runnableAvg), static_cast<double>(runnable) / 2, 1);
    PeltAvg off = ranFor(100), asleep = off;
    pelt::updateEntity(off, periods(132), pelt::entityActivity(false, 1, true), kNice0Weight);
    pelt::updateEntity(asleep, periods(132), kSleeps, kNice0Weight);
    EXPECT_EQ(off, asleep) << "off the queue nothing is added";
}

TEST(Pelt, a_queue_weighs_its_members_by_scaled_weight) {
    PeltAvg queue;
    const std::int64_t load = 2 * kNice0Weight.w + loadOfNice(5).weight.w;
    for (int i = 1; i <= 399; ++i) pelt::updateQueue(queue, periods(i), pelt::queueActivity(load, 3, true));
    EXPECT_NEAR(static_cast<double>(queue.loadAvg), 2 * 1024 + 335, 3);
    EXPECT_NEAR(static_cast<double>(queue.runnableAvg), 3 * 1024, 3);
    EXPECT_EQ(queue.utilAvg, 1024);
    EXPECT_EQ(pelt::queueActivity(2, 1, false).load, 2) << "the floor of the scaled weight";
    EXPECT_EQ(pelt::queueActivity(0, 0, false).load, 0);
}

TEST(Pelt, a_new_task_counts_in_full_and_a_new_group_not_at_all) {
    EXPECT_EQ(pelt::newTask(loadOfNice(-5).weight).loadAvg, 3121);
    EXPECT_EQ(pelt::newTask(kNice0Weight).utilAvg, 0);
    EXPECT_FALSE(pelt::newTask(kNice0Weight).attached());
    EXPECT_EQ(pelt::newGroup().loadAvg, 0);

    const auto credit = [](std::int64_t queueUtil, std::int64_t queueLoad, int nice) {
        PeltAvg queue, a = pelt::newTask(loadOfNice(nice).weight);
        queue.utilAvg = queueUtil;
        queue.loadAvg = queueLoad;
        pelt::creditNewTask(a, queue, loadOfNice(nice).weight);
        EXPECT_EQ(a.runnableAvg, a.utilAvg);
        return a.utilAvg;
    };
    EXPECT_EQ(credit(0, 0, 0), 512) << "half of an empty CPU";
    EXPECT_EQ(credit(200, 1023, 0), 200) << "as its equals";
    EXPECT_EQ(credit(200, 1023, 5), 200 * 335 / 1024);
    EXPECT_EQ(credit(800, 1023, 0), 112) << "half of what is left";
    EXPECT_EQ(credit(1024, 1023, 0), 0);
}

TEST(Pelt, migration_moves_the_averages_from_queue_to_queue) {
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        Dice dice(seed);
        const Weight w = loadOfNice(static_cast<int>(dice.between(-20, 19))).weight;
        PeltAvg from, to, task = somebody(dice, w);
        task.lastUpdate = PeltAvg::kDetached;
        from.lastUpdate = units(dice.below(100000));
        from.periodContrib = static_cast<std::int32_t>(dice.below(1024));
        to.lastUpdate = units(dice.below(100000));
        const PeltAvg was = task;
        EXPECT_EQ(pelt::attach(from, task, w), task.loadSum);
        EXPECT_EQ(task.lastUpdate, from.lastUpdate);
        EXPECT_EQ(task.periodContrib, from.periodContrib);
        EXPECT_EQ(from.loadAvg, task.loadAvg);
        EXPECT_EQ(from.utilAvg, task.utilAvg);
        EXPECT_EQ(pelt::detach(from, task, w), -task.loadSum);
        EXPECT_FALSE(task.attached());
        EXPECT_EQ(from.loadAvg + from.utilAvg + from.runnableAvg, 0);
        EXPECT_EQ(from.loadSum + from.utilSum + from.runnableSum, 0);
        pelt::attach(to, task, w);
        EXPECT_EQ(to.loadAvg, was.loadAvg);
        EXPECT_EQ(to.runnableAvg, was.runnableAvg);
        EXPECT_EQ(to.utilAvg, was.utilAvg);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(Pelt, a_queue_never_goes_below_zero_when_an_average_outgrew_it) {
    PeltAvg queue, stays = pelt::newTask(kNice0Weight), leaves = pelt::newTask(kNice0Weight);
    pelt::attach(queue, stays, kNice0Weight);
    pelt::attach(queue, leaves, kNice0Weight);
    leaves.loadAvg += 5000;
    leaves.utilSum += 5000;
    pelt::detach(queue, leaves, kNice0Weight);
    EXPECT_EQ(queue.loadAvg, 0);
    EXPECT_GE(queue.loadSum, 0);
    EXPECT_EQ(queue.utilSum, 0);
}

TEST(Pelt, a_sleeper_woken_elsewhere_is_taken_off_later) {
    PeltAvg queue, one = ranFor(50), two = ranFor(80);
    one.lastUpdate = two.lastUpdate = PeltAvg::kDetached;
    pelt::attach(queue, one, kNice0Weight);
    pelt::attach(queue, two, kNice0Weight);
    const PeltAvg full = queue;
    pelt::Removed removed;
    EXPECT_EQ(pelt::settle(queue, removed), 0);
    EXPECT_EQ(queue, full);
    pelt::leaveLater(removed, two);
    EXPECT_FALSE(two.attached());
    EXPECT_EQ(queue, full) << "not yet";
    EXPECT_EQ(pelt::settle(queue, removed), -(two.runnableAvg * pelt::divider(queue) / 1024));
    EXPECT_EQ(removed, pelt::Removed{});
    EXPECT_EQ(queue.loadAvg, one.loadAvg);
    EXPECT_EQ(queue.utilAvg, one.utilAvg);
    EXPECT_EQ(queue.runnableAvg, one.runnableAvg);
}

TEST(Pelt, a_group_passes_arrival_and_departure_on_to_the_level_above) {
    PeltAvg inner, outer, group = pelt::newGroup(), task = ranFor(399);
    pelt::attach(outer, group, kNice0Weight);
    task.lastUpdate = PeltAvg::kDetached;
    std::int64_t owed = pelt::attach(inner, task, kNice0Weight);
    pelt::propagate(inner, kNice0Weight.w, owed, group, kNice0Weight, outer);
    EXPECT_EQ(owed, 0);
    EXPECT_EQ(group.utilAvg, 1024);
    EXPECT_EQ(outer.utilAvg, 1024);
    EXPECT_EQ(group.runnableAvg, task.runnableAvg);
    EXPECT_NEAR(static_cast<double>(group.loadAvg), 1023, 1);
    EXPECT_EQ(outer.loadAvg, group.loadAvg);

    owed = pelt::detach(inner, task, kNice0Weight);
    pelt::propagate(inner, 0, owed, group, kNice0Weight, outer);
    EXPECT_EQ(group.utilAvg, 0);
    EXPECT_EQ(group.loadAvg, 0);
    EXPECT_EQ(outer.utilAvg, 0);
    EXPECT_EQ(outer.loadAvg, 0);

    const PeltAvg before = outer;
    pelt::propagate(inner, 0, owed, group, kNice0Weight, outer);
    EXPECT_EQ(outer, before) << "nothing owed, nothing changes";
}

TEST(Pelt, reweighting_exchanges_the_share_of_the_queue) {
    PeltAvg queue, a = ranFor(399), other = ranFor(40);
    a.lastUpdate = other.lastUpdate = PeltAvg::kDetached;
    pelt::attach(queue, a, kNice0Weight);
    pelt::attach(queue, other, kNice0Weight);
    pelt::reweight(queue, a, kNice0Weight, Weight{2});
    EXPECT_LE(a.loadAvg, 2);
    EXPECT_EQ(queue.loadAvg, other.loadAvg + a.loadAvg);
    pelt::reweight(queue, a, Weight{2}, Weight{512 << 10});
    EXPECT_NEAR(static_cast<double>(a.loadAvg), 511, 1);
    EXPECT_EQ(queue.loadAvg, other.loadAvg + a.loadAvg);
}
