// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario files -> values. A loaded scenario can be run: everything in the file was checked, including that each
// variant's kernel, switches, workload and inputs exist on its machine. Errors carry file, line, column and path.
#pragma once
#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace rqs::scenario {

/// Where files are looked up.
struct Folders {
    std::string scenarios;  ///< root of scenario ids; may be empty
    std::string resources;  ///< has machines/*.json
};

inline constexpr std::int64_t kSchemaVersion = 1;

/// Path of the scenario.json meant by an id ("02-shared-runq/01-hackbench-7950x", also "01-hackbench-7950x" or
/// "hackbench-7950x" if only one ends so), a folder or a file. An unknown one is an error with a suggestion.
Result<std::string> findScenario(const std::string& idFolderOrFile, const Folders& folders);

/// findScenario, read, parse, check; also reads README.md beside the file.
Result<Scenario> loadScenario(const std::string& idFolderOrFile, const Folders& folders);

/// Text -> value. `name` is what errors call the text; `folder` is where relative machine files are looked for.
/// Without `resources` only the text itself is checked, not that what it names exists.
Result<Scenario> parseScenario(std::string text, const std::string& name, const std::string& folder,
                               const std::string& resources);

/// One line of the library. A broken file is listed with its error.
struct Entry {
    std::string id, title, summary, path, error;
    std::vector<std::string> variants;
};
/// All folders under `root` that hold a scenario.json, in order of their ids.
std::vector<Entry> listScenarios(const std::string& root);

} // namespace rqs::scenario
