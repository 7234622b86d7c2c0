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

inline constexpr int kMaxCpus = 4096;

/// Which ladder of scheduling levels the architecture's kernel builds (wakeup_balance 1.2).
enum class LevelScheme : std::uint8_t {
    X86,    ///< SMT, CLS, MC, PKG (left out when a package holds several nodes), NODE, NUMA
    Power9, ///< SMT, CACHE (L2 sharers), MC only with firmware core groups, PKG, NODE, NUMA
    Power10 ///< as Power9 without CACHE: the SMT level carries the share-cache flag, so the LLC is the core
};

struct CpuInfo {
    CpuId id;
    CoreId core; ///< what the kernel treats as a core: on POWER10 half of an SMT8 core
    LlcId llc;   ///< the scheduler's LLC: on POWER9 the L2 of a core pair, on POWER10 the core
    NodeId node;
    std::int32_t cluster = -1; ///< dense L2-cluster index; equals the core index where cores own their L2
    std::int32_t socket = 0;
    std::int32_t thread = 0; ///< rank among the core's threads
};

/// What a machine file states; cpus[i].id == i. Ids are dense; osNode keeps the firmware's node numbers.
struct TopologySpec {
    std::vector<CpuInfo> cpus;                        ///< cluster -1 everywhere = cores own their L2
    std::vector<std::int32_t> osNode;                 ///< per NodeId; empty = 0, 1, ...
    std::vector<std::vector<std::int32_t>> distances; ///< SLIT, per NodeId pair; may be empty for one node
    std::vector<std::int32_t>
        memoryOnlyNodes; ///< firmware numbers of nodes without CPUs (shown, not scheduled)
    LevelScheme levels = LevelScheme::X86;
    std::int32_t reclaimDistance = 30;   ///< node_reclaim_distance: 32 on AMD Zen
    std::vector<std::int32_t> coreGroup; ///< POWER MC level, dense index per CPU; empty = not reported
};

class Topology {
public:
    /// Validates (each CPU in exactly one core/LLC/node/socket, cores inside clusters inside LLCs inside
    /// nodes, LLCs inside sockets, of a node and a socket that meet one inside the other, symmetric distances
    /// with 10 on the diagonal only) and builds the tables.
    static Result<Topology> build(TopologySpec spec);

    int cpuCount() const { return static_cast<int>(m_cpus.size()); }
    int coreCount() const { return static_cast<int>(m_cores.size()); }
    int clusterCount() const { return m_clusters; }
    int llcCount() const { return static_cast<int>(m_llcs.size()); }
    int nodeCount() const { return static_cast<int>(m_nodes.size()); }
    int socketCount() const { return m_sockets; }
    const CpuInfo& cpu(CpuId c) const { return m_cpus[c.index()]; }
    std::span<const CpuInfo> cpus() const { return m_cpus; }
    std::span<const CpuId> coreCpus(CoreId c) const { return m_cores[c.index()]; }
    std::span<const CpuId> llcCpus(LlcId l) const { return m_llcs[l.index()]; }
    std::span<const CpuId> nodeCpus(NodeId n) const { return m_nodes[n.index()]; }
    const CpuMask& llcMask(LlcId l) const { return m_llcMasks[l.index()]; }
    bool shareCache(CpuId a, CpuId b) const { return cpu(a).llc == cpu(b).llc; }
    int osNode(NodeId n) const { return m_osNode[n.index()]; }
    std::span<const std::int32_t> memoryOnlyNodes() const { return m_memoryOnlyNodes; }
    int nodeDistance(NodeId a, NodeId b) const { return m_distances[a.index()][b.index()]; }
    LevelScheme levels() const { return m_levels; }
    int reclaimDistance() const { return m_reclaimDistance; }
    /// Firmware core group of a CPU (POWER MC level), -1 if not reported.
    int coreGroup(CpuId c) const { return m_coreGroup.empty() ? -1 : m_coreGroup[c.index()]; }
    /// Some socket holds several nodes with CPUs (NPS4, sub-NUMA clustering).
    bool nodesInSocket() const { return m_nodesInSocket; }
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
    std::vector<std::int32_t> m_osNode, m_memoryOnlyNodes, m_coreGroup;
    std::vector<std::vector<std::int32_t>> m_distances;
    LevelScheme m_levels = LevelScheme::X86;
    std::int32_t m_reclaimDistance = 30;
    int m_sockets = 1, m_clusters = 0;
    bool m_nodesInSocket = false;
};

} // namespace rqs::machine
