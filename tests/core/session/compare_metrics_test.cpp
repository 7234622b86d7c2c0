// SPDX-License-Identifier: GPL-3.0-or-later
// Paired statistics against values computed by hand.
#include "core/session/compare.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::session;

namespace {

/// A run of one second with the given throughput and switches.
RunResult run(std::int64_t ops, std::uint64_t switches = 100) {
    RunResult r;
    r.unit = "messages";
    r.simTime = SimTime{1'000'000'000};
    r.numbers.ops = ops;
    r.numbers.switches = switches;
    return r;
}
const MetricComparison& find(const std::vector<MetricComparison>& all, const std::string& name) {
    for (const MetricComparison& m : all)
        if (m.name == name) return m;
    ADD_FAILURE() << "no metric " << name;
    return all.front();
}

} // namespace

TEST(CompareMetrics, StudentQuantiles) {
    EXPECT_DOUBLE_EQ(tQuantile95(1), 12.706);
    EXPECT_DOUBLE_EQ(tQuantile95(4), 2.776);
    EXPECT_DOUBLE_EQ(tQuantile95(9), 2.262);
    EXPECT_DOUBLE_EQ(tQuantile95(30), 2.042);
    for (int n = 1; n < 200; ++n) EXPECT_GE(tQuantile95(n), tQuantile95(n + 1)) << n;
    EXPECT_GT(tQuantile95(100000), 1.9599);
}

TEST(CompareMetrics, PairedChangeAndInterval) {
    // changes: +10 %, +20 %, +30 %; mean 20, standard deviation 10, half width 4.303 * 10 / sqrt(3) = 24.8434
    const std::vector<RunResult> a{run(100), run(200), run(300)}, b{run(110), run(240), run(390)};
    const auto all = compareMetrics(a, b);
    const MetricComparison& m = find(all, "throughput");
    EXPECT_DOUBLE_EQ(m.meanA, 200);
    EXPECT_NEAR(m.meanB, 740.0 / 3, 1e-9);
    EXPECT_NEAR(*m.changePct, 20, 1e-9);
    EXPECT_NEAR(*m.ci95Pct, 24.8434, 1e-3);
    EXPECT_FALSE(m.significant());
    EXPECT_TRUE(m.higherIsBetter);
    EXPECT_EQ(m.unit, "messages/s");
}

TEST(CompareMetrics, PairingRemovesWhatTheSeedDoesToBoth) {
    // Seeds differ by a factor of 10, the change is always +1 %: the interval must not know about the seeds.
    const std::vector<RunResult> a{run(1000), run(10000), run(100)}, b{run(1010), run(10100), run(101)};
    const auto all = compareMetrics(a, b);
    EXPECT_NEAR(*find(all, "throughput").changePct, 1, 1e-9);
    EXPECT_NEAR(*find(all, "throughput").ci95Pct, 0, 1e-9);
    EXPECT_TRUE(find(all, "throughput").significant());
}

TEST(CompareMetrics, NoPercentageOfNothing) {
    const std::vector<RunResult> a{run(100, 0), run(100, 5)}, b{run(100, 3), run(100, 5)};
    const auto all = compareMetrics(a, b);
    EXPECT_FALSE(find(all, "context_switches").changePct);
    EXPECT_DOUBLE_EQ(*find(all, "throughput").changePct, 0);
    EXPECT_FALSE(find(all, "throughput").significant());
    EXPECT_DOUBLE_EQ(*find(all, "migrations").changePct, 0) << "0 against 0 is no change";
}

TEST(CompareMetrics, UnequalNumbersOfRunsAreRefused) {
    const std::vector<RunResult> a{run(1), run(2)}, b{run(1)};
    EXPECT_TRUE(compareMetrics(a, b).empty());
    EXPECT_TRUE(compareMetrics({}, {}).empty());
}
