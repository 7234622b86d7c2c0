// SPDX-License-Identifier: GPL-3.0-or-later
// The idle task: tickless halt until an interrupt, then look for a reschedule request (P7).
#include "core/sched/wakeup.h"
#include "core/sim/exec.h"

namespace rqs::sim {

namespace {
enum Pc : std::uint8_t { kEnter, kHalted };
static_assert(kHalted == kIdleHalted);
}

Act executeIdle(Exec& x, CpuId c, machine::Context& ctx) {
    World& w = x.w;
    if (w.sched.rq(c).needResched) {
        ctx.pc = kEnter;
        x.push(c, Path::Schedule, kPreempt);
        return Act::Again;
    }
    if (ctx.pc == kEnter) {
        sched::noteIdle(w.sched, c);
        w.timers.clear(static_cast<std::uint32_t>(c.v));
        x.emit(IdleRecord{c, true});
        ctx.pc = kHalted;
    }
    return Act::Halt;
}

} // namespace rqs::sim
