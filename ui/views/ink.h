// SPDX-License-Identifier: GPL-3.0-or-later
// Text and shapes for dense pictures: text is shaped once and cached, elided or dropped when it does not fit,
// and can be logged so that tests see what was clipped or overlaps.
#pragma once
#include "ui/shell/theme.h"

#include <QHash>
#include <QImage>
#include <QPainter>
#include <QStaticText>

#include <vector>

namespace rqs::ui {

/// What was written where; `needed` wider than `given` would be clipping.
struct TextNote {
    QString text;
    QRectF given, needed;
    bool overlay = false;
};

/// Shaped strings by font; owned by whoever paints repeatedly.
class TextCache {
public:
    struct Entry {
        QStaticText text;
        double width = 0;
    };
    const Entry& get(int fontKey, const QFont& font, const QString& s);

    /// Corners of a rounded frame as pixels, for nine-piece drawing on screens.
    const QImage& frame(double radius, double pen, const QColor& fill, const QColor& line, double scale);

private:
    QHash<std::pair<int, QString>, Entry> m_entries;
    QHash<QString, QImage> m_frames;
};

enum class Fit : std::uint8_t { Drop, Elide };

class Ink {
public:
    Ink(QPainter& p, const Theme& theme, TextCache& cache, std::vector<TextNote>* log)
        : m_p(p), m_theme(theme), m_cache(cache), m_log(log), m_scale(pixelScale(p)) {}
    QPainter& painter() { return m_p; }
    const Theme& theme() const { return m_theme; }
    struct Face {
        QFont font;
        int key = 0;
        double height = 0;
    };
    /// Size in px is rounded and never below 8, the smallest size that reads on a screen.
    static Face face(double px, bool bold);
    double width(const Face& f, const QString& s) { return m_cache.get(f.key, f.font, s).width; }
    /// Writes inside `r`, vertically centred. Returns the width used, 0 if dropped.
    double text(const QRectF& r, const QString& s, const Face& f, const QColor& c,
                Qt::Alignment align = Qt::AlignLeft, Fit fit = Fit::Drop, bool overlay = false);
    void box(const QRectF& r, double radius, const QColor& fill, const QColor& line = {}, double pen = 1);
    /// The same frame where the fill is already there: only the line is drawn on screens.
    void frame(const QRectF& r, double radius, const QColor& around, const QColor& line);
    void bar(const QRectF& r, const QColor& fill);

private:
    /// Device pixels per unit if rectangles on whole units are whole pixels; 0 for vector files and odd
    /// scales.
    static double pixelScale(const QPainter& p);
    void pieces(const QRectF& r, double radius, const QColor& fill, const QColor& line, bool centre);
    QPainter& m_p;
    const Theme& m_theme;
    TextCache& m_cache;
    std::vector<TextNote>* m_log;
    double m_scale;
};

} // namespace rqs::ui
