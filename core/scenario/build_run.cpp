// SPDX-License-Identifier: GPL-3.0-or-later
// Resolution order: the scenario, then its variant, then the overrides; the last one wins. Each setting
// remembers where it came from, so that an error blames the right line or option.
#include "core/scenario/build_run.h"

#include "core/base/suggest.h"
#include "core/scenario/input_text.h"
#include "core/scenario/machine_loader.h"
#include "core/scenario/text_values.h"
#include "core/scenario/workload_builder.h"
#include "core/sched/group_shares.h"
#include "core/workload/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace rqs::scenario {
namespace {

/// A text value and its place: "#/features/X" in the file, "--set" on the command line.
struct Setting { std::string name, value, where; };

class Builder {
public:
    Builder(const Scenario& s, const std::string& variant, const Overrides& o) : m_s(s), m_o(o), m_variantName(variant) {}

    Result<RunSetup> build() {
        for (Status (Builder::*part)() : {&Builder::findVariant, &Builder::machine, &Builder::kernel, &Builder::features,
                                          &Builder::tunables, &Builder::workload, &Builder::times, &Builder::inputs})
            if (const Status s = (this->*part)(); !s) return s.error();
        m_out.seed = m_o.seed.value_or(m_s.seed);
        m_out.scenarioId = m_s.id;
        m_out.title = m_s.title;
        m_out.variant = m_variant->name;
        m_out.variantTitle = m_variant->title;
        m_out.notes.push_back("placement: simplified");
        if (m_out.kernel.preset->id == "all-four") m_out.notes.push_back("kernel all-four: no such kernel was released");
        return std::move(m_out);
    }

private:
    Status findVariant() {
        m_variant = m_s.variant(m_variantName);
        if (m_variant) {
            m_variantPath = fmt::format("#/variants/{}", m_variant - m_s.variants.data());
            return Ok{};
        }
        std::vector<std::string> names;
        for (const Variant& v : m_s.variants) names.push_back(v.name);
        std::string known;
        for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
        return Error{m_s.id, fmt::format("no variant \"{}\"", m_variantName), "variants here: " + known};
    }

    Status machine() {
        const bool ownFile = m_s.machine.ends_with(".json");
        auto hw = ownFile ? loadMachine((std::filesystem::path(m_s.folder) / m_s.machine).string()) : findMachine(m_s.resources, m_s.machine);
        if (!hw) {
            Error e = hw.error();
            if (e.where.empty()) e.where = "#/machine";
            return e;
        }
        m_out.hardware = std::make_shared<const machine::Hardware>(std::move(*hw));
        return Ok{};
    }

    Status kernel() {
        const Changes &base = m_s.base, &variant = m_variant->changes;
        Setting id{"", base.kernel.value_or(""), "#/kernel"};
        if (variant.kernel) id = {"", *variant.kernel, m_variantPath + "/kernel"};
        if (m_o.kernel) id = {"", *m_o.kernel, "--kernel"};
        const sched::KernelPreset* preset = sched::kernelById(id.value);
        if (!preset) {
            std::vector<std::string> names;
            for (const sched::KernelPreset& k : sched::kernelPresets()) names.emplace_back(k.id);
            std::string hint = didYouMean(id.value, names);
            return Error{id.where, fmt::format("unknown kernel \"{}\"", id.value), hint.empty() ? "see runqscope-cli list" : hint};
        }
        m_out.kernel = sched::makeKernel(*preset, m_out.hardware->topology.cpuCount(), m_out.hardware->hz);
        Setting preemption{"", base.preemption.value_or(""), "#/preemption"};
        if (variant.preemption) preemption = {"", *variant.preemption, m_variantPath + "/preemption"};
        if (m_o.preemption) preemption = {"", *m_o.preemption, "--preempt"};
        if (preemption.value.empty()) return Ok{};
        for (auto p : {sched::Preemption::None, sched::Preemption::Voluntary, sched::Preemption::Full})
            if (preemption.value == sched::preemptionName(p)) {
                m_out.kernel.preemption = p;
                return Ok{};
            }
        return Error{preemption.where, fmt::format("unknown preemption model \"{}\"", preemption.value), "none, voluntary or full"};
    }

    Status features() {
        std::vector<Setting> all;
        for (const auto& [name, value] : m_s.base.features) all.push_back({name, value, "#/features/" + name});
        for (const auto& [name, value] : m_variant->changes.features) all.push_back({name, value, m_variantPath + "/features/" + name});
        for (const auto& [name, value] : m_o.features) all.push_back({name, value, "--set"});
        for (const Setting& f : all)
            if (const Status s = sched::setFeature(m_out.kernel, f.name, f.value); !s) return blamed(f.where, s.error());
        return Ok{};
    }

    Status tunables() {
        const auto set = [&](const std::string& name, std::int64_t value, const std::string& where) -> Status {
            if (const Status s = sched::setTunable(m_out.kernel.tunables, name, value); !s) return blamed(where, s.error());
            return Ok{};
        };
        for (const auto& [name, value] : m_s.base.tunables)
            if (const Status s = set(name, value, "#/tunables/" + name); !s) return s;
        for (const auto& [name, value] : m_variant->changes.tunables)
            if (const Status s = set(name, value, m_variantPath + "/tunables/" + name); !s) return s;
        for (const auto& [name, text] : m_o.tunables) {
            const auto value = parseTunableValue(name, text, "--tune");
            if (!value) return value.error();
            if (const Status s = set(name, *value, "--tune"); !s) return s;
        }
        return Ok{};
    }

    Status workload() {
        WorkloadSpec spec = m_s.workload;
        std::map<std::string, std::string> origin;
        for (const auto& [name, value] : spec.args) origin[name] = "#/workload/args/" + name;
        for (const auto& [name, value] : m_variant->changes.workloadArgs) {
            spec.args[name] = value;
            origin[name] = m_variantPath + "/workload_args/" + name;
        }
        for (const auto& [name, value] : m_o.workloadArgs) {
            spec.args[name] = value;
            origin[name] = "--workload";
        }
        auto w = buildWorkload(spec, m_out.hardware->topology.cpuCount());
        if (!w) {
            Error e = w.error(); // where = the argument at fault, or "" for the whole
            const auto it = origin.find(e.where);
            e.where = it != origin.end() ? it->second : spec.generator == "lab" ? "#/workload/line" : "#/workload";
            return e;
        }
        if (w->tasks.size() > kMaxTasks)
            return Error{"#/workload", fmt::format("{} tasks are too many", w->tasks.size()), fmt::format("at most {}", kMaxTasks)};
        m_out.workload = std::move(*w);
        return groups();
    }

    /// Declares the scenario's groups, checks that every task's group is one, and makes groups of sessions.
    Status groups() {
        workload::Workload& w = m_out.workload;
        for (std::size_t i = 0; i < m_s.groups.size(); ++i) {
            const GroupEntry& g = m_s.groups[i];
            const std::int64_t shares = g.shares > 0 ? g.shares : sched::sharesOfCpuWeight(g.weight).w >> 10;
            if (const Status s = workload::declareGroup(w, g.path, shares); !s) return blamed(fmt::format("#/groups/{}/path", i), s.error());
        }
        if (const Status s = workload::validateGroups(w); !s)
            return blamed(m_s.workload.args.count("cg") != 0 ? "#/workload/args/cg" : "#/workload", s.error());
        const bool automatic = m_variant->changes.autogroup.value_or(m_s.base.autogroup.value_or(false));
        return automatic ? workload::applyAutogroup(w) : Status(Ok{});
    }

    Status times() {
        m_out.duration = m_o.duration.value_or(m_s.duration);
        m_out.warmup = m_s.warmup;
        const std::string where = m_o.duration ? "--duration" : "#/duration";
        if (m_out.duration.ns <= 0) return Error{where, "a run of no length", "for example 60ms"};
        if (m_out.duration <= m_out.warmup)
            return Error{where, fmt::format("{} is not longer than the warm-up of {}", timeText(m_out.duration), timeText(m_out.warmup)), ""};
        return Ok{};
    }

    Status inputs() {
        const InputScope scope{m_out.kernel, m_out.workload.tasks, m_out.hardware->topology.cpuCount()};
        for (std::size_t i = 0; i < m_s.inputs.size(); ++i)
            if (m_s.inputs[i].at.ns <= m_out.duration.ns) // a run cut short does not reach the rest
                if (const Status s = add(m_s.inputs[i], scope, fmt::format("#/inputs/{}/input", i)); !s) return s;
        for (const TimedInput& i : m_o.inputs) {
            const std::string where = i.where.empty() ? "--at" : i.where;
            if (i.at.ns > m_out.duration.ns)
                return Error{where, fmt::format("input at {} is after the end of the run", timeText(Duration{i.at.ns})),
                             fmt::format("it ends at {}", timeText(m_out.duration))};
            if (const Status s = add(i, scope, where); !s) return s;
        }
        std::stable_sort(m_out.inputs.begin(), m_out.inputs.end(), [](const PlannedInput& a, const PlannedInput& b) { return a.at < b.at; });
        return Ok{};
    }

    Status add(const TimedInput& i, const InputScope& scope, const std::string& where) {
        auto input = parseInput(i.text, scope, where);
        if (!input) return input.error();
        m_out.inputs.push_back({i.at, std::move(*input), i.text});
        return Ok{};
    }

    /// The tables of sched say which name is wrong, this says where it was given.
    static Error blamed(const std::string& where, Error e) {
        return {where, e.where.empty() ? std::move(e.what) : e.where + " " + e.what, std::move(e.hint)};
    }

    const Scenario& m_s;
    const Overrides& m_o;
    const std::string& m_variantName;
    const Variant* m_variant = nullptr;
    std::string m_variantPath;
    RunSetup m_out;
};

} // namespace

Result<RunSetup> buildRun(const Scenario& scenario, const std::string& variant, const Overrides& overrides) {
    return Builder(scenario, variant, overrides).build();
}

} // namespace rqs::scenario
