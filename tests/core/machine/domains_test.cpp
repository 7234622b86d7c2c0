// SPDX-License-Identifier: GPL-3.0-or-later
// Domain construction against the worked examples TOPO-1 .. TOPO-9, hotplug, and size limits.
#include "core/machine/domains.h"
#include "core/machine/shape.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>

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
DomainTable tableOf(const Topology& t) {
    return std::move(DomainTable::build(t, CpuMask::all(t.cpuCount()))).value();
}

std::string list(const CpuMask& m) {
    std::string s;
    for (CpuId c = m.first(); c;) {
        int last = c.v;
        while (last + 1 < m.width() && m.test(CpuId(last + 1))) ++last;
        s += (s.empty() ? "" : ",") + std::to_string(c.v) + (last > c.v ? "-" + std::to_string(last) : "");
        c = m.next(last + 1);
    }
    return s;
}
/// "SMT 2/2 > MC 16/8 > PKG 32/2": level, CPUs of the span, number of groups.
std::string shapeOf(std::span<const Domain> domains) {
    std::ostringstream s;
    for (const auto& d : domains)
        s << (s.tellp() > 0 ? " > " : "") << domainLevelName(d.level) << " " << d.weight << "/"
          << d.groups.size();
    return s.str();
}
std::string groupsOf(const Domain& d) {
    std::string s;
    for (const auto& g : d.groups) s += (s.empty() ? "" : " | ") + list(g.span);
    return s;
}
std::string removedOf(const DomainTable& t, int cpu) {
    std::string s;
    for (const auto l : t.removed(CpuId(cpu))) s += (s.empty() ? "" : " ") + std::string(domainLevelName(l));
    return s;
}
const Matrix kLine4{{10, 20, 30, 40}, {20, 10, 20, 30}, {30, 20, 10, 20}, {40, 30, 20, 10}};
const Matrix kRing4{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}};

/// What every table must satisfy, whatever the machine.
void checkInvariants(const Topology& topo, const DomainTable& t, const CpuMask& online) {
    for (int i = 0; i < topo.cpuCount(); ++i) {
        const CpuId c(i);
        const auto domains = t.of(c);
        if (!online.test(c)) {
            EXPECT_TRUE(domains.empty());
            continue;
        }
        const CpuMask* below = nullptr;
        for (const auto& d : domains) {
            ASSERT_TRUE(d.span.test(c));
            ASSERT_EQ(d.span.count(), d.weight);
            ASSERT_TRUE(d.span.subsetOf(online));
            ASSERT_TRUE(d.groups.local().span.test(c));
            CpuMask all(topo.cpuCount());
            int total = 0;
            for (const auto& g : d.groups) {
                ASSERT_EQ(g.span.count(), g.weight);
                all |= g.span;
                total += g.weight;
            }
            ASSERT_EQ(all, d.span);
            if (!d.overlap) {
                ASSERT_EQ(total, d.weight);
            } // a partition
            if (below) {
                ASSERT_TRUE(below->subsetOf(d.span));
            }
            below = &d.span;
        }
    }
}
} // namespace

TEST(Topology, TOPO_1) {
    const auto topo = topologyOf({.llcsPerNode = {2}, .coresPerLlc = 8, .threads = 2, .reclaimDistance = 32});
    const auto t = tableOf(topo);
    const auto d = t.of(CpuId(0));
    ASSERT_EQ(shapeOf(d), "SMT 2/2 > MC 16/8 > PKG 32/2");
    EXPECT_EQ(list(d[0].span), "0,16");
    EXPECT_EQ(list(d[1].groups[3].span), "3,19");
    EXPECT_EQ(d[2].groups[1].weight, 16);
    EXPECT_EQ(d[2].imbNumaNr, 2);
    EXPECT_EQ(removedOf(t, 0), "CLS");
    EXPECT_EQ(t.llcSize(CpuId(0)), 16);
    EXPECT_EQ(t.llcId(CpuId(0)), CpuId(0));
    EXPECT_EQ(t.llcId(CpuId(8)), CpuId(8));
    EXPECT_EQ(t.llcId(CpuId(24)), CpuId(8));
    EXPECT_EQ(t.llcDomain(CpuId(24)), 1);
    // Tuning and flags derived from the level.
    EXPECT_EQ(d[0].imbalancePct, 110);
    EXPECT_EQ(d[0].cacheNiceTries, 0);
    EXPECT_EQ(d[1].imbalancePct, 117);
    EXPECT_EQ(d[1].cacheNiceTries, 1);
    EXPECT_TRUE(d[0].shareCapacity && d[0].shareCache && d[1].shareCache && !d[1].shareCapacity &&
                !d[2].shareCache);
    EXPECT_TRUE(d[2].preferSibling && d[2].wakeAffine && d[2].balanceExec);
    // Groups start at the CPU's own.
    EXPECT_EQ(list(t.of(CpuId(20))[1].groups.local().span), "4,20");
    EXPECT_EQ(groupsOf(t.of(CpuId(24))[2]), "8-15,24-31 | 0-7,16-23");
    checkInvariants(topo, t, CpuMask::all(32));
}

TEST(Topology, TOPO_2) {
    const auto topo = topologyOf({.coresPerLlc = 18, .threads = 2});
    const auto t = tableOf(topo);
    EXPECT_EQ(shapeOf(t.of(CpuId(0))), "SMT 2/2 > MC 36/18");
    // The climb stops at the first level that spans the machine, so PKG is never built here: no parent of the
    // LLC.
    EXPECT_EQ(removedOf(t, 0), "CLS");
    EXPECT_EQ(static_cast<std::size_t>(t.llcDomain(CpuId(7))), t.of(CpuId(7)).size() - 1);
    EXPECT_EQ(t.llcSize(CpuId(35)), 36);
}

TEST(Topology, TOPO_3) {
    const auto topo = topologyOf({.sockets = 2,
                                  .llcsPerNode = {8},
                                  .coresPerLlc = 8,
                                  .threads = 2,
                                  .distances = {{10, 32}, {32, 10}},
                                  .reclaimDistance = 32});
    const auto t = tableOf(topo);
    const auto d = t.of(CpuId(0));
    ASSERT_EQ(shapeOf(d), "SMT 2/2 > MC 16/8 > PKG 128/8 > NUMA 256/2");
    EXPECT_EQ(d[2].imbNumaNr, 8);
    EXPECT_EQ(d[3].imbNumaNr, 8);
    EXPECT_EQ(d[3].numaDistance, 32);
    EXPECT_TRUE(d[3].wakeAffine); // 32 is not beyond AMD's reclaim distance
    EXPECT_TRUE(d[3].numa && d[3].overlap && d[3].serialize && !d[3].preferSibling);
    EXPECT_EQ(d[3].cacheNiceTries, 2);
    checkInvariants(topo, t, CpuMask::all(256));
}

TEST(Topology, TOPO_4) {
    const auto topo = topologyOf({.sockets = 2,
                                  .llcsPerNode = {16},
                                  .coresPerLlc = 8,
                                  .threads = 2,
                                  .distances = {{10, 32}, {32, 10}},
                                  .reclaimDistance = 32});
    const auto t0 = std::chrono::steady_clock::now();
    const auto t = tableOf(topo);
    const auto took = std::chrono::steady_clock::now() - t0;
    const auto d = t.of(CpuId(0));
    ASSERT_EQ(shapeOf(d), "SMT 2/2 > MC 16/8 > PKG 256/16 > NUMA 512/2");
    EXPECT_EQ(d[2].imbNumaNr, 16);
    EXPECT_EQ(d[3].imbNumaNr, 16);
    EXPECT_EQ(list(d[3].groups[0].span), "0-127,256-383");
    EXPECT_LT(took, std::chrono::milliseconds(100));
    checkInvariants(topo, t, CpuMask::all(512));
}

TEST(Topology, TOPO_5) {
    Matrix m(8, std::vector<std::int32_t>(8, 32));
    for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = 0; b < 8; ++b) m[a][b] = a == b ? 10 : a / 4 == b / 4 ? 12 : 32;
    const auto topo = topologyOf({.sockets = 2,
                                  .nodesPerSocket = {4},
                                  .llcsPerNode = {2},
                                  .coresPerLlc = 8,
                                  .threads = 2,
                                  .distances = m,
                                  .reclaimDistance = 32});
    const auto t = tableOf(topo);
    const auto d = t.of(CpuId(0));
    ASSERT_EQ(shapeOf(d), "SMT 2/2 > MC 16/8 > NODE 32/2 > NUMA 128/4 > NUMA 256/2");
    EXPECT_EQ(d[2].imbNumaNr, 2);
    EXPECT_EQ(d[3].imbNumaNr, 2);
    EXPECT_EQ(d[4].imbNumaNr, 4);
    EXPECT_EQ(d[3].groups[1].weight, 32);
    EXPECT_EQ(d[4].groups[1].weight, 128);
    checkInvariants(topo, t, CpuMask::all(256));
}

TEST(Topology, TOPO_6) {
    const auto topo = topologyOf(
        {.sockets = 2, .coresPerLlc = 144, .coresPerCluster = 4, .distances = {{10, 21}, {21, 10}}});
    const auto t = tableOf(topo);
    const auto d = t.of(CpuId(0));
    ASSERT_EQ(shapeOf(d), "CLS 4/4 > MC 144/36 > NUMA 288/2");
    EXPECT_EQ(removedOf(t, 0), "PKG NODE SMT");
    EXPECT_EQ(d[2].imbNumaNr, 18);
    EXPECT_TRUE(d[0].cluster);
    EXPECT_EQ(t.llcSize(CpuId(0)), 144);
    EXPECT_EQ(d[0].groups[1].flags, DomainFlags{}); // SMT below is gone
    checkInvariants(topo, t, CpuMask::all(288));
}

TEST(Topology, TOPO_7) {
    const auto topo = topologyOf({.sockets = 2,
                                  .llcsPerNode = {8},
                                  .coresPerLlc = 2,
                                  .threads = 4,
                                  .coresPerCluster = 2,
                                  .numbering = Numbering::Adjacent,
                                  .osNodes = {8, 0},
                                  .distances = {{10, 40}, {40, 10}},
                                  .levels = LevelScheme::Power9});
    const auto t = tableOf(topo);
    const auto d = t.of(CpuId(0));
    ASSERT_EQ(shapeOf(d), "SMT 4/4 > CACHE 8/2 > PKG 64/8 > NUMA 128/2");
    EXPECT_EQ(t.llcSize(CpuId(0)), 8);
    EXPECT_EQ(t.llcId(CpuId(77)), CpuId(72));
    EXPECT_FALSE(d[3].wakeAffine || d[3].balanceExec || d[3].balanceFork); // 40 > 30
    checkInvariants(topo, t, CpuMask::all(128));
}

TEST(Topology, TOPO_8) {
    const auto topo = topologyOf({.sockets = 4, .coresPerLlc = 2, .distances = kLine4});
    const auto t = tableOf(topo);
    EXPECT_EQ(shapeOf(t.of(CpuId(0))), "MC 2/2 > NUMA 4/2 > NUMA 6/2 > NUMA 8/2");
    EXPECT_EQ(shapeOf(t.of(CpuId(2))), "MC 2/2 > NUMA 6/3 > NUMA 8/2");
    EXPECT_EQ(groupsOf(t.of(CpuId(0))[2]), "0-3 | 4-5");
    checkInvariants(topo, t, CpuMask::all(8));
}

TEST(Topology, TOPO_9) {
    const auto topo = topologyOf({.sockets = 4, .coresPerLlc = 2, .distances = kRing4});
    const auto t = tableOf(topo);
    const auto d = t.of(CpuId(0));
    ASSERT_EQ(d.size(), 3u);
    EXPECT_EQ(list(d[1].span), "0-3,6-7");
    EXPECT_EQ(groupsOf(d[1]), "0-1 | 2-3 | 6-7");
    EXPECT_EQ(groupsOf(d[2]), "0-3,6-7 | 2-7");
    checkInvariants(topo, t, CpuMask::all(8));
}

TEST(Domains, Power10TakesTheCoreAsLlc) {
    const auto topo = topologyOf(
        {.llcsPerNode = {24}, .threads = 4, .numbering = Numbering::BigCore, .levels = LevelScheme::Power10});
    const auto t = tableOf(topo);
    EXPECT_EQ(shapeOf(t.of(CpuId(0))), "SMT 4/4 > PKG 96/24");
    EXPECT_EQ(t.llcSize(CpuId(0)), 4);
    EXPECT_EQ(list(t.of(CpuId(1))[0].span), "1,3,5,7");
}

TEST(Domains, PowerCoreGroupsAddAnMcLevelThatSharesNoCache) {
    auto spec = expand({.llcsPerNode = {8},
                        .threads = 4,
                        .numbering = Numbering::BigCore,
                        .levels = LevelScheme::Power10})
                    .value();
    for (int c = 0; c < 32; ++c) spec.coreGroup.push_back(c / 16);
    const auto topo = Topology::build(spec).value();
    const auto t = tableOf(topo);
    EXPECT_EQ(shapeOf(t.of(CpuId(0))), "SMT 4/4 > MC 16/4 > PKG 32/2");
    EXPECT_EQ(t.llcSize(CpuId(0)), 4);
}

TEST(Domains, UniprocessorHasNone) {
    const auto topo = topologyOf({});
    const auto t = tableOf(topo);
    EXPECT_TRUE(t.of(CpuId(0)).empty());
    EXPECT_EQ(t.llcSize(CpuId(0)), 1);
    EXPECT_EQ(t.llcId(CpuId(0)), CpuId(0));
    EXPECT_EQ(t.llcDomain(CpuId(0)), -1);
}

TEST(Domains, OfflineCpusLeaveEveryDomain) {
    const auto topo = topologyOf({.llcsPerNode = {2}, .coresPerLlc = 8, .threads = 2});
    auto online = CpuMask::all(32);
    online.clear(CpuId(16));
    online.clear(CpuId(8));
    const auto t = std::move(DomainTable::build(topo, online)).value();
    EXPECT_EQ(shapeOf(t.of(CpuId(0))), "MC 15/8 > PKG 30/2"); // no sibling left: no SMT domain
    EXPECT_EQ(shapeOf(t.of(CpuId(1))), "SMT 2/2 > MC 15/8 > PKG 30/2");
    EXPECT_EQ(t.llcId(CpuId(24)), CpuId(9));
    EXPECT_EQ(t.llcSize(CpuId(24)), 15);
    checkInvariants(topo, t, online);

    CpuMask one(32);
    one.set(CpuId(5));
    EXPECT_TRUE(std::move(DomainTable::build(topo, one)).value().of(CpuId(5)).empty());
    EXPECT_FALSE(DomainTable::build(topo, CpuMask(32)));
    EXPECT_FALSE(DomainTable::build(topo, CpuMask::all(16)));
}

TEST(Domains, ANodeWithoutOnlineCpusTakesItsNumaLevelAway) {
    const auto topo = topologyOf({.sockets = 4, .coresPerLlc = 2, .distances = kLine4});
    auto online = CpuMask::all(8);
    online.clear(CpuId(6));
    online.clear(CpuId(7));
    const auto t = std::move(DomainTable::build(topo, online)).value();
    EXPECT_EQ(shapeOf(t.of(CpuId(0))), "MC 2/2 > NUMA 4/2 > NUMA 6/2");
    checkInvariants(topo, t, online);
}

TEST(Domains, CopiesOfATableShareItsMasks) {
    const auto topo = topologyOf({.coresPerLlc = 4});
    DomainTable copy;
    EXPECT_TRUE(copy.of(CpuId(0)).empty());
    {
        const auto t = tableOf(topo);
        copy = t;
        EXPECT_EQ(&copy.of(CpuId(0))[0].span, &t.of(CpuId(3))[0].span);
    }
    EXPECT_EQ(list(copy.of(CpuId(0))[0].span), "0-3");
}

TEST(Domains, FourThousandCpus) {
    // Worst case for group lists: one LLC of 4,096 single-thread cores, and many small nodes.
    const auto wide = topologyOf({.coresPerLlc = 4096});
    auto t0 = std::chrono::steady_clock::now();
    const auto a = tableOf(wide);
    EXPECT_EQ(a.of(CpuId(4095))[0].groups.size(), 4096u);
    Matrix m(32, std::vector<std::int32_t>(32, 40));
    for (std::size_t i = 0; i < 32; ++i)
        for (std::size_t j = 0; j < 32; ++j) m[i][j] = i == j ? 10 : i / 8 == j / 8 ? 20 : 40;
    const auto many =
        topologyOf({.sockets = 32, .llcsPerNode = {8}, .coresPerLlc = 8, .threads = 2, .distances = m});
    const auto b = tableOf(many);
    const auto took = std::chrono::steady_clock::now() - t0;
    EXPECT_EQ(shapeOf(b.of(CpuId(0))), "SMT 2/2 > MC 16/8 > PKG 128/8 > NUMA 1024/8 > NUMA 4096/4");
    EXPECT_LT(took, std::chrono::seconds(5));
}
