// SPDX-License-Identifier: GPL-3.0-or-later
// Wakeup placement in the kernel's order of tests (6.5; differences of later kernels are named where they
// are).
#include "core/sched/wakeup.h"

#include <algorithm>

namespace rqs::sched {
namespace {

constexpr Duration kFlipDecay{1000000000};

const machine::Topology& topo(const State& s) { return s.hw->topology; }

bool usable(const State& s, CpuId c) { return idleCpu(s, c) || schedIdleCpu(s, c); }

bool smtActive(const machine::Topology& t) { return t.coreCount() < t.cpuCount(); }

void open(Decision* why, TaskId task, CpuId cpu) {
    if (!why) return;
    why->question = Question::WhichCpu;
    why->task = task;
    why->cpu = cpu;
    why->function = "select_task_rq_fair";
}

/// One wakeup's way through the tests; lives on the stack.
struct Walk {
    State& s;
    TaskId task;
    CpuId prev, target;
    Decision* why;
    std::int32_t scanned = 0;

    bool allowed(CpuId c) const { return s.allowedOn(task, c); }
    bool shares(CpuId c) const { return topo(s).shareCache(c, target); }
    void note(CpuId c, Test test, bool passed, std::int64_t a, std::int64_t b) const {
        if (why) why->add(c.v, test, passed, a, b);
    }
    bool tryIdle(CpuId c, Test test) const {
        const bool near = shares(c);
        const bool ok = near && usable(s, c);
        note(c, test, ok, s.rq(c).nrRunning(), near ? 1 : 0);
        return ok;
    }
    CpuId idleSibling(CpuId of);
    CpuId scanForIdleCore();
    CpuId scanForIdleCpu();
    CpuId run();
};

CpuId Walk::idleSibling(CpuId of) {
    for (CpuId c : topo(s).coreCpus(topo(s).cpu(of).core)) {
        if (c == of || !allowed(c)) continue;
        ++scanned;
        if (tryIdle(c, Test::SiblingIdle)) return c;
    }
    return {};
}

/// Visits whole cores from target + 1 upward. A core that was found busy is not visited again through its
/// other threads, so only the thread that comes first in scan order stands for it.
CpuId Walk::scanForIdleCore() {
    const machine::Topology& t = topo(s);
    const auto order = [&](CpuId c) { return c.v > target.v ? c.v : c.v + t.cpuCount(); };
    CpuId found, remembered;
    t.llcMask(t.cpu(target).llc).forEachWrap(target.v + 1, [&](CpuId c) {
        if (!allowed(c)) return true;
        const auto threads = t.coreCpus(t.cpu(c).core);
        for (CpuId other : threads)
            if (order(other) < order(c) && allowed(other)) return true;
        std::int64_t idle = 0;
        for (CpuId thread : threads) {
            ++scanned;
            if (idleCpu(s, thread)) {
                ++idle;
                if (!remembered && allowed(thread)) remembered = thread;
                continue;
            }
            if (remembered) break;
            if (allowed(thread) && schedIdleCpu(s, thread)) {
                remembered = thread;
                break;
            }
        }
        const auto wanted = static_cast<std::int64_t>(threads.size());
        note(c, Test::IdleCore, idle == wanted, idle, wanted);
        if (idle == wanted) found = c;
        return !found;
    });
    if (found) return found;
    s.hasIdleCores[t.cpu(target).llc.index()] = 0;
    if (remembered) note(remembered, Test::ScanIdle, true, s.rq(remembered).nrRunning(), 0);
    return remembered;
}

CpuId Walk::scanForIdleCpu() {
    CpuId found;
    std::int64_t position = 0;
    topo(s).llcMask(topo(s).cpu(target).llc).forEachWrap(target.v + 1, [&](CpuId c) {
        if (!allowed(c)) return true;
        ++scanned;
        const bool ok = usable(s, c);
        note(c, Test::ScanIdle, ok, s.rq(c).nrRunning(), position++);
        if (ok) found = c;
        return !ok;
    });
    return found;
}

/// select_idle_sibling.
CpuId Walk::run() {
    if (tryIdle(target, Test::TargetIdle)) return target;
    if (prev != target && tryIdle(prev, Test::PrevIdle)) return prev;

    Task& p = s.task(task);
    const CpuId recent = p.recentUsedCpu;
    p.recentUsedCpu = prev;
    if (recent && recent != prev && recent != target && allowed(recent) && tryIdle(recent, Test::RecentIdle))
        return recent;

    bool idleCores = false;
    if (smtActive(topo(s))) {
        idleCores = s.hasIdleCores[topo(s).cpu(target).llc.index()] != 0;
        if (!idleCores && shares(prev))
            if (const CpuId c = idleSibling(prev)) return c;
    }
    if (const CpuId c = idleCores ? scanForIdleCore() : scanForIdleCpu()) return c;
    note(target, Test::Fallback, true, s.rq(target).nrRunning(), 1);
    return target;
}

/// wake_affine: the waker's CPU, or prev.
CpuId wakeAffine(const State& s, CpuId here, CpuId prev, bool sync, Decision* why) {
    const std::int64_t nrHere = s.rq(here).nrRunning(), nrPrev = s.rq(prev).nrRunning();
    const auto note = [&](CpuId c, Test test, bool passed, std::int64_t a, std::int64_t b) {
        if (why) why->add(c.v, test, passed, a, b);
    };
    if (s.on(Feature::WA_IDLE)) {
        const bool near = idleCpu(s, here) && topo(s).shareCache(here, prev);
        note(here, Test::WakeAffineIdle, near && !idleCpu(s, prev), nrHere, nrPrev);
        if (near) return idleCpu(s, prev) ? prev : here;
        // Delayed tasks have left from the user's view and do not count as company (6.13, stable 6.12).
        const std::int64_t alone = nrHere - s.rq(here).nrDelayed();
        if (sync) {
            note(here, Test::WakeAffineSync, alone == 1, alone, 1);
            if (alone == 1) return here;
        }
        note(prev, Test::WakeAffineIdle, idleCpu(s, prev), nrHere, nrPrev);
        if (idleCpu(s, prev)) return prev;
    }
    if (s.on(Feature::WA_WEIGHT)) note(here, Test::WakeAffineWeight, false, -1, -1);
    return prev;
}

/// Walks the waker's domains upward for one that pulls wakeups and spans prev.
CpuId affineTarget(const State& s, const WakeRequest& r, CpuId prev, bool sync, Decision* why) {
    if (r.wakerCpu == prev) return prev;
    for (const machine::Domain& d : s.hw->domains.of(r.wakerCpu))
        if (d.wakeAffine && d.span.test(prev)) return wakeAffine(s, r.wakerCpu, prev, sync, why);
    return prev;
}

/// select_fallback_rq: an allowed CPU of prev's node, then any allowed one, then any online one.
CpuId fallbackCpu(const State& s, TaskId task, CpuId prev) {
    const CpuMask& mask = s.masks[s.task(task).allowed.index()];
    for (CpuId c : topo(s).nodeCpus(topo(s).cpu(prev).node))
        if (mask.test(c) && s.rq(c).online) return c;
    for (CpuId c = mask.first(); c; c = mask.next(c.v + 1))
        if (s.rq(c).online) return c;
    for (std::size_t i = 0; i < s.rqs.size(); ++i)
        if (s.rqs[i].online) return CpuId(i);
    return prev;
}

/// Idle allowed CPUs of one LLC, and the runqueues read on the way.
std::int64_t idleAllowed(const State& s, TaskId t, LlcId llc, std::int32_t& scanned) {
    std::int64_t n = 0;
    for (CpuId c : topo(s).llcCpus(llc)) {
        if (!s.allowedOn(t, c)) continue;
        ++scanned;
        n += idleCpu(s, c) ? 1 : 0;
    }
    return n;
}

bool wholeCoreIdle(const State& s, CpuId c) {
    const auto threads = topo(s).coreCpus(topo(s).cpu(c).core);
    return std::all_of(threads.begin(), threads.end(), [&](CpuId t) { return idleCpu(s, t); });
}

} // namespace

bool idleCpu(const State& s, CpuId c) { return s.rq(c).online && s.rq(c).idle(); }

bool schedIdleCpu(const State& s, CpuId c) {
    const Rq& q = s.rq(c);
    return q.online && q.cfs.nr > 0 && q.nrIdlePolicy() == q.nrRunning();
}

void recordWakee(State& s, TaskId waker, TaskId wakee, SimTime now) {
    if (!waker) return;
    Task& w = s.task(waker);
    if (now - w.wakeeFlipDecay > kFlipDecay) {
        w.wakeeFlips >>= 1; // once, no matter how long ago
        w.wakeeFlipDecay = now;
    }
    if (w.lastWakee != wakee) {
        w.lastWakee = wakee;
        ++w.wakeeFlips;
    }
}

bool wakeWide(const State& s, TaskId waker, TaskId wakee, int llcSize) {
    if (!waker) return false;
    const std::int64_t a = s.task(waker).wakeeFlips, b = s.task(wakee).wakeeFlips;
    const std::int64_t most = std::max(a, b), least = std::min(a, b);
    return least >= llcSize && most >= least * llcSize;
}

Placement selectTaskRq(State& s, const WakeRequest& r, Decision* why) {
    open(why, r.task, r.wakerCpu);
    const Task& p = s.task(r.task);
    const CpuId prev = p.cpu ? p.cpu : r.wakerCpu;
    Placement out;
    if (p.nrAllowed == 1) {
        out.cpu = s.masks[p.allowed.index()].first();
        if (why) why->add(out.cpu.v, Test::OnlyCandidate, true, s.rq(out.cpu).nrRunning(), 0);
    } else {
        const bool exiting = r.waker && s.task(r.waker).state == TaskState::Dead;
        recordWakee(s, r.waker, r.task, r.now);
        const int llcSize = static_cast<int>(topo(s).llcCpus(topo(s).cpu(r.wakerCpu).llc).size());
        const bool affine = s.allowedOn(r.task, r.wakerCpu) && !wakeWide(s, r.waker, r.task, llcSize);
        const CpuId target = affine ? affineTarget(s, r, prev, r.sync && !exiting, why) : prev;
        Walk walk{s, r.task, prev, target, why};
        out.cpu = walk.run();
        out.scanned = walk.scanned;
    }
    if (!s.allowedOn(r.task, out.cpu) || !s.rq(out.cpu).online) {
        out.cpu = fallbackCpu(s, r.task, prev);
        if (why) why->add(out.cpu.v, Test::Fallback, true, s.rq(out.cpu).nrRunning(), 0);
    }
    if (why) why->outcome = out.cpu.v;
    return out;
}

Placement selectForkRq(State& s, TaskId child, CpuId parentCpu, Decision* why) {
    open(why, child, parentCpu);
    const machine::Topology& t = topo(s);
    const LlcId home = t.cpu(parentCpu).llc;
    Placement out;
    LlcId best = home;
    std::int64_t most = idleAllowed(s, child, home, out.scanned);
    for (std::int32_t i = 0; i < t.llcCount(); ++i) {
        if (LlcId(i) == home) continue;
        const std::int64_t n = idleAllowed(s, child, LlcId(i), out.scanned);
        if (n > most) {
            most = n;
            best = LlcId(i);
        }
    }
    Test verdict = Test::Fallback;
    if (most > 0) {
        const int start = best == home ? parentCpu.v : 0;
        CpuId anyIdle;
        t.llcMask(best).forEachWrap(start, [&](CpuId c) {
            if (!s.allowedOn(child, c) || !idleCpu(s, c)) return true;
            if (!anyIdle) anyIdle = c;
            if (wholeCoreIdle(s, c)) out.cpu = c;
            return !out.cpu;
        });
        verdict = out.cpu ? Test::IdleCore : Test::ScanIdle;
        if (!out.cpu) out.cpu = anyIdle;
    } else {
        s.masks[s.task(child).allowed.index()].forEachWrap(parentCpu.v, [&](CpuId c) {
            if (s.rq(c).online && (!out.cpu || s.rq(c).nrRunning() < s.rq(out.cpu).nrRunning())) out.cpu = c;
            return true;
        });
        if (!out.cpu) out.cpu = fallbackCpu(s, child, parentCpu);
    }
    if (why) {
        why->add(out.cpu.v, verdict, true, s.rq(out.cpu).nrRunning(), most);
        why->outcome = out.cpu.v;
    }
    return out;
}

void noteIdle(State& s, CpuId c) {
    const machine::Topology& t = topo(s);
    if (!smtActive(t)) return;
    std::uint8_t& flag = s.hasIdleCores[t.cpu(c).llc.index()];
    if (flag) return;
    for (CpuId sibling : t.coreCpus(t.cpu(c).core))
        if (sibling != c && !idleCpu(s, sibling)) return;
    flag = 1;
}

} // namespace rqs::sched
