// SPDX-License-Identifier: GPL-3.0-or-later
// Where a woken task goes: wake_affine and select_idle_sibling's core steps (target idle, previous idle,
// recently used, idle sibling, idle core, idle CPU in the LLC, fallback). Reads state, changes only the hints
// the kernel changes. Not modelled yet, hence `kPlacementNote`: the scan depth of SIS_UTIL (the whole LLC is
// scanned), WA_WEIGHT (needs PELT: undecided, so prev), L2 clusters, SIS_NODE, SIS_SYNC, per-CPU kthreads.
#pragma once
#include "core/sched/state.h"

#include <string_view>

namespace rqs::sched {

/// Goes into every result made with this placement.
inline constexpr std::string_view kPlacementNote = "placement: simplified";

/// `waker` none: an interrupt woke the task while the idle task was current.
struct WakeRequest { TaskId task, waker; CpuId wakerCpu; bool sync = false; SimTime now; };
/// `scanned`: runqueues read by the sibling, core and LLC scans; what the cost model charges per CPU.
struct Placement { CpuId cpu; std::int32_t scanned = 0; };

/// select_task_rq for a wakeup (select_task_rq_fair, then the fallback for a CPU that is not allowed).
/// `why` receives the walk in test order. Numbers of its candidates: idle tests a = nr_running,
/// b = 1 if the CPU shares cache with the target; IdleCore a = idle threads, b = threads; ScanIdle
/// b = position in the scan; WakeAffineIdle a, b = nr_running of the waker's and the previous CPU;
/// WakeAffineSync a = nr_running without delayed tasks, b = sync; WakeAffineWeight -1, -1 = not modelled.
Placement selectTaskRq(State& s, const WakeRequest& r, Decision* why = nullptr);

/// Fork placement (simplified slow path): the LLC with most idle allowed CPUs (ties: the parent's, then the
/// lowest), there an idle core, else an idle CPU; nobody idle: fewest tasks, ties from the parent's CPU upward.
Placement selectForkRq(State& s, TaskId child, CpuId parentCpu, Decision* why = nullptr);

/// A CPU enters idle: sets has_idle_cores when all its siblings are idle (update_idle_core).
void noteIdle(State& s, CpuId c);

/// idle_cpu(): nobody runs, nobody is queued, and the CPU is online.
bool idleCpu(const State& s, CpuId c);
/// sched_idle_cpu(): tasks are there, all of them SCHED_IDLE.
bool schedIdleCpu(const State& s, CpuId c);
/// record_wakee(): flips of the waker, halved once when the last halving is more than 1 s ago.
void recordWakee(State& s, TaskId waker, TaskId wakee, SimTime now);
/// wake_wide(): the pair wakes too many partners for pulling to be worth it.
bool wakeWide(const State& s, TaskId waker, TaskId wakee, int llcSize);

} // namespace rqs::sched
