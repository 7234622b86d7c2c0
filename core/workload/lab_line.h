// SPDX-License-Identifier: GPL-3.0-or-later
// The workload lines of the recorded cases, `lab run ...` and `lab pp ...`, as workloads. Task language:
// steps.h. lab run [-d MS] [-D MS] [-o DIR] [-F] [-U] TASK...   tasks sleep and are released in order of the
// line; -U: they
//   are placed as forks. -d default 2000. -D and -F only concern the recording; -S and -g (groups) are
//   refused.
// lab pp  [-d MS] [-n PAIRS] [-b NS] [-C CPU] [-s NS] [-t]   pipe ping-pong of processes: burn b before each
// write,
//   the first of a pair sleeps s after each round trip. -d default 500, -t has no effect in the recorded
//   program.
#pragma once
#include "core/base/result.h"
#include "core/workload/workload.h"

#include <string_view>

namespace rqs::workload {

/// Distance of two releases: what one write to a task's gate took in the recordings with 2 CPUs.
inline constexpr std::int64_t kReleaseGapNs = 3'437;
/// `lab pp`: the second task of each pair gets this long to fall asleep in its read.
inline constexpr std::int64_t kSettleNs = 100'000;

struct LabRun {
    Workload workload;
    Duration duration;          ///< -d
    Duration dumpAt;            ///< -D, 0 = none
    bool placedAsForks = false; ///< -U
};

/// Errors have no `where`; their text names the key and the column of the line.
Result<LabRun> parseLabLine(std::string_view line);

} // namespace rqs::workload
