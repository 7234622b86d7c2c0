// SPDX-License-Identifier: GPL-3.0-or-later
// What both policies do with a queue: membership counters, buddies, the tick-independent bookkeeping of the
// running entity. Written on (queue, entity index): an entity is a task or stands for a group's queue.
#pragma once
#include "core/sched/state.h"
#include "core/sched/weights.h"

#include <algorithm>

namespace rqs::sched {

inline Entity& at(State& s, std::int32_t i) { return s.entities[static_cast<std::size_t>(i)]; }
inline const Entity& at(const State& s, std::int32_t i) { return s.entities[static_cast<std::size_t>(i)]; }
inline VDelta calcDeltaFair(Duration d, const Entity& e) { return calcDeltaFair(d, e.weight, e.invWeight); }

/// Queue one level up, where q.owner is a member. Only for queues with an owner.
template<class S> auto& above(S& s, const CfsRq& q) {
    return q.above < 0 ? s.rqs[static_cast<std::size_t>(~q.above)].cfs
                       : s.groupQueues[static_cast<std::size_t>(q.above)];
}
/// Counts `i` in (account_entity_enqueue).
inline void countIn(State& s, CfsRq& q, std::int32_t i) {
    Entity& e = at(s, i);
    q.load += e.weight.w;
    ++q.nr;
    q.nrDelayed += e.delayed ? 1 : 0;
    q.nrIdle += e.idlePolicy ? 1 : 0;
    q.nrCustom += e.customSlice ? 1 : 0;
    e.onRq = true;
}
inline void countOut(State& s, CfsRq& q, std::int32_t i) {
    Entity& e = at(s, i);
    q.load -= e.weight.w;
    --q.nr;
    q.nrDelayed -= e.delayed ? 1 : 0;
    q.nrIdle -= e.idlePolicy ? 1 : 0;
    q.nrCustom -= e.customSlice ? 1 : 0;
    e.onRq = false;
}

/// Forgets a buddy and the marks that lead to it from the levels above.
inline void clearBuddy(State& s, CfsRq* q, std::int32_t i, std::int32_t CfsRq::*slot) {
    while (q->*slot == i) {
        q->*slot = -1;
        if (q->owner < 0) return;
        i = q->owner;
        q = &above(s, *q);
    }
}
inline void clearBuddies(State& s, CfsRq& q, std::int32_t i) {
    if (q.next == i) clearBuddy(s, &q, i, &CfsRq::next);
    if (q.last == i) clearBuddy(s, &q, i, &CfsRq::last);
    if (q.skip == i) clearBuddy(s, &q, i, &CfsRq::skip);
}
/// Marks `i`, and the groups it is in. SCHED_IDLE entities are nobody's buddies.
inline void setBuddy(State& s, CfsRq* q, std::int32_t CfsRq::*slot, std::int32_t i) {
    while (at(s, i).onRq && !at(s, i).idlePolicy) {
        q->*slot = i;
        if (q->owner < 0) return;
        i = q->owner;
        q = &above(s, *q);
    }
}

/// Real time the running entity ran since the last accounting point, booked; 0 if the clock did not advance.
inline Duration bookRuntime(Entity& e, SimTime now) {
    const Duration ran = now - e.execStart;
    if (ran.ns <= 0) return {};
    const bool started = e.execStart != Entity::kNeverRan;
    e.execStart = now;
    if (!started) return {};
    e.sumExec += ran;
    return ran;
}

/// Members of the queue that run if nobody else does.
inline bool currQueued(const State& s, const CfsRq& q) { return q.curr >= 0 && at(s, q.curr).onRq; }

inline bool fullWeights(const State& s) { return s.kernel.preset->weightsInV == WeightsInV::Full; }
/// Weight in V of an entity, by the preset; like Weight::scaled(), but entities never weigh 0.
inline std::int64_t weightInV(const State& s, const Entity& e) {
    return std::max<std::int64_t>(2, e.weight.w >> static_cast<unsigned>(s.kernel.preset->weightsInV));
}
/// Gives an entity a weight, with the reciprocal this kernel divides by. Only outside trees and sums.
inline void setWeight(const State& s, Entity& e, const Load& load) {
    e.weight = load.weight;
    e.invWeight = fullWeights(s) ? kNoInverse : load.inverse;
}

inline void note(Decision* why, std::int32_t who, Test test, bool passed, std::int64_t a = 0,
                 std::int64_t b = 0) {
    if (why) why->add(who, test, passed, a, b);
}

} // namespace rqs::sched
