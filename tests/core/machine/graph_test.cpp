// SPDX-License-Identifier: GPL-3.0-or-later
// The hardware graph: structure, distance classes by shortest path, SLIT from links and back.
#include "core/machine/graph.h"
#include "core/machine/shape.h"

#include <boost/graph/connected_components.hpp>
#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::machine;

namespace {
using Matrix = std::vector<std::vector<std::int32_t>>;
Topology topologyOf(const Shape& s) {
    auto spec = expand(s);
    if (!spec) throw std::runtime_error(spec.error().text());
    auto t = Topology::build(std::move(spec).value());
    if (!t) throw std::runtime_error(t.error().text());
    return std::move(t).value();
}
CostSheet costs(std::int64_t smt, std::int64_t llc, std::int64_t socket, std::int64_t remote) {
    CostSheet s;
    s.entries[static_cast<std::size_t>(Cost::LineSmt)].ns = smt;
    s.entries[static_cast<std::size_t>(Cost::LineLlc)].ns = llc;
    s.entries[static_cast<std::size_t>(Cost::LineSocket)].ns = socket;
    s.entries[static_cast<std::size_t>(Cost::LineRemote)].ns = remote;
    return s;
}
void expectSameClasses(const Topology& t, const CostSheet& c) {
    const auto g = buildGraph(t, c);
    for (int a = 0; a < t.cpuCount(); ++a) {
        const auto classes = distancesFrom(g, CpuId(a));
        ASSERT_EQ(classes.size(), static_cast<std::size_t>(t.cpuCount()));
        for (int b = 0; b < t.cpuCount(); ++b)
            ASSERT_EQ(classes[static_cast<std::size_t>(b)], t.distance(CpuId(a), CpuId(b)))
                << a << " to " << b;
    }
}
Matrix slitOf(const Topology& t) {
    Matrix m(static_cast<std::size_t>(t.nodeCount()));
    for (int a = 0; a < t.nodeCount(); ++a)
        for (int b = 0; b < t.nodeCount(); ++b)
            m[static_cast<std::size_t>(a)].push_back(t.nodeDistance(NodeId(a), NodeId(b)));
    return m;
}
Matrix nps4() {
    Matrix m(8, std::vector<std::int32_t>(8));
    for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = 0; b < 8; ++b) m[a][b] = a == b ? 10 : a / 4 == b / 4 ? 12 : 32;
    return m;
}
const Matrix kLine4{{10, 20, 30, 40}, {20, 10, 20, 30}, {30, 20, 10, 20}, {40, 30, 20, 10}};
const Matrix kRing4{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}};

std::vector<Shape> machines() {
    return {{},
            {.llcsPerNode = {2}, .coresPerLlc = 8, .threads = 2},
            {.sockets = 2, .socketsPerNode = 2, .llcsPerNode = {2}, .coresPerLlc = 4, .threads = 2},
            {.sockets = 2,
             .nodesPerSocket = {4},
             .llcsPerNode = {2},
             .coresPerLlc = 2,
             .threads = 2,
             .distances = nps4()},
            {.sockets = 4, .coresPerLlc = 2, .distances = kLine4},
            {.sockets = 4, .coresPerLlc = 2, .distances = kRing4},
            {.sockets = 4,
             .socketsPerNode = 2,
             .llcsPerNode = {2},
             .coresPerLlc = 4,
             .distances = {{10, 21}, {21, 10}}}};
}
} // namespace

TEST(Graph, DistanceClassesAreShortestPaths) {
    for (const auto& s : machines()) {
        expectSameClasses(topologyOf(s), costs(5, 17, 74, 197));
        expectSameClasses(topologyOf(s), costs(0, 0, 0, 0)); // free caches: classes remain
    }
}

TEST(Graph, ContainmentIsATree) {
    const auto t = topologyOf({.sockets = 2,
                               .llcsPerNode = {2},
                               .coresPerLlc = 4,
                               .threads = 2,
                               .coresPerCluster = 2,
                               .distances = {{10, 32}, {32, 10}}});
    const auto g = buildGraph(t, costs(5, 17, 74, 197));
    EXPECT_EQ(boost::num_vertices(g), 32u + 16 + 8 + 4 + 2 + 2 + 1);
    EXPECT_EQ(boost::num_edges(g), boost::num_vertices(g) - 1 + 1); // a tree and one link between the nodes
    std::vector<int> component(boost::num_vertices(g));
    EXPECT_EQ(boost::connected_components(g, component.data()), 1);
    std::int64_t link = 0;
    for (const auto& e : boost::make_iterator_range(boost::edges(g)))
        if (g[e].kind == EdgeKind::Interconnect) link = g[e].ns;
    EXPECT_EQ(link, 220); // (32 - 10) / 10 of 100 ns local
}

TEST(Graph, LatencyOfAPathInsideASocketIsTheLineCost) {
    const auto t = topologyOf({.llcsPerNode = {2}, .coresPerLlc = 2, .threads = 2});
    const auto g = buildGraph(t, costs(6, 18, 74, 200));
    // CPU 0 (core 0) up to the LLC: half of an LLC transfer in half ns, the clusters adding their minimum
    // of 1.
    std::int64_t up = 0;
    for (const auto& e : boost::make_iterator_range(boost::edges(g)))
        if (g[e].reach == Distance::Smt && boost::source(e, g) == 0) up = g[e].weight;
    EXPECT_EQ(up, 6);
}

TEST(Graph, LinksAreTheOnesNoDetourExplains) {
    const auto line = directLinks(topologyOf({.sockets = 4, .distances = kLine4}));
    ASSERT_EQ(line.size(), 3u);
    EXPECT_EQ(line[0], (NodeLink{NodeId(0), NodeId(1), 100}));
    EXPECT_EQ(line[2], (NodeLink{NodeId(2), NodeId(3), 100}));
    EXPECT_EQ(directLinks(topologyOf({.sockets = 4, .distances = kRing4})).size(), 4u);
    EXPECT_EQ(directLinks(topologyOf({.sockets = 2, .nodesPerSocket = {4}, .distances = nps4()})).size(),
              28u);
}

TEST(Graph, SlitComesBackFromItsLinks) {
    for (const auto& s : machines()) {
        const auto t = topologyOf(s);
        EXPECT_EQ(slitFromLinks(t.nodeCount(), directLinks(t)).value(), slitOf(t));
    }
}

TEST(Graph, SlitRoundsToNearestAndNeedsAConnectedMachine) {
    EXPECT_EQ(slitFromLinks(2, {{NodeId(0), NodeId(1), 118}}, 107).value(), (Matrix{{10, 21}, {21, 10}}));
    EXPECT_FALSE(slitFromLinks(3, {{NodeId(0), NodeId(1), 100}}));
    EXPECT_FALSE(slitFromLinks(2, {{NodeId(0), NodeId(2), 100}}));
    EXPECT_FALSE(slitFromLinks(1, {}, 0));
}
