// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduler state as plain data: entities, runqueues, tasks, groups, shards. Entity index == task index; behind the
// tasks comes one entity per group and CPU. Without groups there is one CfsRq per CPU and nothing else.
#pragma once
#include "core/base/cpumask.h"
#include "core/machine/hardware.h"
#include "core/sched/features.h"
#include "core/sched/group_shares.h"
#include "core/sched/pelt.h"
#include "core/sched/rules.h"

#include <memory>
#include <vector>

namespace rqs::sched {

enum class TaskPolicy : std::uint8_t { Normal, Batch, Idle };
/// Running = runnable or on a CPU (TASK_RUNNING); Sleeping = blocked or about to block.
enum class TaskState : std::uint8_t { New, Running, Waking, Sleeping, Dead };

/// sched_entity. Meaning of every field: eevdf spec section 0. What a tree search reads comes first.
struct Entity {
    VTime vruntime, deadline;
    VTime minVruntime;              ///< smallest vruntime in the subtree
    Weight weight = kNice0Weight;
    // tree links, owned by entity_tree.h
    std::int32_t left = -1, right = -1, parent = -1;
    std::uint32_t priority = 0;
    std::uint64_t sequence = 0;     ///< insertion order; grows with every insert
    VDelta vlag;                    ///< while running: copy of the deadline at pick (protection marker), as VDelta bits
    Duration slice{};               ///< request
    std::uint32_t invWeight = 4194304;  ///< 2^32 / weight, kernel table or floor; or kNoInverse
    bool onRq = false, delayed = false;
    bool relDeadline = false;       ///< `deadline` holds d - v
    bool customSlice = false;
    bool idlePolicy = false;        ///< SCHED_IDLE
    bool relVruntime = false;       ///< CFS: `vruntime` holds v - min_vruntime (left its queue without sleeping)
    std::int32_t home = -1;         ///< queue (CPU) whose time line `vruntime` is on; -1 = never queued
    SimTime execStart = kNeverRan;
    Duration sumExec{}, prevSumExec{};

    static constexpr SimTime kNeverRan{-(std::int64_t{1} << 62)};  ///< exec_start 0: not cache hot, no sleep length
};

/// Tasks in a queue and in everything below it. Kept only when there are groups.
struct Subtree {
    std::int32_t nr = -1;           ///< incl. delayed; -1: no groups, the members are the tasks
    std::int32_t delayed = 0;       ///< h_nr_delayed, by the preset's DelayedCount rule
    std::int32_t idle = 0;          ///< of SCHED_IDLE
};

/// Fair queue of one CPU, or of one group on one CPU.
struct CfsRq {
    std::int32_t curr = -1;         ///< running entity of this queue (not in the tree), or -1
    std::int32_t root = -1;         ///< tree of the queued others
    std::int32_t next = -1, last = -1, skip = -1;  ///< buddies
    std::int32_t nr = 0;            ///< members incl. curr and delayed
    std::int32_t nrDelayed = 0;
    std::int32_t nrIdle = 0;        ///< members of SCHED_IDLE
    std::int32_t nrCustom = 0;      ///< members whose request is not the default
    std::int32_t owner = -1;        ///< entity that stands for this queue one level up; -1 = root queue of its CPU
    std::int32_t above = -1;        ///< queue the owner is a member of: index of State::groupQueues, or ~CPU = root
    Subtree below;
    std::int64_t load = 0;          ///< sum of full weights of members
    VTime v0{static_cast<std::uint64_t>(-(std::int64_t{1} << 20))};  ///< min_vruntime / zero_vruntime
    std::int64_t sumAvg = 0;        ///< sum s(w)(v - v0) over the tree
    std::int64_t sumWeight = 0;     ///< sum s(w) over the tree
    std::uint64_t nextSequence = 1;
};

/// rq of one CPU.
struct Rq {
    CfsRq cfs;
    TaskId curr;                    ///< none = idle task
    bool needResched = false;       ///< TIF_NEED_RESCHED of curr (or of the idle task)
    bool online = true;
    SimTime idleStamp{-1};          ///< -1 = not set
    Duration avgIdle{1000000}, maxIdleBalanceCost{500000};
    std::vector<Duration> maxNewidleCost;  ///< per domain of this CPU
    std::vector<SimTime> lastDecay;
    /// rq->nr_running: includes delayed tasks.
    std::int32_t nrRunning() const { return cfs.below.nr < 0 ? cfs.nr : cfs.below.nr; }
    /// Of these, tasks that only pay off debt (h_nr_delayed).
    std::int32_t nrDelayed() const { return cfs.below.nr < 0 ? cfs.nrDelayed : cfs.below.delayed; }
    std::int32_t nrIdlePolicy() const { return cfs.below.nr < 0 ? cfs.nrIdle : cfs.below.idle; }
    bool idle() const { return !curr && cfs.nr == 0; }
};

struct Task {
    TaskState state = TaskState::New;
    TaskPolicy policy = TaskPolicy::Normal;
    std::int8_t nice = 0;
    bool onCpu = false;             ///< between context switch in and out
    CpuId cpu, recentUsedCpu;
    MaskId allowed;
    std::int32_t nrAllowed = 0;
    std::int32_t mm = 0;            ///< address space
    GroupId group{0};
    TaskId lastWakee;
    std::int32_t wakeeFlips = 0;
    SimTime wakeeFlipDecay{};
    // SHARED_RUNQ list node
    ShardId shard;                  ///< linked in this shard, or none
    TaskId shardPrev, shardNext;
};

/// One SHARED_RUNQ shard: FIFO of tasks; its lock is LockClass::Shard, instance = shard index.
struct Shard {
    TaskId head, tail;
    std::int32_t length = 0;
    LlcId llc;
};

/// Load of a group's queue on one CPU.
struct GroupLoad {
    PeltAvg average;
    pelt::Removed removed;
    std::int64_t owed = 0;          ///< change the level above has not seen yet
    Contribution contribution;      ///< what TaskGroup::loadAvg contains of this queue
};

/// A task group besides the root. What it is on each CPU: State::groupQueues.
struct TaskGroup {
    GroupId parent{0};
    Weight shares = kNice0Weight;   ///< full resolution
    std::int64_t loadAvg = 0;       ///< tg->load_avg
};

struct State {
    std::shared_ptr<const machine::Hardware> hw;
    KernelConfig kernel;
    RuleOverrides rules;            ///< broken on purpose by sabotage tests
    std::vector<Entity> entities;   ///< by TaskId, then by queue of groupQueues
    std::vector<Task> tasks;        ///< by TaskId
    std::vector<Rq> rqs;            ///< by CpuId
    std::vector<TaskGroup> groups;      ///< by GroupId; empty = no groups ([0] is the root's place)
    std::vector<CfsRq> groupQueues; ///< of group g > 0 on CPU c: (g - 1) * CPUs + c
    std::vector<GroupLoad> groupLoads;  ///< by index of groupQueues
    std::vector<PeltAvg> entityLoads;   ///< by index of entities; empty without groups
    std::vector<CpuMask> masks;     ///< interned affinity masks; mask 0 = all CPUs
    std::vector<Shard> shards;
    std::vector<ShardId> shardOfCpu;
    std::vector<std::uint8_t> hasIdleCores;   ///< per LLC
    SimTime nextIdleUpdate{};       ///< load of groups on idle CPUs is aged no earlier
    bool overload = false;          ///< root domain

    Entity& entity(TaskId t) { return entities[t.index()]; }
    const Entity& entity(TaskId t) const { return entities[t.index()]; }
    Task& task(TaskId t) { return tasks[t.index()]; }
    const Task& task(TaskId t) const { return tasks[t.index()]; }
    Rq& rq(CpuId c) { return rqs[c.index()]; }
    const Rq& rq(CpuId c) const { return rqs[c.index()]; }
    bool allowedOn(TaskId t, CpuId c) const { return masks[task(t).allowed.index()].test(c); }
    bool on(Feature f) const { return kernel.on(f); }
    bool grouped() const { return !groups.empty(); }
};

/// Empty machine: rqs, masks[0] = all, shards laid out, kernel config stored.
State makeState(std::shared_ptr<const machine::Hardware> hw, KernelConfig kernel);
/// Interns a mask.
MaskId internMask(State& s, const CpuMask& m);
/// Adds a task in state New with nice, policy and affinity (spec: eevdf 1.1, 1.4). slice 0 = default.
TaskId addTask(State& s, int nice, TaskPolicy policy, MaskId allowed, int mm, Duration slice);

} // namespace rqs::sched
