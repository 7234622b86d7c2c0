// SPDX-License-Identifier: GPL-3.0-or-later
// The fair class: tasks and CPUs on the outside, one of the two policies on queues inside.
#include "core/sched/fair.h"

#include "core/sched/cfs.h"
#include "core/sched/eevdf.h"
#include "core/sched/group_load.h"
#include "core/sched/group_walk.h"
#include "core/sched/hierarchy.h"

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

/// Brings the vruntime of a CFS task that comes from another queue, or from none, onto the scale of its queue
/// on `c`.
void cfsArrive(State& s, CpuId c, TaskId t, EnqueueKind kind, SimTime now) {
    Entity& e = s.entity(t);
    CfsRq& q = queueOf(s, t, c);
    if (e.relVruntime) return;
    if (e.home < 0) {
        if (kind == EnqueueKind::Fork)
            cfs::fork(s, q, t.v, now);
        else
            e.vruntime = q.v0;
    } else if (e.home != c.v) { // a sleeper is woken elsewhere: migrate_task_rq_fair
        e.vruntime = {static_cast<std::uint64_t>((e.vruntime - queueOf(s, t, CpuId(e.home)).v0).v)};
        e.relVruntime = true;
    }
}

/// Verdict of the tests by policy that come before any comparison of virtual times.
enum class ByPolicy : std::uint8_t { Compare, Never, Always };
ByPolicy preemptsByPolicy(const State& s, const Entity& curr, const Entity& wakee, TaskPolicy policy) {
    if (curr.idlePolicy && !wakee.idlePolicy) return ByPolicy::Always;
    if (curr.idlePolicy != wakee.idlePolicy || policy != TaskPolicy::Normal) return ByPolicy::Never;
    return s.on(Feature::WAKEUP_PREEMPTION) ? ByPolicy::Compare : ByPolicy::Never;
}

/// `mine` and `theirs` are the running task's and the wakee's level.
bool eevdfPreempts(State& s, CpuId c, Level mine, Level theirs, bool fork, SimTime now, Decision* why) {
    const TaskPolicy policy = s.task(TaskId(theirs.entity)).policy;
    if (s.on(Feature::NEXT_BUDDY) && !fork && !at(s, theirs.entity).delayed)
        setBuddy(s, theirs.queue, &CfsRq::next, theirs.entity);
    if (s.rq(c).needResched || !s.on(Feature::WAKEUP_PREEMPTION)) return false;
    toCommonQueue(s, mine, theirs);
    Entity& curr = at(s, mine.entity);
    switch (preemptsByPolicy(s, curr, at(s, theirs.entity), policy)) {
    case ByPolicy::Never: return false;
    case ByPolicy::Always:
        if (s.kernel.preset->idleLosesProtection && eevdf::markerIntact(curr))
            curr.vlag = curr.vlag + VDelta{1};
        return true;
    case ByPolicy::Compare: break;
    }
    return eevdf::wakeupPreempts(s, *theirs.queue, theirs.entity, now, why);
}

bool cfsPreempts(State& s, CpuId c, Level mine, Level theirs, bool fork, SimTime now, Decision* why) {
    const TaskPolicy policy = s.task(TaskId(theirs.entity)).policy;
    const bool crowded = cfs::crowded(s, *mine.queue);
    const bool marked = s.on(Feature::NEXT_BUDDY) && crowded && !fork;
    if (marked) setBuddy(s, theirs.queue, &CfsRq::next, theirs.entity);
    if (s.rq(c).needResched) return false;
    toCommonQueue(s, mine, theirs);
    switch (preemptsByPolicy(s, at(s, mine.entity), at(s, theirs.entity), policy)) {
    case ByPolicy::Never: return false;
    case ByPolicy::Always: break;
    case ByPolicy::Compare:
        if (!cfs::wakeupPreempts(s, *theirs.queue, theirs.entity, marked, now, why)) return false;
    }
    if (s.on(Feature::LAST_BUDDY) && crowded && !isGroup(s, mine.entity))
        setBuddy(s, mine.queue, &CfsRq::last, mine.entity);
    return true;
}

bool chargeQueue(State& s, CfsRq& q, SimTime now) {
    if (!isCfs(s)) return eevdf::updateCurr(s, q, now);
    cfs::updateCurr(s, q, now);
    return false;
}

walk::Counts countsOf(const State& s, TaskId t, std::int32_t sign) {
    const Entity& e = s.entity(t);
    return {sign, e.delayed ? sign : 0, e.idlePolicy ? sign : 0};
}

/// A delayed entity that was picked leaves for good.
void dropDelayed(State& s, Level l, SimTime now, std::vector<TaskId>* dropped) {
    if (isGroup(s, l.entity)) {
        walk::dropGroup(s, l, now);
        return;
    }
    const TaskId t(l.entity);
    const walk::Counts counts = countsOf(s, t, -1);
    if (s.grouped()) load::update(s, *l.queue, l.entity, now, load::WithTotal::Yes);
    eevdf::dequeue(s, *l.queue, l.entity, eevdf::Leave::Picked, now);
    if (s.grouped()) walk::left(s, l, counts, true, false, now);
    if (dropped) dropped->push_back(t);
}

} // namespace

bool updateCurr(State& s, CpuId c, SimTime now) {
    bool asks = false;
    for (CfsRq* q = &s.rq(c).cfs;; q = &inside(s, q->curr)) {
        asks |= chargeQueue(s, *q, now);
        if (q->curr < 0 || !isGroup(s, q->curr)) return asks;
    }
}

bool enqueueTask(State& s, CpuId c, TaskId t, EnqueueKind kind, SimTime now, Decision* why) {
    open(why, Question::Placement, t, c, "place_entity");
    Entity& e = s.entity(t);
    CfsRq& q = queueOf(s, t, c);
    if (e.onRq) return false;
    if (kind == EnqueueKind::Wakeup || kind == EnqueueKind::Fork) e.delayed = false;
    bool asks = false;
    const bool cfs = isCfs(s);
    if (cfs) cfsArrive(s, c, t, kind, now);
    if (kind == EnqueueKind::Migrate || (e.home >= 0 && e.home != c.v)) e.execStart = Entity::kNeverRan;
    if (s.grouped()) load::join(s, q, t, c, now);
    e.home = c.v;
    if (cfs)
        cfs::enqueue(s, q, t.v, kind == EnqueueKind::Wakeup, now, why);
    else
        asks = eevdf::enqueue(s, q, t.v, kind, now, why);
    if (s.grouped()) asks |= walk::joined(s, {&q, t.v}, countsOf(s, t, 1), now);
    if (why) why->outcome = t.v;
    return asks;
}

bool dequeueTask(State& s, CpuId c, TaskId t, DequeueKind kind, SimTime now, Decision* why, bool* asks) {
    open(why, Question::LeaveQueue, t, c, "dequeue_entity");
    if (!s.entity(t).onRq) return answer(why, true);
    CfsRq& q = queueOf(s, t, c);
    const bool exits = s.task(t).state == TaskState::Dead;
    const bool sleeps = kind == DequeueKind::Sleep || exits, saves = kind == DequeueKind::Save && !exits;
    const walk::Counts counts = countsOf(s, t, -1);
    const bool grouped = s.grouped();
    bool fresh = grouped;
    if (grouped && !sleeps && !saves)
        load::detach(s, q, t, now);
    else if (grouped)
        fresh = load::update(s, q, t.v, now, load::WithTotal::No);
    bool asked = false;
    if (isCfs(s)) {
        cfs::dequeue(s, q, t.v, sleeps, saves, now);
    } else {
        const eevdf::Leave how = exits    ? eevdf::Leave::Exit
                                 : sleeps ? eevdf::Leave::Sleep
                                 : saves  ? eevdf::Leave::Save
                                          : eevdf::Leave::Migrate;
        if (!eevdf::dequeue(s, q, t.v, how, now, why, &asked)) {
            if (grouped) walk::delayedChanged(s, {&q, t.v}, 1);
            if (asks) *asks = asked;
            return answer(why, false);
        }
    }
    if (grouped) {
        if (fresh) load::updateTotal(s, q, now);
        asked |= walk::left(s, {&q, t.v}, counts, sleeps, saves, now);
    }
    if (asks) *asks = asked;
    return answer(why, true);
}

bool forkTask(State& s, CpuId parentCpu, TaskId child, SimTime now) {
    CfsRq& q = queueOf(s, child, parentCpu);
    if (!isCfs(s)) return eevdf::updateCurr(s, q, now);
    if (s.entity(child).onRq) return false;
    cfs::fork(s, q, child.v, now);
    return false;
}

bool requeueDelayed(State& s, CpuId c, TaskId t, SimTime now) {
    if (isCfs(s) || !s.entity(t).onRq || !s.entity(t).delayed) return false;
    CfsRq& q = queueOf(s, t, c);
    eevdf::requeueDelayed(s, q, t.v);
    if (s.grouped()) {
        load::update(s, q, t.v, now, load::WithTotal::No);
        walk::delayedChanged(s, {&q, t.v}, -1);
    }
    return false;
}

void putBlocked(State& s, CpuId c, SimTime now) {
    if (!s.grouped()) putPrev(s, c, now);
}

void putPrev(State& s, CpuId c, SimTime now, TaskId next) {
    const TaskId prev = currTask(s, c);
    if (!prev) return;
    Level l{&queueOf(s, prev, c), prev.v};
    const CfsRq* last = nullptr;
    if (next) {
        Level mine = l, theirs{&queueOf(s, next, c), next.v};
        toCommonQueue(s, mine, theirs);
        last = mine.queue;
    }
    for (;;) {
        if (isCfs(s))
            cfs::putPrev(s, *l.queue, now);
        else
            eevdf::putPrev(s, *l.queue, now);
        if (s.grouped() && at(s, l.entity).onRq)
            load::update(s, *l.queue, l.entity, now, load::WithTotal::No);
        if (l.queue == last || !l.up(s)) return;
    }
}

TaskId pickNext(State& s, CpuId c, SimTime now, std::vector<TaskId>* dropped, Decision* why) {
    CfsRq* const root = &s.rq(c).cfs;
    const bool cfs = isCfs(s);
    open(why, Question::WhoRuns, currTask(s, c), c, cfs ? "pick_next_entity" : "pick_eevdf");
    std::int32_t chosen = -1;
    for (CfsRq* q = root; q->nr > 0;) {
        if (currQueued(s, *q)) chargeQueue(s, *q, now);
        chosen = cfs ? cfs::pick(s, *q, why) : eevdf::pickNext(s, *q, why);
        if (chosen < 0) break;
        if (at(s, chosen).delayed) {
            dropDelayed(s, {q, chosen}, now, dropped);
            chosen = -1;
            q = root;
        } else if (isGroup(s, chosen)) {
            q = &inside(s, chosen);
        } else {
            break;
        }
    }
    if (why) why->outcome = chosen;
    return TaskId(chosen);
}

void setNext(State& s, CpuId c, TaskId t, SimTime now) {
    Level l{&queueOf(s, t, c), t.v};
    do { // groups that were running already stay as they are
        if (isGroup(s, l.entity) && l.queue->curr == l.entity) return;
        if (s.grouped() && at(s, l.entity).onRq)
            load::update(s, *l.queue, l.entity, now, load::WithTotal::Yes);
        if (isCfs(s))
            cfs::setNext(s, *l.queue, l.entity, now);
        else
            eevdf::setNext(s, *l.queue, l.entity, now);
    } while (l.up(s));
}

bool wakeupPreempt(State& s, CpuId c, TaskId t, bool fork, SimTime now, Decision* why) {
    const bool cfs = isCfs(s);
    open(why, Question::Preempt, t, c, cfs ? "check_preempt_wakeup" : "check_preempt_wakeup_fair");
    const TaskId curr = currTask(s, c);
    if (!curr) return answer(why, true); // the idle task always gives way
    if (curr == t || !s.entity(t).onRq) return answer(why, false);
    const Level mine{&queueOf(s, curr, c), curr.v}, theirs{&queueOf(s, t, c), t.v};
    return answer(why, cfs ? cfsPreempts(s, c, mine, theirs, fork, now, why)
                           : eevdfPreempts(s, c, mine, theirs, fork, now, why));
}

bool taskTick(State& s, CpuId c, SimTime now, Decision* why) {
    const bool cfs = isCfs(s);
    const TaskId curr = currTask(s, c);
    open(why, Question::SliceEnd, curr, c, cfs ? "check_preempt_tick" : "update_curr");
    if (!curr) return answer(why, false);
    bool asks = false;
    Level l{&queueOf(s, curr, c), curr.v};
    do { // weights follow before CFS compares, after EEVDF has charged: entity_tick
        if (!s.grouped())
            return answer(why, cfs ? cfs::tick(s, *l.queue, now, why) : eevdf::tick(s, *l.queue, now, why));
        if (!cfs) asks |= eevdf::tick(s, *l.queue, now, why);
        if (cfs) cfs::updateCurr(s, *l.queue, now);
        load::update(s, *l.queue, l.entity, now, load::WithTotal::Yes);
        asks |= load::reweigh(s, *l.queue, l.entity, now);
        if (cfs) asks |= cfs::tick(s, *l.queue, now, why);
    } while (l.up(s));
    load::updateIdleCpus(s, now);
    return answer(why, asks);
}

void yieldTask(State& s, CpuId c, SimTime now) {
    const TaskId t = currTask(s, c);
    if (!t || s.rq(c).nrRunning() <= 1) return;
    CfsRq& q = queueOf(s, t, c);
    if (isCfs(s))
        cfs::yield(s, q, s.task(t).policy == TaskPolicy::Batch, now);
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

namespace {

int waiting(const State& s, const CfsRq& q, TaskId* out, int max) {
    const int n = isCfs(s) ? cfs::inPickOrder(s, q, out, max) : eevdf::inPickOrder(s, q, out, max);
    if (!s.grouped()) return n;
    std::vector<TaskId> members(out, out + n);
    if (q.curr >= 0 && isGroup(s, q.curr)) members.insert(members.begin(), TaskId(q.curr));
    int written = 0;
    for (const TaskId i : members) {
        if (written == max) break;
        if (isGroup(s, i.v))
            written += waiting(s, inside(s, i.v), out + written, max - written);
        else
            out[written++] = i;
    }
    return written;
}

} // namespace

int queuedInPickOrder(const State& s, CpuId c, TaskId* out, int max) {
    return waiting(s, s.rq(c).cfs, out, max);
}

VTime avgVruntime(const State& s, CpuId c) {
    const CfsRq& q = s.rq(c).cfs;
    return isCfs(s) ? q.v0 : eevdf::averageVruntime(s, q);
}

VTime avgVruntimeAround(const State& s, TaskId t, CpuId c) {
    const CfsRq& q = queueOf(s, t, c);
    return isCfs(s) ? q.v0 : eevdf::averageVruntime(s, q);
}

} // namespace rqs::sched
