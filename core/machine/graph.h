// SPDX-License-Identifier: GPL-3.0-or-later
// The topology as a Boost.Graph: containment edges machine > socket > node > LLC > cluster > core > CPU, and
// interconnect edges between nodes with their latency. Distance classes and the SLIT are shortest paths in
// it. For drawing, checking and importing; the hot path asks Topology's tables instead.
#pragma once
#include "core/machine/cost_model.h"
#include "core/machine/topology.h"

#include <boost/graph/adjacency_list.hpp>

namespace rqs::machine {

enum class VertexKind : std::uint8_t { Machine, Socket, Node, Llc, Cluster, Core, Cpu };
struct VertexInfo {
    VertexKind kind = VertexKind::Machine;
    std::int32_t index = 0; ///< of its kind; CPUs: CpuId
};

enum class EdgeKind : std::uint8_t { Containment, Interconnect };
struct EdgeInfo {
    EdgeKind kind = EdgeKind::Containment;
    Distance reach = Distance::Self; ///< class of a path that has to use this edge
    std::int64_t ns = 0; ///< latency of crossing it once, rounded down; interconnect: latency of the link
    std::int64_t weight =
        0; ///< what shortest paths add up: half ns, at least 1; -1 = no route (machine vertex)
};

using HardwareGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, VertexInfo, EdgeInfo>;

/// Link between two nodes that no path over a third node explains.
struct NodeLink {
    NodeId a, b;
    std::int64_t ns = 0;
    bool operator==(const NodeLink&) const = default;
};

/// Latency of node-local memory behind SLIT 10; only ratios to it matter. Assumed.
inline constexpr std::int64_t kLocalMemoryNs = 100;

HardwareGraph buildGraph(const Topology& topology, const CostSheet& costs);
/// Per CPU, the class of the shortest path from `from`: the farthest-reaching edge on it.
std::vector<Distance> distancesFrom(const HardwareGraph& graph, CpuId from);

/// Direct links implied by a SLIT: latency = local x (slit - 10) / 10 of the pairs that no detour matches.
std::vector<NodeLink> directLinks(const Topology& topology);
/// SLIT of a set of links: 10 x (local + shortest path) / local, rounded to nearest. Error when a node is
/// unreachable.
Result<std::vector<std::vector<std::int32_t>>> slitFromLinks(int nodes, const std::vector<NodeLink>& links,
                                                             std::int64_t localNs = kLocalMemoryNs);

} // namespace rqs::machine
