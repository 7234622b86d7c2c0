// SPDX-License-Identifier: GPL-3.0-or-later
// Load of tasks and queues inside groups, and what follows from it: the weight of a group on each CPU
// (behavioural spec eevdf 7.2, 7.4, 8). Only queues of groups are tracked: nothing in the root queue depends
// on its load yet.
#pragma once
#include "core/sched/state.h"

namespace rqs::sched::load {

/// Whether the group's total follows at once (UPDATE_TG).
enum class WithTotal : std::uint8_t { No, Yes };

/// Brings the averages of `entity` and its queue up to `now` (update_load_avg). Call before what changes.
/// True if the queue's averages are fresh.
bool update(State& s, CfsRq& q, std::int32_t entity, SimTime now, WithTotal total);
/// update() of a task about to join: one that comes from another CPU takes its load along.
void join(State& s, CfsRq& q, TaskId t, CpuId c, SimTime now);
/// update() of a task about to leave for another CPU: its load goes at once.
void detach(State& s, CfsRq& q, TaskId t, SimTime now);
/// Tells the group the load of its queue on this CPU (update_tg_load_avg), unless too small or too soon a
/// change.
void updateTotal(State& s, CfsRq& q, SimTime now);
/// Gives a group entity the weight its queue deserves (update_cfs_group); does nothing for tasks.
/// True if charging the running entity for that asks for a reschedule.
bool reweigh(State& s, CfsRq& q, std::int32_t entity, SimTime now);

/// Ages what is left in the queues of a CPU by tasks that sleep (update_blocked_averages).
void updateBlocked(State& s, CpuId c, SimTime now);
/// The same on every idle CPU, when the last time was long ago: what a busy CPU's tick starts on their
/// behalf.
void updateIdleCpus(State& s, SimTime now);

} // namespace rqs::sched::load
