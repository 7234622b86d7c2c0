// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/records.h"

#include <iterator>

namespace rqs {
namespace {
template<class E, std::size_t N>
const char* pick(const char* const (&names)[N], E e) {
    const auto i = static_cast<std::size_t>(e);
    return i < N ? names[i] : "?";
}
} // namespace

const char* lockClassName(LockClass c) {
    static constexpr const char* n[] = {"&rq->__lock", "&p->pi_lock", "&shard->lock"};
    return pick(n, c);
}
const char* callSiteName(CallSite s) {
    static constexpr const char* n[] = {"try_to_wake_up", "ttwu_runnable", "__schedule", "scheduler_tick",
                                        "newidle_balance", "detach_tasks", "attach_tasks", "task_rq_lock",
                                        "__enqueue_entity", "__dequeue_entity", "shared_runq_pop_task",
                                        "__sched_setscheduler", "wake_up_new_task"};
    static_assert(std::size(n) == static_cast<std::size_t>(CallSite::Count));
    return pick(n, s);
}
const char* distanceName(Distance d) {
    static constexpr const char* n[] = {"self", "smt", "llc", "socket", "remote"};
    return pick(n, d);
}
const char* moveReasonName(MoveReason r) {
    static constexpr const char* n[] = {"wakeup", "fork", "newidle", "shared_runq", "affinity", "hotplug"};
    return pick(n, r);
}
const char* anomalyName(AnomalyKind k) {
    static constexpr const char* n[] = {"list corruption", "virtual time overflow", "soft lockup", "hard LOCKUP",
                                        "RCU stall"};
    return pick(n, k);
}
const char* questionText(Question q) {
    static constexpr const char* n[] = {"which CPU?", "who runs next?", "preempt?", "where in virtual time?",
                                        "slice over?", "leave the queue?", "pull a task?", "balance?"};
    return pick(n, q);
}
const char* testText(Test t) {
    static constexpr const char* n[] = {
        "target idle?", "previous CPU idle, shares cache?", "recently used CPU idle?", "idle sibling of prev?",
        "idle core in the LLC?", "idle CPU in the scan?", "fall back to target", "waker idle, shares cache?",
        "sync and waker alone?", "lighter load here?", "only candidate", "protected slice (RUN_TO_PARITY)?",
        "eligible (lag >= 0)?", "earliest deadline?", "current keeps running?", "leftmost vruntime?",
        "next buddy?", "last buddy?", "skip buddy?", "lead over wakeup granularity?", "ideal slice used?",
        "request used up?", "lag negative?", "placed by lag", "shard empty?", "head of the shard",
        "head not allowed here", "already running", "avg_idle below cost?", "root domain overloaded?",
        "cache hot?", "pinned?", "busiest queue?"};
    static_assert(std::size(n) == static_cast<std::size_t>(Test::Count));
    return pick(n, t);
}

} // namespace rqs
