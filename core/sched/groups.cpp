// SPDX-License-Identifier: GPL-3.0-or-later
// Queues of groups and their entities are laid out in the same order, so that one index finds both.
#include "core/sched/groups.h"

#include "core/sched/queue.h"

namespace rqs::sched {
namespace {

/// Entity of a group that was never queued: nice 0 until its load is known.
Entity groupEntity(const State& s) {
    Entity e;
    setWeight(s, e, Load{});
    e.slice = {s.kernel.tunables.base_slice_ns};
    return e;
}

} // namespace

GroupId addGroup(State& s, GroupId parent, Weight shares) {
    if (s.groups.empty()) s.groups.emplace_back();
    TaskGroup g;
    g.parent = parent;
    g.shares = shares;
    s.groups.push_back(g);
    return GroupId(s.groups.size() - 1);
}

void layOutGroups(State& s) {
    if (!s.grouped()) return;
    const auto tasks = static_cast<std::int32_t>(s.tasks.size());
    const auto cpus = static_cast<std::int32_t>(s.rqs.size());
    s.entities.resize(s.tasks.size());
    s.groupQueues.clear();
    for (std::size_t g = 1; g < s.groups.size(); ++g) {
        const std::int32_t parent = s.groups[g].parent.v;
        for (std::int32_t c = 0; c < cpus; ++c) {
            CfsRq q;
            q.owner = tasks + static_cast<std::int32_t>(s.groupQueues.size());
            q.above = parent > 0 ? (parent - 1) * cpus + c : ~c;
            q.below.nr = 0;
            s.groupQueues.push_back(q);
            s.entities.push_back(groupEntity(s));
        }
    }
    for (Rq& rq : s.rqs) rq.cfs.below.nr = 0;
    s.groupLoads.assign(s.groupQueues.size(), {});
    s.entityLoads.assign(s.entities.size(), pelt::newGroup());
    for (std::int32_t t = 0; t < tasks; ++t)
        s.entityLoads[static_cast<std::size_t>(t)] =
            pelt::newTask(s.entities[static_cast<std::size_t>(t)].weight);
}

int depthOf(const State& s, GroupId g) {
    int depth = 0;
    for (; g.v > 0; g = s.groups[g.index()].parent) ++depth;
    return depth;
}

} // namespace rqs::sched
