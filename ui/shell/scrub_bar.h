// SPDX-License-Identifier: GPL-3.0-or-later
// The slider over the whole run: done, known future (dimmed), not yet run. Dragging asks for instants.
#pragma once
#include "core/base/units.h"
#include "ui/shell/theme.h"

#include <QTimer>
#include <QWidget>

namespace rqs::ui {

class ScrubBar : public QWidget {
    Q_OBJECT
public:
    explicit ScrubBar(const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) {
        m_theme = theme;
        update();
    }
    void setTimes(SimTime now, SimTime known, SimTime end);
    QSize sizeHint() const override { return {420, 40}; }
    QSize minimumSizeHint() const override { return {150, 40}; }

Q_SIGNALS:
    void sought(rqs::SimTime t);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

private:
    double xOf(SimTime t) const;
    SimTime timeAt(double x) const;
    void ask(double x);

    Theme m_theme;
    SimTime m_now, m_known, m_end, m_wanted;
    bool m_drag = false;
    QTimer m_send; ///< at most 30 seeks a second while dragging; the newest wins
};

} // namespace rqs::ui
