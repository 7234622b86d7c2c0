// SPDX-License-Identifier: GPL-3.0-or-later
// Filter and chaining of one queue's events.
#include "core/session/truth/queue_events.h"

namespace rqs::session::truth {
namespace {

/// Written while the lock of the queue of `cpu` was held.
bool holdsLock(const Event& e, std::int32_t cpu) {
    switch (e.kind) {
    case EventKind::Waking:
    case EventKind::Migrate:
    case EventKind::Other: return false;
    case EventKind::Wakeup: return e.queue == cpu;
    default: return true;
    }
}

} // namespace

std::vector<Event> eventsOfQueue(const Case& c, std::int32_t cpu) {
    std::vector<Event> out;
    std::int32_t current = -1;
    for (const Event& e : c.events) {
        const bool here = e.cpu == cpu;
        switch (e.kind) {
        case EventKind::Runtime:
            if (e.pid == current) out.push_back(e);
            break;
        case EventKind::Switch:
            if (!here) break;
            current = e.pid;
            out.push_back(e);
            break;
        case EventKind::Wakeup:
        case EventKind::Waking:
        case EventKind::Migrate:
            if (here || e.queue == cpu) out.push_back(e);
            break;
        case EventKind::Other:
            if (here) out.push_back(e);
            break;
        default: // events of another queue say nothing about ours, not even by their flags: locks are held
            if (e.queue != cpu) break;
            if (e.kind == EventKind::SetNext) current = e.pid;
            out.push_back(e);
        }
    }
    return out;
}

std::vector<std::size_t> nextOfOperation(const std::vector<Event>& events, std::int32_t cpu) {
    std::vector<std::size_t> next(events.size(), kNoEvent);
    std::size_t lastHere = kNoEvent, lastElsewhere = kNoEvent;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const bool here = events[i].cpu == cpu;
        std::size_t& last = here ? lastHere : lastElsewhere;
        if (last != kNoEvent) next[last] = i;
        last = i;
        if (holdsLock(events[i], cpu)) (here ? lastElsewhere : lastHere) = kNoEvent;
    }
    return next;
}

} // namespace rqs::session::truth
