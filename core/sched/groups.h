// SPDX-License-Identifier: GPL-3.0-or-later
// Building the tree of task groups (behavioural spec eevdf 7.1).
#pragma once
#include "core/sched/state.h"

namespace rqs::sched {

/// Adds a group; parents before children. The first one brings the root's place with it.
GroupId addGroup(State& s, GroupId parent, Weight shares);
/// Gives every group its queue and entity on every CPU. Once, when all tasks and groups exist and nothing is
/// queued yet; no tasks may be added afterwards. Does nothing without groups.
void layOutGroups(State& s);
/// Levels between a task of the group and the root queue: 0 in the root group.
int depthOf(const State& s, GroupId g);

} // namespace rqs::sched
