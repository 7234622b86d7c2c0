// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario as a value: machine, kernel, switches, workload, seed, duration, variants. Files become values in
// loader.h; values become files in writer.h; load(write(x)) == x.
#pragma once
#include "core/sim/input.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rqs::scenario {

/// Named generator or lab line with its arguments, as written in the file.
struct WorkloadSpec {
    std::string generator;                       ///< hogs, periodic, pingpong, schbench_pairs, hackbench, lab, tasks
    std::map<std::string, std::string> args;     ///< generator arguments by name, checked by the generator
    std::string line;                            ///< generator == lab: the `lab run ...` / `lab pp ...` line
    bool operator==(const WorkloadSpec&) const = default;
};

/// A task group: weight as in cgroup v2, or shares as in v1; the other one is 0.
struct GroupEntry {
    std::string path;
    std::int64_t weight = 0, shares = 0;
    bool operator==(const GroupEntry&) const = default;
};

/// Differences of one variant against the scenario.
struct Changes {
    std::optional<std::string> kernel;
    std::map<std::string, std::string> features;  ///< name -> on/off
    std::map<std::string, std::int64_t> tunables;
    std::map<std::string, std::string> workloadArgs;
    std::optional<std::string> preemption;
    std::optional<bool> autogroup;                ///< every terminal session is a group; off by default
    bool operator==(const Changes&) const = default;
};
struct Variant { std::string name, title; Changes changes; bool operator==(const Variant&) const = default; };

/// Input given in the file or with --at: "20ms:set SHARED_RUNQ=off".
struct TimedInput {
    SimTime at;
    std::string text;
    std::string where{};       ///< for errors: "inputs.txt:3"; empty when the context says it
    bool operator==(const TimedInput& o) const { return at == o.at && text == o.text; }
};

/// metric in [min, max]; evaluated by `check`.
struct Expectation { std::string metric; std::string variant; double min = 0, max = 0; bool operator==(const Expectation&) const = default; };

struct Scenario {
    std::string id;            ///< "02-shared-runq/01-hackbench-7950x"; from the folder
    std::string folder;        ///< where it was loaded from, may be empty
    std::string title, summary;
    std::string machine;       ///< machine id
    Changes base;              ///< kernel, features, tunables of every variant
    WorkloadSpec workload;
    std::vector<GroupEntry> groups;
    std::uint64_t seed = 1;
    Duration duration{}, warmup{};
    std::vector<std::string> plots;
    std::vector<Variant> variants;  ///< at least one, "A"
    std::vector<TimedInput> inputs;
    std::vector<Expectation> expectations;
    std::vector<std::string> reference;
    std::string readme;        ///< Markdown text of README.md beside it, may be empty
    std::string resources;     ///< directory with machines/*.json that runs are built from; set by the loader
    bool operator==(const Scenario&) const = default;
    /// The variant of that name, or nullptr.
    const Variant* variant(const std::string& name) const {
        for (const Variant& v : variants)
            if (v.name == name) return &v;
        return nullptr;
    }
};

} // namespace rqs::scenario
