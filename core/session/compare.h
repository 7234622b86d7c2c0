// SPDX-License-Identifier: GPL-3.0-or-later
// A against B: paired statistics of every metric over several seeds, the first decision that came out
// differently, and the first moment at which the two runs did different things.
#pragma once
#include "core/base/records.h"
#include "core/session/run_result.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rqs::session {

/// One metric over all seeds. Percentages are of A, seed by seed; absent when A is 0 for some seed and B is not.
struct MetricComparison {
    std::string name, unit;
    double meanA = 0, meanB = 0;
    bool higherIsBetter = false, lowerIsBetter = false;
    std::optional<double> changePct;   ///< mean of the per-seed changes
    std::optional<double> ci95Pct;     ///< half width of the 95 % t-interval around it
    /// The interval does not contain 0.
    bool significant() const { return changePct && ci95Pct && (*changePct > *ci95Pct || -*changePct > *ci95Pct); }
};
/// a[i] and b[i] are runs of the same seed; both have the same metrics.
std::vector<MetricComparison> compareMetrics(std::span<const RunResult> a, std::span<const RunResult> b);

/// Two-sided 95 % quantile of Student's t with `degrees` >= 1 degrees of freedom.
double tQuantile95(int degrees);

/// A decision of A and its partner in B (same task or CPU, same question, same ordinal) with another outcome.
struct DecisionDifference {
    Question question{};
    TaskId task;                       ///< none: the decision is about a CPU
    CpuId cpuA, cpuB;                  ///< where it was decided
    std::uint64_t ordinal = 0;         ///< how many such decisions came before, from 0
    SimTime timeA, timeB;
    std::int32_t outcomeA = -1, outcomeB = -1;
    std::string functionA, functionB;
};
struct FirstDifference {
    std::optional<DecisionDifference> decision;  ///< the one an observer of both runs in step sees first
    std::optional<SimTime> divergence;           ///< earliest record that only one of them has
};
/// Runs both in step, at most to the end of the shorter one.
Result<FirstDifference> firstDifference(const scenario::RunSetup& a, const scenario::RunSetup& b);

/// Words for the outcome of a decision: "CPU 5", "task 12", "yes", ...
std::string outcomeText(Question q, std::int32_t outcome);

} // namespace rqs::session
