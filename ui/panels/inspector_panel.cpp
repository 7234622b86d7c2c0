// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector_panel.h"

#include "ui/panels/table_look.h"

#include <QVBoxLayout>

#include <algorithm>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
/// Virtual times are shown relative to the first of the queue: the absolute values say nothing.
QString relative(std::int64_t v) {
    return v == 0 ? u"0"_s : (v > 0 ? u"+"_s : u"−"_s) + durationText(v < 0 ? -v : v);
}
} // namespace

InspectorPanel::InspectorPanel(const PanelContext& context)
    : Panel(u"inspector"_s, u"Inspector"_s), m_context(context) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 0, 8, 6);
    m_facts = new QLabel;
    m_facts->setWordWrap(true);
    m_facts->setTextFormat(Qt::RichText);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setFont(Theme::font(Type::Small));
    m_facts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout->addWidget(m_facts);
    using M = TableModel<QueueRow>;
    m_model = new M(
        {
            {u"task"_s,
             u"Running first, then in pick order"_s,
             [](const QueueRow& r) { return r.task; },
             {},
             {}},
            {u"vruntime"_s,
             u"Virtual run time, relative to the first row"_s,
             [](const QueueRow& r) { return r.vruntime; },
             {},
             {}},
            {u"deadline"_s,
             u"Virtual deadline, relative to the first row's vruntime"_s,
             [](const QueueRow& r) { return r.deadline; },
             {},
             {}},
            {u"lag"_s,
             u"Service owed: positive means eligible"_s,
             [](const QueueRow& r) { return r.lag; },
             {},
             {}},
            {u"state"_s,
             u"running; eligible; owes: had more than its share, not eligible; delayed: asleep but still queued"_s,
             [](const QueueRow& r) { return r.state; },
             {},
             {}},
        },
        this);
    m_table = new QTableView;
    m_table->setModel(m_model);
    styleTable(*m_table, {u"snd 199"_s, u"+10.4 ms"_s, u"+10.4 ms"_s, u"−10.4 ms"_s, u"delayed"_s});
    layout->addWidget(m_table, 1);
    m_facts->setText(u"Click a CPU, a task's chip or a shard in the machine: its state appears here."_s);
    m_table->hide();
    connect(context.selection, &Selection::changed, this, [this] {
        if (m_context.selection->cpu().valid())
            m_context.session->post(session::command::Select{m_context.selection->cpu()});
        if (m_context.session->snapshot()) refresh(*m_context.session->snapshot());
    });
}

QString InspectorPanel::lockFacts(const session::LockView& l, SimTime now) const {
    if (l.handover) return u"being handed over to CPU %1"_s.arg(l.holder.v);
    if (!l.held) return u"free"_s;
    QString out = u"held by CPU %1 for %2"_s.arg(l.holder.v).arg(durationText((now - l.since).ns));
    QStringList who;
    for (const CpuId c : l.spinning) who << QString::number(c.v);
    if (!who.isEmpty()) out += u"; spinning in this order: CPU "_s + who.join(u", "_s);
    return out;
}

QString InspectorPanel::cpuFacts(const session::Snapshot& s, CpuId cpu) const {
    const auto& c = s.cpus[cpu.index()];
    const auto& place = s.run->cpus[cpu.index()];
    QStringList lines{u"socket %1 · node %2 · LLC %3 · core %4 · thread %5"_s.arg(place.socket)
                          .arg(place.node.v)
                          .arg(place.llc.v)
                          .arg(place.core.v)
                          .arg(place.thread)};
    lines << u"<b>%1</b>%2%3"_s.arg(modeText(c.mode),
                                    c.running.valid() ? u" · runs <b>%1</b>"_s.arg(m_labels.nameOf(c.running))
                                                      : QString(),
                                    c.needResched ? u" · need_resched set"_s : QString());
    lines << u"nr_running %1, of these waiting %2; delayed %3"_s.arg(c.nr)
                 .arg(std::max(0, c.nr - (c.running.valid() ? 1 : 0)))
                 .arg(c.nrDelayed);
    if (c.spinning)
        lines << u"spins on %1 for %2"_s.arg(qs(lockClassName(c.spinClass)).toHtmlEscaped(),
                                             durationText((s.now - c.spinSince).ns));
    lines << u"&amp;rq-&gt;__lock: "_s + lockFacts(c.rqLock, s.now);
    return lines.join(u"<br>"_s);
}

QString InspectorPanel::taskFacts(const session::Snapshot& s, TaskId task) const {
    const auto& t = s.run->tasks[task.index()];
    QStringList lines{
        u"<b>%1</b> · %2 · pid %3 · nice %4"_s.arg(m_labels.nameOf(task), qs(t.comm).toHtmlEscaped())
            .arg(t.pid)
            .arg(t.nice)};
    if (task.index() < s.numbers.tasks.size()) {
        const auto& n = s.numbers.tasks[task.index()];
        lines << u"ran %1 · waited %2"_s.arg(durationText(n.run.ns), durationText(n.wait.ns));
        lines
            << u"%1 switches · %2 wakeups · %3 migrations"_s.arg(n.switches).arg(n.wakeups).arg(n.migrations);
    }
    return lines.join(u"<br>"_s);
}

QString InspectorPanel::shardFacts(const session::Snapshot& s, int index) const {
    const auto& sh = s.shards[static_cast<std::size_t>(index)];
    QStringList names;
    for (const TaskId t : sh.tasks) names << m_labels.nameOf(t);
    QStringList lines{u"%1 tasks, first in first out"_s.arg(sh.length),
                      u"&amp;shard-&gt;lock: "_s + lockFacts(sh.lock, s.now)};
    if (!names.isEmpty())
        lines << names.join(u", "_s) + (sh.length > static_cast<int>(sh.tasks.size()) ? u" …"_s : QString());
    return lines.join(u"<br>"_s);
}

void InspectorPanel::fillQueue(const session::Snapshot& s) {
    std::vector<QueueRow> rows;
    const std::int64_t base = s.selectedQueue.empty() ? 0 : s.selectedQueue.front().vruntime;
    for (const auto& e : s.selectedQueue)
        rows.push_back({m_labels.nameOf(e.task), relative(e.vruntime - base), relative(e.deadline - base),
                        relative(e.lag),
                        e.running    ? u"running"_s
                        : e.delayed  ? u"delayed"_s
                        : e.eligible ? u"eligible"_s
                                     : u"owes"_s});
    m_model->setRows(std::move(rows));
}

void InspectorPanel::refresh(const session::Snapshot& s) {
    if (!s.run) return;
    if (s.run != m_run) {
        m_run = s.run;
        m_labels = TaskLabels::of(*s.run);
    }
    const CpuId cpu = m_context.selection->cpu();
    const TaskId task = m_context.selection->task();
    const int shard = m_context.selection->shard();
    QStringList parts;
    if (cpu.valid() && cpu.index() < s.cpus.size()) {
        setHeading(u"CPU %1"_s.arg(cpu.v));
        if (task.valid() && task.index() < s.run->tasks.size()) parts << taskFacts(s, task);
        parts << cpuFacts(s, cpu);
    } else if (shard >= 0 && static_cast<std::size_t>(shard) < s.shards.size()) {
        const auto& sh = s.shards[static_cast<std::size_t>(shard)];
        setHeading(u"LLC %1, shard %2"_s.arg(sh.llc.v).arg(sh.indexInLlc));
        parts << shardFacts(s, shard);
    } else {
        setHeading(u"Inspector"_s);
        parts << u"Click a CPU, a task's chip or a shard in the machine: its state appears here."_s;
    }
    const QString text = parts.join(u"<br><br>"_s);
    if (m_facts->text() != text) m_facts->setText(text);
    const bool queue = cpu.valid() && s.selectedCpu == cpu && !s.selectedQueue.empty();
    if (queue) fillQueue(s);
    m_table->setVisible(queue);
}

} // namespace rqs::ui
