// SPDX-License-Identifier: GPL-3.0-or-later
// Newly-idle balancing inside the LLC (part of newidle_balance, wakeup_balance 3.1): gates, cost accounting,
// choice of the busiest queue and of the task to take. Levels above the LLC are not balanced yet, and the
// busiest queue is the one with most tasks, without group statistics by load. With SHARED_RUNQ v3 the caller
// pulls from the shards *before* newidleBegin, so a successful pull leaves no idle_stamp, hence no avg_idle
// sample and no cost (wakeup_balance 4.4 c).
#pragma once
#include "core/sched/state.h"

namespace rqs::sched {

/// A task joined c's queue: two tasks anywhere open newidle balancing for the whole root domain.
void noteEnqueue(State& s, CpuId c);
/// rd->overload and avg_idle tests; sets idle_stamp. True: go on with level 0, 1, ...
/// The avg_idle test uses the base domain's cost; with SHARED_RUNQ v3 on, that of the LLC domain's parent, or
/// none on machines with one LLC (wakeup_balance 4.4 a).
bool newidleBegin(State& s, CpuId c, SimTime now, Decision* why = nullptr);
/// Number of domains of c that share cache.
int newidleLevels(const State& s, CpuId c);
/// May this level still be afforded (avg_idle >= spent + max_newidle_lb_cost)?
bool newidleAffordable(const State& s, CpuId c, int level, Duration spent);
/// find_busiest_queue at that level; none if nobody has more than one runnable task. `read` = runqueues read.
/// Delayed tasks count (6.12: nr_running). Ties go to the first group in ring order, the lowest CPU inside.
/// A pass over the machine's top domain also refreshes rd.overload; on machines with several LLCs the top
/// domain is not balanced yet, so there overload stays set once it was.
CpuId newidleBusiest(State& s, CpuId c, int level, int* read, Decision* why = nullptr);
/// A task of `busiest` that may move to c (coldest first, can_migrate_task); none if none. Coldest = longest
/// not (re)inserted into the queue's tree. Delayed tasks stay (6.14; earlier kernels could move them).
TaskId newidleDetachable(const State& s, CpuId busiest, CpuId c, int level, SimTime now);
/// update_newidle_cost.
void newidleCharge(State& s, CpuId c, int level, Duration cost, SimTime now);
/// End of newidle_balance: pulled clears idle_stamp; total cost raises max_idle_balance_cost.
void newidleEnd(State& s, CpuId c, bool pulled, Duration total);
/// A wakeup ended an idle period: sample avg_idle (wakeup_balance 2.5).
void sampleAvgIdle(State& s, CpuId c, SimTime now);

} // namespace rqs::sched
