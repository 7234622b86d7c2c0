// SPDX-License-Identifier: GPL-3.0-or-later
// Tools every kernel path uses while a CPU executes: spending time, taking and giving locks, asking for a
// reschedule, raising interrupts, reporting. Short-lived; the World stays a plain value.
#pragma once
#include "core/sched/fair.h"
#include "core/sim/world.h"

namespace rqs::sim {

/// Context kinds; the dispatcher's one switch.
enum class Path : std::uint8_t { Idle, Program, Wake, Schedule, Interrupt };

/// What a context says after an execute() call.
enum class Act : std::uint8_t {
    Again,  ///< execute whatever is on top now
    Spend,  ///< ctx.remain was raised; work it off in ctx.mode
    Spin,   ///< waits for a lock
    Halt,   ///< idle until an interrupt
    Done    ///< pop this context
};

/// Interrupt sources, bits of Cpu::pendingIrqs.
enum Irq : std::uint8_t { kIrqTick = 1, kIrqTimer = 2, kIrqResched = 4 };

/// Reasons a Schedule context was entered with; bits of Context::flags.
enum ScheduleFlag : std::uint8_t {
    kPreempt = 1,      ///< prev stays runnable
    kYield = 2,
    kDeactivated = 4,  ///< prev left the queue
    kBalanced = 8      ///< newidle was tried
};
/// Flags of a Wake context.
enum WakeFlag : std::uint8_t {
    kSync = 1,
    kFromInterrupt = 2,  ///< tasks come from the CPU's expired timers
    kFork = 4,           ///< one new task: Context::a
    kNewTask = 8         ///< set while waking: first activation of the task
};

struct Exec {
    World& w;
    RecordSink* sink;
    Decision* scratch;  ///< non-null when decisions are wanted

    template<class R>
    void emit(const R& r) {
        if (sink) sink->on(w.now, Record(r));
    }
    /// Fresh decision to fill, or nullptr.
    Decision* ask(Question q, TaskId t, CpuId c);
    void answer(Decision* d, std::int32_t outcome);

    machine::Context& top(CpuId c) { return w.stacks[static_cast<std::size_t>(w.cpus[c.index()].stack)].top(); }
    void push(CpuId c, Path kind, std::uint8_t flags = 0, std::int32_t a = -1);
    Act spend(machine::Context& ctx, Duration d, CpuMode mode) {
        ctx.remain += d.ns * 1024;
        ctx.mode = mode;
        return Act::Spend;
    }
    Duration cost(machine::Cost c) const { return w.costs[c]; }

    /// Takes `l` for the CPU; on success the line's transfer cost is added to the context's next spend.
    bool take(CpuId c, machine::Context& ctx, LockId l, CallSite site);
    Act takeThen(CpuId c, machine::Context& ctx, LockId l, CallSite site, std::uint8_t pc) {
        ctx.pc = pc;
        return take(c, ctx, l, site) ? Act::Again : Act::Spin;
    }
    void give(CpuId c, LockId l);
    LockId rqLock(CpuId c) const { return w.rqLock[c.index()]; }
    LockId piLock(TaskId t) const { return w.piLock[t.index()]; }
    LockId shardLock(ShardId s) const { return w.shardLock[s.index()]; }

    /// resched_curr(target) from CPU `from`; true if an IPI had to be sent.
    bool resched(CpuId target, CpuId from);
    /// Joins the queue of `to` (its rq lock is held): enqueue, migration bookkeeping, records.
    void activate(CpuId c, TaskId t, CpuId to, sched::EnqueueKind kind, MoveReason reason);
    /// Pushes to / unlinks from a shard (its lock is held), with records and the corruption check.
    void shardPush(CpuId c, TaskId t, CpuId queueOf);
    void shardErase(CpuId c, TaskId t);
    void countMigration(TaskId t, CpuId from, CpuId to, MoveReason reason);
};

/// Flag of an Interrupt context: it woke the CPU from its idle state, whose exit must be paid.
inline constexpr std::uint8_t kFromIdle = 1;
/// Where the stacks of a new World begin: idle tasks halted, tasks in finish_task_switch.
inline constexpr std::uint8_t kIdleHalted = 1, kScheduleTail = 10;

Act executeIdle(Exec& x, CpuId c, machine::Context& ctx);
Act executeProgram(Exec& x, CpuId c, machine::Context& ctx);
Act executeWake(Exec& x, CpuId c, machine::Context& ctx);
Act executeSchedule(Exec& x, CpuId c, machine::Context& ctx);
Act executeInterrupt(Exec& x, CpuId c, machine::Context& ctx);

/// newidle_balance runs inside a Schedule context: program counters from kNewidle on. It returns to
/// kSchedulePick with the own rq lock held and kBalanced set.
inline constexpr std::uint8_t kSchedulePick = 2, kNewidle = 32;
Act executeNewidle(Exec& x, CpuId c, machine::Context& ctx);

/// Charges time since the last look to the CPU's mode and its work.
void settle(World& w, CpuId c);
/// Leaves the halted state (and slows the siblings).
void leaveHalt(World& w, CpuId c);
/// Next instant of the CPU's tick grid after now.
SimTime nextTick(const World& w, CpuId c);

} // namespace rqs::sim
