// SPDX-License-Identifier: GPL-3.0-or-later
// __schedule: take the rq lock, let prev leave if it blocks, pick, switch stacks, release the lock in the next
// task's context. Shared-runqueue list work happens where the tree insert and erase are.
#include "core/sched/fair.h"
#include "core/sched/hierarchy.h"
#include "core/sched/shared_runq.h"
#include "core/sim/exec.h"

namespace rqs::sim {

using machine::Context;
using machine::Cost;
using sched::TaskState;

namespace {

enum Pc : std::uint8_t { kLock, kLocked, kPick = kSchedulePick, kPrevShardHeld, kPrevShardDone, kSetNext,
                         kNextShardHeld, kNextShardDone, kSwitch, kDoSwitch, kTail, kTailDone };
static_assert(kTail == kScheduleTail && kTailDone < kNewidle);

SwitchState prevState(const World& w, TaskId prev, std::uint8_t flags) {
    if (flags & kDeactivated)
        return w.sched.task(prev).state == TaskState::Dead ? SwitchState::Exited : SwitchState::Sleeping;
    return flags & kYield ? SwitchState::Yielded : SwitchState::Preempted;
}

/// prev blocks or exits: dequeue; a delayed one stays a member of the queue.
void deactivate(Exec& x, CpuId c, TaskId prev) {
    World& w = x.w;
    Decision* why = x.ask(Question::LeaveQueue, prev, c);
    const auto kind = w.sched.task(prev).state == TaskState::Dead ? sched::DequeueKind::Save : sched::DequeueKind::Sleep;
    const bool gone = sched::dequeueTask(w.sched, c, prev, kind, w.now, why);
    x.answer(why, gone ? 1 : 0);
    x.emit(DequeueRecord{prev, c, w.sched.rq(c).nrRunning(), true, !gone});
}

/// The stacks change: `prev` (none = idle) stops, `next` (none = idle) starts.
void switchTo(Exec& x, CpuId c, TaskId prev, TaskId next, std::uint8_t flags) {
    World& w = x.w;
    machine::Cpu& cpu = w.cpus[c.index()];
    sched::Rq& rq = w.sched.rq(c);
    x.emit(SwitchRecord{c, prev, next, prev ? prevState(w, prev, flags) : SwitchState::Preempted});
    ++w.counters.switches;
    ++cpu.switches;
    w.fingerprint.add(static_cast<std::uint64_t>(c.v) << 32 | static_cast<std::uint32_t>(next.v));
    bool sameMm = false;
    if (prev) w.sched.task(prev).onCpu = false;
    rq.curr = next;
    if (!next) {
        cpu.stack = c.v;
    } else {
        sched::Task& task = w.sched.task(next);
        TaskExec& te = w.tasks[next.index()];
        task.onCpu = true;
        if (te.lastRan && te.lastRan != c)
            te.refillDebt = w.costs.refill(w.hw->topology.distance(te.lastRan, c)).ns;
        te.lastRan = c;
        cpu.stack = static_cast<std::int32_t>(w.taskStack(next));
        sameMm = !prev || w.sched.task(prev).mm == task.mm;
    }
    if (!prev && next) {
        w.timers.set(static_cast<std::uint32_t>(c.v), nextTick(w, c));
        x.emit(IdleRecord{c, false});
    }
    Context& tail = x.top(c);
    const Duration whole = x.cost(sameMm || !next ? Cost::CtxSwitchSame : Cost::CtxSwitchOther);
    const Duration rest = whole - x.cost(Cost::CtxSwitchLocked);
    tail.x = rest.ns > 0 ? rest.ns : 0;
}

} // namespace

// Locals: a = next task, b = shard whose lock is held, c = pulled task, x = cost of the switch's second half.
Act executeSchedule(Exec& x, CpuId c, Context& ctx) {
    if (ctx.pc >= kNewidle) return executeNewidle(x, c, ctx);
    World& w = x.w;
    sched::Rq& rq = w.sched.rq(c);
    const TaskId prev = rq.curr;
    switch (ctx.pc) {
    case kLock: return x.takeThen(c, ctx, x.rqLock(c), CallSite::Schedule, kLocked);
    case kLocked:
        ctx.pc = kPick;
        if (!prev) return Act::Again;
        if (ctx.flags & kYield) sched::yieldTask(w.sched, c, w.now);
        if (w.sched.task(prev).state == TaskState::Running && !w.sched.allowedOn(prev, c)) {
            // Its mask excludes this CPU now: leave, and be woken at once to be placed elsewhere.
            w.sched.task(prev).state = TaskState::Sleeping;
            w.timers.set(static_cast<std::uint32_t>(w.cpuCount() + prev.v), w.now);
            ctx.flags = static_cast<std::uint8_t>(ctx.flags & ~kPreempt);
        }
        if (!(ctx.flags & kPreempt) && w.sched.task(prev).state != TaskState::Running) {
            deactivate(x, c, prev);
            sched::putBlocked(w.sched, c, w.now);
            ctx.flags |= kDeactivated;
            if (w.sched.entity(prev).delayed && sched::wantsShard(w.sched, prev)) {
                ctx.b = w.sched.shardOfCpu[c.index()].v;
                return x.takeThen(c, ctx, x.shardLock(ShardId(ctx.b)), CallSite::EnqueueEntity, kPrevShardHeld);
            }
            return x.spend(ctx, x.cost(Cost::EnqueueLocked), CpuMode::IrqOff);
        }
        return Act::Again;
    case kPick: {
        Decision* why = x.ask(Question::WhoRuns, prev, c);
        const TaskId next = sched::pickNext(w.sched, c, w.now, nullptr, why);
        if (!next && !(ctx.flags & kBalanced)) {
            ctx.pc = kNewidle;
            return Act::Again;
        }
        x.answer(why, next.v);
        ctx.a = next.v;
        rq.needResched = false;
        if (next && next == prev && sched::currTask(w.sched, c) == next) {  // keeps running: no put, no set
            ctx.pc = kTail;
            ctx.x = 0;
            return Act::Again;
        }
        ctx.pc = kSetNext;
        if (rq.cfs.curr >= 0) {
            sched::putPrev(w.sched, c, w.now, next);
            if (!(ctx.flags & kDeactivated) && w.sched.entity(prev).onRq && sched::wantsShard(w.sched, prev)) {
                ctx.b = w.sched.shardOfCpu[c.index()].v;
                return x.takeThen(c, ctx, x.shardLock(ShardId(ctx.b)), CallSite::EnqueueEntity, kPrevShardHeld);
            }
        }
        return Act::Again;
    }
    case kPrevShardHeld:
        x.shardPush(c, prev, c);
        ctx.pc = kPrevShardDone;
        return x.spend(ctx, x.cost(Cost::ShardHold), CpuMode::IrqOff);
    case kPrevShardDone:
        x.give(c, x.shardLock(ShardId(ctx.b)));
        ctx.pc = (ctx.flags & kDeactivated) ? kPick : kSetNext;
        return Act::Again;
    case kSetNext: {
        const TaskId next(ctx.a);
        ctx.pc = kSwitch;
        if (!next) return Act::Again;
        sched::setNext(w.sched, c, next, w.now);
        if (const ShardId s = w.sched.task(next).shard) {
            ctx.b = s.v;
            return x.takeThen(c, ctx, x.shardLock(s), CallSite::DequeueEntity, kNextShardHeld);
        }
        return Act::Again;
    }
    case kNextShardHeld:
        x.shardErase(c, TaskId(ctx.a));
        ctx.pc = kNextShardDone;
        return x.spend(ctx, x.cost(Cost::ShardHold), CpuMode::IrqOff);
    case kNextShardDone:
        x.give(c, x.shardLock(ShardId(ctx.b)));
        ctx.pc = kSwitch;
        return Act::Again;
    case kSwitch:
        if (TaskId(ctx.a) == prev) {  // picked again after having left (woken meanwhile), or idle stays idle
            ctx.pc = kTail;
            ctx.x = 0;
            return Act::Again;
        }
        ctx.pc = kDoSwitch;
        return x.spend(ctx, x.cost(Cost::CtxSwitchLocked), CpuMode::IrqOff);
    case kDoSwitch: {
        const TaskId next(ctx.a);
        ctx.pc = kTail;
        switchTo(x, c, prev, next, ctx.flags);
        return Act::Again;
    }
    case kTail:
        x.give(c, x.rqLock(c));
        ctx.pc = kTailDone;
        return x.spend(ctx, {ctx.x}, CpuMode::Kernel);
    case kTailDone:
        if (rq.needResched && prev) {  // asked again during the switch: once more round
            ctx.pc = kLock;
            ctx.flags = kPreempt;
            ctx.a = -1;
            return Act::Again;
        }
        return Act::Done;
    default: return Act::Done;
    }
}

} // namespace rqs::sim
