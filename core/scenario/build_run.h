// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario + variant + what the user overrides -> the values a run is opened from. The one place where a
// scenario's names are resolved; errors say which of them is at fault, as a path inside the file ("#/features/X").
#pragma once
#include "core/scenario/run_setup.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rqs::scenario {

/// Limits of one run (what the workload generators refuse on their own comes on top).
inline constexpr std::size_t kMaxTasks = 100000;
inline constexpr int kMaxCpus = 4096;

/// What is changed for one run without touching the scenario. They win over the variant.
struct Overrides {
    std::optional<std::string> kernel, preemption;
    std::vector<std::pair<std::string, std::string>> features;  ///< name, "on"/"off"; in order
    std::vector<std::pair<std::string, std::string>> tunables;  ///< name, value with or without unit
    std::vector<std::pair<std::string, std::string>> workloadArgs;
    std::vector<TimedInput> inputs;                             ///< besides the scenario's
    std::optional<std::uint64_t> seed;
    std::optional<Duration> duration;
};

Result<RunSetup> buildRun(const Scenario& scenario, const std::string& variant, const Overrides& overrides = {});

} // namespace rqs::scenario
