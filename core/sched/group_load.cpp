// SPDX-License-Identifier: GPL-3.0-or-later
// Who is told what, and when; the arithmetic is pelt.h's and group_shares.h's.
#include "core/sched/group_load.h"

#include "core/sched/group_shares.h"
#include "core/sched/hierarchy.h"
#include "core/sched/reweight.h"

namespace rqs::sched::load {
namespace {

/// Half-life of load: idle CPUs are looked at no more often (LOAD_AVG_PERIOD).
constexpr Duration kIdleUpdateInterval{32000000};

GroupLoad& loadOf(State& s, const CfsRq& q) {
    return s.groupLoads[static_cast<std::size_t>(q.owner) - s.tasks.size()];
}
PeltAvg& averageOf(State& s, std::int32_t entity) { return s.entityLoads[static_cast<std::size_t>(entity)]; }
TaskGroup& groupOf(State& s, const CfsRq& q) {
    return s.groups[(static_cast<std::size_t>(q.owner) - s.tasks.size()) / s.rqs.size() + 1];
}

/// Tasks of a queue that want to run; before 6.13 delayed ones counted.
std::int64_t runnable(const State& s, const CfsRq& q) {
    return q.below.nr - (s.kernel.preset->delayedCount == DelayedCount::None ? 0 : q.below.delayed);
}

bool updateQueue(State& s, const CfsRq& q, GroupLoad& l, SimTime now) {
    const bool some = l.removed.nr > 0;
    l.owed += pelt::settle(l.average, l.removed);
    return pelt::updateQueue(l.average, now, pelt::queueActivity(q.load, runnable(s, q), q.curr >= 0)) ||
           some;
}

} // namespace

bool update(State& s, CfsRq& q, std::int32_t i, SimTime now, WithTotal total) {
    if (q.owner < 0) return false;
    const Entity& e = at(s, i);
    PeltAvg& a = averageOf(s, i);
    GroupLoad& l = loadOf(s, q);
    const bool group = isGroup(s, i);
    if (a.attached()) {
        const std::int64_t wants = group ? runnable(s, inside(s, i)) : e.delayed ? 0 : 1;
        pelt::updateEntity(a, now, pelt::entityActivity(e.onRq, wants, q.curr == i), e.weight);
    }
    bool fresh = updateQueue(s, q, l, now);
    if (group) {
        if (!a.attached()) l.owed += pelt::attach(l.average, a, e.weight);
        const CfsRq& inner = inside(s, i);
        GroupLoad& below = loadOf(s, inner);
        fresh |= below.owed != 0;
        l.owed += below.owed;
        pelt::propagate(below.average, inner.load, below.owed, a, e.weight, l.average);
    }
    if (fresh && total == WithTotal::Yes) updateTotal(s, q, now);
    return fresh;
}

void join(State& s, CfsRq& q, TaskId t, CpuId c, SimTime now) {
    if (q.owner < 0) return;
    const Entity& e = s.entity(t);
    PeltAvg& a = averageOf(s, t.v);
    if (a.attached() && e.home >= 0 && e.home != c.v) { // woken elsewhere: its old queue finds out later
        GroupLoad& old = loadOf(s, queueOf(s, t, CpuId(e.home)));
        pelt::updateEntity(a, old.average.lastUpdate, {}, e.weight);
        pelt::leaveLater(old.removed, a);
    }
    if (a.attached()) {
        update(s, q, t.v, now, WithTotal::Yes);
        return;
    }
    GroupLoad& l = loadOf(s, q);
    updateQueue(s, q, l, now);
    if (e.home < 0) pelt::creditNewTask(a, l.average, e.weight);
    l.owed += pelt::attach(l.average, a, e.weight);
    updateTotal(s, q, now);
}

void detach(State& s, CfsRq& q, TaskId t, SimTime now) {
    if (q.owner < 0) return;
    update(s, q, t.v, now, WithTotal::No);
    GroupLoad& l = loadOf(s, q);
    l.owed += pelt::detach(l.average, averageOf(s, t.v), s.entity(t).weight);
}

void updateTotal(State& s, CfsRq& q, SimTime now) {
    if (q.owner < 0) return;
    GroupLoad& l = loadOf(s, q);
    sched::updateTotal(groupOf(s, q).loadAvg, l.contribution, l.average.loadAvg, s.kernel.preset->tgLoadLimit,
                       now);
}

bool reweigh(State& s, CfsRq& q, std::int32_t i, SimTime now) {
    if (!isGroup(s, i)) return false;
    const CfsRq& inner = inside(s, i);
    const GroupLoad& l = loadOf(s, inner);
    const TaskGroup& g = groupOf(s, inner);
    Entity& e = at(s, i);
    const auto w = newGroupWeight(e.weight, g.shares, {inner.load, l.average.loadAvg, l.contribution.load},
                                  g.loadAvg, {s.kernel.preset->preserveEmptyWeight, false});
    if (!w) return false;
    const Weight before = e.weight;
    const bool asks = reweightEntity(s, q, i, *w, now);
    if (q.owner >= 0 && averageOf(s, i).attached())
        pelt::reweight(loadOf(s, q).average, averageOf(s, i), before, *w);
    return asks;
}

void updateBlocked(State& s, CpuId c, SimTime now) {
    for (std::size_t g = s.groups.size(); g-- > 1;) { // children before parents
        CfsRq& q = queueOf(s, GroupId(g), c);
        if (updateQueue(s, q, loadOf(s, q), now)) updateTotal(s, q, now);
        update(s, above(s, q), q.owner, now, WithTotal::Yes);
    }
}

void updateIdleCpus(State& s, SimTime now) {
    if (now < s.nextIdleUpdate) return;
    s.nextIdleUpdate = now + kIdleUpdateInterval;
    for (std::size_t c = 0; c < s.rqs.size(); ++c)
        if (s.rqs[c].idle()) updateBlocked(s, CpuId(c), now);
}

} // namespace rqs::sched::load
