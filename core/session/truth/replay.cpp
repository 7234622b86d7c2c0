// SPDX-License-Identifier: GPL-3.0-or-later
// Groups the events of one queue into the kernel operations they came from, runs the same operation on the
// model, and compares. The groups are exact because all of an operation happens under the queue's lock.
#include "core/session/truth/replay.h"

#include "core/session/truth/queue_events.h"
#include "core/session/truth/queue_mirror.h"

#include <algorithm>

namespace rqs::session::truth {
namespace {

constexpr std::int32_t kReplayedCpu = 1;
constexpr std::size_t kMaxDifferences = 12;

std::string secondsText(std::int64_t ns) {
    auto fraction = std::to_string(ns % 1'000'000'000);
    fraction.insert(0, 9 - fraction.size(), '0');
    return std::to_string(ns / 1'000'000'000) + "." + fraction;
}

std::string verdict(bool yes) { return yes ? "yes" : "no"; }

class Replay {
public:
    Replay(const Case& c, QueueMirror mirror)
        : m(std::move(mirror)), m_events(eventsOfQueue(c, m.cpu.v)),
          m_next(nextOfOperation(m_events, m.cpu.v)), m_used(m_events.size(), false) {}

    ReplayResult run() {
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            const Event& e = m_events[i];
            if (e.prio >= 0 && e.kind != EventKind::Switch) m_prio[e.pid] = e.prio;
            if (here(e))
                judgeTick(e);
            else if (e.kind == EventKind::Place)
                m_tickAsks.reset(); // may have asked for the switch, too
            if (!m_used[i]) apply(i);
            if (here(e)) {
                m_flagged = e.flags.resched();
                m_askedSince = false;
            }
        }
        return m_result;
    }

private:
    /// A wakeup between its enqueue and its verdict.
    struct Waking {
        TaskId task;
        bool pending = false; ///< need_resched was set before it began
        bool asked = false;   ///< charging the running task asked for a switch
    };

    QueueMirror m;
    ReplayResult m_result;
    std::vector<Event> m_events;
    std::vector<std::size_t> m_next; ///< next event of the same CPU, if the operation can go on there
    std::vector<bool> m_used;        ///< taken in by the group of an earlier event
    std::map<std::int32_t, std::int32_t> m_prio;
    std::map<std::int32_t, bool> m_lagKnown; ///< a dequeue within the trace stored its lag
    bool m_referenceKnown = false;  ///< a member left within the trace, so v0 of an empty queue is ours
    bool m_flagged = false;         ///< need_resched as the last event of our CPU showed it
    bool m_askedSince = false;      ///< we decided to ask for a switch after that event
    std::optional<bool> m_tickAsks; ///< verdict of a tick that the next event will show
    std::optional<Waking> m_waking;

    bool here(const Event& e) const { return e.cpu == m.cpu.v; }
    const Event* next(std::size_t i) const { return m_next[i] == kNoEvent ? nullptr : &m_events[m_next[i]]; }
    TaskId task(std::int32_t pid) {
        const auto p = m_prio.find(pid);
        return m.get(pid, p == m_prio.end() ? 120 : p->second);
    }
    /// need_resched when the operation that starts with `e` began.
    bool pendingAt(const Event& e) const { return here(e) ? e.flags.resched() : m_flagged || m_askedSince; }

    void count(Kind k, bool agree, const Event& e, const auto& describe) {
        auto& c = m_result[k];
        if (agree) {
            ++c.agree;
            return;
        }
        ++c.differ;
        if (m_result.differences.size() < kMaxDifferences)
            m_result.differences.push_back(secondsText(e.timeNs) + " " + std::string(kindName(k)) + " " +
                                           describe());
    }
    /// Compares virtual times; text says by how much ours are off.
    std::string offBy(TaskId t, const Event& e) {
        const auto& x = m.entity(t);
        return m.nameOf(t) + ": vruntime off by " + std::to_string((x.vruntime - VTime{e.vruntime}).v) +
               ", deadline by " + std::to_string((x.deadline - VTime{e.deadline}).v);
    }
    bool sameTimes(TaskId t, const Event& e) {
        return m.entity(t).vruntime == VTime{e.vruntime} && m.entity(t).deadline == VTime{e.deadline};
    }

    void apply(std::size_t i);
    void enqueue(const Event& place, const Event& first, std::int64_t runtime);
    void requeue(std::size_t i);
    void leave(std::size_t i);
    void schedule(std::size_t i, std::int64_t runtime);
    void wakeup(const Event& e);
    void yield(std::size_t i);
    void charge(std::size_t i);
    void switchAway(const Event& e);
    void judgeTick(const Event& e);
};

void Replay::apply(std::size_t i) {
    const Event& e = m_events[i];
    switch (e.kind) {
    case EventKind::Place: return enqueue(e, e, 0);
    case EventKind::Requeue: return requeue(i);
    case EventKind::Dequeue: return (e.flagBits & kDequeueDelayed) ? schedule(i, 0) : leave(i);
    case EventKind::SetNext: return schedule(i, 0);
    case EventKind::Wakeup: return wakeup(e);
    case EventKind::Yield: return yield(i);
    case EventKind::Runtime: return charge(i);
    case EventKind::Switch: return switchAway(e);
    case EventKind::Migrate:
        if (const TaskId t = m.find(e.pid); e.queue != m.cpu.v && m.queued(t)) m.remove(t);
        return;
    default: return;
    }
}

void Replay::charge(std::size_t i) {
    const Event& e = m_events[i];
    const Event* n = next(i);
    if (n && n->kind == EventKind::Place) {
        m_used[m_next[i]] = true;
        return enqueue(*n, e, e.runtime);
    }
    const bool interrupt = e.flags.hardIrq() || e.flags.softIrq();
    if (here(e) && !interrupt && e.flags.resched()) return schedule(i, e.runtime);
    m.now = m.now + Duration{e.runtime};
    m.rq().needResched = pendingAt(e);
    if (here(e) && e.flags.hardIrq() &&
        e.flags.preemptDepth == '1') { // only the queue's lock is held: the tick
        const bool asks = sched::taskTick(m.state, m.cpu, m.now);
        if (e.flags.resched())
            ++m_result[Kind::Tick].notJudged;
        else
            m_tickAsks = asks;
        m_askedSince |= asks;
    } else {
        m_askedSince |= sched::updateCurr(m.state, m.cpu, m.now);
    }
}

void Replay::judgeTick(const Event& e) {
    if (!m_tickAsks) return;
    const bool ours = *m_tickAsks, theirs = e.flags.resched();
    m_tickAsks.reset();
    count(Kind::Tick, ours == theirs, e, [&] {
        return "of " + m.nameOf(m.running()) + ": asks for a switch: ours " + verdict(ours) + ", kernel " +
               verdict(theirs);
    });
}

void Replay::enqueue(const Event& place, const Event& first, std::int64_t runtime) {
    const TaskId t = task(place.pid);
    if (m.queued(t)) m.remove(t); // only after a difference
    m.now = m.now + Duration{runtime};
    m.rq().needResched = pendingAt(first);
    const bool lagKnown = m_lagKnown[place.pid], emptyQueue = m.rq().cfs.nr == 0;
    if (!lagKnown) m.entity(t).vlag = VDelta{place.vlag};
    if (emptyQueue && !m_referenceKnown) m.rq().cfs.v0 = VTime{place.zero};
    const bool judged = emptyQueue ? m_referenceKnown : lagKnown;

    using sched::EnqueueKind;
    const auto bits = place.flagBits;
    const EnqueueKind kind = (bits & kEnqueueInitial)                          ? EnqueueKind::Fork
                             : (bits & kEnqueueWakeup)                         ? EnqueueKind::Wakeup
                             : (bits & (kEnqueueMigrating | kEnqueueMigrated)) ? EnqueueKind::Migrate
                                                                               : EnqueueKind::Restore;
    m.state.task(t).state = sched::TaskState::Running;
    m.state.task(t).cpu = m.cpu;
    const bool asked = sched::enqueueTask(m.state, m.cpu, t, kind, m.now);
    m_askedSince |= asked;
    m_waking = Waking{t, pendingAt(first), asked};

    const bool same = sameTimes(t, place);
    if (judged)
        count(Kind::Place, same, place, [&] { return offBy(t, place); });
    else
        ++m_result[Kind::Place].notJudged;
    if (!same) m.takeOver(t, place.vruntime, place.deadline);
}

void Replay::requeue(std::size_t i) {
    const Event& e = m_events[i];
    const TaskId t = task(e.pid);
    std::size_t j = m_next[i];
    if (j != kNoEvent && m_events[j].kind == EventKind::Runtime) {
        m.now = m.now + Duration{m_events[j].runtime};
        m_used[j] = true;
        j = m_next[j];
    }
    const Event* placed = nullptr;
    if (j != kNoEvent && m_events[j].kind == EventKind::Place && m_events[j].pid == e.pid) {
        placed = &m_events[j];
        m_used[j] = true;
    }
    m.rq().needResched = pendingAt(e);
    if (!m.queued(t)) m.takeOver(t, e.vruntime, e.deadline);
    m.state.task(t).state = sched::TaskState::Running;
    const bool asked = sched::requeueDelayed(m.state, m.cpu, t, m.now);
    m_askedSince |= asked;
    m_waking = Waking{t, pendingAt(e), asked};
    m_lagKnown[e.pid] = true;
    const Event& shown = placed ? *placed : e;
    const bool same = sameTimes(t, shown);
    if (placed)
        count(Kind::Place, same, *placed, [&] { return offBy(t, *placed) + " (woken while delayed)"; });
    if (!same) m.takeOver(t, shown.vruntime, shown.deadline);
}

void Replay::wakeup(const Event& e) {
    if (e.queue != m.cpu.v) return;
    const TaskId t = m.find(e.pid), current = m.running();
    const auto waking = std::exchange(m_waking, std::nullopt);
    if (!t || !current || t == current || !m.queued(t) || !m.queued(current)) return;
    const bool mine = waking && waking->task == t;
    const bool pending = mine ? waking->pending : m_flagged || m_askedSince;
    const bool asked = mine && waking->asked;
    m.rq().needResched = pending || asked;
    const bool ours = sched::wakeupPreempt(m.state, m.cpu, t, false, m.now) || asked;
    m_askedSince |= ours;
    const bool theirs = e.flags.resched();
    if (pending || !here(e))
        ++m_result[Kind::Preempt].notJudged;
    else
        count(Kind::Preempt, ours == theirs, e, [&] {
            return m.nameOf(t) + " over " + m.nameOf(current) + ": ours " + verdict(ours) + ", kernel " +
                   verdict(theirs);
        });
}

void Replay::yield(std::size_t i) {
    const Event& e = m_events[i];
    if (const Event* n = next(i); n && n->kind == EventKind::Runtime && n->pid == e.pid &&
                                  !n->flags.hardIrq() && !n->flags.softIrq() && !n->flags.resched()) {
        m.now = m.now + Duration{n->runtime};
        m_used[m_next[i]] = true;
    }
    m.rq().needResched = pendingAt(e);
    if (m.running() == m.find(e.pid) && m.running()) sched::yieldTask(m.state, m.cpu, m.now);
}

void Replay::leave(std::size_t i) {
    const Event& e = m_events[i];
    const TaskId t = task(e.pid);
    const bool inQueue = m.queued(t);
    if (!inQueue) m.takeOver(t, e.vruntime, e.deadline);
    const bool wasDelayed = m.entity(t).delayed;
    std::size_t j = m_next[i];
    while (j != kNoEvent && m_events[j].kind == EventKind::Runtime) {
        m.now = m.now + Duration{m_events[j].runtime};
        m_used[j] = true;
        j = m_next[j];
    }
    if (j == kNoEvent || m_events[j].kind != EventKind::Dequeued || m_events[j].pid != e.pid) return;
    m_used[j] = true;
    const Event& left = m_events[j];

    using sched::DequeueKind;
    const DequeueKind kind = (e.flagBits & kDequeueSleep)       ? DequeueKind::Sleep
                             : (e.flagBits & kDequeueMigrating) ? DequeueKind::Migrate
                                                                : DequeueKind::Save;
    m.rq().needResched = pendingAt(e);
    if (kind == DequeueKind::Sleep) m.state.task(t).state = sched::TaskState::Sleeping;
    const bool gone = sched::dequeueTask(m.state, m.cpu, t, kind, m.now);
    if (!inQueue) {
        ++m_result[Kind::Delay].notJudged;
        ++m_result[Kind::Lag].notJudged;
    } else {
        if (!wasDelayed)
            count(Kind::Delay, gone == left.gone, left, [&] {
                return m.nameOf(t) + " left behind: ours " + verdict(!gone) + ", kernel " +
                       verdict(left.delayed);
            });
        if (left.gone && gone)
            count(Kind::Lag, m.entity(t).vlag == VDelta{left.vlag}, left, [&] {
                return m.nameOf(t) + ": ours " + std::to_string(m.entity(t).vlag.v) + ", kernel " +
                       std::to_string(left.vlag);
            });
        else if (left.gone)
            ++m_result[Kind::Lag].notJudged;
    }
    m_referenceKnown = true;
    // Go on from the kernel's state.
    if (left.gone && !gone) m.remove(t);
    if (left.gone) {
        m.entity(t).vlag = VDelta{left.vlag};
        m_lagKnown[e.pid] = true;
    } else if (gone) {
        m.takeOver(t, left.vruntime, e.deadline);
        m.entity(t).delayed = left.delayed;
    }
}

void Replay::schedule(std::size_t i, std::int64_t runtime) {
    const Event& first = m_events[i];
    m.now = m.now + Duration{runtime};
    m.rq().needResched = pendingAt(first);
    const TaskId previous = m.running();

    // What the kernel did: delayed entities dropped on the way, then a switch, or the running task kept.
    struct Drop {
        const Event *begin, *end;
    };
    std::vector<Drop> drops;
    std::size_t j = first.kind == EventKind::Runtime ? m_next[i] : i;
    while (j != kNoEvent && m_events[j].kind == EventKind::Dequeue &&
           (m_events[j].flagBits & kDequeueDelayed)) {
        const std::size_t end = m_next[j];
        if (end == kNoEvent || m_events[end].kind != EventKind::Dequeued)
            return; // cut by the end of the trace
        drops.push_back({&m_events[j], &m_events[end]});
        m_used[j] = m_used[end] = true;
        j = m_next[end];
    }
    const Event* chosen = j != kNoEvent && m_events[j].kind == EventKind::SetNext ? &m_events[j] : nullptr;
    if (chosen) m_used[j] = true;

    bool known = true;
    for (const Drop& d : drops)
        if (const TaskId t = task(d.begin->pid); !m.queued(t)) {
            known = false;
            m.takeOver(t, d.begin->vruntime, d.begin->deadline);
        }
    if (chosen)
        if (const TaskId t = task(chosen->pid); !m.queued(t)) {
            known = false;
            m.takeOver(t, chosen->vruntime, chosen->deadline);
        }

    std::vector<TaskId> dropped;
    const TaskId ours = sched::pickNext(m.state, m.cpu, m.now, &dropped);

    for (std::size_t k = 0; k < drops.size(); ++k) {
        const Event &begin = *drops[k].begin, &end = *drops[k].end;
        const TaskId t = task(begin.pid);
        const bool same = k < dropped.size() && dropped[k] == t;
        if (!known) {
            ++m_result[Kind::Pick].notJudged;
            ++m_result[Kind::Lag].notJudged;
        } else {
            count(Kind::Pick, same, begin,
                  [&] { return "the kernel picks and drops delayed " + m.nameOf(t); });
            if (same)
                count(Kind::Lag, m.entity(t).vlag == VDelta{end.vlag}, end, [&] {
                    return m.nameOf(t) + " (delayed): ours " + std::to_string(m.entity(t).vlag.v) +
                           ", kernel " + std::to_string(end.vlag);
                });
            else
                ++m_result[Kind::Lag].notJudged;
        }
        if (m.queued(t)) m.remove(t);
        m.entity(t).vlag = VDelta{end.vlag};
        m_lagKnown[begin.pid] = true;
    }
    if (!chosen) {
        if (previous && m.queued(previous) && !(j != kNoEvent && m_events[j].kind == EventKind::Switch))
            count(Kind::Keep, ours == previous, first,
                  [&] { return "of " + m.nameOf(previous) + ": ours picks " + m.nameOf(ours); });
        return;
    }
    const TaskId t = task(chosen->pid);
    const bool times = sameTimes(t, *chosen);
    if (!known)
        ++m_result[Kind::Pick].notJudged;
    else
        count(Kind::Pick, ours == t && times, *chosen, [&] {
            return ours == t ? offBy(t, *chosen) : "ours " + m.nameOf(ours) + ", kernel " + m.nameOf(t);
        });
    if (!times) m.takeOver(t, chosen->vruntime, chosen->deadline);
    m.switchTo(t);
}

void Replay::switchAway(const Event& e) {
    if (const TaskId t = m.find(e.pid); t && t == m.running()) return; // set_next came before
    if (e.pid == 0 && m.running()) {
        std::vector<TaskId> dropped;
        const TaskId ours = sched::pickNext(m.state, m.cpu, m.now, &dropped);
        if (ours)
            count(Kind::Pick, false, e, [&] { return "ours " + m.nameOf(ours) + ", kernel goes idle"; });
    }
    m.switchTo({});
}

} // namespace

Status replayable(const Case& c) {
    const std::string where = c.folder.string();
    if (!c.traced) return Error{where, "the case has no trace", ""};
    bool decisions = false;
    for (const Event& e : c.events) {
        if (e.queue != kReplayedCpu) continue;
        decisions |= e.kind == EventKind::SetNext;
        if (e.group) return Error{where, "the case uses task groups; the replay covers one flat queue", ""};
    }
    if (!decisions) return Error{where, "the trace holds no set_next events of CPU 1", ""};
    return Ok{};
}

Result<ReplayResult> replayDecisions(const Case& c, const sched::RuleOverrides& rules) {
    if (auto s = replayable(c); !s) return s.error();
    auto mirror = QueueMirror::make(c, CpuId(kReplayedCpu), rules);
    if (!mirror) return mirror.error();
    return Replay(c, std::move(*mirror)).run();
}

} // namespace rqs::session::truth
