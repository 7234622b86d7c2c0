// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/workload_builder.h"

#include "core/workload/generators.h"

namespace rqs::scenario {

Result<workload::Workload> buildWorkload(const WorkloadSpec& spec, int cpus) {
    std::map<std::string, std::string> args = spec.args;
    if (!spec.line.empty()) args["line"] = spec.line;
    auto w = workload::generate(spec.generator, args);
    if (!w) return w;
    if (const Status s = workload::fitsMachine(*w, cpus); !s) return s.error();
    return w;
}

} // namespace rqs::scenario
