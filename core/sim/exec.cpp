// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sim/exec.h"

#include "core/sched/newidle.h"
#include "core/sched/shared_runq.h"

namespace rqs::sim {

using machine::Context;
using machine::Cost;
using machine::CpuState;

Decision* Exec::ask(Question q, TaskId t, CpuId c) {
    if (!scratch) return nullptr;
    scratch->question = q;
    scratch->task = t;
    scratch->cpu = c;
    scratch->outcome = -1;
    scratch->function = "";
    scratch->count = scratch->omitted = 0;
    return scratch;
}

void Exec::answer(Decision* d, std::int32_t outcome) {
    if (!d) return;
    d->outcome = outcome;
    sink->onDecision(w.now, *d);
}

void Exec::push(CpuId c, Path kind, std::uint8_t flags, std::int32_t a) {
    Context ctx;
    ctx.kind = static_cast<std::uint8_t>(kind);
    ctx.flags = flags;
    ctx.a = a;
    w.stacks[static_cast<std::size_t>(w.cpus[c.index()].stack)].push(ctx);
}

bool Exec::take(CpuId c, Context& ctx, LockId l, CallSite site) {
    const CpuId last = w.locks.lock(l).lastOwner;
    if (w.locks.acquire(l, c, site, w.now, sink)) {
        if (last && last != c) ctx.remain += w.costs.line(w.hw->topology.distance(last, c)).ns * 1024;
        return true;
    }
    machine::Cpu& cpu = w.cpus[c.index()];
    cpu.state = CpuState::Spinning;
    cpu.spinLock = l;
    cpu.since = w.now;
    w.completions.clear(static_cast<std::uint32_t>(c.v));
    return false;
}

void Exec::give(CpuId c, LockId l) {
    const machine::Handover h = w.locks.release(l, c, w.now, sink);
    if (!h.to) return;
    // A pending waiter sees the lock word after one line transfer; an MCS head's node must be written too.
    const Duration line = w.costs.line(w.hw->topology.distance(c, h.to));
    settle(w, h.to);
    w.cpus[h.to.index()].state = CpuState::Granting;
    w.completions.set(static_cast<std::uint32_t>(h.to.v), w.now + (h.pending ? line : line * 2));
}

bool Exec::resched(CpuId target, CpuId from) {
    sched::Rq& rq = w.sched.rq(target);
    if (rq.needResched) return false;
    rq.needResched = true;
    emit(ReschedRecord{target, rq.curr, target != from});
    if (target == from) return false;
    w.messages.set(static_cast<std::uint32_t>(target.v), w.now + cost(Cost::IpiDelivery));
    return true;
}

void Exec::countMigration(TaskId t, CpuId from, CpuId to, MoveReason reason) {
    const Distance d = w.hw->topology.distance(from, to);
    ++w.counters.migrations[static_cast<std::size_t>(d)];
    w.fingerprint.add(static_cast<std::uint64_t>(t.v) << 32 | static_cast<std::uint32_t>(to.v));
    emit(MigrateRecord{t, from, to, reason, d});
}

void Exec::activate(CpuId c, TaskId t, CpuId to, sched::EnqueueKind kind, MoveReason reason) {
    sched::Task& task = w.sched.task(t);
    const CpuId from = task.cpu;
    if (from && from != to) countMigration(t, from, to, reason);
    Decision* why = ask(Question::Placement, t, to);
    if (sched::enqueueTask(w.sched, to, t, kind, w.now, why)) resched(to, c);
    answer(why, t.v);
    task.cpu = to;
    if (!w.sched.entity(t).delayed) task.state = sched::TaskState::Running;  // a pulled delayed task sleeps on
    sched::noteEnqueue(w.sched, to);
    emit(EnqueueRecord{t, to, w.sched.rq(to).nrRunning()});
}

void Exec::shardPush(CpuId c, TaskId t, CpuId queueOf) {
    const ShardId s = w.sched.shardOfCpu[queueOf.index()];
    if (sched::shardPush(w.sched, t, queueOf)) emit(ShardRecord{ShardOp::Push, s, t, c});
    else emit(AnomalyRecord{AnomalyKind::ListCorruption, queueOf, t, s.v});
}

void Exec::shardErase(CpuId c, TaskId t) {
    const ShardId s = w.sched.task(t).shard;
    if (!s) return;
    sched::shardErase(w.sched, t);
    emit(ShardRecord{ShardOp::Erase, s, t, c});
}

} // namespace rqs::sim
