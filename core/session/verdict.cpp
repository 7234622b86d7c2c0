// SPDX-License-Identifier: GPL-3.0-or-later
// Golden text format and comparison. Everything in it is an integer or a hash: equal or not, no tolerance.
#include "core/session/verdict.h"

#include "core/base/suggest.h"
#include "core/scenario/text_values.h"

#include <fmt/format.h>

namespace rqs::session {

Golden goldenOf(const RunResult& r) {
    const metrics::Numbers& n = r.numbers;
    Golden g;
    g["fingerprint"] = fingerprintText(r.fingerprint);
    g["seed"] = std::to_string(r.seed);
    g["sim_time_ns"] = std::to_string(r.simTime.ns);
    g["events"] = std::to_string(r.steps);
    g["context_switches"] = std::to_string(n.switches);
    g["wakeups"] = std::to_string(n.wakeups);
    g["throughput_total"] = std::to_string(n.ops);
    g["anomalies"] = std::to_string(n.anomalies);
    for (std::size_t d = static_cast<std::size_t>(Distance::Smt); d < n.migrations.size(); ++d)
        g[fmt::format("migrations_{}", distanceName(static_cast<Distance>(d)))] = std::to_string(n.migrations[d]);
    g["sch_delay_p99_ns"] = std::to_string(n.wakeupLatency.quantile(990).ns);
    for (std::size_t i = 0; i < n.locks.size(); ++i)
        g[fmt::format("contentions_{}", lockClassName(static_cast<LockClass>(i)))] = std::to_string(n.locks[i].contentions);
    return g;
}

std::string goldenText(const std::string& scenarioId, const GoldenFile& file) {
    std::string out = fmt::format("# Golden run of {}. Rewritten by: runqscope-cli check --bless {}\n", scenarioId, scenarioId);
    for (const auto& [variant, golden] : file) {
        out += fmt::format("\nvariant {}\n", variant);
        for (const auto& [name, value] : golden) out += fmt::format("{} {}\n", name, value);
    }
    return out;
}

Result<GoldenFile> parseGolden(std::string_view text, const std::string& fileName) {
    GoldenFile out;
    Golden* current = nullptr;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const auto words = scenario::words(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (words.empty() || words[0].starts_with('#')) continue;
        const std::string where = fmt::format("{}:{}", fileName, line);
        if (words.size() != 2) return Error{where, "not a `name value` line", ""};
        if (words[0] == "variant") current = &out[std::string(words[1])];
        else if (!current) return Error{where, "figure before the first `variant` line", ""};
        else (*current)[std::string(words[0])] = words[1];
    }
    return out;
}

std::vector<std::string> differences(const Golden& expected, const Golden& got) {
    std::vector<std::string> out;
    for (const auto& [name, value] : expected) {
        const auto it = got.find(name);
        if (it == got.end()) out.push_back(fmt::format("{} is no figure of this version", name));
        else if (it->second != value) out.push_back(fmt::format("{} is {}, expected {}", name, it->second, value));
    }
    for (const auto& [name, value] : got)
        if (!expected.contains(name)) out.push_back(fmt::format("{} is not in expected.txt (now {})", name, value));
    return out;
}

std::vector<std::string> unmet(const std::vector<scenario::Expectation>& expectations, const RunResult& r) {
    std::vector<std::string> out;
    const auto metrics = metricsOf(r);
    for (const scenario::Expectation& e : expectations) {
        if (e.variant != r.variant) continue;
        const Metric* found = nullptr;
        std::vector<std::string> names;
        for (const Metric& m : metrics) {
            names.push_back(m.name);
            if (m.name == e.metric) found = &m;
        }
        if (!found) {
            const std::string hint = didYouMean(e.metric, names);
            out.push_back(fmt::format("no metric \"{}\"{}", e.metric, hint.empty() ? "" : " (" + hint + ")"));
        } else if (found->value < e.min || found->value > e.max) {
            out.push_back(fmt::format("{} is {:.6g}{}, expected {:.6g} to {:.6g}", e.metric, found->value, found->unit, e.min, e.max));
        }
    }
    return out;
}

} // namespace rqs::session
