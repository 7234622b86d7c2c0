// SPDX-License-Identifier: GPL-3.0-or-later
// Drawings and text into files: PNG, SVG and PDF by suffix. Nothing is left behind when writing fails.
#pragma once
#include "core/base/result.h"

#include <QSizeF>
#include <QString>

#include <functional>

class QPaintDevice;

namespace rqs::ui {

struct PictureSize {
    QSizeF points;       ///< size in a vector file, 1/72 inch
    double pngScale = 3; ///< pixels per point
    QString title;
};

/// `draw` gets the device and how many device units make one point.
Status drawToFile(const QString& path, const PictureSize& size,
                  const std::function<void(QPaintDevice&, double)>& draw);
Status writeBytes(const QString& path, const QByteArray& bytes);

/// File dialog filter of the picture formats.
QString pictureFilter(bool csv);

} // namespace rqs::ui
