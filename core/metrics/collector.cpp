// SPDX-License-Identifier: GPL-3.0-or-later
// Records in, numbers out. Every handler is O(1) and allocates nothing, except when a CPU or task appears
// that was not announced. State machine per task: Sleeping -> Runnable (enqueue, wakeup, fork) -> Running
// (switch).
#include "core/metrics/collector.h"

#include <algorithm>

namespace rqs::metrics {

using TaskState = TaskCounters::State;

Collector::Collector(int cpus, int tasks, SimTime warmup) {
    m_n.warmup = warmup;
    m_n.tasks.resize(static_cast<std::size_t>(std::max(tasks, 0)));
    growCpus(static_cast<std::size_t>(std::max(cpus, 0)));
    m_pendingUntil = SimTime{} + m_n.runnable.bin();
}

void Collector::on(SimTime t, const Record& r) {
    std::visit([&](const auto& record) { handle(t, record); }, r);
    m_n.now = std::max(m_n.now, t);
}

void Collector::growCpus(std::size_t count) {
    if (count <= m_n.cpus.size()) return;
    m_idleCpus += static_cast<std::int32_t>(count - m_n.cpus.size());
    m_n.cpus.resize(count);
    m_running.resize(count);
    m_cpuSince.resize(count);
}

TaskCounters& Collector::task(TaskId t) {
    if (t.index() >= m_n.tasks.size()) m_n.tasks.resize(t.index() + 1);
    return m_n.tasks[t.index()];
}

CpuCounters& Collector::cpu(CpuId c) {
    growCpus(c.index() + 1);
    return m_n.cpus[c.index()];
}

Duration Collector::countedPart(SimTime from, SimTime to) const {
    const SimTime start = std::max(from, m_n.warmup);
    return to > start ? to - start : Duration{0};
}

void Collector::flush() {
    m_n.runnable.add(m_pendingFrom, m_pendingRunnable);
    m_n.idle.add(m_pendingFrom, m_pendingIdle);
    m_n.idleWhileWaiting.add(m_pendingFrom, m_pendingIdleWaiting);
    m_pendingRunnable = m_pendingIdle = m_pendingIdleWaiting = 0;
}

void Collector::advance(SimTime t) {
    while (m_advanced < t) {
        const SimTime end = std::min(t, m_pendingUntil);
        const std::int64_t ns = (end - m_advanced).ns;
        const std::int32_t both = std::min(m_idleCpus, m_runnableWaiting);
        m_pendingRunnable += ns * m_runnableWaiting;
        m_pendingIdle += ns * m_idleCpus;
        m_pendingIdleWaiting += ns * both;
        if (both) m_n.idleWhileWaitingTotal += countedPart(m_advanced, end) * both;
        m_advanced = end;
        if (end < m_pendingUntil) return;
        flush();
        m_pendingFrom = end;
        m_n.runnable.add(end,
                         0); // may double the width of the bins; the other two follow at their next flush
        const Duration bin = m_n.runnable.bin();
        m_pendingUntil = SimTime{(end.ns / bin.ns + 1) * bin.ns};
    }
}

void Collector::makeRunnable(TaskCounters& p, SimTime t) {
    if (p.state != TaskState::Sleeping) return;
    advance(t);
    ++m_runnableWaiting;
    p.state = TaskState::Runnable;
    p.since = t;
    p.woken = false;
}

void Collector::handle(SimTime t, const SwitchRecord& r) {
    if (!r.cpu) return;
    CpuCounters& c = cpu(r.cpu);
    advance(t);
    const bool count = counted(t);
    const Duration span = countedPart(m_cpuSince[r.cpu.index()], t);
    (m_running[r.cpu.index()] ? c.busy : c.idle) += span;
    if (r.prev) {
        TaskCounters& p = task(r.prev);
        if (p.state == TaskState::Running) {
            p.run += countedPart(p.since, t);
            if (count) m_n.slice.add(t - p.since);
            const bool stays = r.prevState == SwitchState::Preempted || r.prevState == SwitchState::Yielded;
            p.state = stays ? TaskState::Runnable : TaskState::Sleeping;
            p.since = t;
            p.woken = false;
            if (stays) ++m_runnableWaiting;
        }
    }
    if (r.next) {
        TaskCounters& n = task(r.next);
        if (n.state == TaskState::Runnable) {
            n.wait += countedPart(n.since, t);
            if (n.woken && count) m_n.wakeupLatency.add(t - n.wokenAt);
            --m_runnableWaiting;
        }
        n.state = TaskState::Running;
        n.since = t;
        n.woken = false;
        n.cpu = r.cpu;
        n.switches += count ? 1 : 0;
    }
    m_idleCpus += (m_running[r.cpu.index()] ? 1 : 0) - (r.next ? 1 : 0);
    m_running[r.cpu.index()] = r.next;
    m_cpuSince[r.cpu.index()] = t;
    c.switches += count ? 1 : 0;
    m_n.switches += count ? 1 : 0;
}

void Collector::handle(SimTime t, const WakeRecord& r) {
    if (!r.task) return;
    TaskCounters& p = task(r.task);
    makeRunnable(p, t);
    if (p.state == TaskState::Runnable && !p.woken) {
        p.woken = true;
        p.wokenAt = t;
    }
    if (r.target) p.cpu = r.target;
    if (!counted(t)) return;
    ++m_n.wakeups;
    ++p.wakeups;
    if (r.target) ++cpu(r.target).wakeups;
}

void Collector::handle(SimTime t, const MigrateRecord& r) {
    if (!r.task) return;
    TaskCounters& p = task(r.task);
    if (r.to) p.cpu = r.to;
    if (!counted(t)) return;
    ++p.migrations;
    if (r.to) ++cpu(r.to).migrationsIn;
    if (r.distance < Distance::Count) ++m_n.migrations[static_cast<std::size_t>(r.distance)];
    if (r.reason < MoveReason::Count) ++m_n.migrationsByReason[static_cast<std::size_t>(r.reason)];
}

void Collector::handle(SimTime t, const EnqueueRecord& r) {
    if (!r.task) return;
    makeRunnable(task(r.task), t);
    m_n.enqueues += counted(t) ? 1 : 0;
}

void Collector::handle(SimTime t, const DequeueRecord& r) {
    if (!r.task) return;
    // A delayed task that is finally dropped was asleep already; a migrating one keeps waiting on its way.
    TaskCounters& p = task(r.task);
    if (!r.sleep || p.state != TaskState::Runnable) return;
    advance(t);
    --m_runnableWaiting;
    p.wait += countedPart(p.since, t);
    p.state = TaskState::Sleeping;
    p.since = t;
    p.woken = false;
}

void Collector::handle(SimTime t, const TickRecord& r) {
    if (r.cpu && counted(t)) ++cpu(r.cpu).ticks;
}

void Collector::handle(SimTime t, const LockRecord& r) {
    if (r.phase == LockPhase::Acquire && r.wait.ns > 0) {
        if (r.cls < LockClass::Count) m_n.lockWait[static_cast<std::size_t>(r.cls)].addSpan(t - r.wait, t, 1);
        if (r.cpu) cpu(r.cpu).spin += countedPart(t - r.wait, t);
    }
    if (!counted(t) || r.cls >= LockClass::Count) return;
    LockStatRow& row = m_n.locks[static_cast<std::size_t>(r.cls)];
    switch (r.phase) {
    case LockPhase::Contend: row.contend(r); break;
    case LockPhase::Acquire: row.acquire(r); break;
    case LockPhase::Release: row.release(r); break;
    }
}

void Collector::handle(SimTime t, const FeatureRecord& r) { m_n.flips.push_back({t, r.feature, r.value}); }

void Collector::handle(SimTime t, const OpRecord& r) {
    m_n.throughput.add(t, r.amount);
    if (counted(t)) m_n.ops += r.amount;
}

void Collector::handle(SimTime, const AnomalyRecord&) { ++m_n.anomalies; }

void Collector::handle(SimTime t, const ForkRecord& r) {
    if (!r.child) return;
    TaskCounters& p = task(r.child);
    makeRunnable(p, t);
    p.cpu = r.cpu;
}

Numbers Collector::finish(SimTime now) const {
    Collector end = *this;
    Numbers& n = end.m_n;
    n.now = std::max(now, m_n.now);
    end.advance(n.now);
    end.flush();
    for (std::size_t c = 0; c < n.cpus.size(); ++c)
        (end.m_running[c] ? n.cpus[c].busy : n.cpus[c].idle) += countedPart(end.m_cpuSince[c], n.now);
    for (TaskCounters& p : n.tasks) {
        if (p.state == TaskState::Running) p.run += countedPart(p.since, n.now);
        if (p.state == TaskState::Runnable) p.wait += countedPart(p.since, n.now);
    }
    return std::move(n);
}

} // namespace rqs::metrics
