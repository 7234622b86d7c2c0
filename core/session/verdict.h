// SPDX-License-Identifier: GPL-3.0-or-later
// Is a run what it should be? Golden figures (expected.txt, exact) and expectations (a metric within bounds).
#pragma once
#include "core/base/result.h"
#include "core/session/run_result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rqs::session {

/// Exact figures of one variant: name -> text, e.g. "fingerprint" -> "0x...".
using Golden = std::map<std::string, std::string>;

/// What expected.txt holds: variant -> figures. The file is text, one `name value` a line under `variant NAME`.
using GoldenFile = std::map<std::string, Golden>;

Golden goldenOf(const RunResult& r);
std::string goldenText(const std::string& scenarioId, const GoldenFile& file);
Result<GoldenFile> parseGolden(std::string_view text, const std::string& fileName);

/// One sentence per difference; empty = as expected.
std::vector<std::string> differences(const Golden& expected, const Golden& got);
/// One sentence per expectation of this variant that is not met or names no metric.
std::vector<std::string> unmet(const std::vector<scenario::Expectation>& expectations, const RunResult& r);

} // namespace rqs::session
