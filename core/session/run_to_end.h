// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a scenario from start to end without anybody watching.
#pragma once
#include "core/session/run_result.h"

namespace rqs::session {

/// `observer` may be null; it changes nothing about the run. wallSeconds is left 0 for the caller to fill in.
RunResult runToEnd(const scenario::RunSetup& setup, RecordSink* observer = nullptr);

} // namespace rqs::session
