// SPDX-License-Identifier: GPL-3.0-or-later
// One CPU's fair queue under a kernel preset, with a clock, ticks and a schedule() for tests of the fair
// class.
#pragma once
#include "core/engine/random.h"
#include "core/sched/eevdf.h"
#include "core/sched/fair.h"
#include "core/sched/queue.h"
#include "tests/core/sched/support/toy_machine.h"

#include <vector>

namespace rqs::sched::test {

/// Deterministic numbers for property tests.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_seed(seed) {}
    std::int64_t below(std::int64_t n) {
        const std::uint64_t hi = engine::draw64(m_seed, 0, engine::Purpose::Workload, m_counter++) >> 32;
        return static_cast<std::int64_t>((hi * static_cast<std::uint64_t>(n)) >> 32);
    }
    std::int64_t between(std::int64_t lo, std::int64_t hi) { return lo + below(hi - lo + 1); }
    bool oneIn(int n) { return below(n) == 0; }

private:
    std::uint64_t m_seed, m_counter = 0;
};

/// A stretch of time one task had the CPU, in ns.
struct Ran {
    TaskId task;
    std::int64_t from, to;
    bool operator==(const Ran&) const = default;
};
inline void PrintTo(const Ran& r, std::ostream* out) {
    *out << "task " << r.task.v << ' ' << r.from << '-' << r.to;
}

/// CPU 0 of a 16-CPU machine (base slice unit times 4), clock and reference at 0.
struct OneQueue {
    State s;
    CpuId c{0};
    SimTime now{0};
    explicit OneQueue(std::string_view kernel = "6.12.0", int hz = 250) : s(emptyState(toyBoxA(), kernel)) {
        s.kernel.tunables.hz = hz;
        reference(0);
    }

    CfsRq& q() { return s.rq(c).cfs; }
    Entity& e(TaskId t) { return s.entity(t); }
    std::uint64_t v(TaskId t) { return e(t).vruntime.v; }
    std::uint64_t d(TaskId t) { return e(t).deadline.v; }
    std::uint64_t V() { return avgVruntime(s, c).v; }
    std::int64_t lag(TaskId t) { return (avgVruntime(s, c) - e(t).vruntime).v; }
    bool eligible(TaskId t) { return eevdf::eligible(s, q(), t.v); }
    /// Only while the queue is empty.
    void reference(std::uint64_t v0) { q().v0 = VTime{v0}; }

    TaskId task(int nice = 0, std::int64_t slice = 0, TaskPolicy policy = TaskPolicy::Normal) {
        return addTask(s, nice, policy, MaskId(0), 0, Duration{slice});
    }
    bool enqueue(TaskId t, EnqueueKind kind = EnqueueKind::Wakeup) {
        s.task(t).cpu = c;
        s.task(t).state = TaskState::Running;
        return enqueueTask(s, c, t, kind, now);
    }
    /// Member at exactly v, under EEVDF with deadline v + request.
    TaskId member(int nice, std::uint64_t v, std::int64_t slice = 0) {
        const TaskId t = task(nice, slice);
        e(t).home = c.v;
        e(t).vruntime = VTime{v};
        enqueue(t, EnqueueKind::Restore);
        if (s.kernel.preset->policy == Policy::Eevdf)
            put(t, v, v + static_cast<std::uint64_t>(calcDeltaFair(e(t).slice, e(t)).v));
        return t;
    }
    /// EEVDF only.
    void put(TaskId t, std::uint64_t v, std::uint64_t d) { eevdf::relocate(s, q(), t.v, VTime{v}, VTime{d}); }
    bool dequeue(TaskId t, DequeueKind kind = DequeueKind::Sleep) {
        if (kind == DequeueKind::Sleep) s.task(t).state = TaskState::Sleeping;
        return dequeueTask(s, c, t, kind, now);
    }

    void run(TaskId t) {
        putPrev(s, c, now);
        s.rq(c).curr = t;
        setNext(s, c, t, now);
    }
    TaskId pick(std::vector<TaskId>* dropped = nullptr) { return pickNext(s, c, now, dropped); }
    /// schedule(): picks, and switches only if somebody else is picked. False: the CPU is idle now.
    bool schedule() {
        const TaskId next = pick();
        if (next && next == TaskId(q().curr)) return true;
        putPrev(s, c, now);
        s.rq(c).curr = next;
        if (next) setNext(s, c, next, now);
        return next.valid();
    }
    /// Time passes for the running task, which is charged.
    bool spend(std::int64_t ns) {
        now = now + Duration{ns};
        return updateCurr(s, c, now);
    }

    /// Ticks until `end`; a tick that asks for it reschedules `switchCost` later. Every finished stretch is
    /// returned, with times of ticks.
    std::vector<Ran> ticks(std::int64_t end, std::int64_t switchCost = 0) {
        std::vector<Ran> out;
        TaskId on(q().curr);
        std::int64_t since = now.ns, tick = now.ns;
        while (tick < end) {
            tick += s.kernel.tunables.tick().ns;
            now = SimTime{tick};
            if (!taskTick(s, c, now)) continue;
            now = now + Duration{switchCost};
            schedule();
            if (TaskId(q().curr) == on) continue;
            out.push_back({on, since, tick});
            on = TaskId(q().curr);
            since = tick;
        }
        return out;
    }
};

inline constexpr std::int64_t kMs = 1000000;

} // namespace rqs::sched::test
