// SPDX-License-Identifier: GPL-3.0-or-later
// Motion explains order: single moves travel, fast ones leave trails, a flood becomes heat; nothing is drawn
// that did not happen.
#include "ui/views/move_trail.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::ui;

namespace {
session::Move migrate(int from, int to) {
    return {session::Move::Kind::Migrate, {},           TaskId(1), CpuId(from), CpuId(to),
            MoveReason::Newidle,          Distance::Llc};
}
} // namespace

TEST(MoveTrail, ASteppedMoveTravelsAndStays) {
    MoveTrail t;
    t.reset(8);
    t.add({migrate(1, 2)}, 1000, true);
    ASSERT_EQ(t.marks(1000).size(), 1U);
    EXPECT_LT(t.marks(1010).front().progress, 0.05);
    EXPECT_GT(t.marks(1000 + MoveTrail::kMoveMs).front().progress, 0.999);
    EXPECT_TRUE(t.marks(1400).front().label);
    EXPECT_TRUE(t.active(1400));
    EXPECT_FALSE(t.active(9000));
    EXPECT_EQ(t.marks(9000).size(), 1U) << "a paused picture keeps its last move";
}

TEST(MoveTrail, TheNextStepReplacesIt) {
    MoveTrail t;
    t.reset(8);
    t.add({migrate(1, 2)}, 1000, true);
    t.add({migrate(3, 4)}, 1100, true);
    ASSERT_EQ(t.marks(1200).size(), 1U);
    EXPECT_EQ(t.marks(1200).front().move.to, CpuId(4));
    t.add({}, 1300, true);
    EXPECT_TRUE(t.marks(1400).empty());
}

TEST(MoveTrail, FastMovesFade) {
    MoveTrail t;
    t.reset(8);
    for (int i = 0; i < 30; ++i) t.add({migrate(i % 8, (i + 1) % 8)}, 1000 + i * 16.0, false);
    EXPECT_EQ(t.style(), MotionStyle::Trails);
    EXPECT_FALSE(t.marks(1480).empty());
    EXPECT_LE(t.marks(1480).size(), static_cast<std::size_t>(MoveTrail::kMaxTrails));
    EXPECT_TRUE(t.marks(1480 + MoveTrail::kTrailMs + 1).empty());
}

TEST(MoveTrail, AFloodIsHeat) {
    MoveTrail t;
    t.reset(8);
    const std::vector<session::Move> many(60, migrate(0, 5));
    for (int i = 0; i < 40; ++i) t.add(many, 1000 + i * 16.0, false);
    EXPECT_EQ(t.style(), MotionStyle::Heat);
    EXPECT_GT(t.heat(1640)[5], 0.9F);
    EXPECT_EQ(t.heat(1640)[0], 0.0F);
    EXPECT_LT(t.heat(1640 + 4 * MoveTrail::kHeatMs)[5], 0.1F);
}

TEST(MoveTrail, ReducedMotionJumps) {
    MoveTrail t;
    t.reset(8);
    t.setReduceMotion(true);
    t.add({migrate(1, 2)}, 1000, true);
    EXPECT_EQ(t.marks(1000).front().progress, 1);
}
