// SPDX-License-Identifier: GPL-3.0-or-later
// A CPU about to go idle looks for work: first the SHARED_RUNQ shards of its LLC (v3: before any gate), then
// newidle_balance inside the LLC. Behavioural spec wakeup_balance 3.1 and 4.2.
#include "core/sched/fair.h"
#include "core/sched/newidle.h"
#include "core/sched/shared_runq.h"
#include "core/sim/exec.h"

namespace rqs::sim {

using machine::Context;
using machine::Cost;

namespace {

enum Pc : std::uint8_t {
    kStart = kNewidle, kShard, kPopHeld, kPopDone, kPulledPi, kPulledRq, kPulledMoved, kOwnForPulled,
    kOwnShardHeld, kOwnShardDone, kPullFailed, kBalance, kLevel, kScanned, kBusiestHeld, kEraseHeld, kEraseDone,
    kDetached, kOwnForDetached, kBalanceEmpty
};

inline constexpr int kLevelBits = 8;  ///< Context::a while a shard lock is held: level, then shard

/// Back to the pick with the own rq lock held.
Act pickAgain(Context& ctx) {
    ctx.flags |= kBalanced;
    ctx.pc = kSchedulePick;
    ctx.a = -1;
    return Act::Again;
}

/// Newidle again next time the queue is empty: a failed or successful pull restarts the pick loop.
Act restart(Context& ctx) {
    pickAgain(ctx);
    ctx.flags = static_cast<std::uint8_t>(ctx.flags & ~kBalanced);
    return Act::Again;
}

/// Leaves the queue `from` for `to`, whose lock is not held yet.
void detach(Exec& x, TaskId t, CpuId from) {
    sched::dequeueTask(x.w.sched, from, t, sched::DequeueKind::Migrate, x.w.now);
    x.emit(DequeueRecord{t, from, x.w.sched.rq(from).nrRunning(), false, false});
}

} // namespace

// Locals: a = domain level (balance) or shard index (pull), b = shard or busiest CPU, c = task,
// x = time spent so far (balance), y = start of the level (balance).
Act executeNewidle(Exec& x, CpuId c, Context& ctx) {
    World& w = x.w;
    const TaskId t(ctx.c);
    switch (ctx.pc) {
    case kStart:
        ctx.a = 0;
        ctx.pc = w.sched.on(sched::Feature::SHARED_RUNQ) ? kShard : kBalance;
        return Act::Again;
    case kShard: {
        const int n = sched::shardCountOf(w.sched, c);
        for (; ctx.a < n; ++ctx.a) {
            const ShardId s = sched::pullOrder(w.sched, c, ctx.a);
            if (sched::shardEmpty(w.sched, s)) continue;
            ctx.b = s.v;
            return x.takeThen(c, ctx, x.shardLock(s), CallSite::SharedRunqPop, kPopHeld);
        }
        ctx.pc = kBalance;
        return Act::Again;
    }
    case kPopHeld: {
        const ShardId s(ctx.b);
        Decision* why = x.ask(Question::Pull, {}, c);
        const TaskId got = sched::shardPop(w.sched, s, c);
        if (why) {
            why->function = "shared_runq_pop_task";
            why->add(s.v, got ? Test::ShardHead : Test::HeadNotAllowed, got.valid(), got.v, w.sched.shards[s.index()].length);
        }
        x.answer(why, got.v);
        x.emit(ShardRecord{got ? ShardOp::Pop : ShardOp::PopBlocked, s, got, c});
        ctx.c = got.v;
        ctx.pc = kPopDone;
        return x.spend(ctx, x.cost(Cost::ShardHold), CpuMode::IrqOff);
    }
    case kPopDone:
        x.give(c, x.shardLock(ShardId(ctx.b)));
        if (!t) {
            ++ctx.a;
            ctx.pc = kShard;
            return Act::Again;
        }
        x.give(c, x.rqLock(c));
        return x.takeThen(c, ctx, x.piLock(t), CallSite::TaskRqLock, kPulledPi);
    case kPulledPi:
        ctx.b = w.sched.task(t).cpu.v;
        return x.takeThen(c, ctx, x.rqLock(CpuId(ctx.b)), CallSite::TaskRqLock, kPulledRq);
    case kPulledRq: {
        const CpuId from(ctx.b);
        if (w.sched.task(t).cpu != from) {  // moved while we waited: task_rq_lock tries again
            x.give(c, x.rqLock(from));
            ctx.pc = kPulledPi;
            return Act::Again;
        }
        const bool movable = w.sched.entity(t).onRq && !w.sched.task(t).onCpu && from != c;
        if (!movable) {
            x.give(c, x.rqLock(from));
            x.give(c, x.piLock(t));
            return x.takeThen(c, ctx, x.rqLock(c), CallSite::NewidleBalance, kPullFailed);
        }
        detach(x, t, from);
        ctx.pc = kPulledMoved;
        return x.spend(ctx, x.cost(Cost::EnqueueLocked), CpuMode::IrqOff);
    }
    case kPulledMoved:
        x.give(c, x.rqLock(CpuId(ctx.b)));
        return x.takeThen(c, ctx, x.rqLock(c), CallSite::NewidleBalance, kOwnForPulled);
    case kOwnForPulled:
        x.activate(c, t, c, sched::EnqueueKind::Migrate, MoveReason::SharedRunqPull);
        x.give(c, x.piLock(t));
        ctx.y = 0;
        if (sched::wantsShard(w.sched, t)) {
            ctx.b = w.sched.shardOfCpu[c.index()].v;
            return x.takeThen(c, ctx, x.shardLock(ShardId(ctx.b)), CallSite::EnqueueEntity, kOwnShardHeld);
        }
        x.spend(ctx, x.cost(Cost::EnqueueLocked), CpuMode::IrqOff);
        restart(ctx);
        return Act::Spend;
    case kOwnShardHeld:
        x.shardPush(c, t, c);
        ctx.pc = kOwnShardDone;
        return x.spend(ctx, x.cost(Cost::ShardHold), CpuMode::IrqOff);
    case kOwnShardDone:
        x.give(c, x.shardLock(ShardId(ctx.b)));
        x.spend(ctx, x.cost(Cost::EnqueueLocked), CpuMode::IrqOff);
        restart(ctx);
        return Act::Spend;
    case kPullFailed: return restart(ctx);  // result -1

    case kBalance: {
        Decision* why = x.ask(Question::Balance, {}, c);
        const bool go = sched::newidleBegin(w.sched, c, w.now, why);
        if (why && why->count > 0) x.answer(why, go ? 1 : 0);
        if (!go) return pickAgain(ctx);
        x.give(c, x.rqLock(c));
        ctx.a = 0;
        ctx.x = 0;
        ctx.pc = kLevel;
        return Act::Again;
    }
    case kLevel: {
        if (ctx.a >= sched::newidleLevels(w.sched, c) || w.sched.rq(c).nrRunning() > 0 ||
            !sched::newidleAffordable(w.sched, c, ctx.a, {ctx.x}))
            return x.takeThen(c, ctx, x.rqLock(c), CallSite::NewidleBalance, kBalanceEmpty);
        ctx.y = w.now.ns;
        int read = 0;
        Decision* why = x.ask(Question::Balance, {}, c);
        ctx.b = sched::newidleBusiest(w.sched, c, ctx.a, &read, why).v;
        x.answer(why, ctx.b);
        ctx.pc = kScanned;
        return x.spend(ctx, x.cost(Cost::RqStatRead) * read, CpuMode::Kernel);
    }
    case kScanned:
        if (ctx.b >= 0) return x.takeThen(c, ctx, x.rqLock(CpuId(ctx.b)), CallSite::DetachTasks, kBusiestHeld);
        ctx.c = -1;
        ctx.pc = kDetached;
        return Act::Again;
    case kBusiestHeld: {
        const CpuId busiest(ctx.b);
        const TaskId got = sched::newidleDetachable(w.sched, busiest, c, ctx.a, w.now);
        ctx.c = got.v;
        if (!got) {
            x.give(c, x.rqLock(busiest));
            ctx.pc = kDetached;
            return Act::Again;
        }
        if (const ShardId s = w.sched.task(got).shard) {
            ctx.a |= s.v << kLevelBits;
            return x.takeThen(c, ctx, x.shardLock(s), CallSite::DequeueEntity, kEraseHeld);
        }
        detach(x, got, busiest);
        ctx.pc = kEraseDone;
        return x.spend(ctx, x.cost(Cost::EnqueueLocked), CpuMode::IrqOff);
    }
    case kEraseHeld: {
        x.shardErase(c, t);  // nothing to do if another CPU popped it meanwhile
        x.give(c, x.shardLock(ShardId(ctx.a >> kLevelBits)));
        ctx.a &= (1 << kLevelBits) - 1;
        detach(x, t, CpuId(ctx.b));
        ctx.pc = kEraseDone;
        return x.spend(ctx, x.cost(Cost::ShardHold) + x.cost(Cost::EnqueueLocked), CpuMode::IrqOff);
    }
    case kEraseDone:
        x.give(c, x.rqLock(CpuId(ctx.b)));
        ctx.pc = kDetached;
        return Act::Again;
    case kDetached: {
        const Duration took = w.now - SimTime{ctx.y};
        sched::newidleCharge(w.sched, c, ctx.a, took, w.now);
        ctx.x += took.ns;
        x.emit(BalanceRecord{c, CpuId(ctx.b), ctx.a, t ? 1 : 0, t ? 1 : 0, true, took});
        if (t) return x.takeThen(c, ctx, x.rqLock(c), CallSite::AttachTasks, kOwnForDetached);
        ++ctx.a;
        ctx.pc = kLevel;
        return Act::Again;
    }
    case kOwnForDetached:
        x.activate(c, t, c, sched::EnqueueKind::Migrate, MoveReason::Newidle);
        sched::newidleEnd(w.sched, c, true, {ctx.x});
        ctx.flags |= kBalanced;
        if (sched::wantsShard(w.sched, t)) {
            ctx.b = w.sched.shardOfCpu[c.index()].v;
            return x.takeThen(c, ctx, x.shardLock(ShardId(ctx.b)), CallSite::EnqueueEntity, kOwnShardHeld);
        }
        x.spend(ctx, x.cost(Cost::EnqueueLocked), CpuMode::IrqOff);
        restart(ctx);
        return Act::Spend;
    case kBalanceEmpty: {
        const bool some = w.sched.rq(c).nrRunning() > 0;  // woken here meanwhile counts as pulled
        sched::newidleEnd(w.sched, c, some, {ctx.x});
        return pickAgain(ctx);
    }
    default: return Act::Done;
    }
}

} // namespace rqs::sim
