// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/machine_export.h"

#include <algorithm>

namespace rqs::ui {

Status exportMachinePicture(const MachineView& view, const QString& path) {
    // Laid out as wide as text columns allow it to stay readable; vector files scale from there.
    const double w = 1010, h = std::clamp(w * view.height() / std::max(1, view.width()), 320.0, 1400.0);
    const QSizeF size(w, h);
    return drawToFile(path, {size, 2, QStringLiteral("runqscope machine")},
                      [&](QPaintDevice& device, double scale) {
                          QPainter p(&device);
                          p.scale(scale, scale);
                          view.paintWhole(p, size, Theme::light());
                      });
}

} // namespace rqs::ui
