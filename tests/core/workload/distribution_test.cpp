// SPDX-License-Identifier: GPL-3.0-or-later
// The integer tables against <cmath>, and what draws of them look like.
#include "core/workload/distribution.h"
#include "core/workload/program.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace rqs::workload;

namespace {
double normalCdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }
} // namespace

TEST(Distribution, ExponentialTable) {
    for (std::size_t i = 0; i < kExponential.size(); ++i) {
        const double exact = -std::log1p(-(static_cast<double>(i) + 0.5) / 1024) * 65'536;
        EXPECT_NEAR(static_cast<double>(kExponential[i]), exact, 0.01 * exact + 1) << i;
    }
    EXPECT_LT(kExponential.front(), kExponential.back());
}
TEST(Distribution, NormalTable) {
    for (std::size_t i = 0; i < kNormal.size(); ++i) {
        EXPECT_NEAR(normalCdf(static_cast<double>(kNormal[i]) / 65'536), (static_cast<double>(i) + 0.5) / 256,
                    1e-5)
            << i;
        EXPECT_EQ(kNormal[i], -kNormal[255 - i]);
    }
}
TEST(Distribution, ExpFixed) {
    for (double x = -8; x <= 9; x += 0.0137) {
        const auto fixed = static_cast<std::int64_t>(x * 65'536);
        const double exact = std::exp(static_cast<double>(fixed) / 65'536) * 65'536;
        EXPECT_NEAR(static_cast<double>(expFixed(fixed)), exact, 0.001 * exact + 1) << x;
    }
    EXPECT_EQ(expFixed(0), kFixedOne);
    EXPECT_EQ(expFixed(INT64_MIN), expFixed(-11 * kFixedOne));
    EXPECT_EQ(expFixed(INT64_MAX), expFixed(21 * kFixedOne));
    EXPECT_GT(expFixed(21 * kFixedOne), 0);
}
TEST(Distribution, MeansAndMedians) {
    double sum = 0, logs = 0;
    int below = 0;
    constexpr int n = 100'000;
    for (std::uint64_t i = 0; i < n; ++i) {
        sum += static_cast<double>(exponentialNs(1'500'000, workloadBits(1, 7, i)));
        const std::int64_t l = lognormalNs(350'000'000, 900, workloadBits(1, 8, i));
        below += l < 350'000'000;
        logs += std::pow(std::log(static_cast<double>(l) / 350e6), 2);
    }
    EXPECT_NEAR(sum / n, 1'500'000, 15'000);
    EXPECT_NEAR(below, n / 2, n / 100);
    EXPECT_NEAR(std::sqrt(logs / n), 0.9, 0.018);
}
TEST(Distribution, EdgesNeverOverflow) {
    for (const std::uint64_t bits : {std::uint64_t{0}, ~std::uint64_t{0}}) {
        EXPECT_EQ(exponentialNs(0, bits), 0);
        EXPECT_EQ(lognormalNs(0, 3000, bits), 0);
        EXPECT_GE(exponentialNs(kMaxNs, bits), 0);
        EXPECT_LE(exponentialNs(kMaxNs, bits), 8 * kMaxNs);
        EXPECT_GE(lognormalNs(kMaxNs, 3000, bits), 0);
        EXPECT_LE(lognormalNs(kMaxNs, 3000, bits), kMaxNs);
        EXPECT_EQ(exponentialNs(-5, bits), 0);
        EXPECT_EQ(lognormalNs(1'000'000, 0, bits), 1'000'000);
    }
    EXPECT_EQ(exponentialNs(1000, 12345), exponentialNs(1000, 12345));
    EXPECT_NE(workloadBits(1, 2, 3), workloadBits(1, 2, 4));
}
