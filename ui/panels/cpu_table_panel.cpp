// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cpu_table_panel.h"

#include "ui/panels/table_look.h"
#include "ui/views/words.h"

#include <QVBoxLayout>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

std::vector<CpuRow> cpuRows(const session::Snapshot& s) {
    std::vector<CpuRow> rows;
    const auto& n = s.numbers;
    for (std::size_t i = 0; i < n.cpus.size(); ++i) {
        const auto& c = n.cpus[i];
        const double all = static_cast<double>((c.busy + c.idle).ns);
        rows.push_back({static_cast<int>(i), all > 0 ? 100.0 * static_cast<double>(c.busy.ns) / all : 0,
                        all > 0 ? 100.0 * static_cast<double>(c.spin.ns) / all : 0,
                        s.run ? s.run->mhzBase : 0, c.switches, c.migrationsIn});
    }
    return rows;
}

std::vector<CpuTableModel::Column> cpuColumns() {
    const auto number = [](std::uint64_t v) { return QVariant(static_cast<qulonglong>(v)); };
    return {
        {u"CPU"_s,
         u"Logical CPU as Linux numbers it"_s,
         [](const CpuRow& r) { return QString::number(r.cpu); },
         [](const CpuRow& r) { return QVariant(r.cpu); },
         {}},
        {u"Busy%"_s,
         u"Time not idle since the warm-up, as turbostat's column of that name"_s,
         [](const CpuRow& r) { return QString::number(r.busy, 'f', 1); },
         [](const CpuRow& r) { return QVariant(r.busy); },
         {}},
        {u"Bzy_MHz"_s,
         u"Clock while busy. The model keeps it at the machine's base clock; SMT siblings slow each other instead"_s,
         [](const CpuRow& r) { return r.mhz > 0 ? QString::number(r.mhz) : u"–"_s; },
         [](const CpuRow& r) { return QVariant(static_cast<qlonglong>(r.mhz)); },
         {}},
        {u"Spin%"_s,
         u"Time spent waiting for locks, counted when a wait ends"_s,
         [](const CpuRow& r) { return QString::number(r.spin, 'f', 1); },
         [](const CpuRow& r) { return QVariant(r.spin); },
         {}},
        {u"Switch"_s,
         u"Context switches since the warm-up"_s,
         [](const CpuRow& r) { return countText(static_cast<std::int64_t>(r.switches)); },
         [number](const CpuRow& r) { return number(r.switches); },
         {}},
        {u"Migr"_s,
         u"Tasks that arrived from other CPUs since the warm-up"_s,
         [](const CpuRow& r) { return countText(static_cast<std::int64_t>(r.migrations)); },
         [number](const CpuRow& r) { return number(r.migrations); },
         {}},
    };
}

CpuTablePanel::CpuTablePanel(const PanelContext& context)
    : Panel(u"cpus"_s, u"CPUs since the warm-up"_s), m_context(context),
      m_model(new CpuTableModel(cpuColumns(), this)), m_sorted(new QSortFilterProxyModel(this)),
      m_table(new QTableView) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 0, 2, 2);
    layout->addWidget(m_table);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(Qt::UserRole);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    styleTable(*m_table, {u"512 ▾"_s, u"100.0"_s, u"4500"_s, u"99.9"_s, u"99 999"_s, u"9 999"_s});
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& i) {
        const auto row = static_cast<std::size_t>(m_sorted->mapToSource(i).row());
        if (row < m_model->rows().size()) m_context.selection->select(CpuId(m_model->rows()[row].cpu));
    });
}

void CpuTablePanel::refresh(const session::Snapshot& s) { m_model->setRows(cpuRows(s)); }

} // namespace rqs::ui
