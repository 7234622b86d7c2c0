// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is charged: locks per kernel path (wakeup_balance 4.2, LOCK-COUNT), SR-13 inside a run, and the
// conservation of work over any number of re-timings.
#include "support.h"

#include <map>

namespace rqs::session {
namespace {

using namespace test;

/// Counts completed acquisitions by class and call site, and what pulls came to.
struct LockCount final : RecordSink {
    std::map<std::pair<LockClass, CallSite>, std::uint64_t> taken;
    std::uint64_t pops = 0, blockedPops = 0, pulled = 0, pushes = 0, erases = 0, enqueues = 0, switchesIn = 0;
    void on(SimTime, const Record& r) override {
        if (const auto* l = std::get_if<LockRecord>(&r); l && l->phase == LockPhase::Acquire) ++taken[{l->cls, l->site}];
        if (const auto* s = std::get_if<ShardRecord>(&r)) {
            pops += s->op == ShardOp::Pop;
            blockedPops += s->op == ShardOp::PopBlocked;
            pushes += s->op == ShardOp::Push;
            erases += s->op == ShardOp::Erase;
        }
        if (const auto* m = std::get_if<MigrateRecord>(&r)) pulled += m->reason == MoveReason::SharedRunqPull;
    }
    std::uint64_t at(LockClass c, CallSite s) const {
        const auto it = taken.find({c, s});
        return it == taken.end() ? 0 : it->second;
    }
};

TEST(LockCounts, LOCK_COUNT_every_insert_and_erase_takes_the_shard_lock_once) {
    Session s = openText(smallHackbench(R"(,"features":{"SHARED_RUNQ":"on"})"));
    LockCount n;
    s.setObserver(&n);
    s.runUntil(s.end());
    ASSERT_GT(n.pulled, 10u);
    // Acquisitions still in flight at the end have no operation yet: at most one per CPU.
    EXPECT_NEAR(static_cast<double>(n.pushes), static_cast<double>(n.at(LockClass::Shard, CallSite::EnqueueEntity)), 32);
    EXPECT_NEAR(static_cast<double>(n.pops + n.blockedPops),
                static_cast<double>(n.at(LockClass::Shard, CallSite::SharedRunqPop)), 32);
    EXPECT_LE(n.erases, n.at(LockClass::Shard, CallSite::DequeueEntity));
    // Every popped task costs its source rq lock; every pull and every failed pull retakes the own one.
    EXPECT_GE(n.at(LockClass::Rq, CallSite::TaskRqLock), n.pops - 32);
    EXPECT_GE(n.at(LockClass::Rq, CallSite::NewidleBalance), n.pops - 32);
    // A pushed task leaves the lists by an erase or by a pop.
    EXPECT_GE(n.pushes, n.erases + n.pops);
}

TEST(LockCounts, LOCK_COUNT_empty_shards_and_pinned_tasks_cost_nothing) {
    // Four pinned pairs: nobody is ever in a shard, so newly idle CPUs find all of them empty.
    Session s = openText(R"({"schema_version":1,"title":"t","summary":"s","machine":"amd-7950x","kernel":"6.5-tip-88c56cf",
      "features":{"SHARED_RUNQ":"on"},"workload":{"generator":"pingpong","args":{"pairs":4,"cpu":"3"}},
      "seed":1,"duration":"5ms","warmup":"0ms"})");
    LockCount n;
    s.setObserver(&n);
    s.runUntil(s.end());
    EXPECT_GT(s.world().counters.switches, 100u);
    for (const auto& [key, count] : n.taken) EXPECT_NE(key.first, LockClass::Shard) << count;
}

TEST(LockCounts, SR_13_a_popped_task_that_runs_already_is_left_alone) {
    // Pops that moved nothing: the task was running, had left, or was on the own queue. The loop goes on.
    Session s = openText(smallHackbench(R"(,"features":{"SHARED_RUNQ":"on"})"), 4);
    LockCount n;
    s.setObserver(&n);
    while (s.step()) {}
    EXPECT_GT(n.pops, n.pulled);
    EXPECT_LT(n.pops - n.pulled, n.pops);
}

/// Work is conserved: computation asked for by the program is the time it takes at full speed, exactly, however
/// often siblings come and go.
TEST(Speed, work_is_conserved_over_retimings) {
    Session s = openText(R"({"schema_version":1,"title":"t","summary":"s","machine":"amd-7950x","kernel":"6.12.0",
      "workload":{"generator":"periodic","args":{"tasks":64,"run":"137us","sleep":"211us"}},
      "seed":9,"duration":"20ms","warmup":"0ms"})");
    std::vector<std::int64_t> work(s.world().cpus.size());
    std::uint64_t halves = 0;
    sim::World before = s.world();
    while (s.step()) {
        const sim::World& w = s.world();
        for (std::size_t c = 0; c < w.cpus.size(); ++c) {
            const machine::Cpu& cpu = w.cpus[c];
            ASSERT_TRUE(cpu.speed == 1024 || cpu.speed == w.hw->smtSpeed[1]);
            halves += cpu.speed != 1024;
            if (cpu.state == machine::CpuState::Working) {
                // What is left and what the clock says agree to the ns.
                const auto& ctx = w.stacks[static_cast<std::size_t>(cpu.stack)].top();
                const std::int64_t left = ctx.remain - machine::workDone(w.now - cpu.since, cpu.speed);
                const SimTime end = w.completions.timeOf(static_cast<std::uint32_t>(c));
                ASSERT_GE((end - w.now).ns * cpu.speed, left);
                ASSERT_LT((end - w.now).ns * cpu.speed, left + cpu.speed);
            }
        }
    }
    EXPECT_GT(halves, 1000u) << "siblings slowed each other";
}

} // namespace
} // namespace rqs::session
