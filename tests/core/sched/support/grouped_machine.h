// SPDX-License-Identifier: GPL-3.0-or-later
// The 16-CPU test machine with task groups: tasks join, block, wake and move on several CPUs, ticks come
// everywhere at once, and what every level must satisfy can be checked at any instant.
#pragma once
#include "core/sched/group_shares.h"
#include "core/sched/groups.h"
#include "core/sched/hierarchy.h"
#include "tests/core/sched/support/one_queue.h"

#include <map>

namespace rqs::sched::test {

struct Grouped {
    State s;
    SimTime now{0};
    explicit Grouped(std::string_view kernel = "6.12.0", int hz = 250) : s(emptyState(toyBoxA(), kernel)) {
        s.kernel.tunables.hz = hz;
    }

    GroupId group(GroupId parent = GroupId(0), std::int64_t shares = 1024) {
        return addGroup(s, parent, sharesOfCpuShares(shares));
    }
    TaskId task(GroupId g, int nice = 0, std::int64_t slice = 0, TaskPolicy policy = TaskPolicy::Normal) {
        const TaskId t = addTask(s, nice, policy, MaskId(0), 0, Duration{slice});
        s.task(t).group = g;
        return t;
    }
    /// When all tasks and groups are there.
    void ready() { layOutGroups(s); }

    CfsRq& root(CpuId c) { return s.rq(c).cfs; }
    CfsRq& queue(GroupId g, CpuId c) { return queueOf(s, g, c); }
    Entity& entity(GroupId g, CpuId c) { return at(s, queue(g, c).owner); }
    std::int64_t weight(GroupId g, CpuId c) { return entity(g, c).weight.w; }
    std::int64_t ran(TaskId t) { return s.entity(t).sumExec.ns; }

    bool join(TaskId t, CpuId c, EnqueueKind kind = EnqueueKind::Wakeup) {
        s.task(t).cpu = c;
        s.task(t).state = TaskState::Running;
        bool ask = enqueueTask(s, c, t, kind, now);
        if (currTask(s, c)) ask |= wakeupPreempt(s, c, t, kind == EnqueueKind::Fork, now);
        return ask;
    }
    /// Wakes a task on CPU `c`, or where it stayed behind delayed.
    bool wake(TaskId t, CpuId c) {
        if (!s.entity(t).onRq) return join(t, c);
        const CpuId own = s.task(t).cpu;
        s.task(t).state = TaskState::Running;
        if (!s.entity(t).delayed) return false;
        requeueDelayed(s, own, t, now);
        return wakeupPreempt(s, own, t, false, now);
    }
    bool block(TaskId t) {
        s.task(t).state = TaskState::Sleeping;
        return dequeueTask(s, s.task(t).cpu, t, DequeueKind::Sleep, now);
    }
    void move(TaskId t, CpuId to) {
        const CpuId from = s.task(t).cpu;
        const bool running = currTask(s, from) == t;
        dequeueTask(s, from, t, DequeueKind::Migrate, now);
        if (running) schedule(from);
        s.task(t).cpu = to;
        enqueueTask(s, to, t, EnqueueKind::Migrate, now);
    }
    TaskId schedule(CpuId c, std::vector<TaskId>* dropped = nullptr) {
        const TaskId prev = currTask(s, c);
        const TaskId next = pickNext(s, c, now, dropped);
        if (next && next == prev) return next;
        if (root(c).curr >= 0) putPrev(s, c, now, next);
        s.rq(c).curr = next;
        if (next) setNext(s, c, next, now);
        return next;
    }
    /// One tick on every CPU that is not idle; reschedules where asked for.
    void tick() {
        now = now + s.kernel.tunables.tick();
        for (std::size_t i = 0; i < s.rqs.size(); ++i)
            if (const CpuId c(i); currTask(s, c) && taskTick(s, c, now)) schedule(c);
    }
    void ticks(int n) {
        for (int i = 0; i < n; ++i) tick();
    }
};

} // namespace rqs::sched::test
