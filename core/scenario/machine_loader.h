// SPDX-License-Identifier: GPL-3.0-or-later
// Machine files (resources/machines/*.json) -> machine::Hardware; ids of published material -> ours. Members: id,
// title, note, shape (core/machine/shape.h; counts left out are 1), mhz, factor, hz, pageSize, speedModel, smtSpeed,
// costs (all of core/machine/cost_model.h). Every number that is no count carries provenance and source.
#pragma once
#include "core/machine/hardware.h"

#include <optional>
#include <string>
#include <vector>

namespace rqs::scenario {

/// Reads and validates one machine file. A machine of unknown topology is refused with its note.
Result<machine::Hardware> loadMachine(const std::string& path);

/// Machine `id` of <resources>/machines; ids of the alias table work too. Unknown ids get a suggestion.
Result<machine::Hardware> findMachine(const std::string& resources, const std::string& id);

/// What a list shows, read without building domains.
struct MachineInfo {
    std::string id, title, note, path;
    bool topologyKnown = true;
    int sockets = 0, nodes = 0, llcs = 0, cores = 0, cpus = 0; ///< 0 when unknown or broken
    std::string error;                                         ///< set when the file is broken
};
/// All machines of <resources>/machines by id, broken and unknown ones included; error if there is no such
/// folder.
Result<std::vector<MachineInfo>> machineInfos(const std::string& resources);

/// Reference id -> machine id; nullopt = published without a machine. Error if the id is not in the table.
Result<std::optional<std::string>> resolveMachineAlias(const std::string& resources,
                                                       const std::string& referenceId);

} // namespace rqs::scenario
