// SPDX-License-Identifier: GPL-3.0-or-later
// What joining and leaving mean for the levels above a task (behavioural spec eevdf 5.2 to 5.5): group
// entities that join, leave, stay behind delayed or only change weight and request; counters of all tasks
// below. Called after the task itself has joined or left its own queue, and only when there are groups.
#pragma once
#include "core/sched/hierarchy.h"

namespace rqs::sched::walk {

/// What a change of one task means to the counters of every queue above it.
struct Counts {
    std::int32_t nr = 0, delayed = 0, idle = 0;
};

/// `l` has joined its queue. True if charging somebody above asks for a reschedule.
bool joined(State& s, Level l, const Counts& by, SimTime now);
/// `l` has left its queue for good. `sleep`: it blocked, so its group is preferred at the next pick.
bool left(State& s, Level l, const Counts& by, bool sleep, bool save, SimTime now);
/// `l` has become delayed (+1) or has stopped being it (-1).
void delayedChanged(State& s, Level l, std::int32_t by);
/// A delayed group whose turn came leaves its queue.
void dropGroup(State& s, Level l, SimTime now);

/// Smallest request among the members, as the group's own request; of an empty queue kEndless.
Duration leastSlice(const State& s, const CfsRq& q);
/// U64_MAX in the kernel: clamps no lag.
inline constexpr Duration kEndless{std::int64_t{1} << 50};

} // namespace rqs::sched::walk
