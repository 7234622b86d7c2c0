// SPDX-License-Identifier: GPL-3.0-or-later
// The machine file format, in reading order: identity, shape, clock, speed, costs. Every number that is not a
// count must say where it is from.
#include "core/scenario/machine_loader.h"

#include "core/base/json.h"
#include "core/base/suggest.h"
#include "core/machine/shape.h"

#include <algorithm>
#include <filesystem>

namespace rqs::scenario {
namespace {

namespace fs = std::filesystem;
using machine::Shape;

constexpr std::int64_t kMaxCostNs = 1'000'000'000;
const std::vector<std::string_view> kProvenances{"measured", "published", "derived", "assumed"};
const std::vector<std::string_view> kNumberings{"n+n", "adjacent", "interleaved", "big-core"};

/// "provenance" and "source" of the object r reads.
machine::CostEntry provenanceOf(json::ObjectReader& r) {
    machine::CostEntry e;
    e.provenance = static_cast<machine::Provenance>(r.getChoice("provenance", kProvenances));
    e.source = r.getString("source");
    if (r.ok() && e.source.empty())
        r.fail(r.value().at("source").error("the source is empty", "say where the number is from"));
    return e;
}

template<class T>
std::vector<T> ints(json::ObjectReader& r, json::Value array, std::int64_t min, std::int64_t max,
                    std::size_t atMost) {
    std::vector<T> out;
    const auto items = array.asArray(0, atMost);
    if (!items) {
        r.fail(items.error());
        return out;
    }
    for (const auto& item : *items) {
        const auto v = item.asInt(min, max);
        if (!v) {
            r.fail(v.error());
            return out;
        }
        out.push_back(static_cast<T>(*v));
    }
    return out;
}

/// One count for all units, or an array with one for each.
std::vector<int> countOrCounts(json::ObjectReader& r, std::string_view key) {
    const auto v = r.find(key);
    if (!v) return {1};
    if (v.kind() == json::Kind::Array)
        return ints<int>(r, v, 1, machine::kMaxCpus, static_cast<std::size_t>(machine::kMaxCpus));
    const auto n = v.asInt(1, machine::kMaxCpus);
    if (!n) r.fail(n.error());
    return {n ? static_cast<int>(*n) : 1};
}

std::vector<std::vector<std::int32_t>> matrix(json::ObjectReader& r, json::Value rows, std::int64_t max) {
    std::vector<std::vector<std::int32_t>> out;
    const auto items = rows.asArray(0, static_cast<std::size_t>(machine::kMaxCpus));
    if (!items)
        r.fail(items.error());
    else
        for (const auto& row : *items)
            out.push_back(ints<std::int32_t>(r, row, 0, max, static_cast<std::size_t>(machine::kMaxCpus)));
    return out;
}

Result<Shape> readShape(json::Value value) {
    json::ObjectReader r(value);
    Shape s;
    const auto count = [&](std::string_view key) {
        return static_cast<int>(r.getInt(key, 1, machine::kMaxCpus, 1));
    };
    s.sockets = count("sockets");
    s.nodesPerSocket = countOrCounts(r, "nodesPerSocket");
    s.socketsPerNode = count("socketsPerNode");
    if (r.has("nodesPerSocket") && r.has("socketsPerNode"))
        r.fail(value.error("both nodesPerSocket and socketsPerNode are given",
                           "nodes lie in sockets or sockets in nodes"));
    s.llcsPerNode = countOrCounts(r, "llcsPerNode");
    s.coresPerLlc = static_cast<int>(r.getInt("coresPerLlc", 1, machine::kMaxCpus));
    s.threads = count("threads");
    s.coresPerCluster = count("coresPerCluster");
    if (const auto n = r.get("numbering"); n && n.kind() == json::Kind::Array) {
        s.numbering = machine::Numbering::Listed;
        s.coreCpus = matrix(r, n, machine::kMaxCpus - 1);
    } else if (n) {
        s.numbering = static_cast<machine::Numbering>(r.getChoice("numbering", kNumberings));
    }
    if (const auto v = r.find("osNodes")) s.osNodes = ints<std::int32_t>(r, v, 0, 1023, 1024);
    if (const auto v = r.find("distances")) s.distances = matrix(r, v, 254);
    if (const auto v = r.find("memoryOnlyNodes")) s.memoryOnlyNodes = ints<std::int32_t>(r, v, 0, 1023, 1024);
    s.levels = static_cast<machine::LevelScheme>(r.getChoice("levels", {"x86", "power9", "power10"}, 0));
    s.reclaimDistance = static_cast<std::int32_t>(r.getInt("reclaimDistance", 10, 254, 30));
    if (auto ok = r.finish(); !ok) return ok.error();
    if (auto cpus = machine::cpuCount(s); !cpus) return value.error(cpus.error().what, cpus.error().hint);
    return s;
}

Status readCosts(json::Value value, machine::CostSheet& sheet) {
    const auto members = value.asObject();
    if (!members) return members.error();
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < machine::kCosts; ++i)
        names.push_back(machine::costName(static_cast<machine::Cost>(i)));
    std::vector<bool> given(names.size());
    for (const auto& m : *members) {
        const auto it = std::find(names.begin(), names.end(), m.key);
        if (it == names.end())
            return m.keyError("unknown cost \"" + std::string(m.key) + "\"", didYouMean(m.key, names));
        json::ObjectReader r(m.value);
        const auto ns = r.getInt("value", 0, kMaxCostNs);
        r.getChoice("unit", {"ns"});
        auto entry = provenanceOf(r);
        entry.ns = ns;
        if (auto ok = r.finish(); !ok) return ok.error();
        const auto i = static_cast<std::size_t>(it - names.begin());
        given[i] = true;
        sheet.entries[i] = std::move(entry);
    }
    std::string missing;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!given[i]) missing += (missing.empty() ? "" : ", ") + std::string(names[i]);
    if (!missing.empty()) return value.error("missing costs: " + missing, "every machine states every cost");

    using machine::Cost;
    const std::pair<Cost, Cost> ordered[] = {{Cost::CtxSwitchLocked, Cost::CtxSwitchSame},
                                             {Cost::CtxSwitchLocked, Cost::CtxSwitchOther}, // a part of it
                                             {Cost::LineSmt, Cost::LineLlc},
                                             {Cost::LineLlc, Cost::LineSocket},
                                             {Cost::LineSocket, Cost::LineRemote}};
    for (const auto& [low, high] : ordered)
        if (sheet.entries[static_cast<std::size_t>(low)].ns >
            sheet.entries[static_cast<std::size_t>(high)].ns)
            return value.at(machine::costName(low))
                .error(std::string(machine::costName(low)) + " is more than " +
                           std::string(machine::costName(high)),
                       "farther and larger costs are not cheaper");
    return Ok{};
}

void readClock(json::ObjectReader& r, machine::Hardware& hw) {
    if (const auto mhz = r.get("mhz")) {
        json::ObjectReader m(mhz);
        hw.mhzMin = m.getInt("min", 0, 100000);
        hw.mhzBase = m.getInt("base", 0, 100000);
        hw.mhzMax = m.getInt("max", 0, 100000);
        if (hw.mhzMin > hw.mhzBase || hw.mhzBase > hw.mhzMax)
            m.fail(mhz.error("clocks are not in order", "min <= base <= max"));
        if (auto ok = m.finish(); !ok) r.fail(ok.error());
    }
    if (const auto factor = r.get("factor")) {
        json::ObjectReader f(factor);
        hw.factorPermille = static_cast<std::int32_t>(f.getInt("permille", 1, 1'000'000));
        provenanceOf(f);
        if (auto ok = f.finish(); !ok) r.fail(ok.error());
    }
    hw.hz = static_cast<std::int32_t>(r.getInt("hz", 1, 10000));
    hw.pageSize = static_cast<std::int32_t>(r.getInt("pageSize", 4096, 65536));
    if (r.ok() && hw.pageSize != 4096 && hw.pageSize != 65536)
        r.fail(r.value().at("pageSize").error("no such page size", "4096 or 65536"));
}

void readSpeed(json::ObjectReader& r, machine::Hardware& hw, int threads) {
    hw.speedModel = static_cast<machine::SpeedModel>(r.getChoice("speedModel", {"smt", "shared_stream"}));
    if (const auto speed = r.get("smtSpeed")) {
        json::ObjectReader s(speed);
        if (const auto list = s.get("value")) {
            hw.smtSpeed = ints<std::int32_t>(s, list, 1, 1024, 64);
            if (s.ok() && hw.smtSpeed.size() != static_cast<std::size_t>(threads))
                s.fail(list.error("has " + std::to_string(hw.smtSpeed.size()) + " speeds for " +
                                      std::to_string(threads) + " threads",
                                  "one for each number of busy siblings, 0 first"));
            if (s.ok() && hw.smtSpeed.front() != 1024)
                s.fail(list.error("a thread alone is not at full speed", "1024 first"));
            if (s.ok() && !std::is_sorted(hw.smtSpeed.rbegin(), hw.smtSpeed.rend()))
                s.fail(list.error("a thread gets faster with busier siblings", "falling speeds"));
        }
        s.getChoice("unit", {"1/1024"});
        const auto from = provenanceOf(s);
        hw.smtSpeedNote = std::string(machine::provenanceName(from.provenance)) + ": " + from.source;
        if (auto ok = s.finish(); !ok) r.fail(ok.error());
    }
}

/// Moves the position of `at` onto an error that has none.
Error located(const Error& e, json::Value at) { return at.error(e.what, e.hint); }

std::string machinesFolder(const std::string& resources) {
    return (fs::path(resources) / "machines").string();
}
constexpr const char* kAliasFile = "aliases.json";

/// Ids of the machine files, sorted. Error if the folder cannot be read.
Result<std::vector<std::string>> machineIds(const std::string& resources) {
    const auto folder = machinesFolder(resources);
    std::error_code ec;
    fs::directory_iterator it(folder, ec);
    if (ec) return Error{folder, "cannot list machines: " + ec.message(), "expected a folder with *.json"};
    std::vector<std::string> ids;
    for (; it != fs::directory_iterator(); it.increment(ec)) {
        if (ec) break;
        if (it->path().extension() == ".json" && it->path().filename() != kAliasFile)
            ids.push_back(it->path().stem().string());
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

std::string machinePath(const std::string& resources, const std::string& id) {
    return (fs::path(machinesFolder(resources)) / (id + ".json")).string();
}

/// Members every machine file starts with. `topology` is "unknown" instead of a shape where nobody knows it.
struct Head {
    std::string id, title, note;
    bool known = true;
};
Head readHead(json::ObjectReader& r) {
    Head h{r.getString("id"), r.getString("title"), r.getString("note"), !r.has("topology")};
    if (!h.known) r.getChoice("topology", {"unknown"});
    return h;
}

MachineInfo describe(const std::string& path, const std::string& id) {
    MachineInfo info;
    info.id = id;
    info.path = path;
    const auto doc = json::Document::fromFile(path);
    if (!doc) {
        info.error = doc.error().text();
        return info;
    }
    json::ObjectReader r(doc->root());
    const auto head = readHead(r);
    info.title = head.title;
    info.note = head.note;
    info.topologyKnown = head.known;
    if (!r.ok() || !head.known) {
        if (!r.ok()) info.error = r.finish().error().text();
        return info;
    }
    const auto shape = readShape(r.get("shape"));
    const auto spec = shape ? machine::expand(*shape) : Result<machine::TopologySpec>(shape.error());
    if (!spec) {
        info.error = spec.error().text();
        return info;
    }
    for (const auto& c : spec->cpus) {
        info.sockets = std::max(info.sockets, c.socket + 1);
        info.nodes = std::max(info.nodes, c.node.v + 1);
        info.llcs = std::max(info.llcs, c.llc.v + 1);
        info.cores = std::max(info.cores, c.core.v + 1);
    }
    info.cpus = static_cast<int>(spec->cpus.size());
    return info;
}

} // namespace

Result<machine::Hardware> loadMachine(const std::string& path) {
    const auto doc = json::Document::fromFile(path);
    if (!doc) return doc.error();
    json::ObjectReader r(doc->root());
    const auto head = readHead(r);
    if (r.ok() && !head.known)
        return doc->root()
            .at("topology")
            .error("the topology of machine \"" + head.id + "\" is unknown", head.note);

    machine::Hardware hw;
    hw.id = head.id;
    hw.title = head.title;
    hw.note = head.note;
    const auto shapeValue = r.get("shape");
    if (!shapeValue) return r.finish().error();
    const auto shape = readShape(shapeValue);
    if (!shape) return shape.error();
    readClock(r, hw);
    readSpeed(r, hw, shape->threads);
    if (const auto costs = r.get("costs"))
        if (auto ok = readCosts(costs, hw.costs); !ok) r.fail(ok.error());
    if (auto ok = r.finish(); !ok) return ok.error();
    if (hw.id != fs::path(path).stem().string())
        return doc->root().at("id").error("id \"" + hw.id + "\" is not the file's name",
                                          "the id is the file name without .json");

    auto spec = machine::expand(*shape);
    if (!spec) return located(spec.error(), shapeValue);
    auto topology = machine::Topology::build(std::move(spec).value());
    if (!topology) return located(topology.error(), shapeValue);
    hw.topology = std::move(topology).value();
    auto domains = machine::DomainTable::build(hw.topology, CpuMask::all(hw.topology.cpuCount()));
    if (!domains) return located(domains.error(), shapeValue);
    hw.domains = std::move(domains).value();
    return hw;
}

Result<std::optional<std::string>> resolveMachineAlias(const std::string& resources,
                                                       const std::string& referenceId) {
    const auto path = (fs::path(machinesFolder(resources)) / kAliasFile).string();
    const auto doc = json::Document::fromFile(path);
    if (!doc) return doc.error();
    const auto members = doc->root().asObject();
    if (!members) return members.error();
    std::vector<std::string_view> names;
    for (const auto& m : *members) {
        names.push_back(m.key);
        if (m.key != referenceId) continue;
        if (m.value.kind() == json::Kind::Null) return std::optional<std::string>{};
        const auto id = m.value.asString();
        if (!id) return id.error();
        return std::optional<std::string>{*id};
    }
    return Error{path, "no alias for \"" + referenceId + "\"", didYouMean(referenceId, names)};
}

Result<machine::Hardware> findMachine(const std::string& resources, const std::string& id) {
    auto ids = machineIds(resources);
    if (!ids) return ids.error();
    if (std::binary_search(ids->begin(), ids->end(), id)) return loadMachine(machinePath(resources, id));
    if (const auto alias = resolveMachineAlias(resources, id); alias) {
        if (!*alias)
            return Error{"", "\"" + id + "\" was published without a machine",
                         "choose one: runqscope-cli list"};
        return loadMachine(machinePath(resources, **alias));
    }
    return Error{"", "unknown machine \"" + id + "\"", didYouMean(id, *ids)};
}

Result<std::vector<MachineInfo>> machineInfos(const std::string& resources) {
    const auto ids = machineIds(resources);
    if (!ids) return ids.error();
    std::vector<MachineInfo> infos;
    for (const auto& id : *ids) infos.push_back(describe(machinePath(resources, id), id));
    return infos;
}

} // namespace rqs::scenario
