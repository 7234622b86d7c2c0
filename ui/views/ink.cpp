// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/ink.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace rqs::ui {

const TextCache::Entry& TextCache::get(int fontKey, const QFont& font, const QString& s) {
    const auto it = m_entries.constFind({fontKey, s});
    if (it != m_entries.constEnd()) return *it;
    if (m_entries.size() > 20000) m_entries.clear();
    Entry e;
    e.text = QStaticText(s);
    e.text.setTextFormat(Qt::PlainText);
    e.text.setPerformanceHint(QStaticText::AggressiveCaching);
    e.text.prepare(QTransform(), font);
    e.width = QFontMetricsF(font).horizontalAdvance(s);
    return *m_entries.insert({fontKey, s}, e);
}

Ink::Face Ink::face(double px, bool bold) {
    Face f;
    const int size = std::max(8, static_cast<int>(std::lround(px)));
    f.font = Theme::font(Type::Body, bold);
    f.font.setPixelSize(size);
    f.key = size * 2 + (bold ? 1 : 0);
    f.height = QFontMetricsF(f.font).height();
    return f;
}

double Ink::text(const QRectF& r, const QString& s, const Face& f, const QColor& c, Qt::Alignment align, Fit fit,
                 bool overlay) {
    if (s.isEmpty() || r.width() <= 0) return 0;
    const TextCache::Entry* e = &m_cache.get(f.key, f.font, s);
    if (e->width > r.width() + 0.5) {
        if (fit == Fit::Drop) return 0;
        const QString shorter = QFontMetricsF(f.font).elidedText(s, Qt::ElideRight, r.width());
        if (shorter.size() < 2) return 0;
        e = &m_cache.get(f.key, f.font, shorter);
        if (e->width > r.width() + 0.5) return 0;
    }
    const double w = e->width;
    double x = r.x();
    if (align & Qt::AlignRight) x = r.right() - w;
    else if (align & Qt::AlignHCenter) x = r.x() + (r.width() - w) / 2;
    const double y = r.y() + (r.height() - f.height) / 2;
    m_p.setFont(f.font);
    m_p.setPen(c);
    m_p.drawStaticText(QPointF(x, y), e->text);
    if (m_log) m_log->push_back({e->text.text(), r, QRectF(x, r.y() + (r.height() - f.height * 0.72) / 2, w, f.height * 0.72), overlay});
    return w;
}

void Ink::box(const QRectF& r, double radius, const QColor& fill, const QColor& line, double pen) {
    m_p.setPen(Qt::NoPen);
    if (!line.isValid()) {
        m_p.setBrush(fill);
        m_p.drawRoundedRect(r, radius, radius);
        return;
    }
    const double h = pen / 2;
    if (fill.isValid() && fill.alpha() == 255 && line.alpha() == 255) {
        // Two fills: an antialiased stroke of the same frame takes twenty times as long.
        m_p.setBrush(line);
        m_p.drawRoundedRect(r.adjusted(-h, -h, h, h), radius + h, radius + h);
        m_p.setBrush(fill);
        m_p.drawRoundedRect(r.adjusted(h, h, -h, -h), std::max(0.5, radius - h), std::max(0.5, radius - h));
        return;
    }
    m_p.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    m_p.setPen(QPen(line, pen));
    m_p.drawRoundedRect(r, radius, radius);
}

void Ink::bar(const QRectF& r, const QColor& fill) { m_p.fillRect(r, fill); }

} // namespace rqs::ui
