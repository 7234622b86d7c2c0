// SPDX-License-Identifier: GPL-3.0-or-later
// The fair class: tasks and CPUs on the outside, one of the two policies on queues inside.
#include "core/sched/fair.h"

#include "core/sched/cfs.h"
#include "core/sched/eevdf.h"
#include "core/sched/queue.h"

namespace rqs::sched {
namespace {

bool isCfs(const State& s) { return s.kernel.preset->policy == Policy::Cfs; }

void open(Decision* why, Question question, TaskId task, CpuId c, const char* function) {
    if (!why) return;
    why->question = question;
    why->task = task;
    why->cpu = c;
    why->function = function;
}
bool answer(Decision* why, bool yes) {
    if (why) why->outcome = yes ? 1 : 0;
    return yes;
}

/// Brings the vruntime of a CFS task that comes from another queue, or from none, onto the scale of `c`.
void cfsArrive(State& s, CpuId c, TaskId t, EnqueueKind kind, SimTime now) {
    Entity& e = s.entity(t);
    if (e.relVruntime) return;
    if (e.home < 0) {
        if (kind == EnqueueKind::Fork)
            cfs::fork(s, s.rq(c).cfs, t.v, now);
        else
            e.vruntime = s.rq(c).cfs.v0;
    } else if (e.home != c.v) { // a sleeper is woken elsewhere: migrate_task_rq_fair
        e.vruntime = {static_cast<std::uint64_t>((e.vruntime - s.rq(CpuId(e.home)).cfs.v0).v)};
        e.relVruntime = true;
    }
}

/// Verdict of the tests by policy that come before any comparison of virtual times.
enum class ByPolicy : std::uint8_t { Compare, Never, Always };
ByPolicy preemptsByPolicy(const State& s, TaskId curr, TaskId wakee) {
    const bool currIdle = s.entity(curr).idlePolicy, wakeeIdle = s.entity(wakee).idlePolicy;
    if (currIdle && !wakeeIdle) return ByPolicy::Always;
    if (currIdle != wakeeIdle || s.task(wakee).policy != TaskPolicy::Normal) return ByPolicy::Never;
    return ByPolicy::Compare;
}

bool eevdfPreempts(State& s, CpuId c, TaskId t, bool fork, SimTime now, Decision* why) {
    Rq& rq = s.rq(c);
    CfsRq& q = rq.cfs;
    const TaskId curr(q.curr);
    if (s.on(Feature::NEXT_BUDDY) && !fork && !s.entity(t).delayed) setBuddy(s, q.next, t.v);
    if (rq.needResched || !s.on(Feature::WAKEUP_PREEMPTION)) return false;
    switch (preemptsByPolicy(s, curr, t)) {
    case ByPolicy::Never: return false;
    case ByPolicy::Always:
        if (s.kernel.preset->idleLosesProtection && eevdf::markerIntact(s.entity(curr)))
            s.entity(curr).vlag = s.entity(curr).vlag + VDelta{1};
        return true;
    case ByPolicy::Compare: break;
    }
    return eevdf::wakeupPreempts(s, q, t.v, now, why);
}

bool cfsPreempts(State& s, CpuId c, TaskId t, bool fork, SimTime now, Decision* why) {
    Rq& rq = s.rq(c);
    CfsRq& q = rq.cfs;
    const bool marked = s.on(Feature::NEXT_BUDDY) && cfs::crowded(s, q) && !fork;
    if (marked) setBuddy(s, q.next, t.v);
    if (rq.needResched) return false;
    switch (preemptsByPolicy(s, TaskId(q.curr), t)) {
    case ByPolicy::Never: return false;
    case ByPolicy::Always: break;
    case ByPolicy::Compare:
        if (!s.on(Feature::WAKEUP_PREEMPTION) || !cfs::wakeupPreempts(s, q, t.v, marked, now, why))
            return false;
    }
    cfs::rememberPreempted(s, q);
    return true;
}

} // namespace

bool updateCurr(State& s, CpuId c, SimTime now) {
    if (!isCfs(s)) return eevdf::updateCurr(s, s.rq(c).cfs, now);
    cfs::updateCurr(s, s.rq(c).cfs, now);
    return false;
}

bool enqueueTask(State& s, CpuId c, TaskId t, EnqueueKind kind, SimTime now, Decision* why) {
    open(why, Question::Placement, t, c, "place_entity");
    Entity& e = s.entity(t);
    CfsRq& q = s.rq(c).cfs;
    if (e.onRq) return false;
    if (kind == EnqueueKind::Wakeup || kind == EnqueueKind::Fork) e.delayed = false;
    bool asks = false;
    const bool cfs = isCfs(s);
    if (cfs) cfsArrive(s, c, t, kind, now);
    if (kind == EnqueueKind::Migrate || (e.home >= 0 && e.home != c.v)) e.execStart = Entity::kNeverRan;
    e.home = c.v;
    if (cfs)
        cfs::enqueue(s, q, t.v, kind == EnqueueKind::Wakeup, now, why);
    else
        asks = eevdf::enqueue(s, q, t.v, kind, now, why);
    if (why) why->outcome = t.v;
    return asks;
}

bool dequeueTask(State& s, CpuId c, TaskId t, DequeueKind kind, SimTime now, Decision* why, bool* asks) {
    open(why, Question::LeaveQueue, t, c, "dequeue_entity");
    CfsRq& q = s.rq(c).cfs;
    if (!s.entity(t).onRq) return answer(why, true);
    const bool exits = s.task(t).state == TaskState::Dead;
    if (isCfs(s)) {
        cfs::dequeue(s, q, t.v, kind == DequeueKind::Sleep || exits, kind == DequeueKind::Save && !exits,
                     now);
        return answer(why, true);
    }
    eevdf::Leave how = eevdf::Leave::Exit;
    if (!exits)
        how = kind == DequeueKind::Sleep     ? eevdf::Leave::Sleep
              : kind == DequeueKind::Migrate ? eevdf::Leave::Migrate
                                             : eevdf::Leave::Save;
    return answer(why, eevdf::dequeue(s, q, t.v, how, now, why, asks));
}

bool forkTask(State& s, CpuId parentCpu, TaskId child, SimTime now) {
    CfsRq& q = s.rq(parentCpu).cfs;
    if (!isCfs(s)) return eevdf::updateCurr(s, q, now);
    if (s.entity(child).onRq) return false;
    cfs::fork(s, q, child.v, now);
    return false;
}

bool requeueDelayed(State& s, CpuId c, TaskId t, SimTime) {
    if (!isCfs(s) && s.entity(t).onRq) eevdf::requeueDelayed(s, s.rq(c).cfs, t.v);
    return false;
}

void putPrev(State& s, CpuId c, SimTime now) {
    if (isCfs(s))
        cfs::putPrev(s, s.rq(c).cfs, now);
    else
        eevdf::putPrev(s, s.rq(c).cfs, now);
}

TaskId pickNext(State& s, CpuId c, SimTime now, std::vector<TaskId>* dropped, Decision* why) {
    CfsRq& q = s.rq(c).cfs;
    const bool cfs = isCfs(s);
    open(why, Question::WhoRuns, TaskId(q.curr), c, cfs ? "pick_next_entity" : "pick_eevdf");
    std::int32_t chosen = -1;
    while (q.nr > 0) {
        if (currQueued(s, q)) updateCurr(s, c, now);
        chosen = cfs ? cfs::pick(s, q, why) : eevdf::pickNext(s, q, why);
        if (chosen < 0 || !at(s, chosen).delayed) break;
        eevdf::dequeue(s, q, chosen, eevdf::Leave::Picked, now);
        if (dropped) dropped->push_back(TaskId(chosen));
        chosen = -1;
    }
    if (why) why->outcome = chosen;
    return TaskId(chosen);
}

void setNext(State& s, CpuId c, TaskId t, SimTime now) {
    if (isCfs(s))
        cfs::setNext(s, s.rq(c).cfs, t.v, now);
    else
        eevdf::setNext(s, s.rq(c).cfs, t.v, now);
}

bool wakeupPreempt(State& s, CpuId c, TaskId t, bool fork, SimTime now, Decision* why) {
    const bool cfs = isCfs(s);
    open(why, Question::Preempt, t, c, cfs ? "check_preempt_wakeup" : "check_preempt_wakeup_fair");
    const std::int32_t curr = s.rq(c).cfs.curr;
    if (curr < 0) return answer(why, true); // the idle task always gives way
    if (curr == t.v || !s.entity(t).onRq) return answer(why, false);
    return answer(why, cfs ? cfsPreempts(s, c, t, fork, now, why) : eevdfPreempts(s, c, t, fork, now, why));
}

bool taskTick(State& s, CpuId c, SimTime now, Decision* why) {
    CfsRq& q = s.rq(c).cfs;
    const bool cfs = isCfs(s);
    open(why, Question::SliceEnd, TaskId(q.curr), c, cfs ? "check_preempt_tick" : "update_curr");
    return answer(why, cfs ? cfs::tick(s, q, now, why) : eevdf::tick(s, q, now, why));
}

void yieldTask(State& s, CpuId c, SimTime now) {
    CfsRq& q = s.rq(c).cfs;
    if (q.curr < 0) return;
    if (isCfs(s))
        cfs::yield(s, q, s.task(TaskId(q.curr)).policy == TaskPolicy::Batch, now);
    else
        eevdf::yield(s, q, now);
}

void setNice(State& s, TaskId t, int nice) {
    Entity& e = s.entity(t);
    if (e.onRq) return;
    Task& task = s.task(t);
    const Load load = loadOfNice(nice);
    task.nice = static_cast<std::int8_t>(nice < kMinNice ? kMinNice : nice > kMaxNice ? kMaxNice : nice);
    if (task.policy != TaskPolicy::Idle) eevdf::reweightOffQueue(s, e, load);
}

void tunablesChanged(State&) {}

int queuedInPickOrder(const State& s, CpuId c, TaskId* out, int max) {
    const CfsRq& q = s.rq(c).cfs;
    return isCfs(s) ? cfs::inPickOrder(s, q, out, max) : eevdf::inPickOrder(s, q, out, max);
}

VTime avgVruntime(const State& s, CpuId c) {
    const CfsRq& q = s.rq(c).cfs;
    return isCfs(s) ? q.v0 : eevdf::averageVruntime(s, q);
}

} // namespace rqs::sched
