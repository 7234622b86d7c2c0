// SPDX-License-Identifier: GPL-3.0-or-later
// The one function that draws the machine: screen, PNG, SVG and PDF all come from it. It draws a scene, which
// is a snapshot plus what the viewer chose (selection, heat measure) and what is moving right now.
#pragma once
#include "ui/views/ink.h"
#include "ui/views/machine_layout.h"
#include "ui/views/words.h"

namespace rqs::ui {

/// What the cells of a large machine show.
enum class HeatMeasure : std::uint8_t { Queue, Busy, Spin, Switches };
QString heatName(HeatMeasure m);

/// A movement at some moment of its animation.
struct MoveMark {
    session::Move move;
    double progress = 1; ///< 0 .. 1 of the way drawn
    double fade = 1;     ///< opacity
    bool label = true;
};

struct MachineScene {
    const session::Snapshot* snapshot = nullptr;
    const MachineLayout* layout = nullptr;
    const TaskLabels* labels = nullptr;
    std::vector<MoveMark> moves;
    std::vector<float> moveHeat;   ///< per CPU, recent moves 0 .. 1; empty = none
    std::vector<CpuId> candidates; ///< outlined: tested by the last decision, in its order, as far as shown
    CpuId chosen;                  ///< outcome of that decision
    HeatMeasure measure = HeatMeasure::Queue;
    std::vector<float> heat; ///< per CPU for measures that need history; empty = from the snapshot
    CpuId selected, hovered;
    TaskId selectedTask;
    QString footer;
    QRectF visible; ///< only what intersects is drawn; null = all
    bool background = true;
    TextCache* cache = nullptr; ///< optional
    std::vector<TextNote>* log = nullptr;
};

void paintMachine(QPainter& painter, const MachineScene& scene, const Theme& theme);

} // namespace rqs::ui
