// SPDX-License-Identifier: GPL-3.0-or-later
// A topology in a few numbers: how many of what inside what, and how the firmware numbers the CPUs.
// This is the form machine files and tests use; expand() turns it into the explicit list.
#pragma once
#include "core/machine/topology.h"

namespace rqs::machine {

/// Rule that gives (core, thread) its CPU number; cores count socket by socket, LLC by LLC.
enum class Numbering : std::uint8_t {
    AllFirstThreads, ///< "n+n": thread 0 of all cores, then thread 1 of all cores (most x86)
    Adjacent,        ///< siblings next to each other (POWER, some firmware)
    Interleaved,     ///< sockets take turns (even CPUs socket 0, odd socket 1), first threads first; equal
                     ///< sockets only
    BigCore,         ///< POWER10: cores 2k and 2k+1 are the even and odd threads of one block of CPUs
    Listed           ///< Shape::coreCpus
};

struct Shape {
    int sockets = 1;
    std::vector<int> nodesPerSocket{1}; ///< one number for all, or one per socket
    int socketsPerNode = 1;             ///< > 1: nodes span packages; nodesPerSocket is then {1} and ignored
    std::vector<int> llcsPerNode{1};    ///< one number for all, or one per node
    int coresPerLlc = 1, threads = 1;
    int coresPerCluster = 1; ///< cores that share an L2
    Numbering numbering = Numbering::AllFirstThreads;
    std::vector<std::vector<std::int32_t>>
        coreCpus{}; ///< Numbering::Listed: per core its CPUs, thread 0 first
    std::vector<std::int32_t>
        osNodes{}; ///< firmware numbers in the order the nodes are built; empty = 0, 1, ...
    std::vector<std::vector<std::int32_t>> distances{}; ///< in the order of osNodes
    std::vector<std::int32_t> memoryOnlyNodes{};
    LevelScheme levels = LevelScheme::X86;
    std::int32_t reclaimDistance = 30;
};

/// CPUs the shape has, or an error (zero, too many, numbers that do not fit together).
Result<int> cpuCount(const Shape& shape);
/// The explicit topology; node ids follow ascending firmware numbers. Still to be validated by
/// Topology::build.
Result<TopologySpec> expand(const Shape& shape);

} // namespace rqs::machine
