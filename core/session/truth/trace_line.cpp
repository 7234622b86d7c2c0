// SPDX-License-Identifier: GPL-3.0-or-later
// Field names of each event.
#include "core/session/truth/trace_line.h"

#include <array>

namespace rqs::session::truth {
namespace {

struct NamedKind {
    std::string_view name;
    EventKind kind;
};
constexpr std::array kKinds = {
    NamedKind{"place", EventKind::Place},
    NamedKind{"set_next", EventKind::SetNext},
    NamedKind{"deq", EventKind::Dequeue},
    NamedKind{"deqr", EventKind::Dequeued},
    NamedKind{"requeue", EventKind::Requeue},
    NamedKind{"yield", EventKind::Yield},
    NamedKind{"sched_stat_runtime", EventKind::Runtime},
    NamedKind{"sched_waking", EventKind::Waking},
    NamedKind{"sched_wakeup", EventKind::Wakeup},
    NamedKind{"sched_wakeup_new", EventKind::Wakeup},
    NamedKind{"sched_switch", EventKind::Switch},
    NamedKind{"sched_migrate_task", EventKind::Migrate},
};

/// Reads fields one by one and remembers whether all were there.
struct Fields {
    const trace::FtraceLine& line;
    bool complete = true;
    template<class T> void into(std::string_view key, T& out) {
        if (const auto v = line.number(key))
            out = static_cast<T>(*v);
        else
            complete = false;
    }
    void into(std::string_view key, bool& out) {
        std::int64_t v = 0;
        into(key, v);
        out = v != 0;
    }
};

/// No run time, slice or pid that a kernel could not have written; keeps arithmetic on them free of overflow.
bool sane(const Event& e) {
    constexpr std::int64_t kHour = 3'600'000'000'000;
    return e.runtime >= 0 && e.runtime <= kHour && e.slice >= 0 && e.slice <= kHour && e.prio >= -1 &&
           e.prio <= 140 && e.pid >= -1;
}

} // namespace

std::optional<Event> readEvent(std::string_view text) {
    const auto line = trace::readFtraceLine(text);
    if (!line) return std::nullopt;
    Event e;
    e.cpu = line->cpu;
    e.flags = line->flags;
    e.timeNs = line->timeNs;
    for (const auto& k : kKinds)
        if (k.name == line->event) e.kind = k.kind;

    Fields f{*line};
    if (e.kind != EventKind::Other && e.kind != EventKind::Switch) f.into("pid", e.pid);
    switch (e.kind) {
    case EventKind::Place:
    case EventKind::SetNext: f.into("sl", e.slice); [[fallthrough]];
    case EventKind::Dequeue:
        f.into("zero", e.zero);
        f.into("gq", e.group);
        if (e.kind != EventKind::SetNext) f.into("fl", e.flagBits);
        [[fallthrough]];
    case EventKind::Requeue: f.into("dl", e.deadline); [[fallthrough]];
    case EventKind::Dequeued:
        f.into("vr", e.vruntime);
        f.into("vlag", e.vlag);
        if (e.kind == EventKind::Dequeued) {
            f.into("gone", e.gone);
            f.into("delayed", e.delayed);
        }
        [[fallthrough]];
    case EventKind::Yield: f.into("cpu", e.queue); break;
    case EventKind::Runtime: f.into("runtime", e.runtime); break;
    case EventKind::Waking:
    case EventKind::Wakeup:
        f.into("prio", e.prio);
        f.into("target_cpu", e.queue);
        break;
    case EventKind::Switch:
        f.into("next_pid", e.pid);
        f.into("next_prio", e.prio);
        e.queue = e.cpu;
        break;
    case EventKind::Migrate:
        f.into("prio", e.prio);
        f.into("dest_cpu", e.queue);
        break;
    case EventKind::Other: break;
    }
    if (!f.complete || !sane(e)) return std::nullopt;
    return e;
}

} // namespace rqs::session::truth
