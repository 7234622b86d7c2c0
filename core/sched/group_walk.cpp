// SPDX-License-Identifier: GPL-3.0-or-later
// Two passes in one loop: first levels that still join or leave, then, from the first level that does not,
// levels that only see their weight, request and counters change.
#include "core/sched/group_walk.h"

#include "core/sched/cfs.h"
#include "core/sched/eevdf.h"
#include "core/sched/entity_tree.h"
#include "core/sched/group_load.h"

#include <algorithm>

namespace rqs::sched::walk {
namespace {

bool isCfs(const State& s) { return s.kernel.preset->policy == Policy::Cfs; }

void count(CfsRq& q, const Counts& by) {
    q.below.nr += by.nr;
    q.below.delayed += by.delayed;
    q.below.idle += by.idle;
}

/// A member that stays: load, weight and request follow what changed inside.
bool refresh(State& s, const Level& l, Duration slice, SimTime now) {
    load::update(s, *l.queue, l.entity, now, load::WithTotal::Yes);
    const bool asks = load::reweigh(s, *l.queue, l.entity, now);
    if (s.kernel.preset->customSlice) at(s, l.entity).slice = slice;
    return asks;
}

/// A group entity joins (enqueue_entity): its weight is found before its place.
bool joinGroup(State& s, const Level& l, Duration slice, SimTime now) {
    CfsRq& q = *l.queue;
    Entity& e = at(s, l.entity);
    if (s.kernel.preset->customSlice) {
        e.slice = slice;
        e.customSlice = true;
    }
    const bool isCurr = q.curr == l.entity;
    const bool cfs = isCfs(s);
    if (isCurr && !cfs) eevdf::place(s, q, l.entity, false);
    bool asks = false;
    if (cfs)
        cfs::updateCurr(s, q, now);
    else
        asks = eevdf::updateCurr(s, q, now);
    load::update(s, q, l.entity, now, load::WithTotal::Yes);
    load::reweigh(s, q, l.entity, now);
    if (cfs) {
        cfs::enqueue(s, q, l.entity, true, now);
    } else {
        if (!isCurr) eevdf::place(s, q, l.entity, false);
        eevdf::join(s, q, l.entity);
    }
    return asks;
}

/// A group whose last task went leaves too, whatever the task does; false: stays behind, delayed.
bool leaveGroup(State& s, const Level& l, bool save, SimTime now, bool& asks) {
    const bool fresh = load::update(s, *l.queue, l.entity, now, load::WithTotal::No);
    if (isCfs(s)) {
        cfs::dequeue(s, *l.queue, l.entity, true, save, now);
    } else {
        bool asked = false;
        if (!eevdf::dequeue(s, *l.queue, l.entity, eevdf::Leave::Sleep, now, nullptr, &asked)) return false;
        asks |= asked;
    }
    if (fresh) load::updateTotal(s, *l.queue, now);
    load::reweigh(s, *l.queue, l.entity, now);
    return true;
}

bool leaving(State& s, Level l, const Counts& by, bool sleep, bool save, Duration slice, SimTime now) {
    bool asks = false, emptied = true;
    for (;;) {
        count(*l.queue, by);
        if (emptied && l.queue->nr > 0) {
            emptied = false;
            slice = leastSlice(s, *l.queue);
            if (sleep && l.queue->owner >= 0) setBuddy(s, &above(s, *l.queue), &CfsRq::next, l.queue->owner);
        }
        if (!l.up(s)) return asks;
        if (emptied) {
            if (leaveGroup(s, l, save, now, asks)) continue;
            delayedChanged(s, l, 1);
            emptied = false; // its request stays what it was before anybody looked: 0, or endless
        }
        asks |= refresh(s, l, slice, now);
        slice = leastSlice(s, *l.queue);
    }
}

} // namespace

Duration leastSlice(const State& s, const CfsRq& q) {
    if (q.nr == 0 || !s.kernel.preset->customSlice) return kEndless;
    Duration least = currQueued(s, q) ? at(s, q.curr).slice : kEndless;
    if (q.nrCustom == 0) return q.root < 0 ? least : std::min(least, at(s, q.root).slice);
    const EntityTreeView<&Entity::deadline> tree(s.entities, q.root);
    for (std::int32_t i = tree.first(); i >= 0; i = tree.next(i)) least = std::min(least, at(s, i).slice);
    return least;
}

bool joined(State& s, Level l, const Counts& by, SimTime now) {
    bool asks = false, joining = true;
    for (;;) {
        count(*l.queue, by);
        const Duration slice = leastSlice(s, *l.queue);
        if (!l.up(s)) return asks;
        const Entity& e = at(s, l.entity);
        if (joining && e.onRq) {
            joining = false;
            if (e.delayed) {
                eevdf::requeueDelayed(s, *l.queue, l.entity);
                load::update(s, *l.queue, l.entity, now, load::WithTotal::No);
                delayedChanged(s, l, -1);
            }
        }
        if (joining)
            asks |= joinGroup(s, l, slice, now);
        else
            asks |= refresh(s, l, slice, now);
    }
}

bool left(State& s, Level l, const Counts& by, bool sleep, bool save, SimTime now) {
    return leaving(s, l, by, sleep, save, Duration{}, now);
}

void delayedChanged(State& s, Level l, std::int32_t by) {
    // 6.13.0 to 6.13.2 counted delayed groups as if they were tasks.
    if (isGroup(s, l.entity) && s.kernel.preset->delayedCount != DelayedCount::TasksAndGroups) return;
    do l.queue->below.delayed += by;
    while (l.up(s));
}

void dropGroup(State& s, Level l, SimTime now) {
    load::update(s, *l.queue, l.entity, now, load::WithTotal::Yes);
    eevdf::dequeue(s, *l.queue, l.entity, eevdf::Leave::Picked, now);
    delayedChanged(s, l, -1);
    load::reweigh(s, *l.queue, l.entity, now);
    leaving(s, l, {}, true, false, leastSlice(s, inside(s, l.entity)), now);
}

} // namespace rqs::sched::walk
