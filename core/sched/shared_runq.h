// SPDX-License-Identifier: GPL-3.0-or-later
// SHARED_RUNQ v3: shards of an LLC and their FIFO lists (behavioural spec wakeup_balance 4.2). Locking is the
// caller's: every function here runs under the shard's lock unless it says "unlocked".
#pragma once
#include "core/sched/state.h"

namespace rqs::sched {

/// Lays shards out for the tunable shard size: ceil(llc/size) shards, CPU c -> shard (c >> 1) mod n.
/// All lists empty afterwards.
void layOutShards(State& s);
/// Does the insert of `t` on `c` push it to a shard? (feature on, nr_cpus_allowed != 1)
bool wantsShard(const State& s, TaskId t);
/// Push to the tail of the shard of CPU c. False = list corruption (node already linked): the anomaly of TOG-1.
bool shardPush(State& s, TaskId t, CpuId c);
/// Unlinks t from the shard it is in. No-op when not linked.
void shardErase(State& s, TaskId t);
/// Unlocked emptiness test.
bool shardEmpty(const State& s, ShardId shard);
/// Head if allowed on c: unlink and return it; none otherwise (head blocking, SR-10).
TaskId shardPop(State& s, ShardId shard, CpuId c);
/// Shards of the LLC of c in pull order: own, own+1, ... with wrap (SR-12).
int shardCountOf(const State& s, CpuId c);
ShardId pullOrder(const State& s, CpuId c, int i);

} // namespace rqs::sched
