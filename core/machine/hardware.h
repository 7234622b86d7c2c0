// SPDX-License-Identifier: GPL-3.0-or-later
// One machine as an immutable value shared by every World that runs on it.
#pragma once
#include "core/machine/cost_model.h"
#include "core/machine/domains.h"
#include "core/machine/topology.h"

#include <string>
#include <vector>

namespace rqs::machine {

/// How fast hardware threads run when others are busy.
enum class SpeedModel : std::uint8_t {
    Smt,           ///< per core: smtSpeed[k] of 1024 with k busy siblings besides oneself
    SharedStream   ///< the whole machine shares one instruction stream: 1024 / busy CPUs (QEMU icount guests)
};

struct Hardware {
    std::string id;           ///< "amd-7950x"
    std::string title;        ///< "AMD Ryzen 9 7950X, 2 CCX"
    std::string note;         ///< provenance of the shape
    Topology topology;
    DomainTable domains;
    CostSheet costs;
    SpeedModel speedModel = SpeedModel::Smt;
    std::vector<std::int32_t> smtSpeed{1024, 614};
    std::string smtSpeedNote; ///< provenance of smtSpeed
    std::int32_t hz = 250;
    std::int32_t pageSize = 4096;
    std::int64_t mhzMin = 0, mhzBase = 0, mhzMax = 0; ///< 0 = not known
    /// Time of kernel paths and of work stated for a factor-1 machine (4.5 GHz Zen 4), in thousandths.
    std::int32_t factorPermille = 1000;
};

} // namespace rqs::machine
