// SPDX-License-Identifier: GPL-3.0-or-later
// The live table turbostat users know: one row per CPU since the end of the warm-up.
#pragma once
#include "ui/panels/panel.h"
#include "ui/panels/table_model.h"

#include <QSortFilterProxyModel>
#include <QTableView>

namespace rqs::ui {

struct CpuRow {
    int cpu = 0;
    double busy = 0, spin = 0;
    std::int64_t mhz = 0;
    std::uint64_t switches = 0, migrations = 0;
};
using CpuTableModel = TableModel<CpuRow>;
std::vector<CpuRow> cpuRows(const session::Snapshot& s);
std::vector<CpuTableModel::Column> cpuColumns();

class CpuTablePanel : public Panel {
    Q_OBJECT
public:
    explicit CpuTablePanel(const PanelContext& context);
    void refresh(const session::Snapshot& s) override;
    int everyMs() const override { return 250; }

private:
    PanelContext m_context;
    CpuTableModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
};

} // namespace rqs::ui
