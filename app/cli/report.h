// SPDX-License-Identifier: GPL-3.0-or-later
// A run's result for people: the table on the terminal and the folder written by --report.
#pragma once
#include "app/cli/cli.h"
#include "core/session/run_result.h"

namespace rqs::cli {

/// Compact tables: what was run, its metrics, lock_stat, tasks when they are few.
std::string summary(const session::RunResult& r);

/// report.md, result.json, throughput.csv, wakeup_latency.csv in an existing folder.
Status writeReport(const std::string& folder, const session::RunResult& r);

} // namespace rqs::cli
