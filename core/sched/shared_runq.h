// SPDX-License-Identifier: GPL-3.0-or-later
// SHARED_RUNQ v3: shards of an LLC and their FIFO lists (behavioural spec wakeup_balance 4.2). Locking is the
// caller's: every function here runs under the shard's lock unless it says "unlocked".
#pragma once
#include "core/sched/state.h"

namespace rqs::sched {

/// Lays shards out for the tunable shard size: ceil(llc/size) shards, CPU c -> shard (c >> 1) mod n.
/// All lists empty afterwards; live tasks return with their next insert (domain rebuild). The shards of an
/// LLC are contiguous.
void layOutShards(State& s);
/// Does the insert of `t` on `c` push it to a shard? (feature on, nr_cpus_allowed != 1)
bool wantsShard(const State& s, TaskId t);
/// Unlocked test of the erase hook: feature on and linked. v3 asks for the feature here too, so a task that
/// leaves its queue between switching off and the drain stays linked: the seed of TOG-1.
bool wantsErase(const State& s, TaskId t);
/// Push to the tail of the shard of CPU c. False = list corruption (node already linked): the anomaly of TOG-1.
/// The lists stay as they were then, so that a run can go on and be looked at.
bool shardPush(State& s, TaskId t, CpuId c);
/// Unlinks t from the shard it is in. No-op when not linked.
void shardErase(State& s, TaskId t);
/// Unlocked emptiness test.
bool shardEmpty(const State& s, ShardId shard);
/// Head if allowed on c: unlink and return it; none otherwise (head blocking, SR-10).
TaskId shardPop(State& s, ShardId shard, CpuId c);
/// Empties one list (switching off: after the RCU wait, shard by shard). Returns how many were linked.
std::int32_t drainShard(State& s, ShardId shard);
/// Shards of the LLC of c in pull order: own, own+1, ... with wrap (SR-12).
int shardCountOf(const State& s, CpuId c);
ShardId pullOrder(const State& s, CpuId c, int i);

/// What `checkShards` found wrong first.
enum class ShardFault : std::uint8_t {
    None,
    BrokenList,   ///< links, length or the node's own shard id disagree
    Running,      ///< SHQ-INV-2: a running task is linked
    NotQueued,    ///< linked but not queued anywhere, or pinned to one CPU
    WrongShard,   ///< SHQ-INV-1: linked in a shard that is not its queue's
    WrongLlc,     ///< SHQ-INV-3: a pull from this shard could return a task of another LLC
    Missing       ///< SHQ-INV-1: queued and not linked
};
struct ShardCheck {
    ShardFault fault = ShardFault::None;
    TaskId task;
    ShardId shard;
    explicit operator bool() const { return fault == ShardFault::None; }
};
const char* shardFaultText(ShardFault f);
/// Checks SHQ-INV-1..3 for a feature that is on since the start. `missingAllowed`: a failed pull, a drain, or
/// an insert that still waits for the shard lock has left a queued task outside, as the kernel allows.
ShardCheck checkShards(const State& s, bool missingAllowed = false);

} // namespace rqs::sched
