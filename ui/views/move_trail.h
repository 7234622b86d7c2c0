// SPDX-License-Identifier: GPL-3.0-or-later
// How recent moves are shown as time passes on the wall: drawn one by one while stepping, as fading trails
// when they come faster, as heat per CPU when there are too many. Pure: time is an argument.
#pragma once
#include "ui/views/machine_painter.h"

#include <deque>

namespace rqs::ui {

enum class MotionStyle : std::uint8_t { Animate, Trails, Heat };

class MoveTrail {
public:
    static constexpr double kMoveMs = 260;  ///< a single move travels this long
    static constexpr double kHoldMs = 1400; ///< and stays readable before it fades
    static constexpr double kTrailMs = 700;
    static constexpr double kHeatMs = 900; ///< heat halves in this time
    static constexpr int kMaxTrails = 24;

    void setReduceMotion(bool on) { m_reduce = on; }
    void reset(std::size_t cpus);
    /// Moves of one snapshot that arrived at `nowMs`.
    void add(const std::vector<session::Move>& moves, double nowMs, bool stepping);
    std::vector<MoveMark> marks(double nowMs) const;
    std::vector<float> heat(double nowMs) const;
    /// Something still changes with time.
    bool active(double nowMs) const;
    MotionStyle style() const { return m_style; }

private:
    struct Item {
        session::Move move;
        double at = 0;
        MotionStyle style{};
    };
    std::deque<Item> m_items;
    std::vector<float> m_heat;
    double m_heatAt = 0, m_rate = 0, m_lastAt = 0;
    MotionStyle m_style = MotionStyle::Animate;
    bool m_reduce = false;
};

} // namespace rqs::ui
