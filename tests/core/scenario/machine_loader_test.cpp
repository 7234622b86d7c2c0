// SPDX-License-Identifier: GPL-3.0-or-later
// Every machine file loads and says where its numbers are from; the recorded guests get exactly the domains
// the real kernel built; bad files are refused with their place.
#include "core/scenario/machine_loader.h"

#include "core/machine/graph.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace rqs;
using namespace rqs::scenario;
using machine::Cost;
using machine::Hardware;

namespace {

namespace fs = std::filesystem;
const std::string kResources = std::string(RQS_SOURCE_DIR) + "/resources";

std::string slurp(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream s;
    s << in.rdbuf();
    return s.str();
}
Hardware load(const std::string& id) {
    auto hw = findMachine(kResources, id);
    if (!hw) throw std::runtime_error(hw.error().text());
    return std::move(hw).value();
}
std::int64_t cost(const Hardware& hw, Cost c) { return hw.costs.entries[static_cast<std::size_t>(c)].ns; }
std::vector<std::string> knownIds() {
    std::vector<std::string> ids;
    const auto infos = machineInfos(kResources);
    for (const auto& m : *infos)
        if (m.topologyKnown) ids.push_back(m.id);
    return ids;
}

/// Loads the 7950X file with one piece of text replaced; the error without the temporary folder's name.
std::string errorAfter(const std::string& from, const std::string& to, const std::string& id = "amd-7950x") {
    auto text = slurp(kResources + "/machines/" + id + ".json");
    const auto at = text.find(from);
    if (at == std::string::npos) return "text not found: " + from;
    text.replace(at, from.size(), to);
    const auto folder =
        fs::path(::testing::TempDir()) /
        ("rqs_machines_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder);
    const auto path = (folder / (id + ".json")).string();
    std::ofstream(path) << text;
    const auto hw = loadMachine(path);
    fs::remove_all(folder);
    if (hw) return "";
    auto e = hw.error().text();
    if (const auto p = e.find(folder.string() + "/"); p != std::string::npos)
        e.erase(p, folder.string().size() + 1);
    return e;
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
/// The words of tests/data/kernel_domains.txt, in its order.
std::string flagWords(const machine::DomainFlags& f) {
    std::string s;
    const auto add = [&](bool on, const char* word) {
        if (on) s += (s.empty() ? "" : ",") + std::string(word);
    };
    add(f.wakeAffine, "affine");
    add(f.shareCache, "cache");
    add(f.shareCapacity, "capacity");
    add(f.cluster, "cluster");
    add(f.balanceExec, "exec");
    add(f.balanceFork, "fork");
    add(f.balanceNewidle, "newidle");
    add(f.numa, "numa");
    add(f.overlap, "overlap");
    add(f.serialize, "serialize");
    add(f.preferSibling, "sibling");
    return s.empty() ? "-" : s;
}
std::string domainLine(CpuId cpu, const machine::Domain& d, bool groupFlags) {
    std::string groups;
    for (const auto& g : d.groups) groups += (groups.empty() ? "" : "/") + list(g.span);
    return std::to_string(cpu.v) + " " + machine::domainLevelName(d.level) + " " + list(d.span) + " " +
           groups + " " + std::to_string(d.imbalancePct) + " " + std::to_string(d.cacheNiceTries) + " " +
           flagWords(d) + " " + (groupFlags ? flagWords(d.groups.local().flags) : "?");
}

} // namespace

TEST(MachineLoader, EveryMachineOfTheModelIsThere) {
    const std::map<std::string, int> expected{{"amd-7950x", 32},
                                              {"intel-skx-18c", 36},
                                              {"amd-milan-72", 72},
                                              {"amd-2x128-zen4", 512},
                                              {"amd-2x96-zen4", 384},
                                              {"amd-2x64-zen3", 256},
                                              {"intel-cpx-26c", 52},
                                              {"amd-zen2-ccx", 24},
                                              {"p9-2x16", 128},
                                              {"p10-12c", 96},
                                              {"p10-40c", 320},
                                              {"p10-hex", 0},
                                              {"intel-240", 240},
                                              {"intel-e5-48", 48},
                                              {"intel-8480", 224},
                                              {"intel-288", 288},
                                              {"smythies", 12},
                                              {"box16", 16},
                                              {"gt-smp2", 2},
                                              {"gt-smp1", 1},
                                              {"gt-smp4", 4},
                                              {"gt-s1c8", 8},
                                              {"gt-s2c4t2", 16},
                                              {"gt-s2c4t2-numa2", 16},
                                              {"gt-s2c4t2-numa2-k61", 16},
                                              {"gt-s2d2c4-q72", 16},
                                              {"gt-s4c4-numa2", 16},
                                              {"gt-s4c4-numa4", 16}};
    std::map<std::string, int> found;
    const auto infos = machineInfos(kResources);
    ASSERT_TRUE(infos);
    for (const auto& m : *infos) {
        found[m.id] = m.cpus;
        EXPECT_EQ(m.error, "");
        EXPECT_FALSE(m.title.empty() || m.note.empty()) << m.id;
    }
    EXPECT_EQ(found, expected);
}

TEST(MachineLoader, EveryFileLoadsAndItsLlcIsTheSchedulersLlc) {
    for (const auto& id : knownIds()) {
        const auto hw = load(id);
        EXPECT_EQ(hw.id, id);
        for (const auto& c : hw.topology.cpus()) {
            const auto llc = hw.topology.llcCpus(c.llc);
            ASSERT_EQ(hw.domains.llcSize(c.id), static_cast<int>(llc.size())) << id << " CPU " << c.id.v;
            ASSERT_EQ(hw.domains.llcId(c.id), llc[0]) << id << " CPU " << c.id.v;
        }
        for (const auto& e : hw.costs.entries) EXPECT_GT(e.source.size(), 10u) << id;
    }
}

TEST(MachineLoader, LlcWidthsAsInTheTable) {
    const std::map<std::string, int> width{
        {"amd-7950x", 16},     {"intel-skx-18c", 36}, {"amd-milan-72", 12},  {"amd-2x128-zen4", 16},
        {"amd-2x96-zen4", 16}, {"amd-2x64-zen3", 16}, {"intel-cpx-26c", 52}, {"amd-zen2-ccx", 6},
        {"p9-2x16", 8},        {"p10-12c", 4},        {"p10-40c", 4},        {"intel-240", 120},
        {"intel-e5-48", 24},   {"intel-8480", 112},   {"intel-288", 144},    {"smythies", 12},
        {"box16", 16}};
    for (const auto& [id, w] : width) EXPECT_EQ(load(id).domains.llcSize(CpuId(0)), w) << id;
}

TEST(MachineLoader, NumberingAsInTheTable) {
    const auto r = load("amd-7950x");
    EXPECT_EQ(list(r.topology.llcMask(LlcId(0))), "0-7,16-23");
    EXPECT_EQ(list(r.topology.llcMask(LlcId(1))), "8-15,24-31");
    EXPECT_EQ(list(load("amd-milan-72").topology.llcMask(LlcId(2))), "12-17,48-53");
    EXPECT_EQ(list(load("amd-zen2-ccx").topology.llcMask(LlcId(3))), "9-11,21-23");
    const auto big = load("amd-2x128-zen4");
    EXPECT_EQ(big.domains.of(CpuId(0))[3].groups.local().span,
              big.domains.of(CpuId(300))[3].groups.local().span);
    EXPECT_EQ(list(big.domains.of(CpuId(0))[3].groups.local().span), "0-127,256-383");

    const auto p9 = load("p9-2x16");
    EXPECT_EQ(p9.topology.osNode(p9.topology.cpu(CpuId(0)).node), 8);
    EXPECT_EQ(p9.topology.osNode(p9.topology.cpu(CpuId(64)).node), 0);
    EXPECT_EQ(p9.topology.memoryOnlyNodes().size(), 6u);
    EXPECT_EQ(p9.hz, 100);
    EXPECT_EQ(p9.pageSize, 65536);

    const auto p10 = load("p10-12c");
    const std::map<int, std::string> nodes{{2, "0-7"}, {3, "8-31"}, {5, "32-39"}, {6, "40-47"}, {7, "48-95"}};
    for (int n = 0; n < p10.topology.nodeCount(); ++n) {
        CpuMask m(96);
        for (const auto c : p10.topology.nodeCpus(NodeId(n))) m.set(c);
        EXPECT_EQ(list(m), nodes.at(p10.topology.osNode(NodeId(n))));
    }
    EXPECT_EQ(list(p10.topology.llcMask(p10.topology.cpu(CpuId(9)).llc)), "9,11,13,15");
    const auto p40 = load("p10-40c");
    EXPECT_EQ(p40.topology.nodeCpus(NodeId(3)).front().v, 224);
    EXPECT_EQ(p40.topology.nodeCpus(NodeId(3)).back().v, 319);
}

TEST(MachineLoader, DomainsEqualThoseOfTheRealKernel) {
    std::ifstream in(std::string(RQS_TEST_DATA) + "/kernel_domains.txt");
    std::map<std::string, std::vector<std::string>> recorded;
    std::string line, id;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        if (line.rfind("machine ", 0) == 0)
            recorded[id = line.substr(8)];
        else
            recorded.at(id).push_back(line);
    }
    ASSERT_EQ(recorded.size(), 9u);
    std::size_t compared = 0;
    for (const auto& [name, lines] : recorded) {
        const auto hw = load(name);
        std::vector<std::string> built;
        const bool groupFlags = lines.empty() || lines[0].back() != '?';
        for (const auto& c : hw.topology.cpus())
            for (const auto& d : hw.domains.of(c.id)) built.push_back(domainLine(c.id, d, groupFlags));
        EXPECT_EQ(built, lines) << name;
        compared += lines.size();
    }
    EXPECT_EQ(compared, 300u);
}

TEST(MachineLoader, DistanceClassesAreShortestPathsOnEveryMachine) {
    for (const auto& id : knownIds()) {
        const auto hw = load(id);
        const auto graph = machine::buildGraph(hw.topology, hw.costs);
        const int step =
            hw.topology.cpuCount() > 64 ? 7 : 1; // 7 divides no level's width: all positions are met
        for (int a = 0; a < hw.topology.cpuCount(); a += step) {
            const auto classes = machine::distancesFrom(graph, CpuId(a));
            for (int b = 0; b < hw.topology.cpuCount(); ++b)
                ASSERT_EQ(classes[static_cast<std::size_t>(b)], hw.topology.distance(CpuId(a), CpuId(b)))
                    << id << " " << a << " " << b;
        }
        const auto slit = machine::slitFromLinks(hw.topology.nodeCount(), machine::directLinks(hw.topology));
        ASSERT_TRUE(slit) << id;
        for (int a = 0; a < hw.topology.nodeCount(); ++a)
            for (int b = 0; b < hw.topology.nodeCount(); ++b)
                ASSERT_EQ((*slit)[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)],
                          hw.topology.nodeDistance(NodeId(a), NodeId(b)))
                    << id;
    }
}

TEST(MachineLoader, KernelPathsScaleWithTheMachineAndNothingElse) {
    const auto base = load("amd-7950x");
    EXPECT_EQ(base.factorPermille, 1000);
    EXPECT_EQ(cost(base, Cost::CtxSwitchSame), 1000);
    EXPECT_EQ(cost(base, Cost::PipeWrite), 350);
    EXPECT_EQ(load("intel-skx-18c").factorPermille, 2700);
    EXPECT_EQ(load("amd-milan-72").factorPermille, 5300);
    EXPECT_EQ(load("p10-40c").factorPermille, 1500);
    for (const auto& id : knownIds()) {
        const auto hw = load(id);
        if (hw.speedModel == machine::SpeedModel::SharedStream)
            continue; // recorded guests are measured themselves
        for (std::size_t i = 0; i < static_cast<std::size_t>(Cost::LineSmt); ++i) {
            if (static_cast<Cost>(i) == Cost::IdleExit) continue;
            const auto expected = (base.costs.entries[i].ns * hw.factorPermille + 500) / 1000;
            EXPECT_EQ(hw.costs.entries[i].ns, expected)
                << id << " " << machine::costName(static_cast<Cost>(i));
        }
    }
}

TEST(MachineLoader, RecordedGuestsShareOneStreamAndHaveFreeCaches) {
    for (const auto& id : knownIds()) {
        if (id.rfind("gt-", 0) != 0) continue;
        const auto hw = load(id);
        EXPECT_EQ(hw.speedModel, machine::SpeedModel::SharedStream) << id;
        EXPECT_EQ(hw.hz, 250);
        EXPECT_EQ(cost(hw, Cost::LineRemote), 0);
        EXPECT_EQ(cost(hw, Cost::RefillLlc), 0);
        EXPECT_GE(cost(hw, Cost::CtxSwitchSame), 3000);
        EXPECT_LE(cost(hw, Cost::CtxSwitchSame), 7000);
    }
}

TEST(MachineLoader, EveryReferenceIdHasAnAlias) {
    std::ifstream in(std::string(RQS_TEST_DATA) + "/reference_machine_ids.txt");
    std::string id;
    int ids = 0, without = 0;
    while (std::getline(in, id)) {
        ++ids;
        const auto ours = resolveMachineAlias(kResources, id);
        ASSERT_TRUE(ours) << id;
        if (!*ours) {
            ++without;
            EXPECT_NE(findMachine(kResources, id).error().text().find("published without a machine"),
                      std::string::npos);
        } else if (**ours != "p10-hex") {
            EXPECT_EQ(load(id).id, **ours);
        }
    }
    EXPECT_GE(ids, 22);
    EXPECT_EQ(without, 4); // all, meta_web_host, none, not given
    EXPECT_NE(resolveMachineAlias(kResources, "amd_795x").error().text().find("did you mean \"amd_7950x\"?"),
              std::string::npos);
}

TEST(MachineLoader, UnknownTopologyIsRefusedWithTheReason) {
    const auto hw = findMachine(kResources, "p10-hex");
    ASSERT_FALSE(hw);
    EXPECT_NE(hw.error().what.find("topology of machine \"p10-hex\" is unknown"), std::string::npos);
    EXPECT_NE(hw.error().hint.find("neither the number of CPUs"), std::string::npos);
}

TEST(MachineLoader, UnknownIdsGetASuggestion) {
    EXPECT_EQ(findMachine(kResources, "amd-7950").error().text(),
              "unknown machine \"amd-7950\" (did you mean \"amd-7950x\"?)");
    EXPECT_FALSE(findMachine(kResources, "../aliases"));
    EXPECT_FALSE(findMachine(kResources, ""));
    EXPECT_NE(findMachine("/nonexistent", "x").error().text().find("cannot list machines"),
              std::string::npos);
}

TEST(MachineLoader, BadFilesSayWhere) {
    EXPECT_EQ(errorAfter("\"hz\": 250", "\"hz\": 250"), "");
    EXPECT_EQ(errorAfter("\"sockets\": 1", "\"sockets\": 0"),
              "amd-7950x.json:6:16 (/shape/sockets): 0 is out of range (expected 1 to 4096)");
    EXPECT_EQ(errorAfter("\"coresPerLlc\": 8", "\"coresPerLlc\": 2048"),
              "amd-7950x.json:5:12 (/shape): 8192 CPUs (at most 4096)");
    EXPECT_NE(errorAfter("\"coresPerLlc\": 8", "\"coresPerLlc\": \"8\"")
                  .find("(/shape/coresPerLlc): expected a number, found a string"),
              std::string::npos);
    EXPECT_NE(errorAfter("\"coresPerLlc\"", "\"coresPerLcl\"")
                  .find("unknown key \"coresPerLcl\" (did you mean \"coresPerLlc\"?)"),
              std::string::npos);
    EXPECT_NE(errorAfter("\"n+n\"", "\"n+m\"").find("did you mean"), std::string::npos);
    EXPECT_NE(errorAfter("\"reclaimDistance\": 32", "\"reclaimDistance\": 32, \"sockets\": 1")
                  .find("duplicate key \"sockets\""),
              std::string::npos);
    EXPECT_NE(errorAfter("\"hz\": 250", "\"hz\": 0").find("(/hz): 0 is out of range"), std::string::npos);
    EXPECT_NE(errorAfter("\"min\": 3000", "\"min\": 4600").find("(/mhz): clocks are not in order"),
              std::string::npos);
    EXPECT_NE(errorAfter("\"pageSize\": 4096", "\"pageSize\": 5000").find("no such page size"),
              std::string::npos);
    EXPECT_NE(errorAfter("[1024, 614]", "[1024, 614, 500]").find("has 3 speeds for 2 threads"),
              std::string::npos);
    EXPECT_NE(errorAfter("[1024, 614]", "[1024, 1025]").find("1025 is out of range"), std::string::npos);
    EXPECT_NE(errorAfter("\"id\": \"amd-7950x\"", "\"id\": \"other\"").find("not the file's name"),
              std::string::npos);
    EXPECT_NE(errorAfter("\"shape\": {", "\"shape\": {\"distances\": [[10, 20], [20, 10]],")
                  .find("(/shape): distance matrix has 2 rows for 1 nodes"),
              std::string::npos);
    EXPECT_NE(
        errorAfter("\"numbering\": \"n+n\"", "\"numbering\": [[0, 1]]").find("CPU lists for 1 cores of 16"),
        std::string::npos);
}

TEST(MachineLoader, BadCostsSayWhich) {
    EXPECT_NE(errorAfter("{\"value\": 1000, \"unit\": \"ns\"", "{\"value\": -1, \"unit\": \"ns\"")
                  .find("(/costs/ctx_switch_same/value): -1 is out of range"),
              std::string::npos);
    EXPECT_NE(errorAfter("\"shard_hold\"", "\"shard_hodl\"")
                  .find("unknown cost \"shard_hodl\" (did you mean \"shard_hold\"?)"),
              std::string::npos);
    const auto text = slurp(kResources + "/machines/amd-7950x.json");
    const auto at = text.find("    \"shard_hold\"");
    const auto line = text.substr(at, text.find('\n', at) + 1 - at);
    EXPECT_NE(errorAfter(line, "").find("(/costs): missing costs: shard_hold"), std::string::npos);
    EXPECT_NE(errorAfter("\"value\": 600, \"unit\": \"ns\"", "\"value\": 600, \"unit\": \"us\"")
                  .find("unknown unit \"us\""),
              std::string::npos);
    EXPECT_NE(errorAfter("\"value\": 600", "\"value\": 1600")
                  .find("ctx_switch_locked is more than ctx_switch_same"),
              std::string::npos);
    EXPECT_NE(errorAfter("\"value\": 5, ", "\"value\": 18, ").find("line_smt is more than line_llc"),
              std::string::npos);
    EXPECT_NE(errorAfter("\"provenance\": \"published\"", "\"provenance\": \"guessed\"")
                  .find("unknown provenance \"guessed\""),
              std::string::npos);
    EXPECT_NE(errorAfter(", \"provenance\": \"published\"", "").find("missing member \"provenance\""),
              std::string::npos);
    EXPECT_NE(errorAfter("\"source\": \"wakeup_balance section 6: tick (guess)\"", "\"source\": \"\"")
                  .find("the source is empty"),
              std::string::npos);
}

TEST(MachineLoader, BrokenFilesStayInTheListWithTheirError) {
    const auto folder = fs::path(::testing::TempDir()) / "rqs_broken_resources";
    fs::create_directories(folder / "machines");
    std::ofstream(folder / "machines" / "a.json") << "{\"id\": ";
    std::ofstream(folder / "machines" / "b.json") << "[]";
    std::ofstream(folder / "machines" / "readme.txt") << "x";
    const auto infos = machineInfos(folder.string());
    fs::remove_all(folder);
    ASSERT_TRUE(infos);
    ASSERT_EQ(infos->size(), 2u);
    EXPECT_NE((*infos)[0].error.find("not valid JSON"), std::string::npos);
    EXPECT_NE((*infos)[1].error.find("expected an object, found an array"), std::string::npos);
}

TEST(MachineLoader, TheLargestMachineLoadsQuickly) {
    const auto t0 = std::chrono::steady_clock::now();
    load("amd-2x128-zen4");
    EXPECT_LT(std::chrono::steady_clock::now() - t0, std::chrono::milliseconds(500));
}
