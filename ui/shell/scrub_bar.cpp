// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/scrub_bar.h"

#include "ui/views/words.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr double kLeft = 9, kRight = 9, kY = 14;
}

ScrubBar::ScrubBar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(u"Simulated time"_s);
    setToolTip(u"Drag to any instant of the run. What is already known ahead of now is dimmed."_s);
    m_send.setSingleShot(true);
    m_send.setInterval(33);
    connect(&m_send, &QTimer::timeout, this, [this] { Q_EMIT sought(m_wanted); });
}

void ScrubBar::setTimes(SimTime now, SimTime known, SimTime end) {
    if (m_drag) now = m_wanted;
    if (now == m_now && known == m_known && end == m_end) return;
    m_now = now;
    m_known = known;
    m_end = end;
    update();
}

double ScrubBar::xOf(SimTime t) const {
    const double w = width() - kLeft - kRight;
    return kLeft + (m_end.ns > 0
                        ? std::clamp(static_cast<double>(t.ns) / static_cast<double>(m_end.ns), 0.0, 1.0) * w
                        : 0);
}

SimTime ScrubBar::timeAt(double x) const {
    const double w = std::max(1.0, width() - kLeft - kRight);
    return SimTime{
        static_cast<std::int64_t>(std::clamp((x - kLeft) / w, 0.0, 1.0) * static_cast<double>(m_end.ns))};
}

void ScrubBar::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double end = width() - kRight, now = xOf(m_now);
    p.setPen(Qt::NoPen);
    const auto part = [&](double a, double b, const QColor& c) {
        if (b <= a) return;
        p.setBrush(c);
        p.drawRoundedRect(QRectF(a, kY - 2, b - a, 4), 2, 2);
    };
    part(kLeft, end, m_theme.color(Meaning::Line));
    part(kLeft, std::max(now, xOf(m_known)), m_theme.color(Meaning::Future));
    part(kLeft, now, m_theme.color(Meaning::Accent));
    p.setBrush(m_theme.color(Meaning::Accent));
    if (hasFocus()) p.setPen(QPen(m_theme.color(Meaning::Text), 1.4));
    p.drawEllipse(QPointF(now, kY), 6.5, 6.5);
    const QFont tiny = Theme::font(Type::Tiny);
    const QFontMetricsF fm(tiny);
    const QString here = timeText(m_now), last = durationText(m_end.ns);
    const double hw = fm.horizontalAdvance(here), lw = fm.horizontalAdvance(last),
                 zw = fm.horizontalAdvance(u'0');
    const double hx = std::clamp(now - hw / 2, kLeft, std::max(kLeft, end - hw));
    const QRectF line(0, kY + 7, width(), 16);
    p.setFont(tiny);
    p.setPen(m_theme.color(Meaning::Muted));
    if (hx > kLeft + zw + 5)
        p.drawText(QRectF(kLeft, line.y(), zw + 1, line.height()), Qt::AlignVCenter, u"0"_s);
    if (hx + hw < end - lw - 6)
        p.drawText(QRectF(end - lw - 1, line.y(), lw + 2, line.height()), Qt::AlignVCenter, last);
    p.setPen(m_theme.color(Meaning::Text));
    p.drawText(QRectF(hx, line.y(), hw + 2, line.height()), Qt::AlignVCenter, here);
}

void ScrubBar::ask(double x) {
    m_wanted = timeAt(x);
    m_now = m_wanted;
    update();
    if (!m_send.isActive()) m_send.start();
}

void ScrubBar::mousePressEvent(QMouseEvent* e) {
    if (e->button() != Qt::LeftButton || m_end.ns <= 0) return;
    m_drag = true;
    ask(e->position().x());
}
void ScrubBar::mouseMoveEvent(QMouseEvent* e) {
    if (m_drag) ask(e->position().x());
}
void ScrubBar::mouseReleaseEvent(QMouseEvent*) { m_drag = false; }

void ScrubBar::keyPressEvent(QKeyEvent* e) {
    const Duration jump{std::max<std::int64_t>(1, m_end.ns / 100)};
    SimTime t = m_now;
    switch (e->key()) {
    case Qt::Key_Left: t = SimTime{std::max<std::int64_t>(0, (t - jump).ns)}; break;
    case Qt::Key_Right: t = std::min(t + jump, m_end); break;
    case Qt::Key_Home: t = {}; break;
    case Qt::Key_End: t = m_end; break;
    default: QWidget::keyPressEvent(e); return;
    }
    Q_EMIT sought(t);
}

} // namespace rqs::ui
