// SPDX-License-Identifier: GPL-3.0-or-later
// Copies the tables of sched and the machine files into plain words.
#include "core/scenario/catalog.h"

#include "core/scenario/machine_loader.h"
#include "core/sched/features.h"

namespace rqs::scenario {

std::vector<MachineEntry> listMachines(const std::string& resources) {
    const auto infos = machineInfos(resources);
    if (!infos) return {{"", "", 0, 0, 0, 0, 0, infos.error().text()}};
    std::vector<MachineEntry> out;
    for (const MachineInfo& m : *infos)
        out.push_back({m.id, m.topologyKnown ? m.title : m.title + " (topology unknown)", m.sockets, m.nodes, m.llcs, m.cores, m.cpus, m.error});
    return out;
}

std::vector<KernelEntry> listKernels() {
    std::vector<KernelEntry> out;
    for (const sched::KernelPreset& k : sched::kernelPresets()) {
        KernelEntry e{std::string(k.id), std::string(k.title), k.policy == sched::Policy::Cfs ? "CFS" : "EEVDF",
                      std::string(sched::preemptionName(k.preemption)), {}, {}};
        for (std::size_t i = 0; i < sched::kFeatures; ++i) {
            const auto f = static_cast<sched::Feature>(i);
            if (sched::has(k.exists, f)) (sched::has(k.defaults, f) ? e.on : e.off).emplace_back(sched::info(f).name);
        }
        out.push_back(std::move(e));
    }
    return out;
}

std::vector<FeatureEntry> listFeatures() {
    std::vector<FeatureEntry> out;
    for (std::size_t i = 0; i < sched::kFeatures; ++i) {
        const sched::FeatureInfo& f = sched::info(static_cast<sched::Feature>(i));
        out.push_back({std::string(f.name), std::string(f.meaning), std::string(f.file), f.runtime, f.built});
    }
    return out;
}

std::vector<TunableEntry> listTunables() {
    std::vector<TunableEntry> out;
    for (const sched::TunableInfo& t : sched::tunableTable())
        out.push_back({std::string(t.name), std::string(t.unit), std::string(t.meaning), t.min, t.max, t.runtime});
    return out;
}

} // namespace rqs::scenario
