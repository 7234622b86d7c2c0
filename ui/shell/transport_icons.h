// SPDX-License-Identifier: GPL-3.0-or-later
// The transport's symbols, drawn so that they are crisp at any scale and follow the theme.
#pragma once
#include <QIcon>

namespace rqs::ui {

/// restart, back, run, pause, step, fast.
QIcon transportIcon(const QString& name, const QColor& color);

} // namespace rqs::ui
