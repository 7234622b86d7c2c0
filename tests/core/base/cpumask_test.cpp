// SPDX-License-Identifier: GPL-3.0-or-later
// CPU sets: the two walks the scheduler does, checked against a plain vector of booleans.
#include "core/base/cpumask.h"

#include <gtest/gtest.h>

using namespace rqs;

namespace {
CpuMask of(int width, std::initializer_list<int> cpus) {
    CpuMask m(width);
    for (int c : cpus) m.set(CpuId(c));
    return m;
}
std::vector<int> wrap(const CpuMask& m, int start) {
    std::vector<int> seen;
    m.forEachWrap(start, [&](CpuId c) {
        seen.push_back(c.v);
        return true;
    });
    return seen;
}
} // namespace

TEST(CpuMask, SetClearCountAcrossWords) {
    for (int width : {1, 63, 64, 65, 128, 512}) {
        CpuMask m(width);
        EXPECT_TRUE(m.empty());
        EXPECT_FALSE(m.first());
        m.set(CpuId(width - 1));
        EXPECT_TRUE(m.test(CpuId(width - 1)));
        EXPECT_EQ(m.first(), CpuId(width - 1));
        EXPECT_EQ(m.count(), 1);
        m.clear(CpuId(width - 1));
        EXPECT_EQ(m, CpuMask(width));
        EXPECT_EQ(CpuMask::all(width).count(), width);
        EXPECT_EQ(CpuMask::all(width).width(), width);
    }
}

TEST(CpuMask, WalksUpwardWithWrap) {
    const CpuMask m = of(130, {0, 5, 63, 64, 127, 129});
    EXPECT_EQ(wrap(m, 0), (std::vector<int>{0, 5, 63, 64, 127, 129}));
    EXPECT_EQ(wrap(m, 64), (std::vector<int>{64, 127, 129, 0, 5, 63}));
    EXPECT_EQ(wrap(m, 65), (std::vector<int>{127, 129, 0, 5, 63, 64}));
    EXPECT_EQ(wrap(m, 129), (std::vector<int>{129, 0, 5, 63, 64, 127}));
    EXPECT_EQ(wrap(CpuMask(130), 7), std::vector<int>{});
}

TEST(CpuMask, WalkStopsWhenAskedTo) {
    const CpuMask m = of(100, {3, 50, 99});
    std::vector<int> seen;
    m.forEachWrap(50, [&](CpuId c) {
        seen.push_back(c.v);
        return c.v != 99;
    });
    EXPECT_EQ(seen, (std::vector<int>{50, 99}));
}

TEST(CpuMask, NextMatchesALinearSearch) {
    std::uint32_t x = 12345;
    for (int round = 0; round < 50; ++round) {
        const int width = 1 + round * 7 % 200;
        CpuMask m(width);
        std::vector<bool> plain(static_cast<std::size_t>(width));
        for (int c = 0; c < width; ++c) {
            x = x * 1664525u + 1013904223u;
            if (x >> 30) continue;
            m.set(CpuId(c));
            plain[static_cast<std::size_t>(c)] = true;
        }
        for (int from = -1; from <= width; ++from) {
            int want = -1;
            for (int c = from < 0 ? 0 : from; c < width && want < 0; ++c)
                if (plain[static_cast<std::size_t>(c)]) want = c;
            ASSERT_EQ(m.next(from).v, want) << "width " << width << " from " << from;
        }
    }
}

TEST(CpuMask, SetAlgebra) {
    const CpuMask a = of(70, {1, 2, 65}), b = of(70, {2, 65, 69});
    CpuMask both = a;
    both &= b;
    EXPECT_EQ(both, of(70, {2, 65}));
    CpuMask either = a;
    either |= b;
    EXPECT_EQ(either, of(70, {1, 2, 65, 69}));
    EXPECT_TRUE(a.intersects(b));
    EXPECT_FALSE(of(70, {1}).intersects(b));
    EXPECT_TRUE(both.subsetOf(a));
    EXPECT_FALSE(a.subsetOf(b));
    EXPECT_TRUE(CpuMask(70).subsetOf(a));
}
