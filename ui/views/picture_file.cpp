// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/picture_file.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <cmath>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

Status writeBytes(const QString& path, const QByteArray& bytes) {
    QSaveFile f(path);
    f.setDirectWriteFallback(true);
    if (!f.open(QIODevice::WriteOnly) || f.write(bytes) != bytes.size() || !f.commit())
        return Error{path.toStdString(), "cannot write the file: " + f.errorString().toStdString(),
                     "choose a folder you may write to"};
    return Ok{};
}

Status drawToFile(const QString& path, const PictureSize& size,
                  const std::function<void(QPaintDevice&, double)>& draw) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == u"png"_s) {
        QImage image((size.points * size.pngScale).toSize(), QImage::Format_RGB32);
        image.setDotsPerMeterX(static_cast<int>(std::lround(size.pngScale * 72 / 0.0254)));
        image.setDotsPerMeterY(image.dotsPerMeterX());
        image.fill(Qt::white);
        draw(image, size.pngScale);
        image.save(&buffer, "PNG");
    } else if (suffix == u"svg"_s) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setResolution(72);
        svg.setSize(size.points.toSize());
        svg.setViewBox(
            QRectF(QPointF(0, 0), QSizeF(size.points.toSize()))); // else viewers shrink the drawing
        svg.setTitle(size.title);
        draw(svg, 1);
    } else if (suffix == u"pdf"_s) {
        constexpr double kScale = 20;
        QPdfWriter pdf(&buffer);
        pdf.setResolution(static_cast<int>(72 * kScale));
        pdf.setPageSize(QPageSize(size.points, QPageSize::Point, QString(), QPageSize::ExactMatch));
        pdf.setPageMargins(QMarginsF());
        pdf.setTitle(size.title);
        draw(pdf, kScale);
    } else {
        return Error{path.toStdString(), "unknown picture format '" + suffix.toStdString() + "'",
                     "use .png, .svg or .pdf"};
    }
    buffer.close();
    return writeBytes(path, bytes);
}

QString pictureFilter(bool csv) {
    QString f = u"PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"_s;
    return csv ? f + u";;CSV, the numbers (*.csv)"_s : f;
}

} // namespace rqs::ui
