// SPDX-License-Identifier: GPL-3.0-or-later
// How tables of numbers look: dense rows, small type, no grid.
#pragma once
#include "ui/shell/theme.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace rqs::ui {

/// `samples`: the widest usual text of each column; columns get room for it or for their head.
inline void styleTable(QTableView& t, const QStringList& samples) {
    const QFont font = Theme::font(Type::Tiny);
    const QFontMetrics fm(font);
    t.setFont(font);
    t.horizontalHeader()->setFont(font);
    t.verticalHeader()->hide();
    t.verticalHeader()->setDefaultSectionSize(20);
    t.verticalHeader()->setMinimumSectionSize(16);
    t.horizontalHeader()->setMinimumSectionSize(20);
    for (int i = 0; i < samples.size() && i < t.model()->columnCount(); ++i) {
        const QString head = t.model()->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
        t.setColumnWidth(i, std::max(fm.horizontalAdvance(head), fm.horizontalAdvance(samples[i])) + 9);
    }
    t.horizontalHeader()->setStretchLastSection(true);
    t.horizontalHeader()->setHighlightSections(false);
    t.setShowGrid(false);
    t.setAlternatingRowColors(true);
    t.setSelectionBehavior(QAbstractItemView::SelectRows);
    t.setSelectionMode(QAbstractItemView::SingleSelection);
    t.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
}

} // namespace rqs::ui
