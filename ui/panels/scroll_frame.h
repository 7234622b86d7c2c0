// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of panels that are longer than their dock: one body that fills the width and scrolls upwards.
#pragma once
#include <QWidget>

namespace rqs::ui {

/// Makes `body` the scrolling content of `panel`, which has no layout yet; Qt's ownership takes both over.
void fillScrolling(QWidget* panel, QWidget* body);

} // namespace rqs::ui
