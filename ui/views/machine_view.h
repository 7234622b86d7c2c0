// SPDX-License-Identifier: GPL-3.0-or-later
// The machine on screen: zoom, pan, hover, selection and motion around paintMachine().
#pragma once
#include "ui/bridge/selection.h"
#include "ui/views/machine_painter.h"
#include "ui/views/move_trail.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

namespace rqs::ui {

class MachineView : public QWidget {
    Q_OBJECT
public:
    MachineView(Selection* selection, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setSnapshot(std::shared_ptr<const session::Snapshot> snapshot);
    void setReduceMotion(bool on);
    void setMeasure(HeatMeasure m);
    HeatMeasure measure() const { return m_measure; }
    void zoomBy(double factor, QPointF around);
    void resetZoom();
    double zoom() const { return m_zoom; }
    /// The whole machine at a size of the caller's choice, for export.
    void paintWhole(QPainter& painter, const QSizeF& size, const Theme& theme) const;
    /// Frames painted in the last second.
    int framesPerSecond() const;
    const session::Snapshot* snapshot() const { return m_snapshot.get(); }
    QString tipAt(QPointF widgetPos) const;
    QSize sizeHint() const override { return {1010, 560}; }
    QSize minimumSizeHint() const override { return {420, 260}; }

Q_SIGNALS:
    void contextAsked(const QPoint& globalPos, CpuId cpu);

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void leaveEvent(QEvent*) override;
    bool event(QEvent*) override;

private:
    QPointF toMachine(QPointF widgetPos) const { return widgetPos + m_pan; }
    void relayout();
    void clampPan();
    MachineScene scene() const;
    void updateHeat();
    int candidatesShown() const;
    bool moving() const;
    void paintEmpty(QPainter& p);
    TaskId taskAt(CpuId cpu, QPointF p) const;
    double nowMs() const { return static_cast<double>(m_clock.nsecsElapsed()) / 1e6; }

    Selection* m_selection;
    Theme m_theme;
    std::shared_ptr<const session::Snapshot> m_snapshot;
    MachineLayout m_layout;
    TaskLabels m_labels;
    mutable TextCache m_cache;
    MoveTrail m_trail;
    std::vector<float> m_heat;
    std::vector<metrics::CpuCounters> m_before; ///< counters of the previous heat update
    SimTime m_beforeAt;
    double m_decidedAt = 0; ///< wall time at which the shown decision arrived
    bool m_reduceMotion = false;
    HeatMeasure m_measure = HeatMeasure::Queue;
    double m_zoom = 1;
    QPointF m_pan, m_grab;
    bool m_panning = false, m_moved = false;
    CpuId m_hovered;
    QElapsedTimer m_clock;
    QTimer m_frames;
    std::deque<double> m_painted;
    std::vector<int> m_shardShape;
};

} // namespace rqs::ui
