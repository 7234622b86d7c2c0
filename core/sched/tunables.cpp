// SPDX-License-Identifier: GPL-3.0-or-later
// The tunables by name, with the ranges the kernel accepts (shard size and HZ: ours).
#include "core/sched/tunables.h"

#include "core/base/suggest.h"

#include <algorithm>
#include <array>
#include <vector>

namespace rqs::sched {
namespace {

constexpr std::int64_t kMs = 1000000, kSecond = 1000 * kMs;

constexpr std::array<TunableInfo, 9> kTable{{
    {"base_slice_ns", "ns", "request of a task that asks for none (EEVDF)", 100000, 100 * kMs,
     &Tunables::base_slice_ns, true},
    {"latency_ns", "ns", "period in which every runnable task runs once (CFS)", 100000, kSecond,
     &Tunables::latency_ns, true},
    {"min_granularity_ns", "ns", "shortest slice when many tasks share a CPU (CFS)", 100000, kSecond,
     &Tunables::min_granularity_ns, true},
    {"wakeup_granularity_ns", "ns", "lead in vruntime a wakee needs to preempt (CFS)", 0, kSecond,
     &Tunables::wakeup_granularity_ns, true},
    {"idle_min_granularity_ns", "ns", "shortest slice of a SCHED_IDLE task among others (CFS)", 0, kSecond,
     &Tunables::idle_min_granularity_ns, true},
    {"migration_cost_ns", "ns", "a task that ran this recently is cache hot; -1: always, 0: never", -1,
     kSecond, &Tunables::migration_cost_ns, true},
    {"nr_migrate", "tasks", "most tasks one balancing pass moves", 1, 1024, &Tunables::nr_migrate, true},
    {"shared_runq_shard_size", "CPUs", "CPUs per SHARED_RUNQ shard wanted", 1, 4096,
     &Tunables::shared_runq_shard_size, true},
    {"hz", "1/s", "ticks per second: 100, 250, 300 or 1000", 100, 1000, &Tunables::hz, false},
}};

} // namespace

std::span<const TunableInfo> tunableTable() { return kTable; }

Status setTunable(Tunables& t, std::string_view name, std::int64_t value) {
    const auto* info =
        std::find_if(kTable.begin(), kTable.end(), [&](const TunableInfo& i) { return i.name == name; });
    if (info == kTable.end()) {
        std::vector<std::string_view> names;
        for (const TunableInfo& i : kTable) names.push_back(i.name);
        return Error{"", "unknown tunable \"" + std::string(name) + "\"", didYouMean(name, names)};
    }
    const bool badHz =
        info->field == &Tunables::hz && value != 100 && value != 250 && value != 300 && value != 1000;
    if (value < info->min || value > info->max || badHz) {
        const std::string range =
            badHz ? "100, 250, 300 or 1000" : std::to_string(info->min) + " .. " + std::to_string(info->max);
        return Error{std::string(name), "value " + std::to_string(value) + " is out of range",
                     range + " " + std::string(info->unit)};
    }
    t.*info->field = value;
    return Ok{};
}

} // namespace rqs::sched
