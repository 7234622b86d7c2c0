// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram and time series against plain vectors.
#include "core/metrics/collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace rqs;
using namespace rqs::metrics;

namespace {

/// Values from 0 to about 2^40 ns, all magnitudes alike.
std::vector<std::int64_t> sample(unsigned seed, std::size_t n) {
    std::mt19937_64 rng(seed);
    std::vector<std::int64_t> v(n);
    for (auto& x : v) x = static_cast<std::int64_t>(rng() >> (24 + rng() % 40));
    return v;
}

std::int64_t total(const TimeSeries& s) {
    return std::accumulate(s.sums().begin(), s.sums().end(), std::int64_t{0});
}

} // namespace

TEST(Histogram, BucketsTileTheValuesWithoutGaps) {
    for (int i = 0; i + 1 < 248; ++i) {
        const std::int64_t lo = Histogram::lowerEdge(i), next = Histogram::lowerEdge(i + 1);
        ASSERT_LT(lo, next) << i;
        EXPECT_EQ(Histogram::bucketOf({lo}), i);
        EXPECT_EQ(Histogram::bucketOf({next - 1}), i);
        if (lo >= 4) {
            EXPECT_LE((next - lo) * 4, lo) << "wider than 25 %: bucket " << i;
        }
    }
    EXPECT_EQ(Histogram::bucketOf({-5}), 0);
    EXPECT_EQ(Histogram::bucketOf({INT64_MAX}), 247);
}

TEST(Histogram, QuantilesFollowASortedVector) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        auto v = sample(seed, 1 + seed * 37);
        Histogram h;
        for (auto x : v) h.add({x});
        std::sort(v.begin(), v.end());
        for (int q : {1, 10, 250, 500, 900, 990, 999, 1000}) {
            const std::size_t rank =
                std::max<std::size_t>(1, (v.size() * static_cast<std::size_t>(q) + 999) / 1000);
            const std::int64_t exact = v[rank - 1];
            const std::int64_t got = h.quantile(q).ns;
            EXPECT_GE(got, exact);
            EXPECT_LE(got, exact + exact / 4);
            EXPECT_EQ(Histogram::bucketOf({got}), Histogram::bucketOf({exact}));
        }
        EXPECT_EQ(h.max().ns, v.back());
        EXPECT_EQ(h.quantile(1000).ns, v.back());
        EXPECT_EQ(h.count(), v.size());
        EXPECT_EQ(h.total().ns, std::accumulate(v.begin(), v.end(), std::int64_t{0}));
    }
    EXPECT_EQ(Histogram{}.quantile(500).ns, 0);
}

TEST(Histogram, MergeEqualsAddingEverything) {
    Histogram a, b, both;
    for (auto x : sample(5, 300)) {
        a.add({x});
        both.add({x});
    }
    for (auto x : sample(6, 500)) {
        b.add({x});
        both.add({x});
    }
    EXPECT_NE(a, both);
    a.merge(b);
    EXPECT_EQ(a, both);
}

TEST(TimeSeries, DoublingPreservesSumsBinByBin) {
    TimeSeries s({100}, 8), wide({400}, 1000);
    std::mt19937 rng(3);
    std::int64_t sum = 0;
    for (std::int64_t t = 0; t < 3200; t += 1 + static_cast<std::int64_t>(rng() % 40)) {
        const auto amount = static_cast<std::int64_t>(rng() % 100);
        s.add({t}, amount);
        wide.add({t}, amount);
        sum += amount;
        ASSERT_EQ(total(s), sum);
    }
    EXPECT_EQ(s.bin().ns, 400);
    EXPECT_EQ(s.sums(), wide.sums());
}

TEST(TimeSeries, OddNumberOfBinsKeepsTheLastOne) {
    TimeSeries s({10}, 5);
    for (std::int64_t i = 0; i < 5; ++i) s.add({i * 10}, i + 1);
    s.add({50}, 100);
    EXPECT_EQ(s.bin().ns, 20);
    EXPECT_EQ(s.sums(), (std::vector<std::int64_t>{3, 7, 105}));
}

TEST(TimeSeries, SpanIsSpreadOverItsBins) {
    TimeSeries s({100}, 100);
    s.addSpan({50}, {250}, 3);
    EXPECT_EQ(s.sums(), (std::vector<std::int64_t>{150, 300, 150}));
    s.addSpan({250}, {250}, 7);
    s.addSpan({-100}, {10}, 1);
    EXPECT_EQ(s.sums()[0], 160);
    s.add({40}, 5); // going back works
    EXPECT_EQ(s.sums()[0], 165);
}

TEST(TimeSeries, SpansAreConservedAcrossDoubling) {
    TimeSeries s({7}, 6), fine({1}, 100000);
    std::mt19937 rng(11);
    std::int64_t t = 0, sum = 0;
    for (int i = 0; i < 300; ++i) {
        const std::int64_t from = t - static_cast<std::int64_t>(rng() % 50);
        t += static_cast<std::int64_t>(rng() % 60);
        s.addSpan({from}, {t}, 2);
        fine.addSpan({from}, {t}, 2);
        sum += 2 * (t - std::max<std::int64_t>(from, 0));
        ASSERT_EQ(total(s), sum);
    }
    for (std::size_t i = 0; i < s.sums().size(); ++i) {
        std::int64_t part = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(s.bin().ns); ++k) {
            const std::size_t at = i * static_cast<std::size_t>(s.bin().ns) + k;
            if (at < fine.sums().size()) part += fine.sums()[at];
        }
        EXPECT_EQ(s.sums()[i], part) << i;
    }
}
