// SPDX-License-Identifier: GPL-3.0-or-later
// Runs programs without a scheduler: the test says whose operation comes next; time stands still unless it
// says so.
#pragma once
#include "core/workload/program.h"
#include "core/workload/workload.h"

#include <gtest/gtest.h>

#include <vector>

namespace rqs::workload::toy {

inline Op op(OpKind kind, std::int32_t object = -1, std::int64_t amount = 0, std::int64_t amount2 = 0) {
    return {kind, object, amount, amount2};
}

/// Builds a workload one task per program.
struct Build {
    Workload w;
    std::int32_t object(ObjectKind kind, std::int64_t a = 0) {
        w.objects.push_back({kind, a});
        return static_cast<std::int32_t>(w.objects.size()) - 1;
    }
    TaskId task(std::vector<Op> ops, bool startsByFork = false) {
        TaskSpec t;
        t.comm = "t" + std::to_string(w.tasks.size());
        t.code = static_cast<std::int32_t>(w.codes.size());
        t.startsByFork = startsByFork;
        w.codes.push_back({t.comm, std::move(ops)});
        w.tasks.push_back(t);
        return TaskId(w.tasks.size() - 1);
    }
    /// A task that repeats one operation for ever.
    TaskId repeats(Op o) { return task({op(OpKind::LoopBegin, -1, -1), o, op(OpKind::LoopEnd)}); }
};

enum class Life { Ready, Blocked, Sleeping, Dead };

/// What one operation did, with the wakeups already handed out.
struct Did {
    Begin begin;
    Effect effect;
    std::vector<TaskId> woken;
};

class Tasks {
public:
    explicit Tasks(const Workload& w, int pageSize = 4096)
        : state(makeState(w, pageSize)), life(w.tasks.size(), Life::Ready) {
        const Status ok = validate(w);
        EXPECT_TRUE(ok) << (ok ? "" : ok.error().text());
    }
    Did run(TaskId t) {
        EXPECT_EQ(life[t.index()], Life::Ready) << "task " << t.v << " cannot run";
        Did d;
        d.begin = begin(state, t, now);
        d.effect = finish(state, t, now);
        switch (d.effect.kind) {
        case Effect::Kind::Block: life[t.index()] = Life::Blocked; break;
        case Effect::Kind::SleepUntil: life[t.index()] = Life::Sleeping; break;
        case Effect::Kind::Exit: life[t.index()] = Life::Dead; break;
        default: break;
        }
        done += d.effect.done;
        for (TaskId n = popWake(state, t); n; n = popWake(state, t)) {
            d.woken.push_back(n);
            wake(n);
        }
        EXPECT_EQ(d.effect.wakes, !d.woken.empty());
        return d;
    }
    /// Runs until the task sleeps or ends; returns the completed operations.
    int runOn(TaskId t, int most = 1'000'000) {
        int n = 0;
        while (n < most && life[t.index()] == Life::Ready) {
            const Did d = run(t);
            if (d.effect.kind == Effect::Kind::Continue) ++n;
        }
        return n;
    }
    void wake(TaskId t) { life[t.index()] = Life::Ready; }
    bool ready(TaskId t) const { return life[t.index()] == Life::Ready; }
    bool blocked(TaskId t) const { return life[t.index()] == Life::Blocked; }

    State state;
    std::vector<Life> life;
    SimTime now{};
    std::int64_t done = 0;
};

using Ids = std::vector<TaskId>;

} // namespace rqs::workload::toy
