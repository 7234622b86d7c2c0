// SPDX-License-Identifier: GPL-3.0-or-later
// Expanding a shape: walk sockets, nodes, LLCs and cores in order, then number the threads.
#include "core/machine/shape.h"

#include <algorithm>
#include <numeric>

namespace rqs::machine {
namespace {

Error bad(std::string what, std::string hint = {}) { return {"shape", std::move(what), std::move(hint)}; }

/// `list` is one number for all `n` units or one each.
Result<std::vector<int>> spread(const std::vector<int>& list, std::size_t n, const char* name) {
    if (list.size() != 1 && list.size() != n)
        return bad(std::string(name) + " has " + std::to_string(list.size()) + " numbers",
                   "one, or " + std::to_string(n));
    for (int v : list)
        if (v < 1 || v > kMaxCpus) return bad(std::string(name) + " is " + std::to_string(v), "1 to 4096");
    return list.size() == n ? list : std::vector<int>(n, list[0]);
}

/// Per node: its socket (socketsPerNode == 1) and its LLC count.
struct Nodes {
    std::vector<int> socket, llcs;
};

Result<Nodes> nodesOf(const Shape& s) {
    for (const auto& [v, name] : {std::pair{s.sockets, "sockets"},
                                  {s.socketsPerNode, "sockets per node"},
                                  {s.coresPerLlc, "cores per LLC"},
                                  {s.threads, "threads per core"},
                                  {s.coresPerCluster, "cores per cluster"}})
        if (v < 1 || v > kMaxCpus) return bad(std::string(name) + " is " + std::to_string(v), "1 to 4096");
    Nodes n;
    if (s.socketsPerNode > 1) {
        if (s.sockets % s.socketsPerNode != 0) return bad("sockets do not divide into nodes");
        n.socket.assign(static_cast<std::size_t>(s.sockets / s.socketsPerNode), -1);
    } else {
        const auto per = spread(s.nodesPerSocket, static_cast<std::size_t>(s.sockets), "nodes per socket");
        if (!per) return per.error();
        if (std::accumulate(per->begin(), per->end(), 0L) > kMaxCpus)
            return bad("too many nodes", "at most 4096");
        for (int socket = 0; socket < s.sockets; ++socket)
            n.socket.insert(n.socket.end(),
                            static_cast<std::size_t>((*per)[static_cast<std::size_t>(socket)]), socket);
    }
    const auto llcs = spread(s.llcsPerNode, n.socket.size(), "LLCs per node");
    if (!llcs) return llcs.error();
    n.llcs = *llcs;
    if (s.socketsPerNode > 1)
        for (int l : n.llcs)
            if (l % s.socketsPerNode != 0) return bad("the LLCs of a node do not divide among its sockets");
    if (s.coresPerLlc % s.coresPerCluster != 0)
        return bad("cores per LLC is no multiple of cores per cluster");
    return n;
}

/// CPU number of thread t of core k; -1 where the list has none.
int number(const Shape& s, int cores, int core, int thread) {
    switch (s.numbering) {
    case Numbering::AllFirstThreads: return thread * cores + core;
    case Numbering::Adjacent: return core * s.threads + thread;
    case Numbering::Interleaved: {
        const int perSocket = cores / s.sockets;
        return thread * cores + core % perSocket * s.sockets + core / perSocket;
    }
    case Numbering::BigCore: return core / 2 * 2 * s.threads + 2 * thread + core % 2;
    case Numbering::Listed:
        return s.coreCpus[static_cast<std::size_t>(core)][static_cast<std::size_t>(thread)];
    }
    return -1;
}

Status checkNumbering(const Shape& s, const Nodes& nodes, int cores) {
    if (s.numbering == Numbering::Listed) {
        if (s.coreCpus.size() != static_cast<std::size_t>(cores))
            return bad("CPU lists for " + std::to_string(s.coreCpus.size()) + " cores of " +
                       std::to_string(cores));
        for (const auto& list : s.coreCpus)
            if (list.size() != static_cast<std::size_t>(s.threads))
                return bad("a core lists " + std::to_string(list.size()) + " CPUs of " +
                           std::to_string(s.threads));
    }
    if (s.numbering == Numbering::BigCore && cores % 2 != 0)
        return bad("half of a big core is missing", "an even number of cores");
    if (s.numbering == Numbering::Interleaved) {
        std::vector<int> perSocket(static_cast<std::size_t>(s.sockets));
        if (s.socketsPerNode == 1)
            for (std::size_t n = 0; n < nodes.llcs.size(); ++n)
                perSocket[static_cast<std::size_t>(nodes.socket[n])] += nodes.llcs[n];
        if (std::adjacent_find(perSocket.begin(), perSocket.end(), std::not_equal_to<>()) != perSocket.end())
            return bad("interleaved numbering needs equal sockets");
    }
    return Ok{};
}

} // namespace

Result<int> cpuCount(const Shape& s) {
    const auto nodes = nodesOf(s);
    if (!nodes) return nodes.error();
    const std::int64_t llcs = std::accumulate(nodes->llcs.begin(), nodes->llcs.end(), std::int64_t{0});
    const std::int64_t cores = llcs * s.coresPerLlc; // <= 2^24, times threads <= 2^36: no overflow
    const std::int64_t cpus = cores * s.threads;
    if (cpus > kMaxCpus) return bad(std::to_string(cpus) + " CPUs", "at most " + std::to_string(kMaxCpus));
    return static_cast<int>(cpus);
}

Result<TopologySpec> expand(const Shape& s) {
    const auto count = cpuCount(s);
    if (!count) return count.error();
    const auto nodes = *nodesOf(s);
    const auto nodeCount = nodes.llcs.size();
    const int cores = *count / s.threads;
    if (auto ok = checkNumbering(s, nodes, cores); !ok) return ok.error();
    auto osNodes = s.osNodes;
    if (osNodes.empty())
        for (std::size_t n = 0; n < nodeCount; ++n) osNodes.push_back(static_cast<std::int32_t>(n));
    if (osNodes.size() != nodeCount)
        return bad(std::to_string(osNodes.size()) + " node numbers for " + std::to_string(nodeCount) +
                   " nodes");

    std::vector<std::size_t> order(nodeCount); // order[id] = position in the file
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return osNodes[a] < osNodes[b]; });
    std::vector<std::size_t> idOf(nodeCount);
    for (std::size_t id = 0; id < nodeCount; ++id) idOf[order[id]] = id;

    TopologySpec out;
    out.cpus.resize(static_cast<std::size_t>(*count));
    std::vector<bool> taken(out.cpus.size());
    int core = 0, llc = 0;
    for (std::size_t n = 0; n < nodeCount; ++n)
        for (int l = 0; l < nodes.llcs[n]; ++l, ++llc)
            for (int k = 0; k < s.coresPerLlc; ++k, ++core)
                for (int thread = 0; thread < s.threads; ++thread) {
                    const int cpu = number(s, cores, core, thread);
                    if (cpu < 0 || cpu >= *count)
                        return bad("CPU " + std::to_string(cpu) + " does not exist",
                                   "0 to " + std::to_string(*count - 1));
                    const auto i = static_cast<std::size_t>(cpu);
                    if (taken[i]) return bad("CPU " + std::to_string(cpu) + " is in two cores");
                    taken[i] = true;
                    const int socket = s.socketsPerNode == 1 ? nodes.socket[n]
                                                             : static_cast<int>(n) * s.socketsPerNode +
                                                                   l / (nodes.llcs[n] / s.socketsPerNode);
                    out.cpus[i] = {
                        CpuId(i), CoreId(core), LlcId(llc), NodeId(idOf[n]), core / s.coresPerCluster,
                        socket,   thread};
                }
    for (const auto n : order) out.osNode.push_back(osNodes[n]);
    const bool square = s.distances.size() == nodeCount &&
                        std::all_of(s.distances.begin(), s.distances.end(),
                                    [&](const auto& row) { return row.size() == nodeCount; });
    out.distances = s.distances; // a matrix of the wrong size is Topology::build's error to report
    if (square)
        for (std::size_t a = 0; a < nodeCount; ++a)
            for (std::size_t b = 0; b < nodeCount; ++b) out.distances[a][b] = s.distances[order[a]][order[b]];
    out.memoryOnlyNodes = s.memoryOnlyNodes;
    out.levels = s.levels;
    out.reclaimDistance = s.reclaimDistance;
    return out;
}

} // namespace rqs::machine
