// SPDX-License-Identifier: GPL-3.0-or-later
// What the simulated machine tells the outside: one small trivially copyable struct per kind of event, and
// decision records that answer "why" and "why not". No strings: words are made by whoever shows them.
#pragma once
#include "core/base/ids.h"
#include "core/base/units.h"

#include <array>
#include <variant>

namespace rqs {

/// Lock classes under the kernel's lock_stat names: `&rq->__lock`, `&p->pi_lock`, `&shard->lock`.
enum class LockClass : std::uint8_t { Rq, Pi, Shard, Count };
const char* lockClassName(LockClass c);

/// Kernel functions that acquire locks in the model; lock_stat call sites.
enum class CallSite : std::uint8_t {
    TryToWakeUp, TtwuRunnable, Schedule, SchedulerTick, NewidleBalance, DetachTasks, AttachTasks, TaskRqLock,
    EnqueueEntity, DequeueEntity, SharedRunqPop, SchedSetattr, WakeUpNewTask, Count
};
const char* callSiteName(CallSite s);

/// Distance between two CPUs, as far as cache lines and migrations care.
enum class Distance : std::uint8_t { Self, Smt, Llc, Socket, Remote, Count };
const char* distanceName(Distance d);

enum class SwitchState : std::uint8_t { Preempted, Yielded, Sleeping, Exited }; ///< R+ R S X of sched_switch
enum class MoveReason : std::uint8_t { Wakeup, Fork, Newidle, SharedRunqPull, Affinity, Hotplug, Count };
const char* moveReasonName(MoveReason r);

struct SwitchRecord { CpuId cpu; TaskId prev, next; SwitchState prevState{}; };  ///< none = idle task
struct WakeRecord { TaskId task, waker; CpuId wakerCpu, prevCpu, target; bool sync = false, requeued = false; };
struct MigrateRecord { TaskId task; CpuId from, to; MoveReason reason{}; Distance distance{}; };
struct EnqueueRecord { TaskId task; CpuId cpu; std::int32_t nrRunning = 0; };
struct DequeueRecord { TaskId task; CpuId cpu; std::int32_t nrRunning = 0; bool sleep = false, delayed = false; };
struct TickRecord { CpuId cpu; bool resched = false; };
struct ReschedRecord { CpuId cpu; TaskId running; bool remote = false; };        ///< NEED_RESCHED set
enum class LockPhase : std::uint8_t { Contend, Acquire, Release };
struct LockRecord {
    LockPhase phase{}; LockClass cls{}; CallSite site{};
    CallSite holderSite{};          ///< Contend: where the holder had acquired it
    bool bounced = false;           ///< Contend, Acquire: the last acquirer was another CPU
    bool contended = false;         ///< Acquire, Release: this acquisition had to wait
    LockId lock; std::int32_t instance = 0; CpuId cpu;
    Duration wait, hold;            ///< wait: Acquire after contention; hold: Release
};
enum class ShardOp : std::uint8_t { Push, Pop, Erase, PopBlocked };
struct ShardRecord { ShardOp op{}; ShardId shard; TaskId task; CpuId cpu; };
struct BalanceRecord { CpuId cpu, busiest; std::int32_t level = 0, imbalance = 0, moved = 0; bool newidle = true; Duration cost; };
struct InputRecord { std::int32_t index = 0; };                                  ///< n-th entry of the input log took effect
struct FeatureRecord { std::uint8_t feature = 0; std::int32_t value = 0; };
struct OpRecord { TaskId task; std::int64_t amount = 1; };                       ///< workload units done (messages, loops, ...)
struct IdleRecord { CpuId cpu; bool enter = true; };
enum class CpuMode : std::uint8_t { Idle, User, Kernel, IrqOff, Spin, Irq };
enum class AnomalyKind : std::uint8_t { ListCorruption, VirtualTimeOverflow, SoftLockup, HardLockup, RcuStall, Count };
const char* anomalyName(AnomalyKind k);
struct AnomalyRecord { AnomalyKind kind{}; CpuId cpu; TaskId task; std::int64_t detail = 0; };
struct ForkRecord { TaskId parent, child; CpuId cpu; };

using Record = std::variant<SwitchRecord, WakeRecord, MigrateRecord, EnqueueRecord, DequeueRecord, TickRecord,
                            ReschedRecord, LockRecord, ShardRecord, BalanceRecord, InputRecord, FeatureRecord,
                            OpRecord, IdleRecord, AnomalyRecord, ForkRecord>;

/// The question a decision answers.
enum class Question : std::uint8_t { WhichCpu, WhoRuns, Preempt, Placement, SliceEnd, LeaveQueue, Pull, Balance };
const char* questionText(Question q);

/// One test of one candidate, in the order the kernel tests them. Numbers mean what `testText(test)` says.
enum class Test : std::uint8_t {
    TargetIdle, PrevIdle, RecentIdle, SiblingIdle, IdleCore, ScanIdle, Fallback, WakeAffineIdle, WakeAffineSync,
    WakeAffineWeight, OnlyCandidate, Protected, Eligible, EarliestDeadline, CurrKeeps, Leftmost, NextBuddy,
    LastBuddy, SkipBuddy, WakeupGran, IdealSlice, SliceUsed, LagNegative, LagPlaced, ShardEmpty, ShardHead,
    HeadNotAllowed, PulledRunning, AvgIdle, Overload, TaskHot, Pinned, Busiest, Count
};
const char* testText(Test t);

struct Candidate {
    std::int32_t who = -1;      ///< CPU, task or shard, by question
    Test test{};
    bool passed = false;
    std::int64_t a = 0, b = 0;  ///< the numbers compared
};

/// Why (and why not). Fixed size so that making one allocates nothing; longer walks are cut, `omitted` counts.
struct Decision {
    Question question{};
    TaskId task;                ///< whom it is about (none: the CPU)
    CpuId cpu;                  ///< where it was decided
    std::int32_t outcome = -1;  ///< chosen CPU, task, shard, or 0/1
    const char* function = "";  ///< kernel function that decides, static storage
    std::array<Candidate, 96> candidates{};
    std::int32_t count = 0, omitted = 0;
    void add(std::int32_t who, Test test, bool passed, std::int64_t a = 0, std::int64_t b = 0) {
        if (count < static_cast<std::int32_t>(candidates.size()))
            candidates[static_cast<std::size_t>(count++)] = {who, test, passed, a, b};
        else
            ++omitted;
    }
};

/// The core's only way out.
class RecordSink {
public:
    virtual ~RecordSink() = default;
    virtual void on(SimTime t, const Record& r) = 0;
    /// Decisions are built only for a sink that wants them.
    virtual bool wantsDecisions() const { return false; }
    virtual void onDecision(SimTime, const Decision&) {}
};

} // namespace rqs
