// SPDX-License-Identifier: GPL-3.0-or-later
// Where scenarios and resources lie: beside the source during development, under share/ once installed.
#pragma once
#include "core/scenario/loader.h"

#include <string>

namespace rqs::app {

/// First of these that has resources/machines: $RUNQSCOPE_DATA, ../share/runqscope seen from the program,
/// the source tree the program was built from. Error when none has.
Result<scenario::Folders> findDataFolders();

/// The scenario opened when none is named.
inline constexpr const char* kDefaultScenario = "02-shared-runq/01-hackbench-7950x";

} // namespace rqs::app
