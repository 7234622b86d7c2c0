// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of group entities and the group's total load.
#include "core/sched/group_shares.h"

#include <algorithm>

namespace rqs::sched {
namespace {

/// Part of its entry by which a queue's load must have changed to be worth a write.
constexpr std::int64_t kWorthWriting = 64;

constexpr std::int64_t kDefaultCpuWeight = 100, kMostCpuWeight = 10000;

Weight bounded(std::int64_t cpuShares) {
    return {std::clamp(cpuShares, kMinShares.w >> 10, kMaxShares.w >> 10) << 10};
}

void write(std::int64_t& total, Contribution& c, std::int64_t load, SimTime now) {
    total += load - c.load;
    c.load = load;
    c.written = now;
}

} // namespace

Weight sharesOfCpuWeight(std::int64_t cpuWeight) {
    const std::int64_t w = std::clamp<std::int64_t>(cpuWeight, 1, kMostCpuWeight);
    return bounded((w * 1024 + kDefaultCpuWeight / 2) / kDefaultCpuWeight);
}

Weight sharesOfCpuShares(std::int64_t cpuShares) { return bounded(cpuShares); }

Weight calcGroupShares(Weight shares, const GroupQueueLoad& queue, std::int64_t total) {
    // What is queued now counts at once; what has just left still does for a while.
    const std::int64_t load = std::max(Weight{queue.weight}.scaled(), queue.average);
    const std::int64_t all = total - queue.contribution + load;
    std::int64_t w = shares.w * load;
    if (all != 0) w /= all;
    return {std::clamp(w, kMinGroupWeight.w, std::max(kMinGroupWeight.w, shares.w))};
}

std::optional<Weight> newGroupWeight(Weight current, Weight shares, const GroupQueueLoad& queue,
                                     std::int64_t total, KeepWeight keep) {
    if (keep.throttled || (keep.empty && queue.weight == 0)) return std::nullopt;
    const Weight w = calcGroupShares(shares, queue, total);
    if (w == current) return std::nullopt;
    return w;
}

bool updateTotal(std::int64_t& total, Contribution& c, std::int64_t average, bool limited, SimTime now) {
    if (limited && now - c.written < kTotalWriteInterval) return false;
    const std::int64_t change = average - c.load;
    if (std::max(change, -change) <= c.load / kWorthWriting) return false;
    write(total, c, average, now);
    return true;
}

bool withdraw(std::int64_t& total, Contribution& c, SimTime now) {
    if (c.load == 0) return false;
    write(total, c, 0, now);
    return true;
}

} // namespace rqs::sched
