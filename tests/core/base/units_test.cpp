// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of the strong time types, above all the wrap of virtual time.
#include "core/base/units.h"

#include <gtest/gtest.h>

#include <functional>
#include <type_traits>

using namespace rqs;
using namespace rqs::literals;

TEST(Units, InstantsAndDurations) {
    const SimTime t{5'000};
    EXPECT_EQ((t + 2_us).ns, 7'000);
    EXPECT_EQ((t - 2_us).ns, 3'000);
    EXPECT_EQ(((t + 3_ms) - t), 3_ms);
    EXPECT_LT(t, t + 1_ns);
    EXPECT_LT(t + 1000000_s, SimTime::never());
    EXPECT_EQ(1_s, 1000_ms);
    EXPECT_EQ(1_ms, 1000_us);
    EXPECT_EQ(1_us, 1000_ns);
    EXPECT_EQ(-(3_us) / 2, Duration{-1500});
    EXPECT_EQ(3_us * 4 - 2_us, 10_us);
}

TEST(Units, VirtualTimeOrdersAcrossTheWrap) {
    const VTime late{UINT64_MAX - 10};
    const VTime wrapped = late + VDelta{20};
    EXPECT_EQ(wrapped.v, 9u);
    EXPECT_TRUE(before(late, wrapped));
    EXPECT_FALSE(before(wrapped, late));
    EXPECT_FALSE(before(late, late));
    EXPECT_EQ((wrapped - late).v, 20);
    EXPECT_EQ((late - wrapped).v, -20);
    EXPECT_EQ(later(late, wrapped), wrapped);
    EXPECT_EQ(earlier(late, wrapped), late);
    EXPECT_EQ(wrapped - VDelta{20}, late);
}

TEST(Units, VirtualDifferencesWrapInsteadOfOverflowing) {
    EXPECT_EQ((VDelta{INT64_MAX} + VDelta{1}).v, INT64_MIN);
    EXPECT_EQ((VDelta{INT64_MIN} - VDelta{1}).v, INT64_MAX);
    EXPECT_EQ((-VDelta{INT64_MIN}).v, INT64_MIN);
}

TEST(Units, WeightScaledHasAFloorOfTwo) {
    EXPECT_EQ(kNice0Weight.scaled(), 1024);
    EXPECT_EQ(Weight{0}.scaled(), 0);
    EXPECT_EQ(Weight{2}.scaled(), 2);
    EXPECT_EQ(Weight{2047}.scaled(), 2);
    EXPECT_EQ(Weight{3 << 10}.scaled(), 3);
}

TEST(Units, VirtualTimeHasNoLessThan) {
    // Values of a wrapping clock must not end up in std::sort or std::map by accident.
    EXPECT_FALSE((std::is_invocable_v<std::less<>, VTime, VTime>));
    EXPECT_TRUE((std::is_invocable_v<std::less<>, SimTime, SimTime>));
}
