// SPDX-License-Identifier: GPL-3.0-or-later
// Free run: the workload line of a case simulated from the start on the case's machine, kernel and features,
// and its figures set beside the recorded ones. Nothing of the trace is fed in.
#pragma once
#include "core/session/truth/case_reader.h"
#include "core/session/truth/report.h"

#include <filesystem>

namespace rqs::session::truth {

/// `resources` is the folder that holds machines/. Error: why this case cannot be simulated or compared.
Result<FreeRun> freeRun(const Case& c, const std::filesystem::path& resources);

} // namespace rqs::session::truth
