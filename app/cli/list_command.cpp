// SPDX-License-Identifier: GPL-3.0-or-later
// `list`: what can be run, on what, with which switches.
#include "app/cli/cli.h"

#include "core/base/json_writer.h"
#include "core/scenario/catalog.h"

#include <fmt/format.h>

namespace rqs::cli {
namespace {

using Layout = JsonWriter::Layout;
using Rows = std::vector<std::vector<std::string>>;

struct Lists {
    std::vector<scenario::Entry> scenarios;
    std::vector<scenario::MachineEntry> machines;
    std::vector<scenario::KernelEntry> kernels;
    std::vector<scenario::FeatureEntry> features;
    std::vector<scenario::TunableEntry> tunables;
};

std::string joined(const std::vector<std::string>& v, std::string_view separator) {
    std::string out;
    for (const std::string& s : v) out += (out.empty() ? "" : std::string(separator)) + s;
    return out;
}

void writeStrings(JsonWriter& w, const char* key, const std::vector<std::string>& v) {
    w.key(key).beginArray(Layout::OneLine);
    for (const std::string& s : v) w.value(s);
    w.endArray();
}

std::string json(const Lists& l) {
    JsonWriter w;
    w.beginObject().member("schema_version", 1);
    w.key("scenarios").beginArray();
    for (const auto& e : l.scenarios) {
        w.beginObject().member("id", e.id).member("title", e.title).member("summary", e.summary).member("path", e.path);
        writeStrings(w, "variants", e.variants);
        w.member("error", e.error).endObject();
    }
    w.endArray().key("machines").beginArray();
    for (const auto& m : l.machines)
        w.beginObject(Layout::OneLine).member("id", m.id).member("title", m.title).member("cpus", m.cpus).member("cores", m.cores)
            .member("llcs", m.llcs).member("nodes", m.nodes).member("sockets", m.sockets).member("error", m.error).endObject();
    w.endArray().key("kernels").beginArray();
    for (const auto& k : l.kernels) {
        w.beginObject().member("id", k.id).member("title", k.title).member("policy", k.policy).member("preemption", k.preemption);
        writeStrings(w, "features_on", k.on);
        writeStrings(w, "features_off", k.off);
        w.endObject();
    }
    w.endArray().key("features").beginArray();
    for (const auto& f : l.features)
        w.beginObject(Layout::OneLine).member("name", f.name).member("meaning", f.meaning).member("file", f.file)
            .member("runtime", f.runtime).member("built", f.built).endObject();
    w.endArray().key("tunables").beginArray();
    for (const auto& t : l.tunables)
        w.beginObject(Layout::OneLine).member("name", t.name).member("unit", t.unit).member("meaning", t.meaning).member("min", t.min)
            .member("max", t.max).member("runtime", t.runtime).endObject();
    w.endArray().endObject();
    return w.text();
}

/// Left-aligned columns: the last cell is a sentence and stays as it is.
std::string section(const char* title, const Rows& rows) {
    std::size_t first = 0;
    for (const auto& r : rows) first = std::max(first, r[0].size());
    std::string out = std::string(title) + "\n";
    for (const auto& r : rows) {
        out += "  " + r[0] + std::string(first - r[0].size() + 2, ' ');
        out += r[1] + "\n";
    }
    return out + "\n";
}

std::string text(const Lists& l) {
    Rows scenarios, machines, kernels, features, tunables;
    for (const auto& e : l.scenarios)
        scenarios.push_back({e.id, e.error.empty() ? fmt::format("{} [{}]", e.title, joined(e.variants, " ")) : "BROKEN: " + e.error});
    for (const auto& m : l.machines)
        machines.push_back({m.id, m.error.empty() ? fmt::format("{}: {} CPUs, {} cores, {} LLCs, {} nodes", m.title, m.cpus, m.cores,
                                                                m.llcs, m.nodes)
                                                  : "BROKEN: " + m.error});
    for (const auto& k : l.kernels) kernels.push_back({k.id, fmt::format("{} ({}, preempt {})", k.title, k.policy, k.preemption)});
    for (const auto& f : l.features) features.push_back({f.name, f.meaning + (f.built ? "" : " [not built yet]")});
    for (const auto& t : l.tunables)
        tunables.push_back({t.name, fmt::format("{} [{} to {}{}{}]", t.meaning, t.min, t.max, t.unit.empty() ? "" : " ", t.unit)});
    return section("Scenarios", scenarios) + section("Machines", machines) + section("Kernels", kernels) +
           section("Features", features) + section("Tunables", tunables);
}

} // namespace

Exit list(const scenario::Folders& folders, const ListOptions& o) {
    const Lists l{scenario::listScenarios(folders.scenarios), scenario::listMachines(folders.resources), scenario::listKernels(),
                  scenario::listFeatures(), scenario::listTunables()};
    print(o.json ? json(l) : text(l));
    // Everything shipped must load; a broken file is an error of this list too.
    Exit status = Exit::Ok;
    for (const auto& e : l.scenarios)
        if (!e.error.empty()) status = refuse(Error{"", e.error, ""}, Exit::Failed);
    for (const auto& m : l.machines)
        if (!m.error.empty()) status = refuse(Error{"", m.error, ""}, Exit::Failed);
    return status;
}

} // namespace rqs::cli
