// SPDX-License-Identifier: GPL-3.0-or-later
// Nice levels, reciprocals and calc_delta_fair against numbers computed independently.
#include "core/sched/weights.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::sched;

namespace {

std::int64_t fair(std::int64_t ns, int nice) { return calcDeltaFair({ns}, loadOfNice(nice)).v; }
/// Virtual time of a group entity: floored reciprocal.
std::int64_t fairOfGroup(std::int64_t ns, std::int64_t weight) {
    return calcDeltaFair({ns}, {weight}, inverseOf({weight})).v;
}

} // namespace

TEST(Weights, E1_1) {
    EXPECT_EQ(fair(1000000, 0), 1000000);
    EXPECT_EQ(fair(1000000, 5), 3056716);
    EXPECT_EQ(fair(1000000, -5), 328099);
}

TEST(Weights, E1_2) {
    EXPECT_EQ(fair(3000000, -20), 34609);
    EXPECT_EQ(fair(3000000, 10), 27927272);
    EXPECT_EQ(fair(3000000, 1), 3746341);
}

TEST(Weights, E1_3_floor_weight_of_a_group_by_the_kernels_reciprocal) {
    EXPECT_EQ(fairOfGroup(3000000, 2), 1535999999);
    EXPECT_EQ(fairOfGroup(4000000, 2), 2047999999);
    EXPECT_EQ(fairOfGroup(6000000, 2), 3071999998);
    EXPECT_EQ(fairOfGroup(3000000, 65536), 47999999);
    EXPECT_EQ(Weight{2}.scaled(), Weight{1024}.scaled()) << "not proportional below 2 << 10";
}

TEST(Weights, E1_4) { EXPECT_EQ(fairOfGroup(3000000, 977582), 3220125); }

TEST(Weights, table_ends_and_the_one_level_where_the_reciprocal_shows) {
    EXPECT_EQ(loadOfNice(-20).weight.w, std::int64_t{88761} << 10);
    EXPECT_EQ(loadOfNice(19).weight.w, std::int64_t{15} << 10);
    EXPECT_EQ(loadOfNice(-100).weight, loadOfNice(-20).weight);
    EXPECT_EQ(loadOfNice(100).inverse, loadOfNice(19).inverse);
    EXPECT_EQ(fair(3000000, 19), 204799999);
    for (int nice = -20; nice < 19; ++nice) {
        const std::int64_t s = loadOfNice(nice).weight.scaled();
        EXPECT_EQ(fair(1000000, nice), 1000000 * 1024 / s) << nice;
        EXPECT_EQ(fair(3000000, nice), 3000000LL * 1024 / s) << nice;
    }
}

TEST(Weights, idle_policy_weighs_three) {
    EXPECT_EQ(loadOfIdlePolicy().weight.scaled(), 3);
    EXPECT_EQ(calcDeltaFair({3000000}, loadOfIdlePolicy()).v, 1023999999);
}

TEST(Weights, reciprocal_of_extreme_weights) {
    EXPECT_EQ(inverseOf({0}), UINT32_MAX);
    EXPECT_EQ(inverseOf({std::int64_t{1} << 50}), 1u);
    EXPECT_EQ(inverseOf(kNice0Weight), 4194303u) << "floor, unlike the table of tasks";
}

TEST(Weights, scaling_follows_the_number_of_CPUs_up_to_eight) {
    const int expected[] = {1, 1, 2, 2, 3, 3, 3, 3, 4, 4};
    for (int cpus = 0; cpus < 10; ++cpus) EXPECT_EQ(scalingFactor(cpus), expected[cpus]) << cpus;
    EXPECT_EQ(scalingFactor(4096), 4);
}
