// SPDX-License-Identifier: GPL-3.0-or-later
// What a task group weighs on a CPU, and how the group learns its total load (behavioural spec
// eevdf 1.1, 7.2, 7.4). Pure arithmetic: no queue is touched, and who pays for the shared cache line is the
// caller's.
#pragma once
#include "core/base/units.h"

#include <optional>

namespace rqs::sched {

/// Bounds of a group's shares, full resolution.
inline constexpr Weight kMinShares{2 << 10}, kMaxShares{std::int64_t{1} << 28};
/// Least weight of a group's entity. In full resolution, like the shares: 1/524288 of a nice-0 entity.
inline constexpr Weight kMinGroupWeight{2};

/// cgroup v2 cpu.weight (default 100), and cgroup v1 cpu.shares (default 1024), as shares within the bounds.
Weight sharesOfCpuWeight(std::int64_t cpuWeight);
Weight sharesOfCpuShares(std::int64_t cpuShares);

/// A group's queue on one CPU, and what the group believes about it.
struct GroupQueueLoad {
    std::int64_t weight = 0;       ///< sum of full weights of its members
    std::int64_t average = 0;      ///< its PELT load average
    std::int64_t contribution = 0; ///< its part of the group's total as last written
};

/// calc_group_shares: the part of `shares` that one CPU deserves when the group's total load is `total`.
Weight calcGroupShares(Weight shares, const GroupQueueLoad& queue, std::int64_t total);

/// When the entity's weight is left alone: a throttled queue, and, by the preset, an empty one.
struct KeepWeight {
    bool empty = false; ///< KernelPreset::preserveEmptyWeight
    bool throttled = false;
};
/// The weight update_cfs_group gives the entity; none if it stays as it is.
std::optional<Weight> newGroupWeight(Weight current, Weight shares, const GroupQueueLoad& queue,
                                     std::int64_t total, KeepWeight keep);

/// A queue's entry in its group's total (tg_load_avg_contrib).
struct Contribution {
    std::int64_t load = 0;
    SimTime written{-(std::int64_t{1} << 62)}; ///< last write; at first long ago
    bool operator==(const Contribution&) const = default;
};
/// With the limit, a queue writes no earlier than this after its last write.
inline constexpr Duration kTotalWriteInterval{1000000};

/// update_tg_load_avg: brings `total` in line with the queue's load average if it differs by more than 1/64.
/// `limited`: KernelPreset::tgLoadLimit. True if it was written, that is, the shared line was taken.
bool updateTotal(std::int64_t& total, Contribution& c, std::int64_t average, bool limited, SimTime now);
/// Takes the queue's entry back, limit or not: its CPU goes offline. True if it was written.
bool withdraw(std::int64_t& total, Contribution& c, SimTime now);

} // namespace rqs::sched
