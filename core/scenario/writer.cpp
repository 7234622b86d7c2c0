// SPDX-License-Identifier: GPL-3.0-or-later
// Keys in the order a reader wants them; what has its default value is left out.
#include "core/scenario/writer.h"

#include "core/base/json_writer.h"
#include "core/base/text_file.h"
#include "core/scenario/loader.h"
#include "core/scenario/text_values.h"

#include <filesystem>
#include <limits>

namespace rqs::scenario {
namespace {

namespace fs = std::filesystem;
using Layout = JsonWriter::Layout;

/// True for text that a JSON number would read back as the same text.
bool plainInteger(const std::string& text) {
    const auto n = parseInteger(text, "");
    return n && std::to_string(*n) == text;
}

void writeNamed(JsonWriter& w, const char* key, const std::map<std::string, std::string>& values) {
    if (values.empty()) return;
    w.key(key).beginObject(values.size() <= 6 ? Layout::OneLine : Layout::Lines);
    for (const auto& [name, value] : values) {
        w.key(name);
        if (plainInteger(value)) w.raw(value);
        else w.value(value);
    }
    w.endObject();
}

void writeChanges(JsonWriter& w, const Changes& c) {
    if (c.kernel) w.member("kernel", *c.kernel);
    if (c.preemption) w.member("preemption", *c.preemption);
    if (c.autogroup) w.member("autogroup", *c.autogroup ? "on" : "off");
    if (!c.features.empty()) {
        w.key("features").beginObject(Layout::OneLine);
        for (const auto& [name, value] : c.features) w.member(name, value);
        w.endObject();
    }
    if (!c.tunables.empty()) {
        w.key("tunables").beginObject(Layout::OneLine);
        for (const auto& [name, value] : c.tunables) w.member(name, value);
        w.endObject();
    }
}

void writeStrings(JsonWriter& w, const char* key, const std::vector<std::string>& values) {
    if (values.empty()) return;
    w.key(key).beginArray(Layout::OneLine);
    for (const std::string& v : values) w.value(v);
    w.endArray();
}

void writeVariants(JsonWriter& w, const std::vector<Variant>& variants) {
    const bool isDefault = variants.size() == 1 && variants[0] == Variant{"A", "", {}};
    if (variants.empty() || isDefault) return;
    w.key("variants").beginArray();
    for (const Variant& v : variants) {
        w.beginObject();
        w.member("name", v.name);
        if (!v.title.empty()) w.member("title", v.title);
        writeChanges(w, v.changes);
        writeNamed(w, "workload_args", v.changes.workloadArgs);
        w.endObject();
    }
    w.endArray();
}

void writeGroups(JsonWriter& w, const std::vector<GroupEntry>& groups) {
    if (groups.empty()) return;
    w.key("groups").beginArray();
    for (const GroupEntry& g : groups) {
        w.beginObject(Layout::OneLine).member("path", g.path);
        if (g.shares > 0) w.member("shares", g.shares);
        else w.member("weight", g.weight);
        w.endObject();
    }
    w.endArray();
}

void writeExpectations(JsonWriter& w, const std::vector<Expectation>& expectations) {
    if (expectations.empty()) return;
    w.key("expectations").beginArray();
    for (const Expectation& e : expectations) {
        w.beginObject(Layout::OneLine).member("metric", e.metric).member("variant", e.variant);
        if (e.min != -std::numeric_limits<double>::max()) w.member("min", e.min);
        if (e.max != std::numeric_limits<double>::max()) w.member("max", e.max);
        w.endObject();
    }
    w.endArray();
}

void writeInputs(JsonWriter& w, const std::vector<TimedInput>& inputs) {
    if (inputs.empty()) return;
    w.key("inputs").beginArray();
    for (const TimedInput& i : inputs)
        w.beginObject(Layout::OneLine).member("at", timeText(Duration{i.at.ns})).member("input", i.text).endObject();
    w.endArray();
}

} // namespace

std::string scenarioText(const Scenario& s) {
    JsonWriter w;
    w.beginObject();
    w.member("schema_version", kSchemaVersion);
    w.member("title", s.title);
    if (!s.summary.empty()) w.member("summary", s.summary);
    w.member("machine", s.machine);
    writeChanges(w, s.base);
    w.key("workload").beginObject().member("generator", s.workload.generator);
    if (s.workload.generator == "lab") w.member("line", s.workload.line);
    writeNamed(w, "args", s.workload.args);
    w.endObject();
    writeGroups(w, s.groups);
    w.member("seed", s.seed);
    w.member("duration", timeText(s.duration));
    if (s.warmup.ns != 0) w.member("warmup", timeText(s.warmup));
    writeStrings(w, "plots", s.plots);
    writeVariants(w, s.variants);
    writeInputs(w, s.inputs);
    writeExpectations(w, s.expectations);
    writeStrings(w, "reference", s.reference);
    w.endObject();
    return w.text();
}

Status saveScenario(const Scenario& scenario, const std::string& folder, bool replace) {
    const fs::path file = fs::path(folder) / "scenario.json";
    std::error_code ec;
    if (!replace && fs::exists(file, ec)) return Error{file.string(), "there is a scenario already", "choose another folder"};
    fs::create_directories(folder, ec);
    if (ec) return Error{folder, "cannot make folder: " + ec.message(), ""};
    if (const Status s = writeTextFile(file.string(), scenarioText(scenario)); !s) return s;
    if (scenario.readme.empty()) return Ok{};
    return writeTextFile((fs::path(folder) / "README.md").string(), scenario.readme);
}

} // namespace rqs::scenario
