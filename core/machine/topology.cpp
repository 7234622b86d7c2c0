// SPDX-License-Identifier: GPL-3.0-or-later
// Validation of a stated topology: dense ids, proper nesting, a sane distance matrix. One clear error each.
#include "core/machine/topology.h"

#include <algorithm>

namespace rqs::machine {
namespace {

Error bad(std::string what, std::string hint = {}) { return {"topology", std::move(what), std::move(hint)}; }
std::string cpuName(std::size_t c) { return "CPU " + std::to_string(c); }

/// Number of distinct values if `of` maps the CPUs onto exactly 0..n-1, else an error naming `what`.
template<class F> Result<int> countDense(const std::vector<CpuInfo>& cpus, const char* what, F&& of) {
    std::vector<bool> seen;
    for (std::size_t c = 0; c < cpus.size(); ++c) {
        const std::int32_t v = of(cpus[c]);
        if (v < 0 || static_cast<std::size_t>(v) >= cpus.size())
            return bad(cpuName(c) + " is in no valid " + what + " (" + std::to_string(v) + ")",
                       std::string(what) + " numbers are dense from 0");
        if (seen.size() <= static_cast<std::size_t>(v)) seen.resize(static_cast<std::size_t>(v) + 1);
        seen[static_cast<std::size_t>(v)] = true;
    }
    const auto gap = std::find(seen.begin(), seen.end(), false);
    if (gap != seen.end())
        return bad(std::string(what) + " " + std::to_string(gap - seen.begin()) + " has no CPU",
                   std::string(what) + " numbers are dense from 0");
    return static_cast<int>(seen.size());
}

/// Every inner unit lies in one outer unit.
template<class Inner, class Outer>
Status checkInside(const std::vector<CpuInfo>& cpus, const char* innerName, Inner&& inner,
                   const char* outerName, Outer&& outer) {
    std::vector<std::int32_t> of(cpus.size(), -1);
    for (std::size_t c = 0; c < cpus.size(); ++c) {
        auto& o = of[static_cast<std::size_t>(inner(cpus[c]))];
        if (o < 0) o = outer(cpus[c]);
        if (o != outer(cpus[c]))
            return bad(std::string(innerName) + " " + std::to_string(inner(cpus[c])) + " spans " + outerName +
                           "s " + std::to_string(o) + " and " + std::to_string(outer(cpus[c])),
                       std::string("a ") + innerName + " lies inside one " + outerName);
    }
    return Ok{};
}

Status checkDistances(const std::vector<std::vector<std::int32_t>>& d, std::size_t nodes) {
    if (d.size() != nodes)
        return bad("distance matrix has " + std::to_string(d.size()) + " rows for " + std::to_string(nodes) +
                   " nodes");
    for (std::size_t a = 0; a < nodes; ++a) {
        if (d[a].size() != nodes)
            return bad("distance row " + std::to_string(a) + " has " + std::to_string(d[a].size()) +
                       " columns for " + std::to_string(nodes) + " nodes");
        for (std::size_t b = 0; b < nodes; ++b) {
            const std::string pair = "distance " + std::to_string(a) + "-" + std::to_string(b);
            if (a == b && d[a][b] != 10)
                return bad(pair + " is " + std::to_string(d[a][b]), "10 on the diagonal");
            if (a != b && (d[a][b] <= 10 || d[a][b] > 254))
                return bad(pair + " is " + std::to_string(d[a][b]), "11 to 254 between nodes");
            if (b < a && d[a][b] != d[b][a])
                return bad(pair + " is " + std::to_string(d[a][b]) + ", the way back " +
                               std::to_string(d[b][a]),
                           "distances are symmetric");
        }
    }
    return Ok{};
}

} // namespace

Result<Topology> Topology::build(TopologySpec spec) {
    auto& cpus = spec.cpus;
    if (cpus.empty()) return bad("no CPU", "a machine has at least one");
    if (cpus.size() > static_cast<std::size_t>(kMaxCpus))
        return bad(std::to_string(cpus.size()) + " CPUs", "at most " + std::to_string(kMaxCpus));
    for (std::size_t c = 0; c < cpus.size(); ++c)
        if (cpus[c].id != CpuId(c))
            return bad("entry " + std::to_string(c) + " has id " + std::to_string(cpus[c].id.v));

    const auto core = [](const CpuInfo& c) { return c.core.v; };
    const auto cluster = [](const CpuInfo& c) { return c.cluster; };
    const auto llc = [](const CpuInfo& c) { return c.llc.v; };
    const auto node = [](const CpuInfo& c) { return c.node.v; };
    const auto socket = [](const CpuInfo& c) { return c.socket; };
    if (std::all_of(cpus.begin(), cpus.end(), [](const CpuInfo& c) { return c.cluster == -1; }))
        for (auto& c : cpus) c.cluster = c.core.v;

    const auto cores = countDense(cpus, "core", core);
    if (!cores) return cores.error();
    const auto clusters = countDense(cpus, "cluster", cluster);
    if (!clusters) return clusters.error();
    const auto llcs = countDense(cpus, "LLC", llc);
    if (!llcs) return llcs.error();
    const auto nodes = countDense(cpus, "node", node);
    if (!nodes) return nodes.error();
    const auto sockets = countDense(cpus, "socket", socket);
    if (!sockets) return sockets.error();

    if (auto s = checkInside(cpus, "core", core, "cluster", cluster); !s) return s.error();
    if (auto s = checkInside(cpus, "cluster", cluster, "LLC", llc); !s) return s.error();
    if (auto s = checkInside(cpus, "LLC", llc, "node", node); !s) return s.error();
    if (auto s = checkInside(cpus, "LLC", llc, "socket", socket); !s) return s.error();
    // A package may hold several nodes (NPS4) and a node several packages (no NUMA firmware), but not both at
    // once.
    const auto nodeInSocket = checkInside(cpus, "node", node, "socket", socket);
    if (!nodeInSocket)
        if (auto s = checkInside(cpus, "socket", socket, "node", node); !s) return nodeInSocket.error();

    const auto nodeCount = static_cast<std::size_t>(*nodes);
    if (spec.osNode.empty())
        for (std::size_t n = 0; n < nodeCount; ++n) spec.osNode.push_back(static_cast<std::int32_t>(n));
    if (spec.osNode.size() != nodeCount)
        return bad(std::to_string(spec.osNode.size()) + " node numbers for " + std::to_string(nodeCount) +
                   " nodes");
    auto numbers = spec.osNode;
    numbers.insert(numbers.end(), spec.memoryOnlyNodes.begin(), spec.memoryOnlyNodes.end());
    std::sort(numbers.begin(), numbers.end());
    if (numbers.front() < 0) return bad("node number " + std::to_string(numbers.front()), "not negative");
    if (const auto twice = std::adjacent_find(numbers.begin(), numbers.end()); twice != numbers.end())
        return bad("node number " + std::to_string(*twice) + " is given twice");
    if (spec.distances.empty() && nodeCount == 1) spec.distances = {{10}};
    if (auto s = checkDistances(spec.distances, nodeCount); !s) return s.error();
    if (spec.reclaimDistance < 10)
        return bad("reclaim distance " + std::to_string(spec.reclaimDistance), "30, or 32 on AMD Zen");
    if (!spec.coreGroup.empty() && spec.coreGroup.size() != cpus.size())
        return bad(std::to_string(spec.coreGroup.size()) + " core groups for " + std::to_string(cpus.size()) +
                   " CPUs");

    Topology t;
    t.m_sockets = *sockets;
    t.m_clusters = *clusters;
    t.m_cores.resize(static_cast<std::size_t>(*cores));
    t.m_llcs.resize(static_cast<std::size_t>(*llcs));
    t.m_llcMasks.assign(static_cast<std::size_t>(*llcs), CpuMask(static_cast<int>(cpus.size())));
    t.m_nodes.resize(nodeCount);
    std::vector<std::int32_t> socketNode(static_cast<std::size_t>(*sockets), -1);
    for (const auto& c : cpus) {
        t.m_cores[c.core.index()].push_back(c.id);
        t.m_llcs[c.llc.index()].push_back(c.id);
        t.m_llcMasks[c.llc.index()].set(c.id);
        t.m_nodes[c.node.index()].push_back(c.id);
        auto& first = socketNode[static_cast<std::size_t>(c.socket)];
        if (first < 0) first = c.node.v;
        t.m_nodesInSocket = t.m_nodesInSocket || first != c.node.v;
    }
    for (const auto& threads : t.m_cores) {
        std::vector<bool> ranks(threads.size());
        for (const auto c : threads) {
            const auto rank = cpus[c.index()].thread;
            if (rank < 0 || static_cast<std::size_t>(rank) >= threads.size() ||
                ranks[static_cast<std::size_t>(rank)])
                return bad(cpuName(c.index()) + " has thread rank " + std::to_string(rank),
                           "ranks are 0, 1, ... in a core");
            ranks[static_cast<std::size_t>(rank)] = true;
        }
    }
    t.m_levels = spec.levels;
    t.m_reclaimDistance = spec.reclaimDistance;
    t.m_osNode = std::move(spec.osNode);
    t.m_memoryOnlyNodes = std::move(spec.memoryOnlyNodes);
    t.m_coreGroup = std::move(spec.coreGroup);
    t.m_distances = std::move(spec.distances);
    t.m_cpus = std::move(cpus);
    return t;
}

} // namespace rqs::machine
