// SPDX-License-Identifier: GPL-3.0-or-later
// A task's own execution: user work and system calls, blocking, sleeping, and the return-to-user check (P1).
#include "core/sim/exec.h"

namespace rqs::sim {

using machine::Context;
using machine::Cost;
using workload::Effect;
using workload::OpKind;

namespace {

enum Pc : std::uint8_t { kBegin, kFinish, kAfterEffect, kAfterSleep, kReturnToUser };

/// Kernel time of one operation on this machine, without the wakeups it causes.
Duration kernelCost(const World& w, const workload::Begin& b) {
    auto c = [&](Cost k) { return w.costs[k]; };
    const Duration copy = {c(Cost::CopyPerKiB).ns * b.bytes / 1024};
    Duration d{b.ns};
    switch (b.op) {
    case OpKind::Syscall: return b.ns > 0 ? d : c(Cost::SyscallEmpty);
    case OpKind::PipeWrite: d += c(Cost::PipeWrite) + copy; break;
    case OpKind::PipeRead: d += c(Cost::PipeRead) + copy; break;
    case OpKind::UnixSend: d += c(Cost::UnixSend) + copy; break;
    case OpKind::UnixRecv: d += c(Cost::UnixRecv) + copy; break;
    case OpKind::FutexWait: d += c(Cost::FutexWait); break;
    case OpKind::FutexWake: d += c(Cost::FutexWake) + c(Cost::FutexWakePerTask) * b.wakes; break;
    case OpKind::Sleep: case OpKind::TimerWait: d += c(Cost::SleepCall); break;
    case OpKind::Yield: d += c(Cost::YieldCall); break;
    case OpKind::Fork: d += c(Cost::CloneThread); break;
    case OpKind::Exit: d += c(Cost::Exit); break;
    default: break;
    }
    // Woken inside the call: entry, checks and the first look were paid before it slept.
    return b.resumed ? d / 2 : d;
}

/// Cache refill after a migration: the task runs at half speed over the first 2x its cost, never beyond the burst.
Duration withRefill(TaskExec& t, Duration d) {
    const std::int64_t extra = t.refillDebt < d.ns ? t.refillDebt : d.ns;
    t.refillDebt -= extra;
    return {d.ns + extra};
}

/// The task's next operation, at its start; a killed task leaves instead.
Act beginNext(Exec& x, CpuId c, Context& ctx, TaskId t) {
    World& w = x.w;
    TaskExec& te = w.tasks[t.index()];
    if (te.killed) {
        if (workload::forget(w.work, t)) {  // a wakeup it was chosen for goes to the next in line
            x.push(c, Path::Wake, 0, t.v);
            return Act::Again;
        }
        w.sched.task(t).state = sched::TaskState::Dead;
        ctx.pc = kAfterSleep;
        --w.aliveTasks;
        x.push(c, Path::Schedule);
        return Act::Again;
    }
    const workload::Begin b = workload::begin(w.work, t, w.now);
    ctx.pc = kFinish;
    if (b.kind == workload::Begin::Kind::Exit) return x.spend(ctx, x.cost(Cost::Exit), CpuMode::Kernel);
    if (b.kind == workload::Begin::Kind::User) return x.spend(ctx, withRefill(te, {b.ns}), CpuMode::User);
    return x.spend(ctx, withRefill(te, kernelCost(w, b)), CpuMode::Kernel);
}

} // namespace

Act executeProgram(Exec& x, CpuId c, Context& ctx) {
    World& w = x.w;
    const TaskId t = w.sched.rq(c).curr;
    TaskExec& te = w.tasks[t.index()];
    switch (ctx.pc) {
    case kBegin: return beginNext(x, c, ctx, t);
    case kFinish: {
        if (te.killed) {  // a fatal signal is pending: the operation has no effect any more
            ctx.pc = kBegin;
            return Act::Again;
        }
        const bool user = ctx.mode == CpuMode::User;
        const Effect e = workload::finish(w.work, t, w.now);
        if (e.done > 0) x.emit(OpRecord{t, e.done});
        // Nothing to wake, nothing to wait for, nobody asks for the CPU (user work ends without a kernel entry).
        if (e.kind == Effect::Kind::Continue && !e.wakes && (user || !w.sched.rq(c).needResched))
            return beginNext(x, c, ctx, t);
        ctx.a = static_cast<std::int32_t>(e.kind);
        ctx.pc = kAfterEffect;
        switch (e.kind) {
        case Effect::Kind::Block: w.sched.task(t).state = sched::TaskState::Sleeping; break;
        case Effect::Kind::SleepUntil:
            w.sched.task(t).state = sched::TaskState::Sleeping;
            w.timers.set(static_cast<std::uint32_t>(w.cpuCount() + t.v), e.until > w.now ? e.until : w.now);
            break;
        case Effect::Kind::Exit: w.sched.task(t).state = sched::TaskState::Dead; --w.aliveTasks; break;
        case Effect::Kind::Continue: case Effect::Kind::Yield: break;
        case Effect::Kind::Fork:
            ++w.aliveTasks;
            if (sched::forkTask(w.sched, c, e.child, w.now)) x.resched(c, c);
            x.emit(ForkRecord{t, e.child, c});
            x.push(c, Path::Wake, kFork, e.child.v);
            return Act::Again;
        }
        if (e.wakes) x.push(c, Path::Wake, static_cast<std::uint8_t>(e.sync ? kSync : 0), t.v);
        return Act::Again;
    }
    case kAfterEffect:
        switch (static_cast<Effect::Kind>(ctx.a)) {
        case Effect::Kind::Block: case Effect::Kind::SleepUntil: case Effect::Kind::Exit:
            te.refillDebt = 0;
            ctx.pc = kAfterSleep;
            x.push(c, Path::Schedule);
            return Act::Again;
        case Effect::Kind::Yield:
            ctx.pc = kReturnToUser;
            x.push(c, Path::Schedule, kPreempt | kYield);
            return Act::Again;
        default: ctx.pc = kReturnToUser; return Act::Again;
        }
    case kAfterSleep:
    case kReturnToUser:  // P1: loop until no request is pending
        if (w.sched.rq(c).needResched) {
            x.push(c, Path::Schedule, kPreempt);
            return Act::Again;
        }
        ctx.pc = kBegin;
        return Act::Again;
    }
    return Act::Again;
}

} // namespace rqs::sim
