// SPDX-License-Identifier: GPL-3.0-or-later
// Newly-idle balancing inside the LLC (part of newidle_balance, wakeup_balance 3.1): gates, cost accounting,
// choice of the busiest queue and of the task to take. Levels above the LLC are not balanced yet.
#pragma once
#include "core/sched/state.h"

namespace rqs::sched {

/// rd->overload and avg_idle tests; sets idle_stamp. True: go on with level 0, 1, ...
bool newidleBegin(State& s, CpuId c, SimTime now, Decision* why = nullptr);
/// Number of domains of c that share cache.
int newidleLevels(const State& s, CpuId c);
/// May this level still be afforded (avg_idle >= spent + max_newidle_lb_cost)?
bool newidleAffordable(const State& s, CpuId c, int level, Duration spent);
/// find_busiest_queue at that level; none if nobody has more than one runnable task. `read` = runqueues read.
CpuId newidleBusiest(State& s, CpuId c, int level, int* read, Decision* why = nullptr);
/// A task of `busiest` that may move to c (coldest first, can_migrate_task); none if none.
TaskId newidleDetachable(const State& s, CpuId busiest, CpuId c, int level, SimTime now);
/// update_newidle_cost.
void newidleCharge(State& s, CpuId c, int level, Duration cost, SimTime now);
/// End of newidle_balance: pulled clears idle_stamp; total cost raises max_idle_balance_cost.
void newidleEnd(State& s, CpuId c, bool pulled, Duration total);
/// A wakeup ended an idle period: sample avg_idle (wakeup_balance 2.5).
void sampleAvgIdle(State& s, CpuId c, SimTime now);

} // namespace rqs::sched
