// SPDX-License-Identifier: GPL-3.0-or-later
// One run and its past: a World, its metrics, the log of inputs and keyframes. Seeking back restores the
// nearest keyframe and replays; an input given there starts a new branch.
#pragma once
#include "core/metrics/collector.h"
#include "core/scenario/run_setup.h"
#include "core/sim/dispatch.h"

#include <deque>
#include <functional>
#include <optional>

namespace rqs::session {

enum class StepUnit : std::uint8_t { Step, Decision, ContextSwitch, Tick, Time };

/// An input and where it took effect: before step number `step` (0-based), at time `at`.
struct LoggedInput {
    SimTime at;
    std::optional<std::uint64_t> step;  ///< unset: planned, not reached yet
    sim::Input input;
    std::string text;
    bool planned = false;               ///< from the scenario or the command line
};

class Session {
public:
    explicit Session(scenario::RunSetup setup);

    const sim::World& world() const { return m_now.world; }
    const scenario::RunSetup& setup() const { return m_setup; }
    SimTime now() const { return m_now.world.now; }
    std::uint64_t stepCount() const { return m_now.world.steps; }
    std::uint64_t fingerprint() const { return m_now.world.fingerprint.value(); }
    SimTime end() const { return SimTime{} + m_setup.duration; }
    /// No step is left before the end of the run.
    bool finished() const { return m_now.world.nextTime() > end() && !inputDue(end()); }
    /// Numbers as of now.
    metrics::Numbers numbers() const { return m_now.collector.finish(now()); }

    /// Extra listener for steps executed from now on (decisions, moves); not part of any checkpoint.
    void setObserver(RecordSink* observer) { m_observer = observer; }

    /// Executes one step; false when finished.
    bool step();
    /// Executes steps up to and including time t (not beyond the end), at most maxSteps; returns how many.
    std::uint64_t runUntil(SimTime t, std::uint64_t maxSteps = UINT64_MAX);
    /// Forward to the end of the next step that is / contains one of `unit`. False when the run ends before.
    bool stepForward(StepUnit unit, Duration time = {});
    /// Back to just after the previous such step (or to the start).
    void stepBack(StepUnit unit, Duration time = {});
    void seekStep(std::uint64_t step);
    void seekTime(SimTime t);

    /// User input at this instant. What was known of the future is dropped when it differs: a new branch.
    Status apply(const sim::Input& input, std::string text = {});
    const std::vector<LoggedInput>& inputs() const { return m_inputs; }
    std::int32_t branch() const { return m_branch; }
    /// Furthest point reached on this branch.
    std::uint64_t knownSteps() const { return m_knownSteps; }
    SimTime knownUntil() const { return m_knownUntil; }

    void setMemoryBudget(std::int64_t bytes);
    std::int64_t memoryBudget() const { return m_budget; }
    std::int64_t memoryUsed() const { return m_used; }
    std::size_t keyframeCount() const { return m_frames.size(); }

private:
    struct Moment { sim::World world; metrics::Collector collector; std::size_t nextInput = 0; };
    struct Frame { Moment moment; std::int64_t bytes = 0; };

    bool inputDue(SimTime before) const;
    void applyDue(SimTime until);
    bool stepWith(RecordSink* extra);
    void keepFrame();
    void thinFrames();
    void restoreAtOrBefore(std::uint64_t step, SimTime t);
    void noteReached();

    scenario::RunSetup m_setup;
    Moment m_now;
    std::vector<LoggedInput> m_inputs;
    std::deque<Frame> m_frames;  ///< by step, the first is the start
    RecordSink* m_observer = nullptr;
    std::int32_t m_branch = 0;
    std::uint64_t m_knownSteps = 0, m_frameEvery = 16384;
    SimTime m_knownUntil{};
    std::int64_t m_budget = 256ll << 20, m_used = 0;
};

} // namespace rqs::session
