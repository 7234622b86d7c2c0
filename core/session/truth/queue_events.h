// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a trace that concern one queue, and which of them may belong to one kernel operation.
#pragma once
#include "core/session/truth/case_reader.h"

#include <cstddef>
#include <vector>

namespace rqs::session::truth {

inline constexpr std::size_t kNoEvent = SIZE_MAX;

/// Events that concern the queue of `cpu` or ran on it, in order. sched_stat_runtime names no queue: it is
/// ours if it charges the task that runs there.
std::vector<Event> eventsOfQueue(const Case& c, std::int32_t cpu);
/// Per event the next one of the same CPU, or kNoEvent where another CPU worked on the queue in between: the
/// lock was free there, so an operation cannot go on.
std::vector<std::size_t> nextOfOperation(const std::vector<Event>& events, std::int32_t cpu);

} // namespace rqs::session::truth
