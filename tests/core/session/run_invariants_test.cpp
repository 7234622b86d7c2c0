// SPDX-License-Identifier: GPL-3.0-or-later
// Invariants that must hold at every instant of whole runs, over machines, kernels and workloads.
#include "core/sched/fair.h"
#include "core/sched/shared_runq.h"
#include "support.h"

#include <algorithm>

namespace rqs::session {
namespace {

using namespace test;

struct Case { const char* name; const char* text; };

const Case kCases[] = {
    {"hackbench_cfs_shared_runq", R"({"schema_version":1,"title":"t","summary":"s","machine":"amd-7950x",
      "kernel":"6.5-tip-88c56cf","features":{"SHARED_RUNQ":"on"},
      "workload":{"generator":"hackbench","args":{"groups":2,"loops":1000}},"seed":3,"duration":"6ms","warmup":"0ms"})"},
    {"hackbench_pipe_eevdf", R"({"schema_version":1,"title":"t","summary":"s","machine":"smythies","kernel":"6.12.0",
      "workload":{"generator":"hackbench","args":{"groups":1,"loops":1000,"transport":"pipe"}},"seed":3,"duration":"6ms","warmup":"0ms"})"},
    {"pairs_full_preemption", R"({"schema_version":1,"title":"t","summary":"s","machine":"intel-skx-18c","kernel":"all-four",
      "preemption":"full","features":{"SHARED_RUNQ":"on"},
      "workload":{"generator":"schbench_pairs","args":{"pairs":52}},"seed":3,"duration":"6ms","warmup":"0ms"})"},
    {"hackbench_autogroups", R"({"schema_version":1,"title":"t","summary":"s","machine":"smythies","kernel":"6.13.7","autogroup":"on",
      "workload":{"generator":"hackbench","args":{"groups":2,"loops":1000,"session":"each"}},"seed":3,"duration":"6ms","warmup":"0ms"})"},
    {"hackbench_nested_groups_cfs_shared_runq", R"({"schema_version":1,"title":"t","summary":"s","machine":"amd-7950x",
      "kernel":"6.5-tip-88c56cf","features":{"SHARED_RUNQ":"on"},"groups":[{"path":"/a/b","weight":300},{"path":"/c","shares":64}],
      "workload":{"generator":"hackbench","args":{"groups":3,"loops":1000,"cg":"/a/b,/c,/"}},"seed":3,"duration":"6ms","warmup":"0ms"})"},
    {"pairs_autogroups_shared_runq", R"({"schema_version":1,"title":"t","summary":"s","machine":"intel-skx-18c","kernel":"all-four",
      "preemption":"full","features":{"SHARED_RUNQ":"on"},"autogroup":"on",
      "workload":{"generator":"pingpong","args":{"pairs":60,"session":"each"}},"seed":3,"duration":"6ms","warmup":"0ms"})"},
    {"hogs_two_sockets", R"({"schema_version":1,"title":"t","summary":"s","machine":"intel-e5-48","kernel":"6.6",
      "workload":{"generator":"hogs","args":{"tasks":100}},"seed":3,"duration":"60ms","warmup":"0ms"})"},
};

class RunInvariants : public ::testing::TestWithParam<Case> {};

/// Everything that must be true between two steps.
void checkWorld(const sim::World& w) {
    std::int64_t members = 0;
    for (int i = 0; i < w.cpuCount(); ++i) {
        const CpuId c(i);
        const sched::Rq& rq = w.sched.rq(c);
        members += rq.nrRunning();
        const machine::Cpu& cpu = w.cpus[c.index()];
        ASSERT_GE(cpu.stack, 0);
        if (rq.curr) {
            ASSERT_EQ(static_cast<std::size_t>(cpu.stack), w.taskStack(rq.curr));
            ASSERT_TRUE(w.sched.task(rq.curr).onCpu);
            ASSERT_EQ(w.sched.task(rq.curr).cpu == c || !w.sched.entity(rq.curr).onRq, true);
        } else {
            ASSERT_EQ(cpu.stack, i);
        }
        if (cpu.state == machine::CpuState::Halted) {
            ASSERT_FALSE(rq.curr.valid());
            ASSERT_EQ(rq.cfs.nrDelayed, 0) << "I9: no delayed entity on an idle CPU";
        }
    }
    std::int64_t onRq = 0, moving = 0;
    for (std::size_t t = 0; t < w.tasks.size(); ++t) {
        const sched::Entity& e = w.sched.entities[t];
        onRq += e.onRq;
        // Runnable but on no queue: on its way between two queues (TASK_ON_RQ_MIGRATING), so not on a CPU.
        if (!e.onRq && (e.delayed || w.sched.tasks[t].state == sched::TaskState::Running)) {
            ASSERT_FALSE(w.sched.tasks[t].onCpu);
            ++moving;
        }
    }
    ASSERT_EQ(members, onRq);
    ASSERT_LE(moving, w.cpuCount());
}

TEST_P(RunInvariants, hold_at_every_instant) {
    Session s = openText(GetParam().text);
    std::uint64_t checks = 0;
    while (s.step()) {
        if (s.stepCount() % 7 != 0) continue;
        ++checks;
        checkWorld(s.world());
        if (HasFatalFailure()) FAIL() << "step " << s.stepCount() << " at " << s.now().ns;
    }
    EXPECT_GT(checks, 100u);
    // Time is conserved: every CPU accounts for every ns, in some mode.
    s.runUntil(s.end());
    sim::World w = s.world();
    for (const machine::Cpu& cpu : w.cpus) {
        Duration sum = w.now - cpu.since;
        for (const Duration d : cpu.spent) sum += d;
        EXPECT_EQ(sum.ns, w.now.ns);
    }
    const auto n = s.numbers();
    for (const auto& c : n.cpus) EXPECT_EQ((c.busy + c.idle).ns, w.now.ns);
    Duration run, busy;
    for (const auto& t : n.tasks) run += t.run;
    for (const auto& c : n.cpus) busy += c.busy;
    EXPECT_EQ(run.ns, busy.ns) << "a CPU is busy exactly while a task is current on it";
}

TEST_P(RunInvariants, every_cpu_of_a_busy_machine_works) {
    Session s = openText(GetParam().text);
    s.runUntil(s.end());
    const auto n = s.numbers();
    for (const auto& c : n.cpus) EXPECT_GT(c.switches, 0u);
    EXPECT_GT(n.switches, n.cpus.size());
}

INSTANTIATE_TEST_SUITE_P(Runs, RunInvariants, ::testing::ValuesIn(kCases),
                         [](const auto& p) { return std::string(p.param.name); });

/// Steady state without joins: -r_max < real lag < max(r_max, tick), real lag = w * vlag / nice-0 weight.
TEST(RunInvariants, I17_lag_of_hogs_stays_bounded) {
    for (const char* nice : {"0,0,0", "0,5,10", "-5,0,5"}) {
        Session s = openText(std::string(R"({"schema_version":1,"title":"t","summary":"s","machine":"gt-smp2","kernel":"6.12.0",
            "workload":{"generator":"hogs","args":{"tasks":3,"cpu":"1","nice":")") + nice +
                             R"("}},"seed":5,"duration":"600ms","warmup":"0ms"})");
        s.seekTime({50000000});
        const sched::State& st = s.world().sched;
        const std::int64_t slice = st.kernel.tunables.base_slice_ns;
        const std::int64_t tick = st.kernel.tunables.tick().ns;
        int checks = 0;
        while (s.step()) {
            sched::State copy = s.world().sched;
            const CpuId c(1);
            if (copy.rq(c).cfs.curr < 0) continue;
            sched::updateCurr(copy, c, s.now());
            const VTime v = sched::avgVruntime(copy, c);
            for (std::size_t t = 0; t < copy.entities.size(); ++t) {
                const sched::Entity& e = copy.entities[t];
                if (!e.onRq) continue;
                const double real = static_cast<double>((v - e.vruntime).v) * static_cast<double>(e.weight.scaled()) / 1024;
                // One tick of overrun is possible before the slice end is noticed.
                ASSERT_GT(real, -static_cast<double>(std::max(slice, tick) + tick));
                ASSERT_LT(real, static_cast<double>(std::max(slice, tick) + tick));
                ++checks;
            }
        }
        EXPECT_GT(checks, 500);
    }
}

TEST(RunInvariants, SHQ_INV_1_SHQ_INV_2_SHQ_INV_3_inside_a_run) {
    Session s = openText(kCases[0].text);
    std::uint64_t moved = 0;
    struct Watch final : RecordSink {
        std::uint64_t* moved;
        const machine::Topology* topo;
        bool llcKept = true;
        void on(SimTime, const Record& r) override {
            if (const auto* m = std::get_if<MigrateRecord>(&r); m && m->reason == MoveReason::SharedRunqPull) {
                ++*moved;
                llcKept &= topo->shareCache(m->from, m->to);
            }
        }
    } watch;
    watch.moved = &moved;
    watch.topo = &s.world().hw->topology;
    s.setObserver(&watch);
    while (s.step()) {
        if (s.stepCount() % 11 != 0) continue;
        const sched::State& st = s.world().sched;
        for (std::size_t t = 0; t < st.tasks.size(); ++t) {
            const sched::Task& task = st.tasks[t];
            if (!task.shard) continue;
            ASSERT_TRUE(st.entities[t].onRq) << "linked but not queued";
            ASSERT_EQ(st.shardOfCpu[task.cpu.index()], task.shard) << "in a foreign shard";
        }
    }
    EXPECT_TRUE(watch.llcKept) << "a pull never leaves the LLC";
    EXPECT_GT(moved, 0u) << "the feature did something";
}

} // namespace
} // namespace rqs::session
