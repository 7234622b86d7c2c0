// SPDX-License-Identifier: GPL-3.0-or-later
// Everything one run needs, as values: what a scenario, a variant and the user's overrides boil down to.
// Made by buildRun() in build_run.h; a Session is opened from it.
#pragma once
#include "core/machine/hardware.h"
#include "core/sched/features.h"
#include "core/sim/input.h"
#include "core/workload/workload.h"

#include <memory>
#include <string>
#include <vector>

namespace rqs::scenario {

/// An input with its instant; applied before the first step at or after `at`.
struct PlannedInput {
    SimTime at;
    sim::Input input;
    std::string text;          ///< as the user wrote it, for logs and reports
};

struct RunSetup {
    std::shared_ptr<const machine::Hardware> hardware;
    sched::KernelConfig kernel;
    workload::Workload workload;
    std::uint64_t seed = 1;
    Duration duration{}, warmup{};
    std::vector<PlannedInput> inputs;  ///< by time; equal times keep the order they were given in
    std::string scenarioId, title, variant, variantTitle;
    std::vector<std::string> notes;    ///< honest remarks for JSON, reports and picture footers
};

} // namespace rqs::scenario
