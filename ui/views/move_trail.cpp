// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/move_trail.h"

#include <algorithm>
#include <cmath>

namespace rqs::ui {

namespace {
double eased(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}
} // namespace

void MoveTrail::reset(std::size_t cpus) {
    m_items.clear();
    m_heat.assign(cpus, 0);
    m_rate = 0;
    m_style = MotionStyle::Animate;
}

void MoveTrail::add(const std::vector<session::Move>& moves, double now, bool stepping) {
    const double gap = std::max(1.0, now - m_lastAt);
    m_lastAt = now;
    const double rate = static_cast<double>(moves.size()) * 1000 / gap;
    m_rate = stepping ? 0 : m_rate * 0.8 + rate * 0.2;
    m_style = stepping || m_rate < 10 ? MotionStyle::Animate
              : m_rate < 400          ? MotionStyle::Trails
                                      : MotionStyle::Heat;
    if (stepping) m_items.clear(); // a new step is a new sentence
    const float cooled = static_cast<float>(std::exp2(-(now - m_heatAt) / kHeatMs));
    for (float& h : m_heat) h *= cooled;
    m_heatAt = now;
    for (const auto& m : moves) {
        if (m.kind == session::Move::Kind::Migrate && m.to.valid() && m.to.index() < m_heat.size() &&
            m_style != MotionStyle::Animate)
            m_heat[m.to.index()] = std::min(1.0F, m_heat[m.to.index()] + 0.12F);
        if (m_style == MotionStyle::Heat) continue;
        if (m_style == MotionStyle::Trails && m.kind != session::Move::Kind::Migrate) continue;
        m_items.push_back({m, now, m_style});
    }
    while (m_items.size() > kMaxTrails) m_items.pop_front();
}

std::vector<MoveMark> MoveTrail::marks(double now) const {
    std::vector<MoveMark> out;
    for (const Item& i : m_items) {
        const double age = now - i.at;
        MoveMark m{i.move, 1, 1, true};
        if (i.style == MotionStyle::Animate) {
            m.progress = m_reduce ? 1 : eased(age / kMoveMs);
            const double over = age - kMoveMs - kHoldMs;
            m.fade = over <= 0 ? 1 : std::max(0.35, 1 - over / 600);
        } else {
            m.fade = 1 - age / kTrailMs;
            m.label = false;
            if (m_reduce) m.fade = m.fade > 0 ? 0.7 : 0;
        }
        if (m.fade > 0) out.push_back(m);
    }
    return out;
}

std::vector<float> MoveTrail::heat(double now) const {
    std::vector<float> out = m_heat;
    const float cooled = static_cast<float>(std::exp2(-(now - m_heatAt) / kHeatMs));
    for (float& h : out) h *= cooled;
    return out;
}

bool MoveTrail::active(double now) const {
    for (const Item& i : m_items)
        if (now - i.at < (i.style == MotionStyle::Animate ? kMoveMs + kHoldMs + 650 : kTrailMs)) return true;
    return now - m_heatAt < 4 * kHeatMs &&
           std::any_of(m_heat.begin(), m_heat.end(), [](float h) { return h > 0.05F; });
}

} // namespace rqs::ui
