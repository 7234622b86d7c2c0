// SPDX-License-Identifier: GPL-3.0-or-later
// What things cost on one machine. One table per machine, used by every scenario; every number carries its
// unit and provenance. Values are data (resources/machines/*.json); this file only names them.
#pragma once
#include "core/base/records.h"

#include <array>
#include <string>
#include <string_view>

namespace rqs::machine {

/// All costs in ns of an unshared hardware thread, except where the comment says otherwise.
/// JSON key = the name in snake_case (costName()).
enum class Cost : std::uint8_t {
    CtxSwitchSame,     ///< whole switch between two tasks of one address space
    CtxSwitchOther,    ///< whole switch between address spaces
    CtxSwitchLocked,   ///< part of either that runs under rq->__lock
    EnqueueLocked,     ///< activate or deactivate one task, under rq->__lock
    WakeBase,          ///< try_to_wake_up outside any rq lock: checks and CPU selection, fixed part
    WakeScanPerCpu,    ///< each CPU examined by select_idle_sibling
    RqStatRead,        ///< statistics pass of the balancer, per runqueue, line not dirty elsewhere
    ShardHold,         ///< shared runqueue push, pop or erase, under shard->lock
    Tick,              ///< whole tick interrupt
    IrqEntry,          ///< interrupt entry and return around any handler
    IpiSend,           ///< sender side
    IpiDelivery,       ///< from send to the first handler instruction on an awake CPU
    IdleExit,          ///< leaving the idle state (typical mix, see the note)
    SyscallEmpty, PipeWrite, PipeRead, UnixSend, UnixRecv,
    CopyPerKiB,        ///< copying 1 KiB of payload between user and kernel
    FutexWait, FutexWake,
    FutexWakePerTask,  ///< additional per woken task
    SleepCall, YieldCall, Fork, CloneThread, Exit, SetAffinity,
    LineSmt, LineLlc, LineSocket, LineRemote,          ///< one cache line moved, one way, by Distance
    RefillLlc, RefillSocket, RefillRemote,             ///< working set refill after a migration, by Distance
    Count
};
inline constexpr std::size_t kCosts = static_cast<std::size_t>(Cost::Count);
std::string_view costName(Cost c);                     ///< "ctx_switch_same", ...

/// measured | published | derived | assumed
enum class Provenance : std::uint8_t { Measured, Published, Derived, Assumed };
std::string_view provenanceName(Provenance p);

struct CostEntry {
    std::int64_t ns = 0;
    Provenance provenance = Provenance::Assumed;
    std::string source;  ///< where the number is from: document section, publication, arithmetic
};

/// The documented table of a machine file.
struct CostSheet { std::array<CostEntry, kCosts> entries{}; };

/// The numbers a run uses (a sheet after the seed's jitter); trivially copyable.
struct CostTable {
    std::array<std::int64_t, kCosts> ns{};
    Duration operator[](Cost c) const { return {ns[static_cast<std::size_t>(c)]}; }
    Duration line(Distance d) const {
        switch (d) {
        case Distance::Self: case Distance::Count: return {0};
        case Distance::Smt: return (*this)[Cost::LineSmt];
        case Distance::Llc: return (*this)[Cost::LineLlc];
        case Distance::Socket: return (*this)[Cost::LineSocket];
        case Distance::Remote: return (*this)[Cost::LineRemote];
        }
        return {0};
    }
    Duration refill(Distance d) const {
        switch (d) {
        case Distance::Llc: return (*this)[Cost::RefillLlc];
        case Distance::Socket: return (*this)[Cost::RefillSocket];
        case Distance::Remote: return (*this)[Cost::RefillRemote];
        default: return {0};
        }
    }
};

/// Applies +-3 % jitter, one factor per cost drawn from the seed (integers of 1/1024).
CostTable jittered(const CostSheet& sheet, std::uint64_t seed);

} // namespace rqs::machine
