// SPDX-License-Identifier: GPL-3.0-or-later
// Building the hardware graph and the two questions answered by shortest paths: distance class and SLIT.
#include "core/machine/graph.h"

#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>

#include <algorithm>
#include <limits>

namespace rqs::machine {
namespace {

using Vertex = boost::graph_traits<HardwareGraph>::vertex_descriptor;

/// Keeps the edges that carry traffic; the machine vertex only holds the parts together.
struct Routable {
    const HardwareGraph* graph = nullptr;
    template<class Edge> bool operator()(const Edge& e) const { return (*graph)[e].weight >= 0; }
};

class GraphBuilder {
public:
    GraphBuilder(const Topology& t, const CostSheet& costs) : m_topo(t), m_costs(costs) {}

    HardwareGraph run() {
        // CPUs first, so that vertex c is CPU c; distancesFrom() relies on it.
        const auto cpus = addAll(VertexKind::Cpu, m_topo.cpuCount());
        const auto cores = addAll(VertexKind::Core, m_topo.coreCount());
        const auto clusters = addAll(VertexKind::Cluster, m_topo.clusterCount());
        const auto llcs = addAll(VertexKind::Llc, m_topo.llcCount());
        const auto nodes = addAll(VertexKind::Node, m_topo.nodeCount());
        const auto sockets = addAll(VertexKind::Socket, m_topo.socketCount());
        const auto machine = addAll(VertexKind::Machine, 1);

        // One line moves between siblings in line_smt = up and down one CPU edge, and so on outwards: each
        // edge is half of what its level adds. In half ns that is the difference itself.
        const auto smt = cost(Cost::LineSmt), llc = cost(Cost::LineLlc), socket = cost(Cost::LineSocket),
                   remote = cost(Cost::LineRemote);
        std::vector<std::int32_t> nodesOfSocket(sockets.size()), socketsOfNode(nodes.size());
        std::vector<bool> joined(nodes.size() * sockets.size());
        std::vector<bool> done(boost::num_vertices(m_g));
        const auto once = [&](Vertex child, Vertex parent, Distance reach, std::int64_t halfNs) {
            if (!done[child]) contain(child, parent, reach, halfNs);
            done[child] = true;
        };
        const auto pair = [&](const CpuInfo& c) {
            return c.node.index() * sockets.size() + static_cast<std::size_t>(c.socket);
        };
        for (const auto& c : m_topo.cpus()) {
            if (joined[pair(c)]) continue;
            joined[pair(c)] = true;
            ++nodesOfSocket[static_cast<std::size_t>(c.socket)];
            ++socketsOfNode[c.node.index()];
        }
        for (const auto& c : m_topo.cpus()) {
            const auto s = static_cast<std::size_t>(c.socket);
            const bool nodeAbove =
                socketsOfNode[c.node.index()] > 1; // a node of several packages holds the sockets
            once(cpus[c.id.index()], cores[c.core.index()], Distance::Smt, smt);
            once(cores[c.core.index()], clusters[static_cast<std::size_t>(c.cluster)], Distance::Llc, 0);
            once(clusters[static_cast<std::size_t>(c.cluster)], llcs[c.llc.index()], Distance::Llc,
                 llc - smt);
            once(llcs[c.llc.index()], nodeAbove ? sockets[s] : nodes[c.node.index()], Distance::Socket,
                 socket - llc);
            if (nodeAbove) {
                once(sockets[s], nodes[c.node.index()], Distance::Remote, remote - socket);
                holds(nodes[c.node.index()], machine[0], done);
            } else {
                once(nodes[c.node.index()], sockets[s], Distance::Socket, 0);
                holds(sockets[s], machine[0], done);
            }
        }
        for (const auto& l : directLinks(m_topo)) {
            const auto a = m_topo.cpu(m_topo.nodeCpus(l.a)[0]).socket,
                       b = m_topo.cpu(m_topo.nodeCpus(l.b)[0]).socket;
            boost::add_edge(nodes[l.a.index()], nodes[l.b.index()],
                            EdgeInfo{EdgeKind::Interconnect, a == b ? Distance::Socket : Distance::Remote,
                                     l.ns, 2 * l.ns},
                            m_g);
        }
        return std::move(m_g);
    }

private:
    std::int64_t cost(Cost c) const { return m_costs.entries[static_cast<std::size_t>(c)].ns; }
    std::vector<Vertex> addAll(VertexKind kind, int n) {
        std::vector<Vertex> v;
        for (int i = 0; i < n; ++i) v.push_back(boost::add_vertex(VertexInfo{kind, i}, m_g));
        return v;
    }
    void contain(Vertex child, Vertex parent, Distance reach, std::int64_t halfNs) {
        const auto w = std::max<std::int64_t>(halfNs, 1);
        boost::add_edge(child, parent,
                        EdgeInfo{EdgeKind::Containment, reach, std::max<std::int64_t>(halfNs, 0) / 2, w},
                        m_g);
    }
    void holds(Vertex child, Vertex machine, std::vector<bool>& done) {
        if (!done[child])
            boost::add_edge(child, machine, EdgeInfo{EdgeKind::Containment, Distance::Remote, 0, -1}, m_g);
        done[child] = true;
    }

    const Topology& m_topo;
    const CostSheet& m_costs;
    HardwareGraph m_g;
};

} // namespace

HardwareGraph buildGraph(const Topology& topology, const CostSheet& costs) {
    return GraphBuilder(topology, costs).run();
}

std::vector<Distance> distancesFrom(const HardwareGraph& graph, CpuId from) {
    const boost::filtered_graph<HardwareGraph, Routable> routes(graph, Routable{&graph});
    std::vector<Vertex> before(boost::num_vertices(graph));
    std::vector<std::int64_t> length(before.size());
    const auto source = static_cast<Vertex>(from.index());
    boost::dijkstra_shortest_paths(routes, source,
                                   boost::weight_map(boost::get(&EdgeInfo::weight, graph))
                                       .predecessor_map(boost::make_iterator_property_map(
                                           before.begin(), boost::get(boost::vertex_index, graph)))
                                       .distance_map(boost::make_iterator_property_map(
                                           length.begin(), boost::get(boost::vertex_index, graph))));
    std::vector<Distance> classes;
    for (Vertex v = 0; v < before.size() && graph[v].kind == VertexKind::Cpu; ++v) {
        Distance reach = Distance::Self;
        for (Vertex at = v; at != source && before[at] != at; at = before[at])
            reach = std::max(reach, graph[boost::edge(before[at], at, graph).first].reach);
        classes.push_back(reach);
    }
    return classes;
}

std::vector<NodeLink> directLinks(const Topology& t) {
    const auto beyondLocal = [&](int a, int b) { return t.nodeDistance(NodeId(a), NodeId(b)) - 10; };
    std::vector<NodeLink> links;
    for (int a = 0; a < t.nodeCount(); ++a)
        for (int b = a + 1; b < t.nodeCount(); ++b) {
            bool detour = false;
            for (int k = 0; k < t.nodeCount() && !detour; ++k)
                detour = k != a && k != b && beyondLocal(a, k) + beyondLocal(k, b) == beyondLocal(a, b);
            if (!detour) links.push_back({NodeId(a), NodeId(b), kLocalMemoryNs * beyondLocal(a, b) / 10});
        }
    return links;
}

Result<std::vector<std::vector<std::int32_t>>> slitFromLinks(int nodes, const std::vector<NodeLink>& links,
                                                             std::int64_t localNs) {
    if (localNs < 1)
        return Error{"links", "local latency is " + std::to_string(localNs) + " ns", "at least 1"};
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                        boost::property<boost::edge_weight_t, std::int64_t>>;
    Graph g(static_cast<std::size_t>(nodes));
    for (const auto& l : links) {
        if (l.a.v < 0 || l.b.v < 0 || l.a.v >= nodes || l.b.v >= nodes || l.ns < 0)
            return Error{"links",
                         "link " + std::to_string(l.a.v) + "-" + std::to_string(l.b.v) + " is not possible",
                         ""};
        boost::add_edge(l.a.index(), l.b.index(), l.ns, g);
    }
    constexpr auto kFar = std::numeric_limits<std::int64_t>::max();
    std::vector<std::vector<std::int64_t>> path(static_cast<std::size_t>(nodes),
                                                std::vector<std::int64_t>(static_cast<std::size_t>(nodes)));
    boost::floyd_warshall_all_pairs_shortest_paths(g, path);
    std::vector<std::vector<std::int32_t>> slit(path.size(), std::vector<std::int32_t>(path.size()));
    for (std::size_t a = 0; a < path.size(); ++a)
        for (std::size_t b = 0; b < path.size(); ++b) {
            if (path[a][b] == kFar)
                return Error{"links",
                             "no path from node " + std::to_string(a) + " to node " + std::to_string(b), ""};
            slit[a][b] = static_cast<std::int32_t>((10 * (localNs + path[a][b]) + localNs / 2) / localNs);
        }
    return slit;
}

} // namespace rqs::machine
