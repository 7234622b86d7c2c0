// SPDX-License-Identifier: GPL-3.0-or-later
// Where a woken task goes: wake_affine and select_idle_sibling's core steps (target idle, previous idle, idle
// core, idle CPU in the LLC, fallback). Reads state, changes only the hints the kernel changes.
#pragma once
#include "core/sched/state.h"

namespace rqs::sched {

struct WakeRequest { TaskId task, waker; CpuId wakerCpu; bool sync = false; SimTime now; };
struct Placement { CpuId cpu; std::int32_t scanned = 0; };
/// select_task_rq_fair for a wakeup. `why` receives the walk.
Placement selectTaskRq(State& s, const WakeRequest& r, Decision* why = nullptr);
/// Fork placement (simplified slow path): the idlest allowed CPU, see wakeup_balance 2.8.
Placement selectForkRq(State& s, TaskId child, CpuId parentCpu, Decision* why = nullptr);
/// A CPU enters idle: sets has_idle_cores when all its siblings are idle (update_idle_core).
void noteIdle(State& s, CpuId c);

} // namespace rqs::sched
