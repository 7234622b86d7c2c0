// SPDX-License-Identifier: GPL-3.0-or-later
// Cost names and the seed's jitter.
#include "core/machine/cost_model.h"

#include <gtest/gtest.h>

#include <set>

using namespace rqs;
using namespace rqs::machine;

namespace {
CostSheet sheet(std::int64_t ns) {
    CostSheet s;
    for (auto& e : s.entries) e.ns = ns;
    return s;
}
} // namespace

TEST(CostModel, NamesAreUniqueSnakeCase) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kCosts; ++i) {
        const auto n = costName(static_cast<Cost>(i));
        EXPECT_FALSE(n.empty());
        EXPECT_EQ(n.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << n;
        names.insert(n);
    }
    EXPECT_EQ(names.size(), kCosts);
    EXPECT_EQ(costName(Cost::CtxSwitchSame), "ctx_switch_same");
    EXPECT_EQ(costName(Cost::CopyPerKiB), "copy_per_kib");
    EXPECT_EQ(costName(Cost::LineSmt), "line_smt");
    EXPECT_EQ(costName(Cost::RefillRemote), "refill_remote");
    EXPECT_EQ(provenanceName(Provenance::Derived), "derived");
}

TEST(CostModel, JitterStaysWithinThreePercentAndFillsIt) {
    const auto s = sheet(1'024'000);
    std::int64_t low = INT64_MAX, high = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed)
        for (const auto ns : jittered(s, seed).ns) {
            low = std::min(low, ns);
            high = std::max(high, ns);
        }
    EXPECT_EQ(low, 993'000); // 1024 - 31
    EXPECT_EQ(high, 1'055'000);
}

TEST(CostModel, JitterDependsOnSeedAndCostOnly) {
    const auto s = sheet(1'000'000);
    EXPECT_EQ(jittered(s, 7).ns, jittered(s, 7).ns);
    EXPECT_NE(jittered(s, 7).ns, jittered(s, 8).ns);
    auto changed = s; // another value of one cost leaves the others alone
    changed.entries[3].ns += 1'000'000;
    const auto a = jittered(s, 7), b = jittered(changed, 7);
    for (std::size_t i = 0; i < kCosts; ++i) {
        if (i == 3)
            EXPECT_GT(b.ns[i], a.ns[i]);
        else
            EXPECT_EQ(b.ns[i], a.ns[i]);
    }
    std::set<std::int64_t> factors(a.ns.begin(), a.ns.end());
    EXPECT_GT(factors.size(), 10u); // one factor per cost, not one per run
}

TEST(CostModel, JitterRoundsToNearestAndKeepsZero) {
    EXPECT_EQ(jittered(sheet(0), 5)[Cost::Tick].ns, 0);
    for (std::uint64_t seed = 0; seed < 100; ++seed) EXPECT_EQ(jittered(sheet(5), seed)[Cost::LineSmt].ns, 5);
}

TEST(CostModel, LinesAndRefillsByDistance) {
    CostTable t;
    for (std::size_t i = 0; i < kCosts; ++i) t.ns[i] = static_cast<std::int64_t>(i);
    EXPECT_EQ(t.line(Distance::Self).ns, 0);
    EXPECT_EQ(t.line(Distance::Smt), t[Cost::LineSmt]);
    EXPECT_EQ(t.line(Distance::Remote), t[Cost::LineRemote]);
    EXPECT_EQ(t.refill(Distance::Smt).ns, 0);
    EXPECT_EQ(t.refill(Distance::Socket), t[Cost::RefillSocket]);
}
