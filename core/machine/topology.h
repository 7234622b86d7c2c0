// SPDX-License-Identifier: GPL-3.0-or-later
// The hardware tree (sockets > nodes > LLCs > L2 clusters > cores > threads) and distances between CPUs.
// Immutable after build(); everything the hot path asks is one table look-up.
#pragma once
#include "core/base/cpumask.h"
#include "core/base/records.h"
#include "core/base/result.h"

#include <span>
#include <string>
#include <vector>

namespace rqs::machine {

struct CpuInfo {
    CpuId id;
    CoreId core;
    LlcId llc;
    NodeId node;
    std::int32_t cluster = -1;  ///< dense L2-cluster index; equals the core index where cores own their L2
    std::int32_t socket = 0;
    std::int32_t thread = 0;    ///< rank among the core's threads
};

/// What a machine file states; cpus[i].id == i. Ids are dense; osNode keeps the firmware's node numbers.
struct TopologySpec {
    std::vector<CpuInfo> cpus;
    std::vector<std::int32_t> osNode;                  ///< per NodeId
    std::vector<std::vector<std::int32_t>> distances;  ///< SLIT, per NodeId pair; empty = 10 everywhere
};

class Topology {
public:
    /// Validates (each CPU in exactly one core/LLC/node/socket, cores inside clusters inside LLCs inside
    /// nodes inside sockets, symmetric distances with 10 on the diagonal) and builds the tables.
    static Result<Topology> build(TopologySpec spec);

    int cpuCount() const { return static_cast<int>(m_cpus.size()); }
    int coreCount() const { return static_cast<int>(m_cores.size()); }
    int llcCount() const { return static_cast<int>(m_llcs.size()); }
    int nodeCount() const { return static_cast<int>(m_nodes.size()); }
    int socketCount() const { return m_sockets; }
    const CpuInfo& cpu(CpuId c) const { return m_cpus[c.index()]; }
    std::span<const CpuId> coreCpus(CoreId c) const { return m_cores[c.index()]; }
    std::span<const CpuId> llcCpus(LlcId l) const { return m_llcs[l.index()]; }
    std::span<const CpuId> nodeCpus(NodeId n) const { return m_nodes[n.index()]; }
    const CpuMask& llcMask(LlcId l) const { return m_llcMasks[l.index()]; }
    bool shareCache(CpuId a, CpuId b) const { return cpu(a).llc == cpu(b).llc; }
    int osNode(NodeId n) const { return m_osNode[n.index()]; }
    int nodeDistance(NodeId a, NodeId b) const { return m_distances[a.index()][b.index()]; }
    /// Self, Smt (same core), Llc, Socket (other LLC of the socket), Remote (other socket).
    Distance distance(CpuId a, CpuId b) const {
        const CpuInfo &x = cpu(a), &y = cpu(b);
        if (a == b) return Distance::Self;
        if (x.core == y.core) return Distance::Smt;
        if (x.llc == y.llc) return Distance::Llc;
        return x.socket == y.socket ? Distance::Socket : Distance::Remote;
    }

private:
    std::vector<CpuInfo> m_cpus;
    std::vector<std::vector<CpuId>> m_cores, m_llcs, m_nodes;
    std::vector<CpuMask> m_llcMasks;
    std::vector<std::int32_t> m_osNode;
    std::vector<std::vector<std::int32_t>> m_distances;
    int m_sockets = 1;
};

} // namespace rqs::machine
