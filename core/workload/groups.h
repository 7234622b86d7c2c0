// SPDX-License-Identifier: GPL-3.0-or-later
// Task groups of a workload: paths as in a cgroup file system, and sessions that become groups (autogroup).
#pragma once
#include "core/base/result.h"
#include "core/workload/workload.h"

#include <string_view>

namespace rqs::workload {

inline constexpr std::int64_t kDefaultShares = 1024, kMinShares = 2, kMaxShares = 262144; ///< cpu.shares
inline constexpr std::size_t kMaxGroups = 1024;
inline constexpr int kMaxGroupDepth = 8;

/// "/a/b": one or more names of letters, digits, ".", "-", "_" behind slashes. Empty text if it is one, else
/// what is wrong with it.
std::string groupPathFault(std::string_view path);
/// "/a/b" -> "/a"; "/a" -> "" (the root).
std::string_view parentPath(std::string_view path);

/// Declares a group and, with default shares, the groups above it. Error: bad path, declared before, shares
/// out of range (2 to 262144), too many groups. A group that was only implied can still be declared.
Status declareGroup(Workload& w, std::string_view path, std::int64_t shares);
/// Index into w.groups, or -1.
std::int32_t groupByPath(const Workload& w, std::string_view path);
/// Every session's tasks in the root group get a group of their own below the root, "/autogroup-N".
Status applyAutogroup(Workload& w);
/// First thing wrong with groups and the tasks' places in them.
Status validateGroups(const Workload& w);

} // namespace rqs::workload
