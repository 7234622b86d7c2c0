// SPDX-License-Identifier: GPL-3.0-or-later
// Worked examples WK-* of the wakeup document as far as they need no PELT, and properties of placement.
#include "core/sched/wakeup.h"
#include "tests/core/sched/support/toy_machine.h"

#include <algorithm>
#include <random>

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

using Why = rqs::Test; // inside a fixture, Test is GoogleTest's
constexpr SimTime kNow{5000000};

struct Box : testing::Test {
    State s = emptyState(toyBoxA());
    TaskId wakee = newTask(s);

    Placement wake(int wakerCpu, bool sync = false, Decision* why = nullptr) {
        const CpuId c(wakerCpu);
        return selectTaskRq(s, {wakee, s.rq(c).curr, c, sync, kNow}, why);
    }
    void llc0Busy() { busy(s, {0, 1, 2, 3, 8, 9, 10, 11}); }
};
using Wakeup = Box;

std::vector<Why> tests(const Decision& d) {
    std::vector<Why> out;
    for (std::int32_t i = 0; i < d.count; ++i) out.push_back(d.candidates[static_cast<std::size_t>(i)].test);
    return out;
}

} // namespace

TEST_F(Wakeup, WK_1_idle_prev_wins_over_busy_waker) {
    busy(s, 0);
    putToSleep(s, wakee, 2);
    EXPECT_EQ(wake(0).cpu, CpuId(2));
}

TEST_F(Wakeup, WK_2_sync_changes_the_target_but_not_the_cpu) {
    busy(s, 0);
    putToSleep(s, wakee, 2);
    Decision d;
    EXPECT_EQ(wake(0, true, &d).cpu, CpuId(2));
    // The waker is alone and says it will sleep: target is its CPU; prev wins only at the next test.
    EXPECT_EQ(tests(d),
              (std::vector<Why>{Why::WakeAffineIdle, Why::WakeAffineSync, Why::TargetIdle, Why::PrevIdle}));
    EXPECT_TRUE(d.candidates[1].passed);
    EXPECT_EQ(d.candidates[2].who, 0);
    EXPECT_EQ(d.outcome, 2);
    EXPECT_EQ(d.question, Question::WhichCpu);
    EXPECT_STREQ(d.function, "select_task_rq_fair");
}

TEST_F(Wakeup, WK_3_stacks_on_the_waker_beside_an_idle_llc) {
    llc0Busy();
    putToSleep(s, wakee, 5);
    EXPECT_EQ(wake(0, true).cpu, CpuId(0));
    EXPECT_EQ(wake(0, false).cpu, CpuId(5)) << "without sync the idle prev is the target";
}

TEST_F(Wakeup, WK_4_interrupt_on_an_idle_cpu) {
    putToSleep(s, wakee, 2);
    const TaskId hog = busy(s, 2);
    EXPECT_EQ(wake(1).cpu, CpuId(1));
    s.rq(CpuId(2)) = Rq{};
    s.entity(hog).onRq = false;
    EXPECT_EQ(wake(1).cpu, CpuId(2));
}

TEST_F(Wakeup, WK_5_interrupt_far_from_prev) {
    putToSleep(s, wakee, 5);
    EXPECT_EQ(wake(1).cpu, CpuId(5));
    busy(s, 5);
    // Weight decides here; without load averages that is undecided, so target is prev and its sibling is
    // idle.
    Decision d;
    EXPECT_EQ(wake(1, false, &d).cpu, CpuId(13));
    EXPECT_EQ(d.candidates[2].test, Why::WakeAffineWeight);
    EXPECT_EQ(d.candidates[2].a, -1);
}

TEST_F(Wakeup, WK_9_scan_starts_after_the_target) {
    busy(s, {0, 1, 2, 8, 9, 10, 11});
    putToSleep(s, wakee, 0);
    const Placement p = wake(0);
    EXPECT_EQ(p.cpu, CpuId(3));
    EXPECT_EQ(p.scanned, 4) << "the sibling of prev, then 1, 2, 3";
}

TEST_F(Wakeup, ScanWrapsAndVisitsTheTargetLast) {
    busy(s, {2, 3, 8, 9, 10, 11});
    busy(s, 1);
    putToSleep(s, wakee, 3);
    EXPECT_EQ(wake(3).cpu, CpuId(0));
    busy(s, 0);
    const Placement p = wake(3);
    EXPECT_EQ(p.cpu, CpuId(3)) << "nobody idle: the target";
    EXPECT_EQ(p.scanned, 1 + 8);
}

TEST_F(Wakeup, WK_10_wake_wide) {
    const TaskId waker = busy(s, 0);
    s.task(waker).wakeeFlips = 64;
    s.task(wakee).wakeeFlips = 8;
    EXPECT_TRUE(wakeWide(s, waker, wakee, 8));
    EXPECT_TRUE(wakeWide(s, wakee, waker, 8)) << "symmetric";
    s.task(waker).wakeeFlips = 63;
    EXPECT_FALSE(wakeWide(s, waker, wakee, 8));
    s.task(waker).wakeeFlips = 6400;
    s.task(wakee).wakeeFlips = 7;
    EXPECT_FALSE(wakeWide(s, waker, wakee, 8));

    // Wide pins the target to prev: with prev busy in the other LLC the search stays there.
    s.task(waker).wakeeFlips = 64;
    s.task(waker).lastWakee = wakee;
    s.task(waker).wakeeFlipDecay = kNow;
    s.task(wakee).wakeeFlips = 8;
    putToSleep(s, wakee, 5);
    busy(s, 5);
    EXPECT_EQ(s.hw->topology.cpu(wake(0, true).cpu).llc, s.hw->topology.cpu(CpuId(5)).llc);
    s.task(waker).wakeeFlips = 63;
    EXPECT_EQ(s.hw->topology.cpu(wake(0, true).cpu).llc, s.hw->topology.cpu(CpuId(0)).llc);
}

TEST_F(Wakeup, WK_11_recently_used_cpu) {
    busy(s, {0, 1});
    putToSleep(s, wakee, 1);
    s.task(wakee).recentUsedCpu = CpuId(3);
    EXPECT_EQ(wake(0, true).cpu, CpuId(3));
    EXPECT_EQ(s.task(wakee).recentUsedCpu, CpuId(1));
}

TEST_F(Wakeup, RecentCpuIsRememberedOnAMissButNotWhenAnEarlierTestHits) {
    llc0Busy();
    putToSleep(s, wakee, 1);
    s.task(wakee).recentUsedCpu = CpuId(3);
    wake(0, true);
    EXPECT_EQ(s.task(wakee).recentUsedCpu, CpuId(1)) << "written although the test missed";
    putToSleep(s, wakee, 5);
    s.task(wakee).recentUsedCpu = CpuId(7);
    EXPECT_EQ(wake(0).cpu, CpuId(5));
    EXPECT_EQ(s.task(wakee).recentUsedCpu, CpuId(7)) << "target idle came first";
}

TEST_F(Wakeup, WK_12_idle_sibling_of_prev) {
    busy(s, {0, 1, 2});
    putToSleep(s, wakee, 2);
    const Placement p = wake(0);
    EXPECT_EQ(p.cpu, CpuId(10));
    EXPECT_EQ(p.scanned, 1);
}

TEST_F(Wakeup, IdleCoreIsPreferredWhenTheLlcHasOne) {
    busy(s, {0, 1, 8, 10});
    putToSleep(s, wakee, 0);
    s.hasIdleCores[0] = 1;
    // Core {1,9} has an idle thread, core {2,10} too, core {3,11} is idle altogether.
    EXPECT_EQ(wake(0).cpu, CpuId(3));
    EXPECT_EQ(s.hasIdleCores[0], 1);
}

TEST_F(Wakeup, FailedCoreScanClearsTheHintAndUsesTheFirstIdleThreadSeen) {
    busy(s, {0, 1, 8, 10, 11});
    putToSleep(s, wakee, 0);
    s.hasIdleCores[0] = 1;
    EXPECT_EQ(wake(0).cpu, CpuId(9)) << "core {1,9} comes first in scan order";
    EXPECT_EQ(s.hasIdleCores[0], 0);
    EXPECT_EQ(s.hasIdleCores[1], 0);
}

TEST_F(Wakeup, ACoreIsJudgedOnceWhenItsFirstThreadIsNotAllowed) {
    wakee = newTask(s, {0, 9, 3, 11});
    busy(s, {0, 8, 1, 3});
    putToSleep(s, wakee, 0);
    s.hasIdleCores[0] = 1;
    Decision d;
    EXPECT_EQ(wake(0, false, &d).cpu, CpuId(11)) << "idle threads 9 and 11; CPU 3's core is visited first";
    const auto seen = tests(d);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), Why::IdleCore), 3) << "cores of 3, 9 and 0, once each";
}

TEST_F(Wakeup, CoreScanWrapsSoTheOtherThreadMayStandForTheCore) {
    busy(s, {1, 2, 3});
    putToSleep(s, wakee, 2);
    busy(s, 10);
    s.hasIdleCores[0] = 1;
    EXPECT_EQ(wake(2).cpu, CpuId(8)) << "after 2 come 3, 8, ...; CPU 0 only at the end";
}

TEST_F(Wakeup, CoreScanRemembersTheFirstUsableThreadOnly) {
    const auto background = [&](int c) { runOn(s, addTask(s, 0, TaskPolicy::Idle, MaskId(0), 0, {}), c); };
    busy(s, {0, 2, 3, 8, 10, 11});
    background(9);
    putToSleep(s, wakee, 0);
    s.hasIdleCores[0] = 1;
    EXPECT_EQ(wake(0).cpu, CpuId(1)) << "idle 1 was seen before its sched_idle sibling";
    busy(s, 1);
    s.hasIdleCores[0] = 1;
    EXPECT_EQ(wake(0).cpu, CpuId(9)) << "a sched_idle thread is better than none";
}

TEST_F(Wakeup, IdleCoreBeatsTheIdleSiblingOfPrev) {
    busy(s, {0, 1, 2});
    putToSleep(s, wakee, 2);
    s.hasIdleCores[0] = 1;
    EXPECT_EQ(wake(0).cpu, CpuId(3));
}

TEST_F(Wakeup, SyncPullsOnlyToAWakerThatIsAlone) {
    const LlcId here = s.hw->topology.cpu(CpuId(0)).llc, there = s.hw->topology.cpu(CpuId(5)).llc;
    const auto llcOf = [&](const Placement& p) { return s.hw->topology.cpu(p.cpu).llc; };
    const TaskId waker = busy(s, 0);
    busy(s, 5);
    putToSleep(s, wakee, 5);
    EXPECT_EQ(llcOf(wake(0, true)), here);
    EXPECT_EQ(llcOf(wake(0, false)), there);
    queueOn(s, newTask(s), 0);
    EXPECT_EQ(llcOf(wake(0, true)), there);
    s.rq(CpuId(0)).cfs.nrDelayed = 1;
    EXPECT_EQ(llcOf(wake(0, true)), here) << "a delayed task is no company";
    s.task(waker).state = TaskState::Dead;
    EXPECT_EQ(llcOf(wake(0, true)), there) << "an exiting waker's sync is ignored";
}

TEST_F(Wakeup, SiblingOfAPrevInAnotherLlcIsNotEvenRead) {
    llc0Busy();
    busy(s, 5);
    putToSleep(s, wakee, 5);
    const Placement p = wake(0, true);
    EXPECT_EQ(p.cpu, CpuId(0));
    EXPECT_EQ(p.scanned, 8);
}

TEST_F(Wakeup, NoteIdleWantsAllSiblings) {
    busy(s, 8);
    noteIdle(s, CpuId(0));
    EXPECT_EQ(s.hasIdleCores[0], 0);
    noteIdle(s, CpuId(5));
    EXPECT_EQ(s.hasIdleCores[1], 1);
    EXPECT_EQ(s.hasIdleCores[0], 0);
    s.rq(CpuId(8)) = Rq{};
    noteIdle(s, CpuId(0));
    EXPECT_EQ(s.hasIdleCores[0], 1);
}

TEST_F(Wakeup, NoSmtMeansNoIdleCoreHint) {
    State flat = emptyState(fourCores());
    noteIdle(flat, CpuId(1));
    EXPECT_EQ(flat.hasIdleCores[0], 0);
}

TEST_F(Wakeup, PinnedTaskHasNoChoice) {
    wakee = newTask(s, {6});
    busy(s, 6);
    putToSleep(s, wakee, 6);
    Decision d;
    EXPECT_EQ(wake(0, true, &d).cpu, CpuId(6));
    EXPECT_EQ(tests(d), (std::vector<Why>{Why::OnlyCandidate}));
}

TEST_F(Wakeup, PrevNoLongerAllowedFallsBackToItsNode) {
    wakee = newTask(s, {6, 7});
    busy(s, {0, 6, 7});
    putToSleep(s, wakee, 2); // the mask was changed while it slept
    EXPECT_EQ(wake(0).cpu, CpuId(6));
}

TEST(WakeupNuma, FarDomainDoesNotPullAndFallbackStaysOnTheNode) {
    machine::Shape near = zen3Two64(), far = zen3Two64();
    near.reclaimDistance = 32; // what the kernel sets on these machines
    for (const auto& [box, node] : {std::pair{near, 0}, std::pair{far, 1}}) {
        State m = emptyState(box);
        const TaskId waker = busy(m, 0), t = newTask(m);
        busy(m, 64);
        putToSleep(m, t, 64);
        const CpuId c = selectTaskRq(m, {t, waker, CpuId(0), true, kNow}).cpu;
        EXPECT_EQ(m.hw->topology.cpu(c).node, NodeId(node)) << "distance 32 is above a limit of 30 only";
    }
    State m = emptyState(far);
    const TaskId t = newTask(m, {3, 90});
    busy(m, 65);
    putToSleep(m, t, 65);
    EXPECT_EQ(selectTaskRq(m, {t, {}, CpuId(9), false, kNow}).cpu, CpuId(90));
}

TEST_F(Wakeup, SchedIdleCpuCountsAsIdleForTheTarget) {
    const TaskId background = addTask(s, 0, TaskPolicy::Idle, MaskId(0), 0, {});
    runOn(s, background, 2);
    busy(s, {0, 1, 3, 8, 9, 10, 11});
    putToSleep(s, wakee, 2);
    EXPECT_TRUE(schedIdleCpu(s, CpuId(2)));
    EXPECT_EQ(wake(0).cpu, CpuId(2));
    queueOn(s, newTask(s), 2);
    EXPECT_FALSE(schedIdleCpu(s, CpuId(2)));
    EXPECT_FALSE(schedIdleCpu(s, CpuId(4))) << "nobody there";
}

TEST_F(Wakeup, RecordWakeeHalvesOncePerLookAfterASecond) {
    const TaskId w = newTask(s), a = newTask(s), b = newTask(s);
    SimTime t{0};
    for (int i = 0; i < 10; ++i) recordWakee(s, w, i % 2 ? a : b, t);
    EXPECT_EQ(s.task(w).wakeeFlips, 10);
    recordWakee(s, w, a, {1000000000});
    EXPECT_EQ(s.task(w).wakeeFlips, 10) << "exactly one second is not more than one";
    recordWakee(s, w, a, {9000000000});
    EXPECT_EQ(s.task(w).wakeeFlips, 5) << "one halving, however long ago";
    recordWakee(s, w, b, {9000000001});
    EXPECT_EQ(s.task(w).wakeeFlips, 6);
}

TEST(WakeupProperty, ResultIsAllowedAndIdleIfTheLlcHasAnIdleAllowedCpu) {
    std::mt19937 rng(7);
    int stacked = 0, coreHits = 0;
    for (int round = 0; round < 4000; ++round) {
        State s = emptyState(round % 2 ? toyBoxA() : milan72());
        const int cpus = s.hw->topology.cpuCount();
        const auto pick = [&](int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); };
        const int load = pick(12);
        for (int c = 0; c < cpus; ++c)
            if (pick(10) < load) busy(s, c);
        for (auto& hint : s.hasIdleCores) hint = static_cast<std::uint8_t>(pick(2));
        CpuMask mask(cpus);
        const int density = 1 + pick(10);
        for (int c = 0; c < cpus; ++c)
            if (pick(10) < density) mask.set(CpuId(c));
        if (mask.empty()) mask.set(CpuId(pick(cpus)));
        const TaskId t = addTask(s, 0, TaskPolicy::Normal, internMask(s, mask), 0, {});
        putToSleep(s, t, pick(cpus));
        s.task(t).recentUsedCpu = CpuId(pick(cpus));
        const CpuId wakerCpu(pick(cpus));
        const State before = s;
        Decision d;
        const WakeRequest request{t, s.rq(wakerCpu).curr, wakerCpu, pick(2) == 0, kNow};
        const Placement p = selectTaskRq(s, request, &d);
        ASSERT_TRUE(p.cpu && mask.test(p.cpu));
        ASSERT_EQ(d.outcome, p.cpu.v);
        State silent = before;
        ASSERT_EQ(selectTaskRq(silent, request).cpu, p.cpu) << "looking changes nothing";
        const auto& topology = s.hw->topology;
        if (!idleCpu(s, p.cpu) && before.task(t).nrAllowed > 1 && mask.test(before.task(t).cpu)) {
            ++stacked;
            for (CpuId c : topology.llcCpus(topology.cpu(p.cpu).llc))
                ASSERT_FALSE(mask.test(c) && idleCpu(s, c)) << "an idle allowed CPU was missed: " << c.v;
        }
        if (d.count && d.candidates[static_cast<std::size_t>(d.count - 1)].test == Why::IdleCore &&
            d.candidates[static_cast<std::size_t>(d.count - 1)].passed) {
            ++coreHits;
            for (CpuId c : topology.coreCpus(topology.cpu(p.cpu).core)) ASSERT_TRUE(idleCpu(s, c));
        }
    }
    EXPECT_GT(stacked, 200);
    EXPECT_GT(coreHits, 100);
}

TEST(Fork, HogsSpreadOverCoresFirst) {
    State s = emptyState(ryzen7950x());
    std::vector<bool> core(16), cpu(32);
    for (int i = 0; i < 32; ++i) {
        const TaskId t = newTask(s);
        const CpuId c = selectForkRq(s, t, CpuId(3)).cpu;
        ASSERT_FALSE(cpu[c.index()]);
        cpu[c.index()] = true;
        if (i < 16) {
            const auto k = s.hw->topology.cpu(c).core.index();
            ASSERT_FALSE(core[k]) << "core used twice at child " << i;
            core[k] = true;
        }
        runOn(s, t, c.v);
    }
    const TaskId extra = newTask(s);
    EXPECT_EQ(selectForkRq(s, extra, CpuId(3)).cpu, CpuId(3)) << "all equal: the parent's CPU";
    queueOn(s, newTask(s), 3);
    EXPECT_EQ(selectForkRq(s, extra, CpuId(3)).cpu, CpuId(4));
}

TEST(Fork, StaysInTheParentsLlcOnATieAndRespectsAffinity) {
    State s = emptyState(toyBoxA());
    Decision d;
    EXPECT_EQ(selectForkRq(s, newTask(s), CpuId(6), &d).cpu, CpuId(6));
    EXPECT_EQ(d.outcome, 6);
    busy(s, 6);
    EXPECT_EQ(selectForkRq(s, newTask(s), CpuId(6)).cpu, CpuId(0)) << "the other LLC has more idle CPUs";
    EXPECT_EQ(selectForkRq(s, newTask(s, {6, 14}), CpuId(6)).cpu, CpuId(14));
    EXPECT_EQ(selectForkRq(s, newTask(s, {6}), CpuId(0)).cpu, CpuId(6));
}

TEST(Fork, WholeIdleCoreBeatsTheNearerIdleThread) {
    State s = emptyState(toyBoxA());
    busy(s, 14);
    const TaskId child = newTask(s, {4, 5, 6, 7, 12, 13, 14, 15});
    EXPECT_EQ(selectForkRq(s, child, CpuId(6)).cpu, CpuId(7));
    busy(s, {4, 5, 7});
    EXPECT_EQ(selectForkRq(s, child, CpuId(6)).cpu, CpuId(6)) << "no idle core left";
}
