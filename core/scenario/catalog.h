// SPDX-License-Identifier: GPL-3.0-or-later
// What there is to choose from, as words: machines, kernels, features, tunables. For lists and menus of layers
// that do not see the scheduler.
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rqs::scenario {

struct MachineEntry {
    std::string id, title;
    int sockets = 0, nodes = 0, llcs = 0, cores = 0, cpus = 0;
    std::string error;                 ///< set when the file is broken; the counts are 0 then
};
/// Machines of <resources>/machines, by id.
std::vector<MachineEntry> listMachines(const std::string& resources);

struct KernelEntry {
    std::string id, title, policy, preemption;
    std::vector<std::string> on, off;  ///< features that exist there, by their default
};
std::vector<KernelEntry> listKernels();

struct FeatureEntry {
    std::string name, meaning, file;
    bool runtime = true, built = true; ///< built: false = "not built yet"
};
std::vector<FeatureEntry> listFeatures();

struct TunableEntry {
    std::string name, unit, meaning;
    std::int64_t min = 0, max = 0;
    bool runtime = true;
};
std::vector<TunableEntry> listTunables();

} // namespace rqs::scenario
