// SPDX-License-Identifier: GPL-3.0-or-later
// Structure of scenario.json: which keys, which types, which ranges. What the names mean is checked by building
// each variant once; such an error is given the position of the value it blames.
#include "core/scenario/loader.h"

#include "core/base/json.h"
#include "core/base/suggest.h"
#include "core/base/text_file.h"
#include "core/scenario/build_run.h"
#include "core/scenario/input_text.h"
#include "core/scenario/text_values.h"
#include "core/workload/generators.h"
#include "core/workload/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace rqs::scenario {
namespace {

namespace fs = std::filesystem;
using json::Member;
using json::ObjectReader;
using json::Value;

constexpr std::size_t kMaxListItems = 4096;
const std::vector<std::string_view> kOnOff{"on", "off"};
const std::vector<std::string_view> kPreemptions{"none", "voluntary", "full"};

/// Reads the parts of one file; the first error stays in the ObjectReader it belongs to.
Duration readTime(ObjectReader& r, Value v) {
    if (!v || !r.ok()) return {};
    const auto text = v.asString();
    if (!text) {
        r.fail(Error{v.where(), text.error().what, "a time with its unit: \"20ms\""});
        return {};
    }
    const auto time = parseTime(*text, v.where());
    if (!time) r.fail(time.error());
    return time ? *time : Duration{};
}

/// An argument or switch as text: strings as they are, numbers and booleans as written.
std::string readScalar(ObjectReader& r, const Member& m, bool onOff) {
    switch (m.value.kind()) {
    case json::Kind::String: return std::string(m.value.text());
    case json::Kind::Bool: return onOff ? (m.value.text() == "true" ? "on" : "off") : std::string(m.value.text());
    case json::Kind::Number:
        if (!onOff) return std::string(m.value.text());
        break;
    default: break;
    }
    r.fail(m.value.error(fmt::format("\"{}\" is {}", m.key, json::kindName(m.value.kind())),
                         onOff ? "\"on\" or \"off\"" : "a number, a string, true or false"));
    return {};
}

std::map<std::string, std::string> readNamed(ObjectReader& r, Value v, bool onOff) {
    std::map<std::string, std::string> out;
    if (!v || !r.ok()) return out;
    const auto members = v.asObject();
    if (!members) r.fail(members.error());
    if (!r.ok()) return out;
    for (const Member& m : *members) {
        if (m.key.empty()) r.fail(m.keyError("empty name"));
        out.emplace(m.key, readScalar(r, m, onOff));
    }
    return out;
}

std::map<std::string, std::int64_t> readTunables(ObjectReader& r, Value v) {
    std::map<std::string, std::int64_t> out;
    for (const auto& [name, text] : readNamed(r, v, false)) {
        const auto value = parseTunableValue(name, text, v.at(name).where());
        if (!value) r.fail(value.error());
        else out.emplace(name, *value);
    }
    return out;
}

/// kernel, preemption, features, tunables: the same keys in the scenario and in each variant.
Changes readChanges(ObjectReader& r) {
    Changes c;
    if (r.has("kernel")) c.kernel = r.getString("kernel");
    if (r.has("preemption")) c.preemption = kPreemptions[r.getChoice("preemption", kPreemptions)];
    if (r.has("autogroup")) c.autogroup = r.getChoice("autogroup", kOnOff) == 0;
    c.features = readNamed(r, r.find("features"), true);
    c.tunables = readTunables(r, r.find("tunables"));
    return c;
}

WorkloadSpec readWorkload(ObjectReader& outer, Value v) {
    WorkloadSpec w;
    if (!v || !outer.ok()) return w;
    ObjectReader r(v);
    std::vector<std::string_view> known;
    for (const workload::GeneratorInfo& g : workload::generators()) known.push_back(g.name);
    w.generator = known[r.getChoice("generator", known)];
    if (w.generator == "lab") w.line = r.getString("line");
    else w.args = readNamed(r, r.find("args"), false);
    if (const Status s = r.finish(); !s) outer.fail(s.error());
    return w;
}

bool goodVariantName(std::string_view name) {
    return !name.empty() && name.size() <= 16 && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
}

std::vector<Variant> readVariants(ObjectReader& outer, const std::vector<Value>& items) {
    std::vector<Variant> out;
    for (const Value& item : items) {
        ObjectReader r(item);
        Variant v;
        v.name = r.getString("name");
        v.title = r.getString("title", "");
        v.changes = readChanges(r);
        v.changes.workloadArgs = readNamed(r, r.find("workload_args"), false);
        if (const Status s = r.finish(); !s) outer.fail(s.error());
        else if (!goodVariantName(v.name))
            outer.fail(item.at("name").error(fmt::format("\"{}\" is no variant name", v.name),
                                             "1 to 16 letters, digits, - or _"));
        else if (std::any_of(out.begin(), out.end(), [&](const Variant& o) { return o.name == v.name; }))
            outer.fail(item.at("name").error(fmt::format("second variant \"{}\"", v.name), "variant names differ"));
        out.push_back(std::move(v));
    }
    if (out.empty()) out.push_back({"A", "", {}});
    return out;
}

std::vector<GroupEntry> readGroups(ObjectReader& outer, const std::vector<Value>& items) {
    std::vector<GroupEntry> out;
    for (const Value& item : items) {
        ObjectReader r(item);
        GroupEntry g;
        g.path = r.getString("path");
        if (r.has("weight") && r.has("shares"))
            r.fail(item.error("group with weight and shares", "weight is cgroup v2, shares is v1: give one"));
        if (r.has("shares")) g.shares = r.getInt("shares", workload::kMinShares, workload::kMaxShares, 1024);
        else g.weight = r.getInt("weight", 1, 10000, 100);
        if (const Status s = r.finish(); !s) outer.fail(s.error());
        out.push_back(std::move(g));
    }
    return out;
}

std::vector<TimedInput> readInputs(ObjectReader& outer, const std::vector<Value>& items, Duration end) {
    std::vector<TimedInput> out;
    for (const Value& item : items) {
        ObjectReader r(item);
        const Value at = r.get("at");
        const Duration time = readTime(r, at);
        std::string text = r.getString("input");
        if (const Status s = r.finish(); !s) outer.fail(s.error());
        else if (end < time) outer.fail(at.error("input after the end of the run", fmt::format("it ends at {}", timeText(end))));
        out.push_back({SimTime{time.ns}, std::move(text), {}});
    }
    return out;
}

std::vector<Expectation> readExpectations(ObjectReader& outer, const std::vector<Value>& items) {
    constexpr double kMost = std::numeric_limits<double>::max();
    std::vector<Expectation> out;
    for (const Value& item : items) {
        ObjectReader r(item);
        Expectation e;
        e.metric = r.getString("metric");
        e.variant = r.getString("variant", "A");
        e.min = r.getNumber("min", -kMost, kMost, -kMost);
        e.max = r.getNumber("max", -kMost, kMost, kMost);
        if (r.ok() && !r.has("min") && !r.has("max")) r.fail(item.error("expectation without a bound", "min, max or both"));
        if (r.ok() && e.max < e.min) r.fail(item.error("max is below min"));
        if (const Status s = r.finish(); !s) outer.fail(s.error());
        out.push_back(std::move(e));
    }
    return out;
}

std::vector<std::string> readStrings(ObjectReader& r, std::string_view key) {
    std::vector<std::string> out;
    for (const Value& v : r.findArray(key, kMaxListItems)) {
        auto s = v.asString();
        if (!s) r.fail(s.error());
        else out.push_back(std::move(*s));
    }
    return out;
}

void checkTimes(ObjectReader& r, const Scenario& s) {
    if (!r.ok()) return;
    if (s.duration.ns <= 0) r.fail(r.value().at("duration").error("a run of no length", "for example \"60ms\""));
    else if (s.duration <= s.warmup)
        r.fail(r.value().at("warmup").error(fmt::format("warm-up of {} in a run of {}", timeText(s.warmup), timeText(s.duration)),
                                            "the warm-up is shorter than the run"));
}

void checkVariantNames(ObjectReader& r, const Scenario& s) {
    if (!r.ok()) return;
    std::vector<std::string> names;
    for (const Variant& v : s.variants) names.push_back(v.name);
    const auto items = r.value().at("expectations").items();
    for (std::size_t i = 0; i < items.size(); ++i)
        if (!s.variant(s.expectations[i].variant))
            return r.fail(items[i].error(fmt::format("no variant \"{}\"", s.expectations[i].variant),
                                         didYouMean(s.expectations[i].variant, names)));
}

Result<Scenario> readStructure(Value root) {
    ObjectReader r(root);
    Scenario s;
    r.getInt("schema_version", kSchemaVersion, kSchemaVersion, kSchemaVersion);
    s.title = r.getString("title");
    s.summary = r.getString("summary", "");
    s.machine = r.getString("machine");
    s.base = readChanges(r);
    if (r.ok() && !s.base.kernel) r.get("kernel");
    s.workload = readWorkload(r, r.get("workload"));
    s.groups = readGroups(r, r.findArray("groups", workload::kMaxGroups));
    s.seed = static_cast<std::uint64_t>(r.getInt("seed", 0, std::numeric_limits<std::int64_t>::max(), 1));
    s.duration = readTime(r, r.get("duration"));
    s.warmup = readTime(r, r.find("warmup"));
    checkTimes(r, s);
    s.plots = readStrings(r, "plots");
    s.variants = readVariants(r, r.findArray("variants", 26));
    s.inputs = readInputs(r, r.findArray("inputs", kMaxListItems), s.duration);
    s.expectations = readExpectations(r, r.findArray("expectations", kMaxListItems));
    s.reference = readStrings(r, "reference");
    checkVariantNames(r, s);
    if (const Status status = r.finish(); !status) return status.error();
    return s;
}

/// Value at a path like "/workload/args/groups", or the deepest part of it that is in the file.
Value lookUp(Value root, std::string_view path) {
    Value v = root;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(end);
        Value next = v.at(part);
        if (v.kind() == json::Kind::Array)
            if (const auto i = parseInteger(part, ""); i && *i >= 0 && static_cast<std::size_t>(*i) < v.size())
                next = v.items()[static_cast<std::size_t>(*i)];
        if (!next) break;
        v = next;
    }
    return v;
}

/// Gives an error of buildRun() the position of the value it names; errors of other files keep theirs.
Error positioned(Error e, Value root) {
    if (e.where.starts_with("#/")) e.where = lookUp(root, std::string_view(e.where).substr(1)).where();
    return e;
}

std::string idOf(const fs::path& folder, const std::string& root) {
    std::error_code ec;
    if (!root.empty()) {
        const fs::path relative = fs::relative(folder, root, ec);
        if (!ec && !relative.empty() && *relative.begin() != ".." && relative != ".") return relative.generic_string();
    }
    const fs::path absolute = fs::weakly_canonical(folder, ec);
    return (ec ? folder : absolute).filename().string();
}

/// Ids under root, sorted; a folder counts when it holds a scenario.json.
std::vector<std::string> scenarioIds(const std::string& root) {
    std::vector<std::string> ids;
    std::error_code ec;
    for (fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, ec), end; !ec && it != end;
         it.increment(ec)) {
        if (it.depth() > 3) it.disable_recursion_pending();
        if (it->path().filename() == "scenario.json") ids.push_back(fs::relative(it->path().parent_path(), root, ec).generic_string());
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

std::string lastPart(const std::string& id) {
    const std::size_t slash = id.rfind('/');
    std::string part = slash == std::string::npos ? id : id.substr(slash + 1);
    const std::size_t name = part.find_first_not_of("0123456789-");
    return name == std::string::npos ? part : part.substr(name);
}

bool means(const std::string& id, const std::string& wanted) {
    return id == wanted || lastPart(id) == wanted ||
           (id.size() > wanted.size() && id.ends_with(wanted) && id[id.size() - wanted.size() - 1] == '/');
}

} // namespace

Result<std::string> findScenario(const std::string& name, const Folders& folders) {
    std::error_code ec;
    const fs::path path(name);
    if (fs::is_directory(path, ec)) {
        if (fs::exists(path / "scenario.json", ec)) return (path / "scenario.json").string();
        if (path.is_absolute() || !fs::exists(fs::path(folders.scenarios) / path, ec))
            return Error{name, "folder without a scenario.json", ""};
    } else if (fs::exists(path, ec)) {
        return name;
    }
    const auto ids = folders.scenarios.empty() ? std::vector<std::string>{} : scenarioIds(folders.scenarios);
    std::vector<std::string> matches;
    for (const std::string& id : ids)
        if (id == name) return (fs::path(folders.scenarios) / id / "scenario.json").string();
        else if (means(id, name)) matches.push_back(id);
    if (matches.size() == 1) return (fs::path(folders.scenarios) / matches[0] / "scenario.json").string();
    if (matches.size() > 1) return Error{name, "more than one scenario ends so", matches[0] + " or " + matches[1]};
    if (name.ends_with(".json")) return Error{name, "no such file", ""};
    std::vector<std::string> known = ids;
    for (const std::string& id : ids) known.push_back(lastPart(id));
    const std::string near = suggest(name, known);
    return Error{name, "no such scenario, folder or file", near.empty() ? "list the scenarios with: runqscope-cli list"
                                                                        : "did you mean \"" + near + "\"?"};
}

Result<Scenario> parseScenario(std::string text, const std::string& name, const std::string& folder,
                               const std::string& resources) {
    const auto doc = json::Document::fromText(std::move(text), name);
    if (!doc) return doc.error();
    auto s = readStructure(doc->root());
    if (!s) return s.error();
    s->folder = folder;
    s->resources = resources;
    if (resources.empty()) return s;
    for (const Variant& v : s->variants)
        if (const auto run = buildRun(*s, v.name); !run) return positioned(run.error(), doc->root());
    return s;
}

Result<Scenario> loadScenario(const std::string& name, const Folders& folders) {
    const auto file = findScenario(name, folders);
    if (!file) return file.error();
    auto text = readTextFile(*file);
    if (!text) return text.error();
    const fs::path folder = fs::path(*file).parent_path();
    auto s = parseScenario(std::move(*text), *file, folder.empty() ? "." : folder.string(), folders.resources);
    if (!s) return s.error();
    s->id = idOf(folder.empty() ? "." : folder, folders.scenarios);
    if (auto readme = readTextFile((folder / "README.md").string(), 1u << 20)) s->readme = std::move(*readme);
    return s;
}

std::vector<Entry> listScenarios(const std::string& root) {
    std::vector<Entry> out;
    for (const std::string& id : scenarioIds(root)) {
        Entry e;
        e.id = id;
        e.path = (fs::path(root) / id / "scenario.json").string();
        auto text = readTextFile(e.path);
        auto s = text ? parseScenario(std::move(*text), e.path, "", "") : Result<Scenario>(text.error());
        if (s) {
            e.title = s->title;
            e.summary = s->summary;
            for (const Variant& v : s->variants) e.variants.push_back(v.name);
        } else {
            e.error = s.error().text();
        }
        out.push_back(std::move(e));
    }
    return out;
}

} // namespace rqs::scenario
