// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one folder of recorded ground truth: `cmd` (workload line, kernel, every feature and knob as the
// guest had it), `tasks` (pid and task specification), and, where there is one, `trace.txt.gz`.
#pragma once
#include "core/base/result.h"
#include "core/session/truth/trace_line.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace rqs::session::truth {

/// A task of the workload line; keys that only the program of the task needs stay in `text`.
struct CaseTask {
    std::int32_t pid = -1;
    std::string name, text;
    std::int32_t nice = 0;
    std::string policy = "other"; ///< other, batch, idle, fifo:P
    std::int64_t sliceNs = 0;     ///< 0 = default request
};

struct Case {
    std::string name; ///< folder name
    std::filesystem::path folder;
    std::string workload;      ///< "lab run -d 2000 ..."
    std::string kernelRelease; ///< "6.12.117+deb12-cloud-amd64"
    std::string smp;           ///< shape of the guest as given to the emulator: "-smp 2"
    std::vector<std::pair<std::string, bool>> features; ///< in the guest's order
    std::vector<std::pair<std::string, std::int64_t>>
        knobs; ///< "base_slice_ns", ... : lines that hold one number
    std::vector<CaseTask> tasks;
    std::vector<Event> events; ///< empty if the folder has no trace
    bool traced = false;
    std::int64_t skippedLines = 0; ///< lines of the trace that are no complete event

    bool feature(std::string_view featureName) const;
    /// Value of a knob, or `otherwise`.
    std::int64_t knob(std::string_view knobName, std::int64_t otherwise) const;
};

/// Errors name the file: missing folder or `cmd`, damaged trace, a trace beyond 512 MB.
Result<Case> readCase(const std::filesystem::path& folder);

/// Parses the text of a `tasks` file; lines that do not start with a pid are skipped.
std::vector<CaseTask> parseTasks(std::string_view text);

} // namespace rqs::session::truth
