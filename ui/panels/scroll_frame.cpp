// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/scroll_frame.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace rqs::ui {

void fillScrolling(QWidget* panel, QWidget* body) {
    auto* outer = new QVBoxLayout(panel);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(body);
    outer->addWidget(scroll);
}

} // namespace rqs::ui
