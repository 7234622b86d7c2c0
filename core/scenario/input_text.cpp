// SPDX-License-Identifier: GPL-3.0-or-later
// Input words -> sim::Input, with errors that name what exists.
#include "core/scenario/input_text.h"

#include "core/base/suggest.h"
#include "core/scenario/text_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace rqs::scenario {
namespace {

const std::vector<std::string> kVerbs{"set", "tune", "preempt", "nice", "kill", "affinity"};

struct Assignment { std::string_view name, value; };

Result<Assignment> assignment(std::string_view text, const std::string& where, std::string_view form) {
    const std::size_t eq = text.find('=');
    const std::string_view name = trimmed(text.substr(0, eq));
    if (eq == std::string_view::npos || name.empty() || trimmed(text.substr(eq + 1)).empty())
        return Error{where, fmt::format("\"{}\" is not an assignment", trimmed(text)), std::string(form)};
    return Assignment{name, trimmed(text.substr(eq + 1))};
}

/// The tables of sched say which name is wrong, this says where it was given.
Error at(const std::string& where, Error e) {
    return {where, e.where.empty() ? std::move(e.what) : e.where + " " + e.what, std::move(e.hint)};
}

Result<sim::Input> parseSet(std::string_view rest, const InputScope& scope, const std::string& where) {
    const auto a = assignment(rest, where, "set FEATURE=on|off");
    if (!a) return a.error();
    sched::KernelConfig trial = scope.kernel;
    if (const Status s = sched::setFeature(trial, a->name, a->value); !s) return at(where, s.error());
    const auto feature = sched::featureByName(a->name);
    if (!feature) return Error{where, fmt::format("\"{}\" is a choice, not a switch", a->name), ""};
    if (!sched::info(*feature).runtime)
        return Error{where, fmt::format("{} cannot change while the machine runs", a->name),
                     "set it for the whole run instead"};
    return sim::Input{sim::SetFeature{*feature, sched::has(trial.features, *feature)}};
}

Result<sim::Input> parseTune(std::string_view rest, const InputScope& scope, const std::string& where) {
    const auto a = assignment(rest, where, "tune NAME=VALUE");
    if (!a) return a.error();
    const auto value = parseTunableValue(a->name, a->value, where);
    if (!value) return value.error();
    sched::Tunables trial = scope.kernel.tunables;
    if (const Status s = sched::setTunable(trial, a->name, *value); !s) return at(where, s.error());
    const auto table = sched::tunableTable();
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].name != a->name) continue;
        if (!table[i].runtime)
            return Error{where, fmt::format("{} is fixed while the machine runs", a->name), "set it for the whole run instead"};
        return sim::Input{sim::SetTunable{static_cast<std::int32_t>(i), *value}};
    }
    return Error{where, fmt::format("unknown tunable \"{}\"", a->name), ""};
}

Result<sim::Input> parsePreempt(std::string_view rest, const std::string& where) {
    using sched::Preemption;
    for (Preemption p : {Preemption::None, Preemption::Voluntary, Preemption::Full})
        if (trimmed(rest) == sched::preemptionName(p)) return sim::Input{sim::SetPreemption{p}};
    return Error{where, fmt::format("unknown preemption model \"{}\"", trimmed(rest)), "none, voluntary or full"};
}

Result<TaskId> parseTask(std::string_view word, const InputScope& scope, const std::string& where) {
    const std::string range = scope.tasks.empty() ? "this run has no tasks"
                                                  : fmt::format("a task's name, or its number 0-{}", scope.tasks.size() - 1);
    TaskId found;
    int matches = 0;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scope.tasks.size(); ++i) {
        const std::string& comm = scope.tasks[i].comm;
        if (std::find(names.begin(), names.end(), comm) == names.end() && names.size() < 64) names.push_back(comm);
        if (comm != word) continue;
        if (!found) found = TaskId(i);
        ++matches;
    }
    if (matches == 1) return found;
    if (matches > 1)
        return Error{where, fmt::format("{} tasks are called \"{}\"", matches, word), "give the number of one; the first is " +
                     std::to_string(found.v)};
    if (const auto n = parseInteger(word, where)) {
        if (*n >= 0 && *n < static_cast<std::int64_t>(scope.tasks.size())) return TaskId(static_cast<std::int32_t>(*n));
        return Error{where, fmt::format("no task {}", *n), range};
    }
    const std::string near = suggest(word, names);
    return Error{where, fmt::format("no task \"{}\"", word), near.empty() ? range : fmt::format("did you mean \"{}\"?", near)};
}

Result<sim::Input> parseTaskInput(std::span<const std::string_view> w, const InputScope& scope, const std::string& where) {
    const bool hasValue = w[0] != "kill";
    if (w.size() != (hasValue ? 3u : 2u))
        return Error{where, fmt::format("\"{}\" needs {}", w[0], hasValue ? "a task and a value" : "a task"),
                     w[0] == "nice" ? "nice TASK N" : hasValue ? "affinity TASK CPUS" : "kill TASK"};
    const auto task = parseTask(w[1], scope, where);
    if (!task) return task.error();
    if (!hasValue) return sim::Input{sim::KillTask{*task}};
    if (w[0] == "affinity") {
        auto cpus = parseCpuList(w[2], scope.cpus, where);
        if (!cpus) return cpus.error();
        return sim::Input{sim::SetAffinity{*task, std::move(*cpus)}};
    }
    const auto nice = parseInteger(w[2], where);
    if (!nice) return nice.error();
    if (*nice < -20 || *nice > 19) return Error{where, fmt::format("nice {} does not exist", *nice), "-20 to 19"};
    return sim::Input{sim::SetNice{*task, static_cast<std::int32_t>(*nice)}};
}

struct Words {
    std::string operator()(const sim::SetFeature& i) const {
        return fmt::format("set {}={}", sched::info(i.feature).name, i.on ? "on" : "off");
    }
    std::string operator()(const sim::SetTunable& i) const {
        return fmt::format("tune {}={}", sched::tunableTable()[static_cast<std::size_t>(i.index)].name, i.value);
    }
    std::string operator()(const sim::SetPreemption& i) const {
        return fmt::format("preempt {}", sched::preemptionName(i.model));
    }
    std::string operator()(const sim::SetNice& i) const { return fmt::format("nice {} {}", i.task.v, i.nice); }
    std::string operator()(const sim::KillTask& i) const { return fmt::format("kill {}", i.task.v); }
    std::string operator()(const sim::SetAffinity& i) const {
        return fmt::format("affinity {} {}", i.task.v, cpuListText(i.cpus));
    }
};

} // namespace

Result<std::int64_t> parseTunableValue(std::string_view name, std::string_view text, const std::string& where) {
    if (auto n = parseInteger(text, where)) return n;
    for (const sched::TunableInfo& t : sched::tunableTable()) {
        if (t.name != name) continue;
        if (t.unit != "ns") return Error{where, fmt::format("\"{}\" is not a whole number", trimmed(text)), ""};
        const auto d = parseTime(text, where);
        if (!d) return d.error();
        return d->ns;
    }
    std::vector<std::string> names;
    for (const sched::TunableInfo& t : sched::tunableTable()) names.emplace_back(t.name);
    return Error{where, fmt::format("unknown tunable \"{}\"", name), didYouMean(name, names)};
}

Result<sim::Input> parseInput(std::string_view text, const InputScope& scope, const std::string& where) {
    const auto w = words(text);
    if (w.empty()) return Error{where, "empty input", "for example: set SHARED_RUNQ=off"};
    const std::string_view rest = trimmed(trimmed(text).substr(w[0].size()));
    if (w[0] == "set") return parseSet(rest, scope, where);
    if (w[0] == "tune") return parseTune(rest, scope, where);
    if (w[0] == "preempt") return parsePreempt(rest, where);
    if (w[0] == "nice" || w[0] == "kill" || w[0] == "affinity") return parseTaskInput(w, scope, where);
    if (w[0] == "offline" || w[0] == "online")
        return Error{where, fmt::format("\"{}\" is not built yet", w[0]), "the model has no CPU hotplug; the set of CPUs is fixed"};
    if (w[0] == "cpuset")
        return Error{where, "\"cpuset\" is not built yet", "the model has no cgroups; use affinity TASK CPUS"};
    return Error{where, fmt::format("unknown input \"{}\"", w[0]), didYouMean(w[0], kVerbs)};
}

Result<TimedInput> parseTimedInput(std::string_view text, const std::string& where) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return Error{where, fmt::format("\"{}\" has no time", trimmed(text)), "TIME:INPUT, for example 20ms:set SHARED_RUNQ=off"};
    const auto time = parseTime(text.substr(0, colon), where);
    if (!time) return time.error();
    const std::string_view input = trimmed(text.substr(colon + 1));
    if (input.empty()) return Error{where, "empty input", "TIME:INPUT, for example 20ms:set SHARED_RUNQ=off"};
    return TimedInput{SimTime{time->ns}, std::string(input), where};
}

Result<std::vector<TimedInput>> parseInputLines(std::string_view text, const std::string& fileName) {
    std::vector<TimedInput> out;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (line.empty() || line.front() == '#') continue;
        auto input = parseTimedInput(line, fmt::format("{}:{}", fileName, number));
        if (!input) return input.error();
        out.push_back(std::move(*input));
    }
    return out;
}

std::string inputText(const sim::Input& input) { return std::visit(Words{}, input); }

} // namespace rqs::scenario
