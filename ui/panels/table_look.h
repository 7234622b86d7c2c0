// SPDX-License-Identifier: GPL-3.0-or-later
// How tables of numbers look: dense rows, small type, no grid.
#pragma once
#include "ui/shell/theme.h"

#include <QHeaderView>
#include <QTableView>

namespace rqs::ui {

inline void styleTable(QTableView& t) {
    t.setFont(Theme::font(Type::Small));
    t.horizontalHeader()->setFont(Theme::font(Type::Small));
    t.verticalHeader()->hide();
    t.verticalHeader()->setDefaultSectionSize(20);
    t.verticalHeader()->setMinimumSectionSize(16);
    t.horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    t.horizontalHeader()->setMinimumSectionSize(30);
    t.horizontalHeader()->setHighlightSections(false);
    t.setShowGrid(false);
    t.setAlternatingRowColors(true);
    t.setSelectionBehavior(QAbstractItemView::SelectRows);
    t.setSelectionMode(QAbstractItemView::SingleSelection);
    t.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    t.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

} // namespace rqs::ui
