// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a session on a worker thread. Commands go down by value, snapshots come up through one slot: newest
// wins, at most one pending notification, at most 60 publications per second.
#pragma once
#include "core/scenario/scenario.h"
#include "core/session/session.h"
#include "core/session/snapshot.h"

#include <functional>
#include <memory>
#include <variant>

namespace rqs::session {

namespace command {
struct Load { scenario::Scenario scenario; std::string variant = "A"; std::optional<std::uint64_t> seed; };
struct Run {};
struct Pause {};
struct StepForward { StepUnit unit = StepUnit::Step; Duration time{}; };
struct StepBack { StepUnit unit = StepUnit::Step; Duration time{}; };
struct SeekTime { SimTime t; };
struct SeekStep { std::uint64_t step = 0; };
struct SetSpeed { std::int64_t simNsPerWallSecond = 0; };  ///< 0 = as fast as possible
struct Apply { sim::Input input; };
struct Select { CpuId cpu; };                              ///< whose queue the snapshot details
struct SetMemoryBudget { std::int64_t bytes = 256 << 20; };
} // namespace command
using Command = std::variant<command::Load, command::Run, command::Pause, command::StepForward, command::StepBack,
                             command::SeekTime, command::SeekStep, command::SetSpeed, command::Apply,
                             command::Select, command::SetMemoryBudget>;

class Runner {
public:
    /// `notify` is called on the worker thread when a new snapshot waits; it must only post a wake-up.
    explicit Runner(std::function<void()> notify);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    void post(Command c);
    /// Newest snapshot, or nullptr before the first load. Never blocks for the simulation.
    std::shared_ptr<const Snapshot> latest();
    /// Waits until all posted commands were taken and a snapshot with their effect is in the slot (tests).
    void drain();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace rqs::session
