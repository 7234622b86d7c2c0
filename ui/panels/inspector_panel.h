// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, in full: a CPU with its runqueue in virtual time, a task, or a shard and its lock.
#pragma once
#include "ui/panels/panel.h"
#include "ui/panels/table_model.h"
#include "ui/views/words.h"

#include <QLabel>
#include <QTableView>

namespace rqs::ui {

class InspectorPanel : public Panel {
    Q_OBJECT
public:
    explicit InspectorPanel(const PanelContext& context);
    void refresh(const session::Snapshot& s) override;
    int everyMs() const override { return 80; }

private:
    struct QueueRow {
        QString task, vruntime, deadline, lag, state;
    };
    QString cpuFacts(const session::Snapshot& s, CpuId cpu) const;
    QString taskFacts(const session::Snapshot& s, TaskId task) const;
    QString shardFacts(const session::Snapshot& s, int index) const;
    QString lockFacts(const session::LockView& l, SimTime now) const;
    void fillQueue(const session::Snapshot& s);

    PanelContext m_context;
    TaskLabels m_labels;
    std::shared_ptr<const session::RunInfo> m_run;
    QLabel* m_facts;
    QTableView* m_table;
    TableModel<QueueRow>* m_model;
};

} // namespace rqs::ui
