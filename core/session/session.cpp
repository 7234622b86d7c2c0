// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session.h"

#include <algorithm>

namespace rqs::session {

namespace {

template<class T>
std::int64_t bytesOf(const std::vector<T>& v) {
    return static_cast<std::int64_t>(v.size() * sizeof(T));
}

/// What a checkpoint of this World costs, near enough for a budget.
std::int64_t footprint(const sim::World& w) {
    std::int64_t n = sizeof(sim::World) + sizeof(metrics::Collector);
    n += bytesOf(w.cpus) + bytesOf(w.stacks) + bytesOf(w.tasks) + bytesOf(w.busyThreads);
    n += bytesOf(w.rqLock) + bytesOf(w.piLock) + bytesOf(w.shardLock);
    n += static_cast<std::int64_t>(w.locks.size() * sizeof(machine::SimLock) + w.cpus.size() * sizeof(machine::LockWaiter));
    n += bytesOf(w.sched.entities) + bytesOf(w.sched.tasks) + bytesOf(w.sched.rqs) + bytesOf(w.sched.groupQueues) + bytesOf(w.sched.groupLoads) +
         bytesOf(w.sched.entityLoads) + bytesOf(w.sched.shards);
    n += bytesOf(w.work.ring) + bytesOf(w.work.tasks) + bytesOf(w.work.objects) + bytesOf(w.work.pipes) + bytesOf(w.work.sockets) +
         bytesOf(w.work.futexes) + bytesOf(w.work.wakeHead);
    n += static_cast<std::int64_t>((w.completions.slots() + w.timers.slots() + w.messages.slots()) * 24);
    n += static_cast<std::int64_t>(w.cpus.size() * sizeof(metrics::CpuCounters) + w.tasks.size() * sizeof(metrics::TaskCounters));
    n += 7 * 512 * 8;  // time series
    return n;
}

/// Sends records to two sinks.
class Tee final : public RecordSink {
public:
    Tee(RecordSink& first, RecordSink* second) : m_first(first), m_second(second) {}
    void on(SimTime t, const Record& r) override {
        m_first.on(t, r);
        if (m_second) m_second->on(t, r);
    }
    bool wantsDecisions() const override { return m_second && m_second->wantsDecisions(); }
    void onDecision(SimTime t, const Decision& d) override { m_second->onDecision(t, d); }

private:
    RecordSink& m_first;
    RecordSink* m_second;
};

/// Notices whether a step contained one of the wanted unit; forwards to an observer.
class UnitWatch final : public RecordSink {
public:
    UnitWatch(StepUnit unit, RecordSink* next) : m_unit(unit), m_next(next) {}
    bool seen = false;
    void on(SimTime t, const Record& r) override {
        if (m_unit == StepUnit::ContextSwitch) seen |= std::holds_alternative<SwitchRecord>(r);
        if (m_unit == StepUnit::Tick) seen |= std::holds_alternative<TickRecord>(r);
        if (m_next) m_next->on(t, r);
    }
    bool wantsDecisions() const override { return m_unit == StepUnit::Decision || (m_next && m_next->wantsDecisions()); }
    void onDecision(SimTime t, const Decision& d) override {
        seen |= m_unit == StepUnit::Decision;
        if (m_next && m_next->wantsDecisions()) m_next->onDecision(t, d);
    }

private:
    StepUnit m_unit;
    RecordSink* m_next;
};

} // namespace

Session::Session(scenario::RunSetup setup) : m_setup(std::move(setup)) {
    m_now.world = sim::makeWorld(m_setup.hardware, m_setup.kernel, m_setup.workload, m_setup.seed);
    m_now.collector = metrics::Collector(m_now.world.cpuCount(), static_cast<int>(m_now.world.tasks.size()),
                                         SimTime{} + m_setup.warmup);
    for (const scenario::PlannedInput& p : m_setup.inputs) m_inputs.push_back({p.at, {}, p.input, p.text, true});
    keepFrame();
}

bool Session::inputDue(SimTime before) const {
    if (m_now.nextInput >= m_inputs.size()) return false;
    const LoggedInput& i = m_inputs[m_now.nextInput];
    if (i.at > before) return false;
    return i.step ? *i.step == m_now.world.steps : i.at <= m_now.world.nextTime();
}

void Session::applyDue(SimTime until) {
    sim::World& w = m_now.world;
    while (inputDue(until)) {
        LoggedInput& i = m_inputs[m_now.nextInput];
        i.step = w.steps;
        if (w.now < i.at) w.now = i.at;
        Tee tee(m_now.collector, m_observer);
        tee.on(w.now, InputRecord{static_cast<std::int32_t>(m_now.nextInput)});
        // A planned input the machine refuses has no effect; it was checked when it was accepted.
        (void)sim::apply(w, i.input, &tee);
        ++m_now.nextInput;
    }
}

bool Session::stepWith(RecordSink* extra) {
    applyDue(end());
    sim::World& w = m_now.world;
    if (w.nextTime() > end()) return false;
    Tee tee(m_now.collector, extra);
    sim::step(w, &tee);
    if (w.steps > m_knownSteps) {
        if (w.steps % m_frameEvery == 0) keepFrame();
        noteReached();
    }
    return true;
}

void Session::noteReached() {
    if (m_now.world.steps >= m_knownSteps) {
        m_knownSteps = m_now.world.steps;
        if (m_now.world.now > m_knownUntil) m_knownUntil = m_now.world.now;
    }
}

bool Session::step() { return stepWith(m_observer); }

std::uint64_t Session::runUntil(SimTime t, std::uint64_t maxSteps) {
    if (end() < t) t = end();
    std::uint64_t n = 0;
    while (n < maxSteps) {
        applyDue(t);
        if (m_now.world.nextTime() > t) {
            if (m_now.world.now < t) m_now.world.now = t;
            noteReached();
            break;
        }
        stepWith(m_observer);
        ++n;
    }
    return n;
}

bool Session::stepForward(StepUnit unit, Duration time) {
    if (unit == StepUnit::Time) {
        const SimTime target = now() + time;
        runUntil(target);
        return now() >= target;
    }
    if (unit == StepUnit::Step) return step();
    UnitWatch watch(unit, m_observer);
    while (!watch.seen)
        if (!stepWith(&watch)) return false;
    return true;
}

void Session::stepBack(StepUnit unit, Duration time) {
    if (unit == StepUnit::Time) {
        seekTime(now() > SimTime{} + time ? now() - time : SimTime{});
        return;
    }
    const std::uint64_t here = stepCount();
    if (here == 0) return;
    if (unit == StepUnit::Step) {
        seekStep(here - 1);
        return;
    }
    // The last step before the present one that has the unit: keyframe intervals, scanned backwards.
    RecordSink* observer = std::exchange(m_observer, nullptr);
    std::uint64_t found = 0;
    for (std::uint64_t upTo = here - 1; upTo > 0 && found == 0;) {
        restoreAtOrBefore(upTo - 1, SimTime::never());
        const std::uint64_t from = stepCount();
        while (stepCount() < upTo) {
            UnitWatch watch(unit, nullptr);
            if (!stepWith(&watch)) break;
            if (watch.seen) found = stepCount();
        }
        upTo = from;
    }
    m_observer = observer;
    seekStep(found);
}

void Session::restoreAtOrBefore(std::uint64_t step, SimTime t) {
    auto it = std::upper_bound(m_frames.begin(), m_frames.end(), 0, [&](int, const Frame& f) {
        return f.moment.world.steps > step || f.moment.world.now > t;
    });
    m_now = std::prev(it)->moment;
}

void Session::seekStep(std::uint64_t target) {
    if (target < stepCount()) restoreAtOrBefore(target, SimTime::never());
    while (stepCount() < target && stepWith(m_observer)) {}
}

void Session::seekTime(SimTime t) {
    if (end() < t) t = end();
    if (t < now()) restoreAtOrBefore(UINT64_MAX, t);
    runUntil(t);
}

Status Session::apply(const sim::Input& input, std::string text) {
    // Tried on a copy first: a refused input must leave the run and its known future untouched.
    sim::World trial = m_now.world;
    if (Status s = sim::apply(trial, input, nullptr); !s) return s;
    const std::uint64_t here = stepCount();
    const bool future = m_knownSteps > here;
    std::vector<LoggedInput> kept(m_inputs.begin(), m_inputs.begin() + static_cast<std::ptrdiff_t>(m_now.nextInput));
    kept.push_back({now(), here, input, std::move(text), false});
    for (std::size_t i = m_now.nextInput; i < m_inputs.size(); ++i)
        if (m_inputs[i].planned) {
            kept.push_back(m_inputs[i]);
            kept.back().step.reset();
        }
    m_inputs = std::move(kept);
    while (m_frames.size() > 1 && m_frames.back().moment.world.steps > here) {
        m_used -= m_frames.back().bytes;
        m_frames.pop_back();
    }
    // A keyframe of exactly this instant knows nothing of the input; it stays valid (the log re-applies it).
    m_knownSteps = here;
    m_knownUntil = now();
    if (future) ++m_branch;
    applyDue(now());
    return Ok{};
}

void Session::setMemoryBudget(std::int64_t bytes) {
    m_budget = bytes;
    thinFrames();
}

void Session::keepFrame() {
    if (!m_frames.empty() && m_frames.back().moment.world.steps >= m_now.world.steps) return;
    const std::int64_t bytes = footprint(m_now.world);
    m_frames.push_back({m_now, bytes});
    m_used += bytes;
    thinFrames();
}

void Session::thinFrames() {
    // Over budget: drop every second keyframe of the older half, so that density falls with distance.
    while (m_used > m_budget && m_frames.size() > 3) {
        const std::size_t half = std::max<std::size_t>(m_frames.size() / 2, 3);
        std::deque<Frame> kept;
        std::int64_t used = 0;
        for (std::size_t i = 0; i < m_frames.size(); ++i) {
            if (i != 0 && i < half && i % 2 == 1) continue;
            used += m_frames[i].bytes;
            kept.push_back(std::move(m_frames[i]));
        }
        if (kept.size() == m_frames.size()) break;
        m_frames = std::move(kept);
        m_used = used;
    }
}

} // namespace rqs::session
