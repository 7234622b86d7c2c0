// SPDX-License-Identifier: GPL-3.0-or-later
// The one switch over contexts, and the three event sources: completions, timers, messages. Ties at one
// instant go in that order, then by CPU or task number.
#include "core/sim/dispatch.h"

#include "core/sim/exec.h"

namespace rqs::sim {

using machine::Context;
using machine::Cpu;
using machine::CpuState;

namespace {

std::uint32_t slot(CpuId c) { return static_cast<std::uint32_t>(c.v); }

/// Work speed of a busy CPU given how many are busy beside it.
std::int32_t speedOf(const World& w, CpuId c) {
    const machine::Hardware& hw = *w.hw;
    if (hw.speedModel == machine::SpeedModel::SharedStream) return 1024 / (w.busyThreads[0] > 0 ? w.busyThreads[0] : 1);
    const auto busy = static_cast<std::size_t>(w.busyThreads[hw.topology.cpu(c).core.index()]);
    const std::size_t k = busy > 0 ? busy - 1 : 0;
    return hw.smtSpeed[k < hw.smtSpeed.size() ? k : hw.smtSpeed.size() - 1];
}

bool holdsInterrupts(CpuMode m) { return m == CpuMode::IrqOff || m == CpuMode::Irq || m == CpuMode::Spin; }

void startSpend(World& w, CpuId c) {
    Cpu& cpu = w.cpus[c.index()];
    cpu.state = CpuState::Working;
    cpu.since = w.now;
    const Context& ctx = w.stacks[static_cast<std::size_t>(cpu.stack)].top();
    const Duration left = ctx.remain > 0 ? machine::timeFor(ctx.remain, cpu.speed) : Duration{};
    w.completions.set(slot(c), w.now + left);
}

void retime(World& w, CpuId c) {
    Cpu& cpu = w.cpus[c.index()];
    const std::int32_t speed = speedOf(w, c);
    if (speed == cpu.speed) return;
    settle(w, c);
    cpu.speed = speed;
    if (cpu.state == CpuState::Working && w.completions.contains(slot(c))) startSpend(w, c);
}

/// The number of busy threads changed beside `c`: everyone who shares its speed is re-timed.
void retimeGroup(World& w, CpuId c) {
    const machine::Topology& topo = w.hw->topology;
    if (w.hw->speedModel == machine::SpeedModel::SharedStream) {
        for (int i = 0; i < w.cpuCount(); ++i)
            if (w.cpus[static_cast<std::size_t>(i)].state != CpuState::Halted || i == c.v) retime(w, CpuId(i));
        return;
    }
    for (const CpuId s : topo.coreCpus(topo.cpu(c).core))
        if (w.cpus[s.index()].state != CpuState::Halted || s == c) retime(w, s);
}

std::int32_t& busyCounter(World& w, CpuId c) {
    return w.hw->speedModel == machine::SpeedModel::SharedStream ? w.busyThreads[0]
                                                                : w.busyThreads[w.hw->topology.cpu(c).core.index()];
}

void halt(World& w, CpuId c) {
    settle(w, c);
    w.cpus[c.index()].state = CpuState::Halted;
    w.completions.clear(slot(c));
    --busyCounter(w, c);
    retimeGroup(w, c);
}

Act execute(Exec& x, CpuId c, Context& ctx) {
    switch (static_cast<Path>(ctx.kind)) {
    case Path::Idle: return executeIdle(x, c, ctx);
    case Path::Program: return executeProgram(x, c, ctx);
    case Path::Wake: return executeWake(x, c, ctx);
    case Path::Schedule: return executeSchedule(x, c, ctx);
    case Path::Interrupt: return executeInterrupt(x, c, ctx);
    }
    return Act::Done;
}

/// After an interrupt: may the interrupted code be preempted here? User code always (P1); a system call only
/// under full preemption (P2). Kernel paths of our own look for themselves when they end.
void interruptReturn(Exec& x, CpuId c) {
    World& w = x.w;
    if (!w.sched.rq(c).needResched || !w.sched.rq(c).curr) return;
    const Context& below = x.top(c);
    if (static_cast<Path>(below.kind) != Path::Program) return;
    if (below.mode == CpuMode::User || w.sched.kernel.preemption == sched::Preemption::Full)
        x.push(c, Path::Schedule, kPreempt);
}

/// A killed task's user work ends at the next return to user mode.
void abandonKilledWork(const World& w, CpuId c, Context& ctx) {
    const TaskId t = w.sched.rq(c).curr;
    if (t && w.tasks[t.index()].killed && static_cast<Path>(ctx.kind) == Path::Program && ctx.mode == CpuMode::User) {
        ctx.remain = 0;
        ctx.pc = 0;
    }
}

/// Executes contexts of `c` at this instant until one of them lets time pass.
void run(Exec& x, CpuId c) {
    World& w = x.w;
    Cpu& cpu = w.cpus[c.index()];
    for (;;) {
        Context& ctx = x.top(c);
        switch (execute(x, c, ctx)) {
        case Act::Again: break;
        case Act::Spend:
            if (ctx.remain <= 0) break;
            if (cpu.pendingIrqs && !holdsInterrupts(ctx.mode)) {
                x.push(c, Path::Interrupt);
                break;
            }
            startSpend(w, c);
            return;
        case Act::Spin: return;
        case Act::Halt:
            if (cpu.pendingIrqs) {
                x.push(c, Path::Interrupt);
                break;
            }
            halt(w, c);
            return;
        case Act::Done: {
            const bool interrupt = static_cast<Path>(ctx.kind) == Path::Interrupt;
            machine::Stack& stack = w.stacks[static_cast<std::size_t>(cpu.stack)];
            const std::int64_t rest = ctx.remain;
            stack.pop();
            stack.top().remain += rest;
            if (interrupt) interruptReturn(x, c);
            Context& below = x.top(c);
            abandonKilledWork(w, c, below);
            if (below.remain <= 0 || below.pc == 0) break;
            if (cpu.pendingIrqs && !holdsInterrupts(below.mode)) {
                x.push(c, Path::Interrupt);
                break;
            }
            startSpend(w, c);
            return;
        }
        }
    }
}

/// An interrupt arrives; it waits if the CPU holds interrupts back.
void raise(Exec& x, CpuId c, Irq irq) {
    World& w = x.w;
    Cpu& cpu = w.cpus[c.index()];
    cpu.pendingIrqs = static_cast<std::uint8_t>(cpu.pendingIrqs | irq);
    if (cpu.state == CpuState::Halted) {
        leaveHalt(w, c);
        x.push(c, Path::Interrupt, kFromIdle);
    } else if (cpu.state == CpuState::Working && !holdsInterrupts(x.top(c).mode)) {
        settle(w, c);
        w.completions.clear(slot(c));
        x.push(c, Path::Interrupt);
    } else {
        return;
    }
    run(x, c);
}

void completion(Exec& x, CpuId c) {
    World& w = x.w;
    Cpu& cpu = w.cpus[c.index()];
    // The spent entry stays on top of the queue: whatever the CPU does next re-times or clears it in place.
    settle(w, c);
    if (cpu.state == CpuState::Granting) {
        w.locks.granted(cpu.spinLock, c, w.now, x.sink);
        cpu.state = CpuState::Working;
        cpu.spinLock = {};
    }
    run(x, c);
}

void timer(Exec& x, std::uint32_t s) {
    World& w = x.w;
    const auto cpus = static_cast<std::uint32_t>(w.cpuCount());
    if (s < cpus) {
        const CpuId c(static_cast<std::int32_t>(s));
        w.timers.set(s, nextTick(w, c));
        raise(x, c, kIrqTick);
        return;
    }
    w.timers.clear(s);
    const TaskId t(static_cast<std::int32_t>(s - cpus));
    const CpuId c = w.sched.task(t).cpu;
    Cpu& cpu = w.cpus[c.index()];
    if (cpu.expiredTail) w.tasks[cpu.expiredTail.index()].nextExpired = t;
    else cpu.expiredHead = t;
    cpu.expiredTail = t;
    raise(x, c, kIrqTimer);
}

} // namespace

void settle(World& w, CpuId c) {
    Cpu& cpu = w.cpus[c.index()];
    const Duration elapsed = w.now - cpu.since;
    cpu.since = w.now;
    if (elapsed.ns == 0) return;
    Context& ctx = w.stacks[static_cast<std::size_t>(cpu.stack)].top();
    CpuMode mode = ctx.mode;
    switch (cpu.state) {
    case CpuState::Halted: mode = CpuMode::Idle; break;
    case CpuState::Spinning: case CpuState::Granting: mode = CpuMode::Spin; break;
    case CpuState::Working: ctx.remain -= machine::workDone(elapsed, cpu.speed); break;
    }
    cpu.spent[static_cast<std::size_t>(mode)] += elapsed;
}

void leaveHalt(World& w, CpuId c) {
    settle(w, c);
    w.cpus[c.index()].state = CpuState::Working;
    ++busyCounter(w, c);
    retimeGroup(w, c);
}

SimTime nextTick(const World& w, CpuId c) {
    const std::int64_t tick = w.sched.kernel.tunables.tick().ns;
    const std::int64_t base = w.cpus[c.index()].tickBase.ns;
    return {base + ((w.now.ns - base) / tick + 1) * tick};
}

namespace {

/// One event of the earliest instant; there is one.
void execute(Exec& x, SimTime earliest) {
    World& w = x.w;
    w.now = earliest;
    ++w.steps;
    if (w.completions.topTime() == earliest) {
        const std::uint32_t s = w.completions.topSlot();
        w.fingerprint.add(static_cast<std::uint64_t>(earliest.ns) * 4096 + s);
        completion(x, CpuId(static_cast<std::int32_t>(s)));
    } else if (w.timers.topTime() == earliest) {
        const std::uint32_t s = w.timers.topSlot();
        w.fingerprint.add(~(static_cast<std::uint64_t>(earliest.ns) * 4096 + s));
        timer(x, s);
    } else {
        const std::uint32_t s = w.messages.topSlot();
        w.messages.clear(s);
        w.fingerprint.add(static_cast<std::uint64_t>(earliest.ns) * 4096 + s + (std::uint64_t{1} << 63));
        raise(x, CpuId(static_cast<std::int32_t>(s)), kIrqResched);
    }
}

/// Apart from execute(), so that a step nobody wants explained does not clear a Decision.
void executeExplained(World& w, RecordSink* sink, SimTime earliest) {
    Decision scratch;
    Exec x{w, sink, &scratch};
    execute(x, earliest);
}

} // namespace

bool step(World& w, RecordSink* sink) {
    const SimTime earliest = w.nextTime();
    if (earliest == SimTime::never()) return false;
    if (sink && sink->wantsDecisions()) {
        executeExplained(w, sink, earliest);
        return true;
    }
    Exec x{w, sink, nullptr};
    execute(x, earliest);
    return true;
}

std::uint64_t runUntil(World& w, SimTime until, RecordSink* sink, std::uint64_t maxSteps) {
    std::uint64_t n = 0;
    while (n < maxSteps) {
        if (w.nextTime() > until) {
            if (w.now < until) w.now = until;
            break;
        }
        step(w, sink);
        ++n;
    }
    return n;
}

} // namespace rqs::sim
