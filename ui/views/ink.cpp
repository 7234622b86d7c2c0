// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/ink.h"

#include <QFontMetricsF>
#include <QPaintEngine>

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

const QImage& TextCache::frame(double radius, double pen, const QColor& fill, const QColor& line,
                               double scale) {
    const QString key = fill.name() + line.name() + QString::number(radius * 1000 + pen * 100 + scale);
    const auto it = m_frames.constFind(key);
    if (it != m_frames.constEnd()) return *it;
    const int side = 2 * (static_cast<int>(std::ceil(radius + pen)) + 1);
    QImage image(QSize(side, side) * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter p(&image);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(line);
    p.drawRoundedRect(QRectF(0, 0, side, side), radius + pen / 2, radius + pen / 2);
    p.setBrush(fill);
    p.drawRoundedRect(QRectF(pen, pen, side - 2 * pen, side - 2 * pen), std::max(0.5, radius - pen / 2),
                      std::max(0.5, radius - pen / 2));
    p.end();
    return *m_frames.insert(key, image);
}

double Ink::pixelScale(const QPainter& p) {
    if (!p.paintEngine() || p.paintEngine()->type() != QPaintEngine::Raster) return 0;
    const QTransform t = p.combinedTransform();
    const double s = t.m11();
    const bool whole = s == std::floor(s) && s >= 1 && t.m22() == s && t.type() <= QTransform::TxScale &&
                       t.dx() == std::floor(t.dx()) && t.dy() == std::floor(t.dy());
    return whole ? s : 0;
}

void Ink::pieces(const QRectF& r, double radius, const QColor& fill, const QColor& line, bool centre) {
    // Snapped to whole units: crisp lines, and nothing but copies and plain fills.
    const QRect q(
        QPoint(static_cast<int>(std::lround(r.left() - 0.5)), static_cast<int>(std::lround(r.top() - 0.5))),
        QPoint(static_cast<int>(std::lround(r.right() + 0.5)) - 1,
               static_cast<int>(std::lround(r.bottom() + 0.5)) - 1));
    const QImage& image = m_cache.frame(radius, 1, fill, line, m_scale);
    const int c = image.width() / 2 / static_cast<int>(m_scale); // side of a corner
    const double cs = c * m_scale;
    const int x1 = q.right() + 1 - c, y1 = q.bottom() + 1 - c;
    m_p.drawImage(QRectF(q.x(), q.y(), c, c), image, QRectF(0, 0, cs, cs));
    m_p.drawImage(QRectF(x1, q.y(), c, c), image, QRectF(cs, 0, cs, cs));
    m_p.drawImage(QRectF(q.x(), y1, c, c), image, QRectF(0, cs, cs, cs));
    m_p.drawImage(QRectF(x1, y1, c, c), image, QRectF(cs, cs, cs, cs));
    const int w = q.width() - 2 * c, h = q.height() - 2 * c;
    if (centre) {
        m_p.fillRect(QRect(q.x() + c, q.y() + 1, w, q.height() - 2), fill);
        m_p.fillRect(QRect(q.x() + 1, q.y() + c, c - 1, h), fill);
        m_p.fillRect(QRect(x1, q.y() + c, c - 1, h), fill);
    }
    m_p.fillRect(QRect(q.x() + c, q.y(), w, 1), line);
    m_p.fillRect(QRect(q.x() + c, q.bottom(), w, 1), line);
    m_p.fillRect(QRect(q.x(), q.y() + c, 1, h), line);
    m_p.fillRect(QRect(q.right(), q.y() + c, 1, h), line);
}

void Ink::frame(const QRectF& r, double radius, const QColor& around, const QColor& line) {
    const double c = 2 * (radius + 2);
    if (m_scale > 0 && r.width() > c && r.height() > c)
        pieces(r, radius, around, line, false);
    else
        box(r, radius, around, line);
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

double Ink::text(const QRectF& r, const QString& s, const Face& f, const QColor& c, Qt::Alignment align,
                 Fit fit, bool overlay) {
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
    if (align & Qt::AlignRight)
        x = r.right() - w;
    else if (align & Qt::AlignHCenter)
        x = r.x() + (r.width() - w) / 2;
    const double y = r.y() + (r.height() - f.height) / 2;
    m_p.setFont(f.font);
    m_p.setPen(c);
    m_p.drawStaticText(QPointF(x, y), e->text);
    if (m_log)
        m_log->push_back({e->text.text(), r,
                          QRectF(x, r.y() + (r.height() - f.height * 0.72) / 2, w, f.height * 0.72),
                          overlay});
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
    if (m_scale > 0 && pen == 1 && fill.alpha() == 255 && fill.isValid() && line.alpha() == 255 &&
        r.width() > 2 * (radius + 2) && r.height() > 2 * (radius + 2)) {
        pieces(r, radius, fill, line, true);
        return;
    }
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
