// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes, numbering rules, and refusal of impossible topologies.
#include "core/machine/shape.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::machine;

namespace {
Topology topologyOf(const Shape& s) {
    auto spec = expand(s);
    if (!spec) throw std::runtime_error(spec.error().text());
    auto t = Topology::build(std::move(spec).value());
    if (!t) throw std::runtime_error(t.error().text());
    return std::move(t).value();
}
std::vector<int> ids(std::span<const CpuId> cpus) {
    std::vector<int> v;
    for (const auto c : cpus) v.push_back(c.v);
    return v;
}
/// Spec of `n` single-thread cores, one LLC.
TopologySpec flat(int n) {
    TopologySpec s;
    for (int i = 0; i < n; ++i) s.cpus.push_back({CpuId(i), CoreId(i), LlcId(0), NodeId(0), -1, 0, 0});
    return s;
}
std::string refusal(TopologySpec s) {
    auto t = Topology::build(std::move(s));
    return t ? "" : t.error().text();
}
std::string refusal(const Shape& s) {
    auto t = expand(s);
    return t ? "" : t.error().text();
}
} // namespace

TEST(Topology, FirstThreadsFirst) {
    const auto t = topologyOf({.llcsPerNode = {2}, .coresPerLlc = 8, .threads = 2});
    EXPECT_EQ(t.cpuCount(), 32);
    EXPECT_EQ(t.coreCount(), 16);
    EXPECT_EQ(ids(t.coreCpus(CoreId(0))), (std::vector{0, 16}));
    EXPECT_EQ(ids(t.coreCpus(t.cpu(CpuId(9)).core)), (std::vector{9, 25}));
    EXPECT_EQ(t.distance(CpuId(0), CpuId(0)), Distance::Self);
    EXPECT_EQ(t.distance(CpuId(0), CpuId(16)), Distance::Smt);
    EXPECT_EQ(t.distance(CpuId(0), CpuId(23)), Distance::Llc);
    EXPECT_EQ(t.distance(CpuId(0), CpuId(24)), Distance::Socket);
    EXPECT_EQ(t.cpu(CpuId(16)).thread, 1);
}

TEST(Topology, Adjacent) {
    const auto t = topologyOf({.sockets = 2,
                               .coresPerLlc = 4,
                               .threads = 2,
                               .numbering = Numbering::Adjacent,
                               .distances = {{10, 21}, {21, 10}}});
    EXPECT_EQ(ids(t.coreCpus(CoreId(1))), (std::vector{2, 3}));
    EXPECT_EQ(t.distance(CpuId(0), CpuId(8)), Distance::Remote);
    EXPECT_EQ(t.nodeDistance(NodeId(0), NodeId(1)), 21);
}

TEST(Topology, InterleavedSockets) {
    const auto t = topologyOf({.sockets = 2,
                               .coresPerLlc = 32,
                               .threads = 2,
                               .numbering = Numbering::Interleaved,
                               .distances = {{10, 21}, {21, 10}}});
    EXPECT_EQ(t.cpu(CpuId(0)).socket, 0);
    EXPECT_EQ(t.cpu(CpuId(1)).socket, 1);
    EXPECT_EQ(ids(t.coreCpus(t.cpu(CpuId(0)).core)), (std::vector{0, 64}));
    EXPECT_EQ(ids(t.coreCpus(t.cpu(CpuId(2)).core)), (std::vector{2, 66}));
    EXPECT_NE(refusal(Shape{.sockets = 2, .llcsPerNode = {1, 2}, .numbering = Numbering::Interleaved})
                  .find("equal sockets"),
              std::string::npos);
}

TEST(Topology, BigCoreHalves) {
    const auto t = topologyOf(
        {.llcsPerNode = {4}, .threads = 4, .numbering = Numbering::BigCore, .levels = LevelScheme::Power10});
    EXPECT_EQ(ids(t.coreCpus(CoreId(0))), (std::vector{0, 2, 4, 6}));
    EXPECT_EQ(ids(t.coreCpus(CoreId(1))), (std::vector{1, 3, 5, 7}));
    EXPECT_EQ(ids(t.coreCpus(CoreId(3))), (std::vector{9, 11, 13, 15}));
}

TEST(Topology, ListedCores) {
    const auto t = topologyOf(
        {.coresPerLlc = 2, .threads = 2, .numbering = Numbering::Listed, .coreCpus = {{3, 0}, {1, 2}}});
    EXPECT_EQ(ids(t.coreCpus(CoreId(0))), (std::vector{0, 3}));
    EXPECT_EQ(t.cpu(CpuId(3)).thread, 0);
    EXPECT_NE(refusal(Shape{.coresPerLlc = 2, .numbering = Numbering::Listed, .coreCpus = {{0}, {0}}})
                  .find("CPU 0 is in two cores"),
              std::string::npos);
    EXPECT_NE(refusal(Shape{.coresPerLlc = 2, .numbering = Numbering::Listed, .coreCpus = {{0}, {7}}})
                  .find("CPU 7 does not exist"),
              std::string::npos);
}

TEST(Topology, FirmwareNodeNumbersMayBeSparseAndReversed) {
    const auto t = topologyOf({.sockets = 2,
                               .llcsPerNode = {8},
                               .coresPerLlc = 2,
                               .threads = 4,
                               .coresPerCluster = 2,
                               .numbering = Numbering::Adjacent,
                               .osNodes = {8, 0},
                               .distances = {{10, 40}, {40, 10}},
                               .memoryOnlyNodes = {250, 251},
                               .levels = LevelScheme::Power9});
    EXPECT_EQ(t.cpuCount(), 128);
    EXPECT_EQ(t.osNode(NodeId(0)), 0);
    EXPECT_EQ(t.osNode(NodeId(1)), 8);
    EXPECT_EQ(t.cpu(CpuId(0)).node, NodeId(1));
    EXPECT_EQ(t.cpu(CpuId(64)).node, NodeId(0));
    EXPECT_EQ(t.cpu(CpuId(0)).socket, 0);
    EXPECT_EQ(t.memoryOnlyNodes().size(), 2u);
}

TEST(Topology, DistancesFollowTheNodeNumbers) {
    const auto t = topologyOf(
        {.sockets = 3, .osNodes = {5, 2, 9}, .distances = {{10, 20, 30}, {20, 10, 40}, {30, 40, 10}}});
    EXPECT_EQ(t.nodeDistance(NodeId(0), NodeId(1)), 20); // 2-5
    EXPECT_EQ(t.nodeDistance(NodeId(0), NodeId(2)), 40); // 2-9
    EXPECT_EQ(t.nodeDistance(NodeId(1), NodeId(2)), 30); // 5-9
}

TEST(Topology, NodeMayHoldSeveralPackages) {
    const auto t = topologyOf({.sockets = 2,
                               .socketsPerNode = 2,
                               .llcsPerNode = {2},
                               .coresPerLlc = 4,
                               .threads = 2,
                               .numbering = Numbering::Adjacent});
    EXPECT_EQ(t.nodeCount(), 1);
    EXPECT_EQ(t.socketCount(), 2);
    EXPECT_EQ(t.distance(CpuId(0), CpuId(8)), Distance::Remote);
    EXPECT_FALSE(t.nodesInSocket());
}

TEST(Topology, ImpossibleShapes) {
    EXPECT_NE(refusal(Shape{.coresPerLlc = 0}).find("cores per LLC is 0"), std::string::npos);
    EXPECT_NE(refusal(Shape{.sockets = 0}).find("sockets is 0"), std::string::npos);
    EXPECT_NE(refusal(Shape{.coresPerLlc = 4097}).find("4097"), std::string::npos);
    EXPECT_NE(refusal(Shape{.sockets = 4096, .nodesPerSocket = {4096}}).find("too many nodes"),
              std::string::npos);
    EXPECT_NE(refusal(Shape{.sockets = 64, .llcsPerNode = {4096}, .coresPerLlc = 4096, .threads = 4096})
                  .find("at most 4096"),
              std::string::npos);
    EXPECT_NE(refusal(Shape{.coresPerLlc = 2049, .threads = 2}).find("4098 CPUs (at most 4096)"),
              std::string::npos);
    EXPECT_NE(refusal(Shape{.coresPerLlc = 6, .coresPerCluster = 4}).find("multiple"), std::string::npos);
    EXPECT_NE(refusal(Shape{.sockets = 2, .llcsPerNode = {1, 2, 3}}).find("LLCs per node has 3 numbers"),
              std::string::npos);
    EXPECT_NE(refusal(Shape{.sockets = 2, .osNodes = {1}}).find("1 node numbers for 2 nodes"),
              std::string::npos);
}

TEST(Topology, ImpossibleTopologies) {
    EXPECT_EQ(refusal(flat(4)), "");
    EXPECT_NE(refusal(TopologySpec{}).find("no CPU"), std::string::npos);
    EXPECT_NE(refusal(flat(4097)).find("4097 CPUs (at most 4096)"), std::string::npos);
    auto s = flat(4);
    s.cpus[2].id = CpuId(5);
    EXPECT_NE(refusal(s).find("entry 2 has id 5"), std::string::npos);
    s = flat(4);
    s.cpus[3].core = CoreId(-1);
    EXPECT_NE(refusal(s).find("CPU 3 is in no valid core"), std::string::npos);
    s = flat(4);
    s.cpus[3].llc = LlcId(2);
    EXPECT_NE(refusal(s).find("LLC 1 has no CPU"), std::string::npos);
    s = flat(4);
    s.cpus[1].core = CoreId(0); // core 1 now has no CPU
    EXPECT_NE(refusal(s).find("core 1 has no CPU"), std::string::npos);
    s = flat(4);
    s.cpus[3].core = CoreId(2);
    s.cpus[3].thread = 1;
    s.cpus[3].llc = LlcId(1);
    EXPECT_NE(refusal(s).find("cluster 2 spans LLCs 0 and 1"), std::string::npos);
    s = flat(4);
    s.cpus[3].core = CoreId(2); // two threads of rank 0
    EXPECT_NE(refusal(s).find("has thread rank 0"), std::string::npos);
    s = flat(4);
    s.cpus[3].node = NodeId(1);
    EXPECT_NE(refusal(s).find("LLC 0 spans nodes 0 and 1"), std::string::npos);
    s = flat(4);
    s.cpus[3].socket = 1;
    EXPECT_NE(refusal(s).find("LLC 0 spans sockets 0 and 1"), std::string::npos);
}

TEST(Topology, NodesAndSocketsMustNestOneWay) {
    TopologySpec s =
        flat(4); // LLCs 0..3; node 0 = CPUs 0,1; node 1 = 2,3; socket 0 = 0; socket 1 = 1,2; socket 2 = 3
    for (int i = 0; i < 4; ++i) s.cpus[static_cast<std::size_t>(i)].llc = LlcId(i);
    s.cpus[2].node = s.cpus[3].node = NodeId(1);
    s.cpus[1].socket = s.cpus[2].socket = 1;
    s.cpus[3].socket = 2;
    s.distances = {{10, 20}, {20, 10}};
    EXPECT_NE(refusal(s).find("node 0 spans sockets 0 and 1"), std::string::npos);
}

TEST(Topology, DistancesAreChecked) {
    const auto with = [](std::vector<std::vector<std::int32_t>> d) {
        TopologySpec s = flat(2);
        s.cpus[1].llc = LlcId(1);
        s.cpus[1].node = NodeId(1);
        s.distances = std::move(d);
        return refusal(s);
    };
    EXPECT_EQ(with({{10, 20}, {20, 10}}), "");
    EXPECT_NE(with({}).find("0 rows for 2 nodes"), std::string::npos);
    EXPECT_NE(with({{10, 20}, {20}}).find("row 1 has 1 columns"), std::string::npos);
    EXPECT_NE(with({{10, 20}, {21, 10}}).find("the way back 20"), std::string::npos);
    EXPECT_NE(with({{11, 20}, {20, 10}}).find("10 on the diagonal"), std::string::npos);
    EXPECT_NE(with({{10, 10}, {10, 10}}).find("11 to 254"), std::string::npos);
    EXPECT_NE(with({{10, 300}, {300, 10}}).find("11 to 254"), std::string::npos);
}
