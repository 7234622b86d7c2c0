// SPDX-License-Identifier: GPL-3.0-or-later
// Command line words -> what a run is changed by. Errors name the option.
#pragma once
#include "app/cli/cli.h"
#include "core/scenario/build_run.h"

namespace rqs::cli {

Result<scenario::Overrides> readOverrides(const RunOptions& o);
Result<scenario::Overrides> readOverrides(const CompareOptions& o);

/// Checks that a result can be written there before anything is computed. "" and "-" are fine.
Status writable(const std::string& file);
/// Makes the folder (with parents) and checks that files can be made in it. "" is fine.
Status prepareFolder(const std::string& folder);

} // namespace rqs::cli
