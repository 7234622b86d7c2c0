// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario values -> files: the inverse of the loader.
#pragma once
#include "core/base/result.h"
#include "core/scenario/scenario.h"

#include <string>

namespace rqs::scenario {

/// Text of scenario.json; parseScenario() of it gives an equal value.
std::string scenarioText(const Scenario& scenario);

/// Makes the folder if need be and writes scenario.json, and README.md if the scenario has one. An existing
/// scenario is replaced only with `replace`.
Status saveScenario(const Scenario& scenario, const std::string& folder, bool replace = false);

} // namespace rqs::scenario
