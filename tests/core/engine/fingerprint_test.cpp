// SPDX-License-Identifier: GPL-3.0-or-later
// The fingerprint of a run: depends on every value and on their order, copies continue identically.
#include "core/engine/fingerprint.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

using rqs::engine::Fingerprint;

namespace {
std::uint64_t of(const std::vector<std::uint64_t>& values) {
    Fingerprint f;
    for (const auto v : values) f.add(v);
    return f.value();
}
} // namespace

TEST(Fingerprint, DependsOnValuesOrderAndLength) {
    const std::set<std::uint64_t> all{of({}),     of({0}),       of({0, 0}),       of({1, 2}),
                                      of({2, 1}), of({1, 2, 0}), of({1ULL << 63}), of({1, 2ULL << 62})};
    EXPECT_EQ(all.size(), 8u);
}

TEST(Fingerprint, OneChangedBitAnywhereInALongRunShows) {
    std::vector<std::uint64_t> run(1000);
    for (std::size_t i = 0; i < run.size(); ++i) run[i] = i * i;
    const auto base = of(run);
    for (const std::size_t at : {0u, 1u, 500u, 999u})
        for (int bit = 0; bit < 64; bit += 7) {
            auto other = run;
            other[at] ^= 1ULL << bit;
            EXPECT_NE(of(other), base) << "value " << at << " bit " << bit;
        }
}

TEST(Fingerprint, ReadingDoesNotChangeIt) {
    Fingerprint f;
    f.add(1);
    (void)f.value();
    f.add(2);
    EXPECT_EQ(f.value(), of({1, 2}));
}

TEST(Fingerprint, ACopyContinuesIdentically) {
    Fingerprint a;
    a.add(3);
    Fingerprint b = a;
    EXPECT_EQ(a, b);
    a.add(4);
    EXPECT_FALSE(a == b);
    b.add(4);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a.value(), b.value());
}
