// SPDX-License-Identifier: GPL-3.0-or-later
// Random streams: the published mixer, independence of the key's parts, and an even spread.
#include "core/engine/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

using namespace rqs::engine;

TEST(Random, MixerIsSplitmix64) {
    // First outputs of the published generator with state 0: each call adds the golden gamma, then mixes.
    EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafULL);
    EXPECT_EQ(mix64(0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
    EXPECT_EQ(mix64(2 * 0x9e3779b97f4a7c15ULL), 0x06c45d188009454fULL);
}

TEST(Random, EveryPartOfTheKeyMatters) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 4; ++seed)
        for (std::uint32_t who = 0; who < 4; ++who)
            for (const Purpose p : {Purpose::TickPhase, Purpose::StartOffset, Purpose::CostJitter, Purpose::Workload})
                for (std::uint64_t counter = 0; counter < 4; ++counter) seen.insert(draw64(seed, who, p, counter));
    EXPECT_EQ(seen.size(), 256u);
}

TEST(Random, ADrawDependsOnItsKeyOnly) {
    const auto before = draw64(7, 3, Purpose::Workload, 11);
    (void)draw64(7, 3, Purpose::Workload, 12);
    EXPECT_EQ(draw64(7, 3, Purpose::Workload, 11), before);
}

TEST(Random, BelowStaysBelowAndSpreadsEvenly) {
    constexpr std::uint64_t bins = 10, draws = 100000;
    std::array<int, bins> count{};
    for (std::uint64_t i = 0; i < draws; ++i) {
        const auto v = drawBelow(42, 1, Purpose::CostJitter, i, bins);
        ASSERT_LT(v, bins);
        ++count[v];
    }
    // Binomial: mean 10,000, standard deviation 95; six of them.
    for (const int n : count) EXPECT_NEAR(n, 10000, 570);
    EXPECT_EQ(drawBelow(42, 1, Purpose::CostJitter, 5, 1), 0u);
}
