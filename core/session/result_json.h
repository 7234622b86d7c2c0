// SPDX-License-Identifier: GPL-3.0-or-later
// A run's result as JSON. The form is versioned: a key never changes its meaning or unit within one version.
#pragma once
#include "core/base/json_writer.h"
#include "core/session/run_result.h"

namespace rqs::session {

inline constexpr int kResultSchemaVersion = 1;

/// Writes one JSON object. Times carry their unit in the key; lock_stat times are in us as in the kernel's file.
void writeResult(JsonWriter& w, const RunResult& r);
std::string resultJson(const RunResult& r);

} // namespace rqs::session
