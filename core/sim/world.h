// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the simulated machine is, as one copyable value: `World b = a;` is a checkpoint.
#pragma once
#include "core/engine/fingerprint.h"
#include "core/engine/indexed_heap.h"
#include "core/machine/execution.h"
#include "core/machine/locks.h"
#include "core/sched/state.h"
#include "core/workload/workload.h"

#include <memory>

namespace rqs::sim {

/// What the dispatcher keeps about a task beside sched and workload.
struct TaskExec {
    CpuId lastRan;               ///< CPU it last executed on
    std::int64_t refillDebt = 0; ///< ns of cache refill still to be paid
    SimTime releaseAt{};
    TaskId nextExpired;
    bool started = false;        ///< was activated once
    bool killed = false;
    bool exactStart = false;
};

struct Counters {
    std::uint64_t switches = 0, wakeups = 0;
    std::array<std::uint64_t, static_cast<std::size_t>(Distance::Count)> migrations{};
};

struct World {
    std::shared_ptr<const machine::Hardware> hw;
    machine::CostTable costs;
    sched::State sched;
    workload::State work;
    machine::LockTable locks;
    std::vector<machine::Cpu> cpus;
    std::vector<machine::Stack> stacks;   ///< idle tasks by CPU, then tasks
    std::vector<std::int32_t> busyThreads;///< per core; SharedStream: [0] = busy CPUs of the machine
    std::vector<TaskExec> tasks;
    engine::IndexedHeap completions;      ///< one per CPU: end of a spend, or arrival of a lock
    engine::IndexedHeap timers;           ///< ticks by CPU, then sleepers by task
    engine::IndexedHeap messages;         ///< reschedule IPIs in flight, by target CPU
    std::vector<LockId> rqLock, piLock, shardLock;
    SimTime now{};
    std::uint64_t steps = 0;
    std::uint64_t seed = 0;
    std::int64_t aliveTasks = 0;
    engine::Fingerprint fingerprint;
    Counters counters;

    int cpuCount() const { return static_cast<int>(cpus.size()); }
    std::size_t taskStack(TaskId t) const { return cpus.size() + t.index(); }
    /// Time of the next step, or never() when nothing will ever happen again.
    SimTime nextTime() const {
        const SimTime a = completions.topTime(), b = timers.topTime(), c = messages.topTime();
        const SimTime m = b < a ? b : a;
        return c < m ? c : m;
    }
};

/// A machine with its workload at time 0; nothing runs yet.
World makeWorld(std::shared_ptr<const machine::Hardware> hw, sched::KernelConfig kernel,
                const workload::Workload& workload, std::uint64_t seed);

} // namespace rqs::sim
