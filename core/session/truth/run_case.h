// SPDX-License-Identifier: GPL-3.0-or-later
// The `truth` command for one case folder: decision replay and free run, kept apart.
#pragma once
#include "core/base/result.h"
#include "core/session/truth/report.h"

#include <filesystem>

namespace rqs::session::truth {

/// Error only if the case cannot be read; what cannot be replayed or simulated is a note in the report.
/// `resources` is the folder that holds machines/; without it there is no free run.
Result<CaseReport> runCase(const std::filesystem::path& folder, const std::filesystem::path& resources = {});

} // namespace rqs::session::truth
