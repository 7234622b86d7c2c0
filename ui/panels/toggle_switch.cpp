// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/toggle_switch.h"

#include <QPainter>

namespace rqs::ui {

ToggleSwitch::ToggleSwitch(const Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setCheckable(true);
    setCursor(Qt::PointingHandCursor);
    setFixedSize(sizeHint());
}

void ToggleSwitch::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF r = QRectF(rect()).adjusted(1, 1, -1, -1);
    QColor track = m_theme.color(isChecked() ? Meaning::Accent : Meaning::Control);
    QColor knob = m_theme.color(isChecked() ? Meaning::OnAccent : Meaning::Muted);
    if (!isEnabled()) {
        track = m_theme.color(Meaning::Control);
        knob = m_theme.color(Meaning::Line);
    } else if (!isChecked()) {
        track = Theme::mix(m_theme.color(Meaning::Muted), m_theme.color(Meaning::Control), 0.2);
    }
    p.setPen(hasFocus() ? QPen(m_theme.color(Meaning::Text), 1.2) : QPen(Qt::NoPen));
    p.setBrush(track);
    p.drawRoundedRect(r, r.height() / 2, r.height() / 2);
    const double d = r.height() - 5;
    p.setPen(Qt::NoPen);
    p.setBrush(knob);
    p.drawEllipse(QRectF(isChecked() ? r.right() - d - 2.5 : r.left() + 2.5, r.top() + 2.5, d, d));
}

} // namespace rqs::ui
