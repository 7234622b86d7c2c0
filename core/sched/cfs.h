// SPDX-License-Identifier: GPL-3.0-or-later
// CFS of 6.5 on one queue (behavioural spec eevdf 11, flat): vruntime order, buddies, sleeper credit, start
// debit, tick and wakeup preemption. Numbers in decisions: Leftmost a = vruntime, b = min_vruntime;
// NextBuddy, LastBuddy, SkipBuddy, WakeupGran a = lead in vruntime, b = granularity; IdealSlice a = ran, b =
// ideal slice; LagPlaced a = own vruntime, b = floor of the placement.
#pragma once
#include "core/sched/fair.h"

namespace rqs::sched::cfs {

/// Period in which everybody runs once: sched_latency, stretched beyond sched_nr_latency tasks.
Duration period(const State& s, std::int32_t nr);
/// Real time `i` may run per period (sched_slice); counts itself in if it is not queued.
Duration slice(const State& s, const CfsRq& q, std::int32_t i);
/// wakeup_preempt_entity: -1 curr is not ahead of `i`, 0 ahead by less than the granularity, 1 by more.
int leadOver(const State& s, const Entity& curr, const Entity& e);

void updateCurr(State& s, CfsRq& q, SimTime now);
/// First placement of a new entity on its parent's queue (task_fork_fair), stored relative to min_vruntime.
void fork(State& s, CfsRq& q, std::int32_t i, SimTime now);
/// `wakeup` gives the sleeper credit.
void enqueue(State& s, CfsRq& q, std::int32_t i, bool wakeup, SimTime now, Decision* why = nullptr);
/// `sleep`: keeps its absolute vruntime. `save`: will be put back here at once, min_vruntime waits.
void dequeue(State& s, CfsRq& q, std::int32_t i, bool sleep, bool save, SimTime now);

/// pick_next_entity: leftmost, corrected by buddies; -1 if the queue is empty.
std::int32_t pick(const State& s, const CfsRq& q, Decision* why = nullptr);
void putPrev(State& s, CfsRq& q, SimTime now);
void setNext(State& s, CfsRq& q, std::int32_t i, SimTime now);

/// The comparison of check_preempt_wakeup after the class and policy tests; charges curr, marks the buddy.
bool wakeupPreempts(State& s, CfsRq& q, std::int32_t wakee, bool buddyMarked, SimTime now,
                    Decision* why = nullptr);
/// sched_nr_latency or more members: buddies are set from here on.
bool crowded(const State& s, const CfsRq& q);
bool tick(State& s, CfsRq& q, SimTime now, Decision* why = nullptr);
void yield(State& s, CfsRq& q, bool batch, SimTime now);

int inPickOrder(const State& s, const CfsRq& q, TaskId* out, int max);

} // namespace rqs::sched::cfs
