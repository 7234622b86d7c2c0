// SPDX-License-Identifier: GPL-3.0-or-later
// Reweighting on random queues: every rule against its statement in exact arithmetic, and invariant I14.
#include "core/sched/reweight.h"
#include "tests/core/sched/support/random_queue.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr std::uint64_t kCases = 20000;

Wide floorDiv(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

/// A random queue, one of its members, and what the rules say, with neither caches nor trees.
struct Case : RandomQueue {
    using RandomQueue::RandomQueue;
    TaskId t;
    Weight from, to;

    /// `roomy`: requests so long that no lag is clamped.
    void choose(std::uint64_t seed, bool roomy, Weight weight) {
        fill(seed);
        t = any();
        from = e(t).weight;
        to = weight;
        if (roomy) {
            e(t).slice = Duration{100000 * kMs};
            e(t).customSlice = true;
        }
    }
    bool runs() { return q().curr == t.v; }
    std::int64_t inV(TaskId i) {
        return s.kernel.preset->weightsInV == WeightsInV::Full ? e(i).weight.w : e(i).weight.scaled();
    }
    Wide total() {
        Wide sum = 0;
        for (TaskId i : members) sum += inV(i);
        return sum;
    }
    /// V relative to `base`, without member `out` if one is given.
    std::int64_t average(TaskId out = {}) {
        Wide sum = 0, weight = 0;
        for (TaskId i : members) {
            if (i == out) continue;
            sum += Wide{inV(i)} * key(i);
            weight += inV(i);
        }
        const bool follows = s.kernel.preset->reference == ReferenceRule::ZeroVruntime;
        if (weight == 0) return follows ? average() : (q().v0 - VTime{base}).v;
        return static_cast<std::int64_t>(floorDiv(sum, weight));
    }
    std::int64_t clamped(std::int64_t lag) {
        const bool own = s.kernel.preset->lagClamp == LagClamp::TwiceOwnSlice;
        Duration longest = e(t).slice;
        for (TaskId i : members) longest = std::max(longest, e(i).slice);
        const Duration tick = s.kernel.tunables.tick();
        const std::int64_t most =
            calcDeltaFair(own ? std::max(e(t).slice * 2, tick) : longest + tick, e(t)).v;
        return std::clamp(lag, -most, most);
    }
    std::int64_t rescaled(std::int64_t x) const { return static_cast<std::int64_t>(Wide{x} * from.w / to.w); }
    std::int64_t deadline() { return (e(t).deadline - VTime{base}).v; }
    void reweight() { EXPECT_FALSE(reweightEntity(s, q(), t.v, to, now)); }

    /// Everything the queue remembers about its members is true.
    void expectConsistent() {
        std::int64_t load = 0;
        for (TaskId i : members) load += e(i).weight.w;
        EXPECT_EQ(q().load, load);
        EXPECT_EQ(q().nr, static_cast<std::int32_t>(members.size()));
        EXPECT_EQ((VTime{V()} - VTime{base}).v, average());
        EXPECT_FALSE(e(t).relDeadline);
        EXPECT_TRUE(e(t).onRq);
    }
};

struct VirtualTimes {
    std::int64_t v, d;
    bool operator==(const VirtualTimes&) const = default;
};
void PrintTo(const VirtualTimes& x, std::ostream* out) { *out << "v " << x.v << " d " << x.d; }

/// What the rule of the preset makes of the chosen member, relative to base.
VirtualTimes byRule(Case& c) {
    const std::int64_t average = c.average(), v = c.key(c.t), d = c.deadline();
    const std::int64_t lag = c.rescaled(c.clamped(average - v));
    const ReweightRule rule = c.s.kernel.preset->reweight;
    switch (rule) {
    case ReweightRule::Cfs: return {v, d};
    case ReweightRule::R66: return {v, v + c.rescaled(d - v)};
    case ReweightRule::R67:
    case ReweightRule::R71: return {average - lag, average + c.rescaled(d - average)};
    case ReweightRule::R613:
    case ReweightRule::R613n: break;
    }
    // Placed anew. V and the others' weight: without the entity, except that a running one is still counted,
    // with its new weight at its old place.
    const Entity saved = c.e(c.t);
    c.e(c.t).weight = c.to;
    const std::int64_t own = c.inV(c.t);
    const std::int64_t around = c.runs() ? c.average() : c.average(c.t);
    Wide others = c.total() - (c.runs() ? 0 : own);
    c.e(c.t) = saved;
    const bool empty = rule == ReweightRule::R613n && c.members.size() == 1;
    if (others == 0) others = 1;
    const std::int64_t inflated = empty ? 0 : static_cast<std::int64_t>(Wide{lag} * (others + own) / others);
    return {around - inflated, around - inflated + c.rescaled(d - v)};
}

class EveryRule : public testing::TestWithParam<std::string_view> {};

Weight anyWeight(Dice& dice) {
    switch (dice.below(4)) {
    case 0: return {dice.between(2, 5000)};
    case 1: return {dice.between(2, 2 << 20)};
    case 2: return {dice.between(2, std::int64_t{1} << 28)};
    default: return {dice.between(2, 2000) << 10};
    }
}
Weight roundWeight(Dice& dice) { return {dice.between(2, 2000) << 10}; }

} // namespace

TEST_P(EveryRule, does_what_it_says) {
    Case c(GetParam());
    const bool monotone = c.s.kernel.preset->reference == ReferenceRule::MinVruntime;
    const bool scaled = c.s.kernel.preset->weightsInV == WeightsInV::Scaled;
    int running = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        Dice dice(seed + 1000000);
        c.choose(seed, false, anyWeight(dice));
        running += c.runs() ? 1 : 0;
        const VTime v0 = c.q().v0;
        const VirtualTimes expected = byRule(c);
        c.reweight();
        ASSERT_EQ((VirtualTimes{c.key(c.t), c.deadline()}), expected) << "seed " << seed;
        c.expectConsistent();
        EXPECT_FALSE(monotone && before(c.q().v0, v0));
        EXPECT_TRUE(!scaled || c.pick() == c.pickByRule());
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(running, 2000);
}

INSTANTIATE_TEST_SUITE_P(Reweight, EveryRule,
                         testing::Values("6.6", "6.12.0", "6.13.0", "6.12.117-debian", "6.16", "7.1"),
                         [](const auto& param) {
                             std::string name = "v";
                             for (char ch : param.param) name += ch == '.' || ch == '-' ? '_' : ch;
                             return name;
                         });

TEST(Reweight, I14_R71_keeps_the_average_and_the_weighted_lag) {
    Case c("7.1");
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        Dice dice(seed + 2000000);
        c.choose(seed, true, anyWeight(dice));
        const std::int64_t average = c.average(), lag = average - c.key(c.t);
        c.reweight();
        // V is rounded down to ns before; at a smaller total weight the part that was lost shows.
        const Wide moved = std::abs(c.average() - average);
        const std::int64_t weights = std::abs(c.to.w - c.from.w);
        ASSERT_LE(moved, 2 + weights / c.total()) << seed;
        const Wide weighted = Wide{c.to.w} * (c.average() - c.key(c.t)) - Wide{c.from.w} * lag;
        ASSERT_LE(weighted < 0 ? -weighted : weighted, (moved + 1) * c.to.w) << seed;
    }
}

TEST(Reweight, I14_R67_keeps_the_average_away_from_the_floor_of_weights) {
    Case c("6.12.0");
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        Dice dice(seed + 3000000);
        c.choose(seed, true, roundWeight(dice));
        const std::int64_t average = c.average(), lag = average - c.key(c.t);
        c.reweight();
        const Wide moved = std::abs(c.average() - average);
        ASSERT_LE(moved, 2 + std::abs(c.to.scaled() - c.from.scaled()) / c.total()) << seed;
        ASSERT_LE(std::abs(c.average() - c.key(c.t) - c.rescaled(lag)), moved + 1) << seed;
    }
}

TEST(Reweight, I14_R67_loses_the_average_at_the_floor_of_weights) {
    Case c("6.12.0");
    std::uint64_t violations = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        c.choose(seed, true, Weight{2});
        const std::int64_t average = c.average();
        c.reweight();
        if (std::abs(c.average() - average) > 2 + c.from.scaled() / c.total()) ++violations;
    }
    EXPECT_GT(violations, 1000u) << "the invariant detects the 1024-fold error";
}

TEST(Reweight, I14_R613_rescales_the_lag_of_a_waiting_entity) {
    for (std::string_view kernel : {"6.13.0", "6.16", "6.12.117-debian"}) {
        Case c(kernel);
        std::uint64_t seen = 0;
        for (std::uint64_t seed = 0; seen < kCases; ++seed) {
            Dice dice(seed + 4000000);
            c.choose(seed, dice.oneIn(2), anyWeight(dice));
            if (c.runs() || c.members.size() == 1) continue;
            ++seen;
            const std::int64_t lag = c.clamped(c.average() - c.key(c.t));
            c.reweight();
            ASSERT_LE(std::abs(c.average() - c.key(c.t) - c.rescaled(lag)), 1) << kernel << ' ' << seed;
        }
    }
}

TEST(Reweight, I14_R613_lag_of_a_running_entity_follows_its_law) {
    Case c("6.13.0");
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        c.choose(seed, true, {});
        if (!c.runs() || c.members.size() == 1 || c.from.scaled() < 1000) continue;
        // A small change of weight: with q = s / (W + s), lag becomes lag (1 + q - q^2).
        c.to = Weight{c.from.w - 1024};
        const auto lag = static_cast<double>(c.average() - c.key(c.t));
        const double all = static_cast<double>(c.total()), part = static_cast<double>(c.from.scaled()) / all;
        c.reweight();
        const auto after = static_cast<double>(c.average() - c.key(c.t));
        ASSERT_NEAR(after, lag * (1 + part - part * part), 2 + std::abs(lag) * 0.01) << seed;
    }
}
