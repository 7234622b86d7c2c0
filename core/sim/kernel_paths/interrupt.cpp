// SPDX-License-Identifier: GPL-3.0-or-later
// Interrupts: tick, expired sleep timers, reschedule IPI. Runs with interrupts off from entry to return.
#include "core/sched/fair.h"
#include "core/sim/exec.h"

namespace rqs::sim {

using machine::Cost;

namespace {
enum Pc : std::uint8_t { kEntry, kNextSource, kTickLocked, kTickDone };
}

Act executeInterrupt(Exec& x, CpuId c, machine::Context& ctx) {
    World& w = x.w;
    machine::Cpu& cpu = w.cpus[c.index()];
    sched::Rq& rq = w.sched.rq(c);
    switch (ctx.pc) {
    case kEntry: {
        ctx.pc = kNextSource;
        Duration d = x.cost(Cost::IrqEntry);
        if (ctx.flags & kFromIdle) d += x.cost(Cost::IdleExit);
        return x.spend(ctx, d, CpuMode::Irq);
    }
    case kNextSource:
        if (cpu.pendingIrqs & kIrqTimer) {
            cpu.pendingIrqs = static_cast<std::uint8_t>(cpu.pendingIrqs & ~kIrqTimer);
            x.push(c, Path::Wake, kFromInterrupt);
            return Act::Again;
        }
        if (cpu.pendingIrqs & kIrqTick) {
            cpu.pendingIrqs = static_cast<std::uint8_t>(cpu.pendingIrqs & ~kIrqTick);
            if (!rq.curr) return Act::Again;  // the tick of a CPU that went idle meanwhile
            return x.takeThen(c, ctx, x.rqLock(c), CallSite::SchedulerTick, kTickLocked);
        }
        cpu.pendingIrqs = 0;  // a reschedule IPI only interrupts
        return Act::Done;
    case kTickLocked: {
        Decision* why = x.ask(Question::SliceEnd, rq.curr, c);
        const bool ask = rq.cfs.curr >= 0 && sched::taskTick(w.sched, c, w.now, why);
        x.answer(why, ask ? 1 : 0);
        if (ask) x.resched(c, c);
        x.emit(TickRecord{c, ask});
        ctx.pc = kTickDone;
        return x.spend(ctx, x.cost(Cost::Tick), CpuMode::Irq);
    }
    case kTickDone:
        x.give(c, x.rqLock(c));
        ctx.pc = kNextSource;
        return Act::Again;
    }
    return Act::Done;
}

} // namespace rqs::sim
