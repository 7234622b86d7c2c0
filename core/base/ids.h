// SPDX-License-Identifier: GPL-3.0-or-later
// Typed indices. The World holds ids, never pointers, so that copying it is a checkpoint.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>

namespace rqs {

/// Index into one kind of table; -1 is "none". Different tags do not convert into each other.
template<class Tag>
struct Id {
    std::int32_t v = -1;
    constexpr Id() = default;
    constexpr explicit Id(std::int32_t value) : v(value) {}
    constexpr explicit Id(std::size_t value) : v(static_cast<std::int32_t>(value)) {}
    constexpr bool valid() const { return v >= 0; }
    constexpr explicit operator bool() const { return v >= 0; }
    constexpr std::size_t index() const { return static_cast<std::size_t>(v); }
    constexpr auto operator<=>(const Id&) const = default;
};

using TaskId = Id<struct TaskTag>;     ///< a schedulable task; idle tasks have no id (none = idle)
using CpuId = Id<struct CpuTag>;       ///< logical CPU as Linux numbers it
using CoreId = Id<struct CoreTag>;     ///< physical core
using LlcId = Id<struct LlcTag>;       ///< last-level-cache group, dense from 0
using NodeId = Id<struct NodeTag>;     ///< NUMA node, dense from 0 (the firmware's number is kept beside it)
using LockId = Id<struct LockTag>;     ///< simulated lock
using ShardId = Id<struct ShardTag>;   ///< SHARED_RUNQ shard, dense over the machine
using MaskId = Id<struct MaskTag>;     ///< interned CPU affinity mask
using GroupId = Id<struct GroupTag>;   ///< task group; 0 = the root group
using CodeId = Id<struct CodeTag>;     ///< immutable task program
using ObjectId = Id<struct ObjectTag>; ///< pipe, socket, futex ... of the workload

} // namespace rqs
