// SPDX-License-Identifier: GPL-3.0-or-later
// Numeric knobs under their debugfs names. All times in ns.
#pragma once
#include "core/base/result.h"
#include "core/base/units.h"

#include <span>
#include <string_view>

namespace rqs::sched {

struct Tunables {
    std::int64_t base_slice_ns = 3000000;          ///< EEVDF request; 100 us .. 100 ms
    std::int64_t latency_ns = 24000000;            ///< CFS
    std::int64_t min_granularity_ns = 3000000;     ///< CFS
    std::int64_t wakeup_granularity_ns = 4000000;  ///< CFS
    std::int64_t idle_min_granularity_ns = 750000; ///< CFS, not scaled
    std::int64_t migration_cost_ns = 500000;
    std::int64_t nr_migrate = 32;
    std::int64_t shared_runq_shard_size = 6;       ///< CPUs per shard wanted; 1 .. LLC size
    std::int64_t hz = 250;                         ///< 100, 250, 300, 1000; fixed for a run
    Duration tick() const { return {1000000000 / hz}; }
};

struct TunableInfo {
    std::string_view name, unit, meaning;
    std::int64_t min, max;
    std::int64_t Tunables::*field;
    bool runtime;
};
std::span<const TunableInfo> tunableTable();
/// Error names the tunable, its range and unit.
Status setTunable(Tunables& t, std::string_view name, std::int64_t value);

} // namespace rqs::sched
