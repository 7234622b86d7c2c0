// SPDX-License-Identifier: GPL-3.0-or-later
// The `workload` part of a scenario -> tasks, programs and objects, by calling the generator it names.
#pragma once
#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/workload/workload.h"

#include <string>
#include <vector>

namespace rqs::scenario {

/// Errors have `where` = the name of the argument at fault, or "" when it is none in particular.
Result<workload::Workload> buildWorkload(const WorkloadSpec& spec, int cpus);

} // namespace rqs::scenario
