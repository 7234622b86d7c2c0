// SPDX-License-Identifier: GPL-3.0-or-later
// One run and its past: determinism, time travel, branches. "Looking changes nothing" is here too.
#include "core/engine/random.h"
#include "core/session/runner.h"
#include "core/session/snapshot_builder.h"
#include "support.h"

#include <thread>

namespace rqs::session {
namespace {

using namespace test;
using namespace literals;

std::uint64_t fingerprintOf(Session s) {
    s.runUntil(s.end());
    return s.fingerprint();
}

TEST(Session, same_inputs_give_the_same_run_and_any_difference_another) {
    const std::uint64_t base = fingerprintOf(openText(smallHackbench()));
    EXPECT_EQ(base, fingerprintOf(openText(smallHackbench())));
    EXPECT_NE(base, fingerprintOf(openText(smallHackbench(), 2)));
    EXPECT_NE(base, fingerprintOf(openText(smallHackbench(R"(,"features":{"SHARED_RUNQ":"on"})"))));
    scenario::RunSetup dearer = setupFrom(parse(smallHackbench()), "A", 1);
    auto hw = std::make_shared<machine::Hardware>(*dearer.hardware);
    hw->costs.entries[static_cast<std::size_t>(machine::Cost::UnixSend)].ns += 1;
    dearer.hardware = hw;
    EXPECT_NE(base, fingerprintOf(Session(dearer)));
}

TEST(Session, a_listener_changes_nothing) {
    const std::uint64_t base = fingerprintOf(openText(smallHackbench()));
    Session watched = openText(smallHackbench());
    MoveLog log;
    log.explain = true;
    watched.setObserver(&log);
    while (watched.step()) {
        if (watched.stepCount() % 97 == 0) (void)makeSnapshot(watched, makeRunInfo(watched), CpuId(3));
    }
    watched.runUntil(watched.end());
    EXPECT_TRUE(log.decision().has_value());
    EXPECT_EQ(base, watched.fingerprint());
}

TEST(Session, watched_by_the_runner_the_run_is_the_same) {
    Session alone = openText(smallHackbench());
    alone.runUntil(alone.end());
    Runner runner([] {});
    runner.post(command::Load{parse(smallHackbench()), "A", 1});
    runner.post(command::Run{});
    std::shared_ptr<const Snapshot> s;
    for (int i = 0; i < 2000 && !(s && s->finished); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        runner.post(command::Select{CpuId(i % 32)});
        s = runner.latest();
    }
    ASSERT_TRUE(s && s->finished);
    EXPECT_EQ(alone.fingerprint(), s->fingerprint);
    EXPECT_EQ(alone.numbers(), s->numbers);
}

TEST(Session, after_any_seek_all_metrics_equal_those_of_a_fresh_run) {
    Session travelled = openText(smallHackbench(R"(,"inputs":[{"at":"3ms","input":"set SHARED_RUNQ=on"}])"));
    travelled.runUntil(travelled.end());
    const std::uint64_t all = travelled.stepCount();
    ASSERT_GT(all, 10000u);
    ASSERT_GT(travelled.keyframeCount(), 1u);
    for (std::uint64_t k = 0; k < 24; ++k) {
        Session fresh = openText(smallHackbench(R"(,"inputs":[{"at":"3ms","input":"set SHARED_RUNQ=on"}])"));
        if (k % 2 == 0) {
            const std::uint64_t target = engine::drawBelow(7, 1, engine::Purpose::Workload, k, all);
            travelled.seekStep(target);
            fresh.seekStep(target);
            EXPECT_EQ(travelled.stepCount(), target);
        } else {
            const SimTime t{static_cast<std::int64_t>(engine::drawBelow(7, 2, engine::Purpose::Workload, k, 10000000))};
            travelled.seekTime(t);
            fresh.seekTime(t);
            EXPECT_EQ(travelled.now(), t);
        }
        EXPECT_EQ(travelled.fingerprint(), fresh.fingerprint());
        EXPECT_EQ(travelled.numbers(), fresh.numbers());
    }
    travelled.seekTime(travelled.end());
    EXPECT_EQ(travelled.stepCount(), all);
}

TEST(Session, toggling_differently_after_going_back_is_a_new_deterministic_branch) {
    auto branchRun = [](bool secondOn) {
        Session s = openText(smallHackbench(R"(,"features":{"SHARED_RUNQ":"on"})"));
        s.seekTime({4000000});
        EXPECT_TRUE(s.apply(sim::SetFeature{sched::Feature::SHARED_RUNQ, false}));
        s.runUntil(s.end());
        const std::uint64_t first = s.fingerprint();
        s.seekTime({3000000});
        EXPECT_EQ(s.knownUntil(), s.end());
        EXPECT_TRUE(s.apply(sim::SetFeature{sched::Feature::SHARED_RUNQ, secondOn}));
        EXPECT_EQ(s.branch(), 1);
        EXPECT_EQ(s.knownSteps(), s.stepCount());
        s.runUntil(s.end());
        EXPECT_NE(first, s.fingerprint());
        return s.fingerprint();
    };
    EXPECT_EQ(branchRun(false), branchRun(false));
    EXPECT_NE(branchRun(false), branchRun(true));
}

TEST(Session, a_refused_input_leaves_the_run_and_its_future_alone) {
    Session s = openText(smallHackbench());
    s.seekTime({5000000});
    s.seekTime({2000000});
    const auto known = s.knownSteps();
    EXPECT_FALSE(s.apply(sim::SetFeature{sched::Feature::DELAY_DEQUEUE, true})) << "6.5 has no DELAY_DEQUEUE";
    EXPECT_FALSE(s.apply(sim::SetNice{TaskId(0), 99}));
    EXPECT_FALSE(s.apply(sim::KillTask{TaskId(9999)}));
    EXPECT_EQ(s.knownSteps(), known);
    EXPECT_EQ(s.branch(), 0);
}

class StepUnits : public ::testing::TestWithParam<StepUnit> {};
TEST_P(StepUnits, back_undoes_forward) {
    Session s = openText(smallHackbench());
    s.seekTime({2000000});
    std::vector<std::pair<std::uint64_t, std::uint64_t>> visited;
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(s.stepForward(GetParam(), 50_us));
        visited.emplace_back(s.stepCount(), s.fingerprint());
    }
    for (std::size_t i = visited.size() - 1; i-- > 0;) {
        s.stepBack(GetParam(), 50_us);
        EXPECT_EQ(s.stepCount(), visited[i].first);
        EXPECT_EQ(s.fingerprint(), visited[i].second);
    }
}
INSTANTIATE_TEST_SUITE_P(All, StepUnits, ::testing::Values(StepUnit::Step, StepUnit::Decision, StepUnit::ContextSwitch,
                                                           StepUnit::Tick, StepUnit::Time));

TEST(Session, stepping_back_from_the_start_stays_there) {
    Session s = openText(smallHackbench());
    s.stepBack(StepUnit::Tick);
    EXPECT_EQ(s.stepCount(), 0u);
    s.stepForward(StepUnit::Step);
    s.stepBack(StepUnit::ContextSwitch);
    EXPECT_EQ(s.stepCount(), 0u);
}

TEST(Session, a_small_memory_budget_is_kept_and_seeks_still_work) {
    Session s = openText(smallHackbench());
    s.setMemoryBudget(2 << 20);
    s.runUntil(s.end());
    EXPECT_LE(s.memoryUsed(), s.memoryBudget() + (1 << 20));
    s.seekTime({1000000});
    Session fresh = openText(smallHackbench());
    fresh.seekTime({1000000});
    EXPECT_EQ(s.fingerprint(), fresh.fingerprint());
}

TEST(Session, inputs_during_a_run_take_effect) {
    Session s = openText(R"({"schema_version":1,"title":"t","summary":"s","machine":"amd-7950x","kernel":"6.12.0",
        "workload":{"generator":"hogs","args":{"tasks":2}},"seed":1,"duration":"200ms","warmup":"0ms"})");
    CpuMask two(32);
    two.set(CpuId(2));
    s.seekTime({10000000});
    ASSERT_TRUE(s.apply(sim::SetAffinity{TaskId(0), two}));
    ASSERT_TRUE(s.apply(sim::SetAffinity{TaskId(1), two}));
    s.seekTime({20000000});
    EXPECT_EQ(s.world().sched.task(TaskId(0)).cpu, CpuId(2));
    EXPECT_EQ(s.world().sched.task(TaskId(1)).cpu, CpuId(2));
    ASSERT_TRUE(s.apply(sim::SetNice{TaskId(1), 5}));
    s.seekTime({199000000});
    const auto n = s.numbers();
    const double share = static_cast<double>(n.tasks[0].run.ns) / static_cast<double>(n.tasks[0].run.ns + n.tasks[1].run.ns);
    EXPECT_NEAR(share, 0.74, 0.04) << "nice 0 against nice 5: 1024/1359, first 20 ms apart";
    ASSERT_TRUE(s.apply(sim::KillTask{TaskId(0)}));
    s.runUntil(s.end());
    EXPECT_EQ(s.world().sched.task(TaskId(0)).state, sched::TaskState::Dead);
    EXPECT_FALSE(s.apply(sim::KillTask{TaskId(0)}));
}

} // namespace
} // namespace rqs::session
