// SPDX-License-Identifier: GPL-3.0-or-later
// The collector against a run computed by hand, and against a straightforward recomputation of random runs.
#include "core/metrics/collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace rqs;
using namespace rqs::metrics;
using State = TaskCounters::State;

namespace {

constexpr TaskId kIdle{};
TaskId task(int i) { return TaskId(i); }
CpuId cpu(int i) { return CpuId(i); }
Record wake(int t, int to) { return WakeRecord{task(t), {}, cpu(0), cpu(0), cpu(to), false, false}; }
Record sw(int c, TaskId from, TaskId to, SwitchState s = SwitchState::Sleeping) {
    return SwitchRecord{cpu(c), from, to, s};
}
std::int64_t total(const TimeSeries& s) {
    return std::accumulate(s.sums().begin(), s.sums().end(), std::int64_t{0});
}

/// Two tasks on two CPUs: 0 wakes at 100 on CPU 0 and runs from 150; 1 wakes at 200 behind it and runs at
/// 500.
void story(Collector& c) {
    c.on({100}, wake(0, 0));
    c.on({150}, sw(0, kIdle, task(0)));
    c.on({200}, wake(1, 0));
    c.on({300}, OpRecord{task(0), 5});
    c.on({500}, sw(0, task(0), task(1), SwitchState::Preempted));
    c.on({700}, sw(0, task(1), task(0), SwitchState::Sleeping));
    c.on({900}, sw(0, task(0), kIdle, SwitchState::Exited));
}

} // namespace

TEST(Collector, HandComputedRun) {
    Collector c(2, 2, {});
    story(c);
    const Numbers n = c.finish({1000});
    EXPECT_EQ(n.now.ns, 1000);
    EXPECT_EQ(n.ops, 5);
    EXPECT_EQ(n.switches, 4u);
    EXPECT_EQ(n.wakeups, 2u);
    EXPECT_EQ(n.wakeupLatency.count(), 2u);
    EXPECT_EQ(n.wakeupLatency.total().ns, 50 + 300); // the wait after preemption is none
    EXPECT_EQ(n.slice.count(), 3u);
    EXPECT_EQ(n.slice.total().ns, 350 + 200 + 200);
    EXPECT_EQ(n.tasks[0].run.ns, 550);
    EXPECT_EQ(n.tasks[0].wait.ns, 50 + 200);
    EXPECT_EQ(n.tasks[1].run.ns, 200);
    EXPECT_EQ(n.tasks[1].wait.ns, 300);
    EXPECT_EQ(n.tasks[1].state, State::Sleeping);
    EXPECT_EQ(n.cpus[0].busy.ns, 750);
    EXPECT_EQ(n.cpus[0].idle.ns, 250);
    EXPECT_EQ(n.cpus[1].idle.ns, 1000);
    EXPECT_EQ(n.cpus[0].wakeups, 2u);
    // Waiting: 100-150, 200-500, 500-700; all the time CPU 1 is idle.
    EXPECT_EQ(n.idleWhileWaitingTotal.ns, 50 + 300 + 200);
    EXPECT_EQ(total(n.idleWhileWaiting), 550);
    EXPECT_EQ(total(n.runnable), 550);
    EXPECT_EQ(total(n.idle), 150 * 2 + 750 + 100 * 2);
}

TEST(Collector, OpenIntervalsAreClosedInTheCopyOnly) {
    Collector c(1, 2, {}), twin(1, 2, {});
    for (Collector* k : {&c, &twin}) {
        k->on({10}, wake(0, 0));
        k->on({20}, sw(0, kIdle, task(0)));
        k->on({30}, wake(1, 0));
    }
    const Numbers mid = c.finish({100});
    EXPECT_EQ(mid.tasks[0].run.ns, 80);
    EXPECT_EQ(mid.tasks[1].wait.ns, 70);
    EXPECT_EQ(mid.cpus[0].busy.ns, 80);
    EXPECT_EQ(mid.idleWhileWaitingTotal.ns, 10); // 10-20, until the only CPU is taken
    EXPECT_EQ(c.finish({100}), mid);
    for (Collector* k : {&c, &twin}) k->on({200}, sw(0, task(0), task(1)));
    EXPECT_EQ(c.finish({300}), twin.finish({300}));
    EXPECT_EQ(c.finish({100}).now.ns, 200) << "time never goes back";
}

TEST(Collector, WarmupClipsTotals) {
    Collector c(2, 2, {600});
    story(c);
    const Numbers n = c.finish({1000});
    EXPECT_EQ(n.ops, 0);
    EXPECT_EQ(total(n.throughput), 5) << "series show the warm-up too";
    EXPECT_EQ(n.switches, 2u);
    EXPECT_EQ(n.wakeups, 0u);
    EXPECT_EQ(n.tasks[1].run.ns, 100);  // 600-700
    EXPECT_EQ(n.tasks[0].wait.ns, 100); // 600-700
    EXPECT_EQ(n.cpus[0].busy.ns, 300);
    EXPECT_EQ(n.cpus[0].idle.ns, 100);
    EXPECT_EQ(n.idleWhileWaitingTotal.ns, 100);
    EXPECT_EQ(n.wakeupLatency.count(), 0u);
}

TEST(Collector, LatencyStartsAtTheWakeupNotAtTheEnqueue) {
    Collector c(1, 1, {});
    c.on({10}, EnqueueRecord{task(0), cpu(0), 1});
    c.on({15}, wake(0, 0));
    c.on({40}, sw(0, kIdle, task(0)));
    const Numbers n = c.finish({50});
    EXPECT_EQ(n.wakeupLatency.total().ns, 25);
    EXPECT_EQ(n.tasks[0].wait.ns, 30);
    EXPECT_EQ(n.enqueues, 1u);
}

TEST(Collector, ForkedTaskWaitsButIsNoWakeup) {
    Collector c(1, 1, {});
    c.on({10}, ForkRecord{{}, task(3), cpu(0)}); // a task nobody announced
    c.on({30}, sw(0, kIdle, task(3)));
    const Numbers n = c.finish({40});
    ASSERT_EQ(n.tasks.size(), 4u);
    EXPECT_EQ(n.tasks[3].wait.ns, 20);
    EXPECT_EQ(n.wakeupLatency.count(), 0u);
}

TEST(Collector, DelayedTaskSleepsUntilItIsRequeued) {
    Collector c(1, 2, {});
    c.on({0}, wake(0, 0));
    c.on({0}, sw(0, kIdle, task(0)));
    c.on({100}, DequeueRecord{task(0), cpu(0), 1, true, true});
    c.on({100}, sw(0, task(0), kIdle));
    WakeRecord w{task(0), task(1), cpu(0), cpu(0), cpu(0), false, true};
    c.on({150}, w);
    c.on({170}, sw(0, kIdle, task(0)));
    const Numbers n = c.finish({170});
    EXPECT_EQ(n.tasks[0].wait.ns, 20);
    EXPECT_EQ(total(n.runnable), 20);
}

TEST(Collector, WaitingTaskThatIsDequeuedForSleepStopsWaiting) {
    Collector c(1, 1, {});
    c.on({0}, wake(0, 0));
    c.on({40}, DequeueRecord{task(0), cpu(0), 0, false, false}); // on its way to another queue
    c.on({50}, EnqueueRecord{task(0), cpu(0), 1});
    c.on({60}, DequeueRecord{task(0), cpu(0), 0, true, false}); // killed
    const Numbers n = c.finish({100});
    EXPECT_EQ(n.tasks[0].wait.ns, 60);
    EXPECT_EQ(n.idleWhileWaitingTotal.ns, 60);
}

TEST(Collector, LocksMigrationsFlipsAnomalies) {
    Collector c(2, 1, {});
    LockRecord a;
    a.phase = LockPhase::Acquire;
    a.cls = LockClass::Shard;
    a.contended = true;
    a.cpu = cpu(1);
    a.wait = {300};
    c.on({200000}, a);
    a.phase = LockPhase::Release;
    a.hold = {70};
    c.on({200070}, a);
    c.on({200080}, MigrateRecord{task(0), cpu(0), cpu(1), MoveReason::SharedRunqPull, Distance::Llc});
    c.on({200090}, FeatureRecord{9, 1});
    c.on({200091}, AnomalyRecord{AnomalyKind::ListCorruption, cpu(0), task(0), 0});
    c.on({200092}, TickRecord{cpu(1), false});
    const Numbers n = c.finish({200100});
    const LockStatRow& row = n.locks[static_cast<std::size_t>(LockClass::Shard)];
    EXPECT_EQ(row.acquisitions, 1u);
    EXPECT_EQ(row.waitTotal.ns, 300);
    EXPECT_EQ(n.cpus[1].spin.ns, 300);
    EXPECT_EQ(n.lockWait[static_cast<std::size_t>(LockClass::Shard)].sums(), (std::vector<std::int64_t>{0, 300}));
    EXPECT_TRUE(n.lockWait[static_cast<std::size_t>(LockClass::Rq)].sums().empty());
    EXPECT_EQ(n.migrations[static_cast<std::size_t>(Distance::Llc)], 1u);
    EXPECT_EQ(n.migrationsByReason[static_cast<std::size_t>(MoveReason::SharedRunqPull)], 1u);
    EXPECT_EQ(n.cpus[1].migrationsIn, 1u);
    EXPECT_EQ(n.tasks[0].migrations, 1u);
    EXPECT_EQ(n.cpus[1].ticks, 1u);
    EXPECT_EQ(n.anomalies, 1u);
    ASSERT_EQ(n.flips.size(), 1u);
    EXPECT_EQ(n.flips[0], (Numbers::Mark{{200090}, 9, 1}));
}

TEST(Collector, LS_INV_3_hold_total_of_one_lock_fits_into_the_observed_time) {
    for (std::int64_t warmup : {0, 300000}) {
        Collector c(2, 0, {warmup});
        std::mt19937 rng(4);
        std::int64_t now = 0, held = 0;
        for (int i = 0; i < 2000; ++i) { // one lock, handed over at once: it is never free
            LockRecord r;
            r.cls = LockClass::Rq;
            r.cpu = cpu(i % 2);
            r.phase = LockPhase::Acquire;
            c.on({now}, r);
            r.phase = LockPhase::Release;
            r.hold = {static_cast<std::int64_t>(rng() % 900)};
            now += r.hold.ns;
            held += r.hold.ns;
            c.on({now}, r);
            const LockStatRow row = c.finish({now}).locks[static_cast<std::size_t>(LockClass::Rq)];
            // A hold that began before the warm-up ended counts in full, like one in flight when lock_stat is
            // cleared.
            ASSERT_LE(row.holdTotal.ns, std::max<std::int64_t>(0, now - warmup) + 900);
            if (warmup == 0) {
                ASSERT_EQ(row.holdTotal.ns, held);
            }
        }
    }
}

namespace {

/// Plays random but consistent records; keeps its own sums, nanosecond by nanosecond where it matters.
struct RandomRun {
    static constexpr int kCpus = 3, kTasks = 8;
    std::mt19937 rng;
    std::int64_t now = 0, waited = 0, idle = 0, both = 0, latency = 0;
    std::array<int, kCpus> on{-1, -1, -1};
    std::array<int, kTasks> state{}; // 0 sleeps, 1 waits, 2 runs
    std::array<std::int64_t, kTasks> woke{};

    explicit RandomRun(unsigned seed) : rng(seed) { woke.fill(-1); }
    int pick(int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); }
    void pass(std::int64_t ns) {
        const std::int64_t w = std::count(state.begin(), state.end(), 1),
                           i = std::count(on.begin(), on.end(), -1);
        waited += w * ns;
        idle += i * ns;
        both += std::min(w, i) * ns;
        now += ns;
    }
    void step(Collector& c) {
        pass(pick(20) == 0 ? 400000 : pick(3000));
        const int t = pick(kTasks), k = pick(kCpus);
        if (pick(3) == 0) {
            if (state[static_cast<std::size_t>(t)]) return;
            state[static_cast<std::size_t>(t)] = 1;
            woke[static_cast<std::size_t>(t)] = now;
            c.on({now}, wake(t, k));
            return;
        }
        int& running = on[static_cast<std::size_t>(k)];
        const bool give = state[static_cast<std::size_t>(t)] == 1;
        if (running < 0 && !give) return;
        const TaskId prev = running < 0 ? kIdle : task(running);
        const SwitchState how = pick(2) ? SwitchState::Preempted : SwitchState::Sleeping;
        if (running >= 0) state[static_cast<std::size_t>(running)] = how == SwitchState::Preempted ? 1 : 0;
        running = give ? t : -1;
        if (give) {
            state[static_cast<std::size_t>(t)] = 2;
            if (woke[static_cast<std::size_t>(t)] >= 0) latency += now - woke[static_cast<std::size_t>(t)];
            woke[static_cast<std::size_t>(t)] = -1;
        }
        c.on({now}, sw(k, prev, give ? task(t) : kIdle, how));
    }
};

} // namespace

TEST(Collector, RandomRunsMatchARecomputationAndCheckpointsReplay) {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        RandomRun run(seed);
        Collector c(RandomRun::kCpus, RandomRun::kTasks, {});
        for (int i = 0; i < 1500; ++i) run.step(c);
        RandomRun again = run;
        Collector checkpoint = c;
        for (int i = 0; i < 1500; ++i) run.step(c);
        run.pass(777);
        const Numbers n = c.finish({run.now});
        EXPECT_EQ(total(n.runnable), run.waited);
        EXPECT_EQ(total(n.idle), run.idle);
        EXPECT_EQ(total(n.idleWhileWaiting), run.both);
        EXPECT_EQ(n.idleWhileWaitingTotal.ns, run.both);
        EXPECT_EQ(n.wakeupLatency.total().ns, run.latency);
        std::int64_t cpuIdle = 0, taskWait = 0;
        for (const auto& k : n.cpus) {
            EXPECT_EQ(k.busy.ns + k.idle.ns, run.now);
            cpuIdle += k.idle.ns;
        }
        for (const auto& t : n.tasks) taskWait += t.wait.ns;
        EXPECT_EQ(cpuIdle, run.idle);
        EXPECT_EQ(taskWait, run.waited);
        EXPECT_GT(n.runnable.bin().ns, 100000) << "the run is long enough to double the bins";
        EXPECT_EQ(n.runnable.bin(), n.idleWhileWaiting.bin());

        (void)checkpoint.finish({again.now + 5}); // looking changes nothing
        for (int i = 0; i < 1500; ++i) again.step(checkpoint);
        EXPECT_EQ(checkpoint.finish({run.now}), n);
    }
}
