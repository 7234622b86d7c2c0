// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles of the machine picture: one hardware thread, one shard of the shared runqueue.
#pragma once
#include "ui/views/machine_painter.h"

namespace rqs::ui {

/// Type faces of one picture, by use; made once per paint.
struct MachineFaces {
    explicit MachineFaces(double scale);
    Ink::Face number, name, chip, tiny, core, llc, llcInfo, socket, shard, heatNumber;
    double s;
};

class TilePainter {
public:
    TilePainter(Ink& ink, const MachineScene& scene, const MachineFaces& faces);
    void cpu(std::size_t index);
    void shard(std::size_t index);
    /// Fill of one heat cell and the value's range text.
    static QString heatLegend(HeatMeasure m);

private:
    void fullTile(std::size_t index, const QRectF& r);
    void tickTile(std::size_t index, const QRectF& r);
    void heatCell(std::size_t index, const QRectF& r);
    void chipRow(const session::CpuView& c, QRectF area);
    void taskChip(const QRectF& r, TaskId t, const Ink::Face& f, bool delayed, bool ineligible);
    void runningChip(const session::CpuView& c, const QRectF& r);
    void outline(std::size_t index, const QRectF& r, double radius);
    void padlock(QPointF at, double size, const QColor& c, bool open);
    QString lockWords(const session::LockView& l) const;
    double heatValue(std::size_t index) const;

    Ink& m_ink;
    const MachineScene& m_scene;
    const MachineFaces& m_f;
    const Theme& m_t;
};

} // namespace rqs::ui
