// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/transport_icons.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

QIcon transportIcon(const QString& name, const QColor& color) {
    QIcon icon;
    for (const int scale : {1, 2, 3}) {
        QPixmap pm(18 * scale, 18 * scale);
        pm.fill(Qt::transparent);
        pm.setDevicePixelRatio(scale);
        QPainter p(&pm);
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(Qt::NoPen);
        p.setBrush(color);
        const auto right = [&](double x, double w) { p.drawPolygon(QPolygonF{{x, 4}, {x + w, 9}, {x, 14}}); };
        const auto left = [&](double x, double w) {
            p.drawPolygon(QPolygonF{{x + w, 4}, {x, 9}, {x + w, 14}});
        };
        const auto bar = [&](double x, double w) { p.drawRoundedRect(QRectF(x, 4, w, 10), 0.6, 0.6); };
        if (name == u"restart"_s) {
            bar(3.5, 1.8);
            left(6, 8.5);
        } else if (name == u"back"_s)
            left(4, 9);
        else if (name == u"run"_s)
            right(5, 9);
        else if (name == u"pause"_s) {
            bar(5, 3);
            bar(10, 3);
        } else if (name == u"step"_s) {
            right(3.5, 8.5);
            bar(12.7, 1.8);
        } else if (name == u"fast"_s) {
            right(2, 6.5);
            right(8, 6.5);
            bar(14.6, 1.7);
        }
        p.end();
        icon.addPixmap(pm);
    }
    return icon;
}

} // namespace rqs::ui
