// SPDX-License-Identifier: GPL-3.0-or-later
// What the dispatcher may ask of the fair class. Each function is one instantaneous state transition of one
// CPU's queue under its rq lock; costs and locks are the caller's. Policy (CFS or EEVDF) follows the preset.
// `why`, where given, receives the decision's candidates; nullptr costs nothing.
#pragma once
#include "core/sched/state.h"

namespace rqs::sched {

/// Charges the running entity up to `now` (update_curr). True if it asks for a reschedule.
bool updateCurr(State& s, CpuId c, SimTime now);

enum class EnqueueKind : std::uint8_t { Wakeup, Fork, Migrate, Restore };
/// Joins the queue of `c` (enqueue_task_fair): charges curr, places, inserts. The task must not be queued.
/// Returns true if charging curr asks for a reschedule.
bool enqueueTask(State& s, CpuId c, TaskId t, EnqueueKind kind, SimTime now, Decision* why = nullptr);

enum class DequeueKind : std::uint8_t { Sleep, Migrate, Save };
/// Leaves the queue (dequeue_task_fair). False: the entity stayed behind, delayed (DELAY_DEQUEUE). A task in
/// state Dead always leaves. `asks`, where given: charging curr asks for a reschedule.
bool dequeueTask(State& s, CpuId c, TaskId t, DequeueKind kind, SimTime now, Decision* why = nullptr,
                 bool* asks = nullptr);
/// A new task inherits its parent's place (task_fork_fair): charges curr of the parent's CPU and, under CFS,
/// fixes the child's vruntime relative to that queue. Without this call the child's own queue stands in for the
/// parent's. Returns true if charging curr asks for a reschedule.
bool forkTask(State& s, CpuId parentCpu, TaskId child, SimTime now);

/// Wakeup of a delayed task on its own CPU (requeue_delayed_entity). The kernel does not charge curr here, so
/// this never asks for a reschedule: always false.
bool requeueDelayed(State& s, CpuId c, TaskId t, SimTime now);

/// Gives the running task back to the queue (put_prev_task_fair); it stays a member if still on_rq.
/// With `next`, groups that both are in go on running; without, nobody of the queue runs any more.
void putPrev(State& s, CpuId c, SimTime now, TaskId next = {});
/// The same for a running task that has just left its queue, before the pick. Its groups, if it has any, stay
/// running and take part in the pick; putPrev() comes after that.
void putBlocked(State& s, CpuId c, SimTime now);
/// Who runs next (pick_task_fair without set_next): charges curr; none if the queue is empty. A delayed
/// entity that would be picked is really dequeued on the way and reported in `dropped` (may be null).
/// A still queued, unpicked curr is part of the choice.
TaskId pickNext(State& s, CpuId c, SimTime now, std::vector<TaskId>* dropped, Decision* why = nullptr);
/// Makes `t` the running entity (set_next_task_fair).
void setNext(State& s, CpuId c, TaskId t, SimTime now);

/// check_preempt_wakeup_fair / wakeup_preempt: t was just enqueued (or requeued) on c. True: reschedule.
bool wakeupPreempt(State& s, CpuId c, TaskId t, bool fork, SimTime now, Decision* why = nullptr);
/// task_tick_fair. True: reschedule.
bool taskTick(State& s, CpuId c, SimTime now, Decision* why = nullptr);
/// sched_yield of the running task.
void yieldTask(State& s, CpuId c, SimTime now);
/// Changes nice of a task; it must not be queued (dequeue Save before, enqueue Restore after).
void setNice(State& s, TaskId t, int nice);
/// Brings entities in line with changed tunables. As in the kernel, nothing is to be done at once: requests that
/// are not custom are read anew at the next placement or renewal, and CFS reads its tunables at every decision.
void tunablesChanged(State& s);

/// Waiting (not running) tasks of c in pick order (EEVDF: deadline, CFS: vruntime); stops after `max`.
int queuedInPickOrder(const State& s, CpuId c, TaskId* out, int max);
/// V of the queue (avg_vruntime); CFS: min_vruntime.
VTime avgVruntime(const State& s, CpuId c);
/// V of the task's own queue on `c`: its group's, or the CPU's.
VTime avgVruntimeAround(const State& s, TaskId t, CpuId c);

} // namespace rqs::sched
