// SPDX-License-Identifier: GPL-3.0-or-later
// The words of an input ("set SHARED_RUNQ=off", "kill hog0", ...) as used by scenario files, --at and input
// files, turned into values the simulation applies.
#pragma once
#include "core/scenario/scenario.h"
#include "core/sched/features.h"
#include "core/workload/workload.h"

#include <span>
#include <string>
#include <string_view>

namespace rqs::scenario {

/// What an input may refer to.
struct InputScope {
    const sched::KernelConfig& kernel;
    std::span<const workload::TaskSpec> tasks;
    int cpus = 0;
};

/// One input:
///     set FEATURE=on|off      tune NAME=VALUE (VALUE in the tunable's unit; times may carry one: 3ms)
///     preempt none|voluntary|full
///     nice TASK N     kill TASK     affinity TASK CPUS        TASK = name if only one has it, or its number
Result<sim::Input> parseInput(std::string_view text, const InputScope& scope, const std::string& where);

/// "20ms:set SHARED_RUNQ=off".
Result<TimedInput> parseTimedInput(std::string_view text, const std::string& where);

/// A file of timed inputs, one a line; blank lines and lines that start with # are skipped.
Result<std::vector<TimedInput>> parseInputLines(std::string_view text, const std::string& fileName);

/// The same words back, for logs: parseInput(inputText(i)) == i.
std::string inputText(const sim::Input& input);

/// Value of a tunable: an integer, or a time with its unit where the tunable is a time.
Result<std::int64_t> parseTunableValue(std::string_view name, std::string_view text, const std::string& where);

} // namespace rqs::scenario
