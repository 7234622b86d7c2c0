// SPDX-License-Identifier: GPL-3.0-or-later
// What one finished run has to say, as plain values: what was run, and what came out.
#pragma once
#include "core/metrics/collector.h"
#include "core/scenario/run_setup.h"
#include "core/scenario/scenario.h"

#include <string>
#include <utility>
#include <vector>

namespace rqs::session {

struct RunResult {
    std::string scenario, title, variant, variantTitle;
    std::string kernel, preemption, machine, machineTitle;
    int cpus = 0, llcs = 0, nodes = 0, sockets = 0;
    std::uint64_t seed = 0;
    std::vector<std::pair<std::string, bool>> features;          ///< those the kernel has, at the start of the run
    std::vector<std::pair<std::string, std::int64_t>> tunables;  ///< all, at the start of the run
    std::vector<scenario::TimedInput> inputs;                    ///< applied while it ran
    std::string unit;                                            ///< of throughput: "messages", ...
    bool lowerIsBetter = false;
    struct Task { std::string comm, role; std::int32_t nice = 0; };
    std::vector<Task> tasks;
    std::vector<std::string> notes;
    SimTime simTime, warmup;
    std::uint64_t steps = 0, fingerprint = 0;
    metrics::Numbers numbers;
    double wallSeconds = 0;                                      ///< of the machine that ran it; not part of the outcome
};

/// Everything but the outcome: names, switches, tasks, inputs of a run.
RunResult describeRun(const scenario::RunSetup& setup);

/// One number with the name people know it by.
struct Metric {
    std::string name, unit;
    double value = 0;
    bool higherIsBetter = false, lowerIsBetter = false;          ///< neither: just a fact
};
/// All scalar metrics of a run, always the same names in the same order for one scenario.
std::vector<Metric> metricsOf(const RunResult& r);

/// 64 bits as 0x and 16 digits.
std::string fingerprintText(std::uint64_t fingerprint);

} // namespace rqs::session
