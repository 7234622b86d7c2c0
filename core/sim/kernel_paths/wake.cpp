// SPDX-License-Identifier: GPL-3.0-or-later
// try_to_wake_up and wake_up_new_task, one task after another, in the order of locks and checks of
// behavioural spec wakeup_balance 2.2. Runs with interrupts off while it holds a lock.
#include "core/sched/fair.h"
#include "core/sched/newidle.h"
#include "core/sched/shared_runq.h"
#include "core/sched/wakeup.h"
#include "core/sim/exec.h"

namespace rqs::sim {

using machine::Context;
using machine::Cost;
using sched::TaskState;

namespace {

enum Pc : std::uint8_t { kNext, kPiHeld, kRunnableHeld, kRunnableDone, kSelected, kRqHeld, kShardHeld, kShardDone,
                         kPreemptCheck, kFinish };

/// Next task this context has to wake; none when done.
TaskId nextTask(World& w, CpuId c, const Context& ctx) {
    if (ctx.flags & kFork) return TaskId(ctx.c);
    if (!(ctx.flags & kFromInterrupt)) return workload::popWake(w.work, TaskId(ctx.a));
    machine::Cpu& cpu = w.cpus[c.index()];
    const TaskId t = cpu.expiredHead;
    if (t) {
        cpu.expiredHead = w.tasks[t.index()].nextExpired;
        if (!cpu.expiredHead) cpu.expiredTail = {};
        w.tasks[t.index()].nextExpired = {};
    }
    return t;
}

void record(Exec& x, const Context& ctx, CpuId c, TaskId t, CpuId prev, bool requeued) {
    ++x.w.counters.wakeups;
    const TaskId waker = ctx.flags & kFromInterrupt ? TaskId{} : x.w.sched.rq(c).curr;
    x.emit(WakeRecord{t, waker, c, prev, x.w.sched.task(t).cpu, (ctx.flags & kSync) != 0, requeued});
}

/// check_preempt: may `t`, now queued on `target`, run at once? True if an IPI was sent.
bool preemptCheck(Exec& x, CpuId c, CpuId target, TaskId t, bool fork) {
    World& w = x.w;
    if (!w.sched.rq(target).curr) return x.resched(target, c);
    Decision* why = x.ask(Question::Preempt, t, target);
    const bool yes = sched::wakeupPreempt(w.sched, target, t, fork, w.now, why);
    x.answer(why, yes ? 1 : 0);
    return yes && x.resched(target, c);
}

CpuId select(Exec& x, CpuId c, Context& ctx, TaskId t, bool first) {
    World& w = x.w;
    Decision* why = x.ask(Question::WhichCpu, t, c);
    sched::Placement p;
    if (first && !w.tasks[t.index()].exactStart) {
        p = sched::selectForkRq(w.sched, t, c, why);
    } else {
        const TaskId waker = ctx.flags & kFromInterrupt ? TaskId{} : w.sched.rq(c).curr;
        p = sched::selectTaskRq(w.sched, {t, waker, c, (ctx.flags & kSync) != 0, w.now}, why);
    }
    x.answer(why, p.cpu.v);
    ctx.remain += (x.cost(Cost::WakeBase) + x.cost(Cost::WakeScanPerCpu) * p.scanned).ns * 1024;
    return p.cpu;
}

} // namespace

// Locals: a = waker (or the forked child until fetched), b = CPU whose rq is locked, c = task being woken,
// y = shard being pushed to.
Act executeWake(Exec& x, CpuId c, Context& ctx) {
    World& w = x.w;
    const TaskId t(ctx.c);
    switch (ctx.pc) {
    case kNext: {
        if ((ctx.flags & kFork) && ctx.a >= 0) {
            ctx.c = ctx.a;
            ctx.a = -1;
        } else if (ctx.flags & kFork) {
            return Act::Done;
        } else {
            const TaskId next = nextTask(w, c, ctx);
            if (!next) return Act::Done;
            ctx.c = next.v;
        }
        return x.takeThen(c, ctx, x.piLock(TaskId(ctx.c)), CallSite::TryToWakeUp, kPiHeld);
    }
    case kPiHeld: {
        const sched::Task& task = w.sched.task(t);
        if (task.state != TaskState::Sleeping && task.state != TaskState::New) {
            x.give(c, x.piLock(t));
            ctx.pc = kNext;
            return Act::Again;
        }
        if (w.sched.entity(t).onRq) {
            ctx.b = task.cpu.v;
            return x.takeThen(c, ctx, x.rqLock(task.cpu), CallSite::TtwuRunnable, kRunnableHeld);
        }
        const bool first = !w.tasks[t.index()].started;
        w.tasks[t.index()].started = true;
        w.sched.task(t).state = TaskState::Waking;
        // A task still switching out elsewhere is queued on that CPU without a choice.
        ctx.flags = static_cast<std::uint8_t>(first && !w.tasks[t.index()].exactStart ? ctx.flags | kNewTask : ctx.flags & ~kNewTask);
        if (task.onCpu) {
            ctx.b = task.cpu.v;
            ctx.remain += x.cost(Cost::WakeBase).ns * 1024;
        } else {
            ctx.b = select(x, c, ctx, t, first).v;
        }
        ctx.pc = kSelected;
        ctx.mode = CpuMode::IrqOff;
        return Act::Spend;
    }
    case kRunnableHeld: {  // never finished leaving its queue (running towards schedule(), or delayed)
        const CpuId on(ctx.b);
        if (!w.sched.entity(t).onRq || w.sched.task(t).cpu != on) {  // left while we waited: look again
            x.give(c, x.rqLock(on));
            ctx.pc = kPiHeld;
            return Act::Again;
        }
        bool ipi = false;
        if (w.sched.entity(t).delayed) {
            if (sched::requeueDelayed(w.sched, on, t, w.now)) ipi = x.resched(on, c);
            if (w.sched.rq(on).curr != t) ipi = preemptCheck(x, c, on, t, false) || ipi;
        }
        w.sched.task(t).state = TaskState::Running;
        record(x, ctx, c, t, on, true);
        ctx.pc = kFinish;
        return x.spend(ctx, x.cost(Cost::EnqueueLocked) / 2 + (ipi ? x.cost(Cost::IpiSend) : Duration{}), CpuMode::IrqOff);
    }
    case kSelected: return x.takeThen(c, ctx, x.rqLock(CpuId(ctx.b)), CallSite::TryToWakeUp, kRqHeld);
    case kRqHeld: {
        const CpuId target(ctx.b);
        const CpuId prev = w.sched.task(t).cpu;
        const bool fork = (ctx.flags & kNewTask) != 0;
        x.activate(c, t, target, fork ? sched::EnqueueKind::Fork : sched::EnqueueKind::Wakeup,
                   fork ? MoveReason::Fork : MoveReason::Wakeup);
        sched::sampleAvgIdle(w.sched, target, w.now);
        record(x, ctx, c, t, prev ? prev : target, false);
        if (sched::wantsShard(w.sched, t)) {
            ctx.y = w.sched.shardOfCpu[target.index()].v;
            return x.takeThen(c, ctx, x.shardLock(ShardId(static_cast<std::int32_t>(ctx.y))), CallSite::EnqueueEntity, kShardHeld);
        }
        ctx.pc = kPreemptCheck;
        return Act::Again;
    }
    case kShardHeld: {
        x.shardPush(c, t, CpuId(ctx.b));
        ctx.pc = kShardDone;
        return x.spend(ctx, x.cost(Cost::ShardHold), CpuMode::IrqOff);
    }
    case kShardDone:
        x.give(c, x.shardLock(ShardId(static_cast<std::int32_t>(ctx.y))));
        ctx.pc = kPreemptCheck;
        return Act::Again;
    case kPreemptCheck: {
        const bool ipi = preemptCheck(x, c, CpuId(ctx.b), t, (ctx.flags & kNewTask) != 0);
        ctx.pc = kFinish;
        return x.spend(ctx, x.cost(Cost::EnqueueLocked) + (ipi ? x.cost(Cost::IpiSend) : Duration{}), CpuMode::IrqOff);
    }
    case kFinish:
        x.give(c, x.rqLock(CpuId(ctx.b)));
        x.give(c, x.piLock(t));
        ctx.pc = kNext;
        // P3: the unlock re-enables preemption, which only a full-preemption kernel acts on.
        if (w.sched.kernel.preemption == sched::Preemption::Full && !(ctx.flags & kFromInterrupt) &&
            w.sched.rq(c).needResched)
            x.push(c, Path::Schedule, kPreempt);
        return Act::Again;
    }
    return Act::Done;
}

} // namespace rqs::sim
