// SPDX-License-Identifier: GPL-3.0-or-later
// Where queues and entities of groups are: from a task up to the root queue of its CPU, and from the root
// queue down to the running task. Without groups every way has one level.
#pragma once
#include "core/sched/queue.h"

namespace rqs::sched {

inline bool isGroup(const State& s, std::int32_t entity) {
    return entity >= static_cast<std::int32_t>(s.tasks.size());
}
/// Queue that group entity `entity` stands for.
inline CfsRq& inside(State& s, std::int32_t entity) {
    return s.groupQueues[static_cast<std::size_t>(entity) - s.tasks.size()];
}
inline const CfsRq& inside(const State& s, std::int32_t entity) {
    return s.groupQueues[static_cast<std::size_t>(entity) - s.tasks.size()];
}
/// Queue of a group on a CPU; group 0 is the root.
template<class S> auto& queueOf(S& s, GroupId g, CpuId c) {
    if (g.v <= 0) return s.rqs[c.index()].cfs;
    return s.groupQueues[(g.index() - 1) * s.rqs.size() + c.index()];
}
template<class S> auto& queueOf(S& s, TaskId t, CpuId c) { return queueOf(s, s.tasks[t.index()].group, c); }
/// Queue that group entity or task `entity` is a member of on CPU `c`.
inline CfsRq& queueOfEntity(State& s, std::int32_t entity, CpuId c) {
    return isGroup(s, entity) ? above(s, inside(s, entity)) : queueOf(s, TaskId(entity), c);
}

/// Running entity at the bottom: the task whose put_prev is still to come, or none.
inline TaskId currTask(const State& s, CpuId c) {
    std::int32_t i = s.rq(c).cfs.curr;
    while (i >= 0 && isGroup(s, i)) i = inside(s, i).curr;
    return TaskId(i);
}

/// One step of a walk: an entity and the queue it belongs to.
struct Level {
    CfsRq* queue;
    std::int32_t entity;
    /// One level up; false at the root queue.
    bool up(State& s) {
        if (queue->owner < 0) return false;
        entity = queue->owner;
        queue = &above(s, *queue);
        return true;
    }
};
/// Levels above the entity's queue.
inline int depthOf(State& s, Level l) {
    int depth = 0;
    while (l.up(s)) ++depth;
    return depth;
}
/// Climbs with both until they are members of the same queue (find_matching_se).
inline void toCommonQueue(State& s, Level& a, Level& b) {
    for (int d = depthOf(s, a) - depthOf(s, b); d != 0; d += d < 0 ? 1 : -1) (d > 0 ? a : b).up(s);
    while (a.queue != b.queue && a.up(s) && b.up(s)) {
    }
}

} // namespace rqs::sched
