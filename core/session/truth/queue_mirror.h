// SPDX-License-Identifier: GPL-3.0-or-later
// The model's side of a decision replay: a real sched::State whose one interesting queue is the recorded
// CPU's, with a clock that advances by recorded run times only.
#pragma once
#include "core/sched/fair.h"
#include "core/session/truth/case_reader.h"

#include <map>
#include <string>

namespace rqs::session::truth {

class QueueMirror {
public:
    /// Error if the kernel of the case has no preset, or is not an EEVDF one.
    static Result<QueueMirror> make(const Case& c, CpuId cpu, const sched::RuleOverrides& rules);

    sched::State state;
    CpuId cpu;
    SimTime now;

    sched::Rq& rq() { return state.rq(cpu); }
    sched::Entity& entity(TaskId t) { return state.entity(t); }
    /// The task of a pid, or none if the recording has not shown it yet.
    TaskId find(std::int32_t pid) const;
    /// Same, made with nice and policy from the case's task list or else from its kernel prio.
    TaskId get(std::int32_t pid, std::int32_t prio);
    std::int32_t pidOf(TaskId t) const { return t ? m_pids[t.index()] : 0; }
    /// "hog0-197", "pid 46", or "idle".
    std::string nameOf(TaskId t) const;
    std::string nameOf(std::int32_t pid) const;

    bool queued(TaskId t) const { return t && state.entity(t).onRq; }
    TaskId running() const;
    /// Gives `t` recorded virtual times, joining the queue if it is not in it: for tasks that were there
    /// before the trace began, and to go on after a difference.
    void takeOver(TaskId t, std::uint64_t vruntime, std::uint64_t deadline);
    /// Leaves the queue whatever the policy thinks, keeping nothing.
    void remove(TaskId t);
    /// Context switch to `t` (none = not a fair task).
    void switchTo(TaskId t);

private:
    const Case* m_case = nullptr;
    std::map<std::int32_t, TaskId> m_tasks;
    std::vector<std::int32_t> m_pids; ///< by TaskId
};

} // namespace rqs::session::truth
