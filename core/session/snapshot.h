// SPDX-License-Identifier: GPL-3.0-or-later
// Immutable picture of one instant for the views. Made by the worker at most 60 times a second; nothing in it
// points into the World.
#pragma once
#include "core/base/records.h"
#include "core/metrics/collector.h"
#include "core/sched/features.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rqs::session {

/// Facts of a run that never change; shared by all its snapshots.
struct RunInfo {
    struct CpuPlace { CoreId core; LlcId llc; NodeId node; std::int32_t osNode = 0, socket = 0, thread = 0, cluster = -1; };
    struct TaskInfo { std::string comm, role; std::int32_t roleIndex = 0; std::int32_t number = 0; ///< rank within its role
                      std::int32_t nice = 0; std::int32_t pid = 0; };
    std::string scenarioId, title, machineId, machineTitle, kernelId, variant, unit, footer;
    std::vector<std::string> notes;              ///< e.g. "placement: simplified"
    std::vector<CpuPlace> cpus;
    std::vector<TaskInfo> tasks;
    std::vector<std::string> roles;              ///< in order of appearance = colour order
    std::int32_t llcs = 0, nodes = 0, sockets = 0;
    std::int64_t mhzBase = 0;
    std::uint64_t seed = 0;
    SimTime end;                                 ///< scenario duration
    SimTime warmup;
};

struct LockView {
    bool held = false;
    bool handover = false;                       ///< granted, line still travelling
    CpuId holder;
    SimTime since;                               ///< start of hold
    std::vector<CpuId> spinning;                 ///< queue order, at most 16
    std::int32_t waiters = 0;
};
struct CpuView {
    TaskId running;                              ///< none = idle
    CpuMode mode = CpuMode::Idle;
    bool needResched = false;
    std::int32_t nr = 0;                         ///< rq->nr_running
    std::int32_t nrDelayed = 0;
    std::array<TaskId, 8> queue{};               ///< waiting tasks in pick order
    std::uint8_t queued = 0;                     ///< entries of `queue` used
    std::uint8_t delayedBits = 0, ineligibleBits = 0;  ///< per entry of `queue`
    std::int16_t sliceUsed = 0;                  ///< permille of the request used by `running`
    bool spinning = false;
    LockClass spinClass{};
    std::int32_t spinInstance = -1;
    SimTime spinSince;
    LockView rqLock;
    std::uint64_t switches = 0;
};
struct ShardView { LlcId llc; std::int32_t indexInLlc = 0; std::vector<TaskId> tasks; ///< FIFO, at most 24
                   std::int32_t length = 0; LockView lock; };

/// Something that just moved, for animation. Only what happened since the previous snapshot, at most 256.
struct Move {
    enum class Kind : std::uint8_t { Wake, Migrate, LockHandover } kind{};
    SimTime t;
    TaskId task;
    CpuId from, to;                              ///< Wake: waker's CPU -> target
    MoveReason reason{};
    Distance distance{};
};

struct FeatureView { sched::Feature feature{}; bool on = false, available = false; std::string reason; };
struct TunableView { std::int32_t index = 0; std::int64_t value = 0; };

/// Detail of one runqueue member, for the inspector.
struct EntityView { TaskId task; std::int64_t vruntime = 0, deadline = 0, lag = 0, slice = 0; bool running = false, delayed = false, eligible = true; };

struct Snapshot {
    std::shared_ptr<const RunInfo> run;
    SimTime now;
    std::uint64_t step = 0;
    std::uint64_t knownSteps = 0;                ///< furthest step reached on this branch
    SimTime knownUntil;                          ///< its time; > now after stepping back
    bool running = false, finished = false;
    std::int32_t branch = 0;                     ///< counts new branches after going back
    std::uint64_t fingerprint = 0;
    std::vector<CpuView> cpus;
    std::vector<ShardView> shards;
    std::vector<Move> moves;
    std::vector<FeatureView> features;
    std::vector<TunableView> tunables;
    std::string preemption;
    std::optional<Decision> decision;            ///< last decision, when stepping
    SimTime decisionTime;
    CpuId nextCpu;                               ///< whose step comes next
    SimTime nextTime;
    metrics::Numbers numbers;
    std::vector<EntityView> selectedQueue;       ///< of the CPU asked for with Select
    CpuId selectedCpu;
    std::int32_t idleWhileWaiting = 0;           ///< CPUs idle while tasks wait, now
    std::int32_t waiting = 0;                    ///< tasks waiting, now
    std::int64_t memoryUsed = 0, memoryBudget = 0;
    double switchesPerWallSecond = 0;
    std::string message;                         ///< last refusal or notice for the status bar
};

} // namespace rqs::session
