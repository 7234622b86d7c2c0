// SPDX-License-Identifier: GPL-3.0-or-later
// One event of a recorded scheduler trace as numbers: the stock sched_* events and the probes of the
// ground-truth guests (set_next, place, deq, deqr, requeue, yield).
#pragma once
#include "core/trace/ftrace_reader.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace rqs::session::truth {

enum class EventKind : std::uint8_t {
    Place,    ///< place_entity returned
    SetNext,  ///< set_next_entity entered: the chosen entity, still in the tree
    Dequeue,  ///< dequeue_entity entered
    Dequeued, ///< dequeue_entity returned
    Requeue,  ///< requeue_delayed_entity entered
    Yield,    ///< yield_task_fair entered
    Runtime,  ///< sched_stat_runtime: update_curr charged somebody
    Waking,
    Wakeup, ///< the wakeup is complete; need_resched in the flags is its verdict
    Switch,
    Migrate,
    Other ///< only its flags matter
};

struct Event {
    EventKind kind = EventKind::Other;
    trace::FtraceFlags flags;
    std::int32_t cpu = 0;      ///< CPU that executed it
    std::int32_t queue = -1;   ///< CPU whose queue it is about; -1 where the event does not say
    std::int32_t pid = -1;     ///< about whom; Switch: who comes next
    std::int32_t prio = -1;    ///< kernel prio (120 = nice 0), -1 unknown; Switch: of who comes next
    std::int32_t flagBits = 0; ///< ENQUEUE_ or DEQUEUE_ bits of Place and Dequeue
    std::int64_t timeNs = 0;
    std::uint64_t vruntime = 0, deadline = 0, zero = 0;
    std::int64_t vlag = 0, slice = 0;
    std::int64_t runtime = 0;           ///< Runtime
    bool gone = false, delayed = false; ///< Dequeued
    bool group = false;                 ///< the entity is a task group's
};

/// Bits of Event::flagBits (6.12).
inline constexpr std::int32_t kDequeueSleep = 0x1, kDequeueMigrating = 0x100, kDequeueDelayed = 0x200;
inline constexpr std::int32_t kEnqueueWakeup = 0x1, kEnqueueMigrated = 0x40, kEnqueueInitial = 0x80,
                              kEnqueueMigrating = 0x100;

/// nullopt: not an event line, or an event whose fields are incomplete (the last line of a cut trace).
std::optional<Event> readEvent(std::string_view line);

} // namespace rqs::session::truth
