// SPDX-License-Identifier: GPL-3.0-or-later
// `compare`: variant A against another one over several seeds.
#include "app/cli/cli.h"

#include "app/cli/options.h"
#include "core/base/json_writer.h"
#include "core/scenario/text_values.h"
#include "core/session/compare.h"
#include "core/session/run_to_end.h"

#include <fmt/format.h>

namespace rqs::cli {
namespace {

using session::FirstDifference;
using session::MetricComparison;
using session::RunResult;
using Layout = JsonWriter::Layout;

constexpr int kFewestSeeds = 2, kMostSeeds = 1000;

struct Comparison {
    std::string scenario, variantA, variantB;
    std::vector<RunResult> a, b;             ///< by seed
    std::vector<MetricComparison> metrics;
    FirstDifference first;
    std::string who;                         ///< task or CPU of the first differing decision
};

std::string percent(const MetricComparison& m) {
    if (!m.changePct) return "-";
    return fmt::format("{:+.2f} ± {:.2f}{}", *m.changePct, m.ci95Pct.value_or(0), m.significant() ? " *" : "  ");
}

std::string decisionText(const Comparison& c) {
    if (!c.first.decision) return "no decision differs\n";
    const auto& d = *c.first.decision;
    return fmt::format("first differing decision: {} \"{}\" number {}\n"
                       "  {}: {} at {} ({} on CPU {})\n  {}: {} at {} ({} on CPU {})\n",
                       c.who, questionText(d.question), d.ordinal, c.variantA, session::outcomeText(d.question, d.outcomeA),
                       scenario::timeText(Duration{d.timeA.ns}), d.functionA, d.cpuA.v, c.variantB,
                       session::outcomeText(d.question, d.outcomeB), scenario::timeText(Duration{d.timeB.ns}), d.functionB, d.cpuB.v);
}

std::string text(const Comparison& c) {
    std::string out = fmt::format("{}: {} ({}) against {} ({}), {} seeds\n\n", c.scenario, c.variantB, c.b[0].variantTitle, c.variantA,
                                  c.a[0].variantTitle, c.a.size());
    std::vector<std::vector<std::string>> rows{{"metric", c.variantA, c.variantB, "change %"}};
    for (const MetricComparison& m : c.metrics)
        rows.push_back({m.name, quantity(m.meanA, m.unit), quantity(m.meanB, m.unit), percent(m)});
    out += table(rows);
    out += "\nchange: mean of the per-seed changes ± half of the 95 % t-interval; * = the interval does not contain 0\n\n";
    out += decisionText(c);
    out += c.first.divergence ? fmt::format("the runs part at {}\n", scenario::timeText(Duration{c.first.divergence->ns}))
                              : "the runs never part\n";
    for (const std::string& n : c.a[0].notes) out += "note: " + n + "\n";
    return out;
}

void number(JsonWriter& w, const char* key, const std::optional<double>& x) {
    w.key(key);
    if (x) w.value(*x);
    else w.null();
}

void writeMetric(JsonWriter& w, const MetricComparison& m) {
    w.beginObject(Layout::OneLine).member("metric", m.name).member("unit", m.unit).member("a", m.meanA).member("b", m.meanB);
    number(w, "change_pct", m.changePct);
    number(w, "ci95_pct", m.ci95Pct);
    w.member("significant", m.significant());
    w.member("better", m.higherIsBetter ? "higher" : m.lowerIsBetter ? "lower" : "").endObject();
}

void writeDecision(JsonWriter& w, const Comparison& c) {
    w.key("first_differing_decision");
    if (!c.first.decision) {
        w.null();
        return;
    }
    const auto& d = *c.first.decision;
    w.beginObject().member("question", questionText(d.question)).member("who", c.who).member("task", d.task.v);
    w.member("ordinal", d.ordinal);
    w.key("a").beginObject(Layout::OneLine).member("time_ns", d.timeA.ns).member("cpu", d.cpuA.v).member("outcome", d.outcomeA)
        .member("text", session::outcomeText(d.question, d.outcomeA)).member("function", d.functionA).endObject();
    w.key("b").beginObject(Layout::OneLine).member("time_ns", d.timeB.ns).member("cpu", d.cpuB.v).member("outcome", d.outcomeB)
        .member("text", session::outcomeText(d.question, d.outcomeB)).member("function", d.functionB).endObject();
    w.endObject();
}

std::string json(const Comparison& c) {
    JsonWriter w;
    w.beginObject().member("schema_version", 1).member("scenario", c.scenario);
    w.member("variant_a", c.variantA).member("variant_b", c.variantB).member("kernel_a", c.a[0].kernel).member("kernel_b", c.b[0].kernel);
    w.member("machine", c.a[0].machine).member("sim_time_ns", c.a[0].simTime.ns).member("warmup_ns", c.a[0].warmup.ns);
    w.key("seeds").beginArray(Layout::OneLine);
    for (const RunResult& r : c.a) w.value(r.seed);
    w.endArray();
    for (const auto& [key, runs] : {std::pair{"fingerprints_a", &c.a}, {"fingerprints_b", &c.b}}) {
        w.key(key).beginArray(Layout::OneLine);
        for (const RunResult& r : *runs) w.value(session::fingerprintText(r.fingerprint));
        w.endArray();
    }
    w.key("metrics").beginArray();
    for (const MetricComparison& m : c.metrics) writeMetric(w, m);
    w.endArray();
    writeDecision(w, c);
    w.key("divergence_ns");
    if (c.first.divergence) w.value(c.first.divergence->ns);
    else w.null();
    w.member("placement", "simplified");
    w.key("notes").beginArray();
    for (const std::string& n : c.a[0].notes) w.value(n);
    w.endArray().endObject();
    return w.text();
}

/// The variant to compare with A: the one asked for, or the first other one.
Result<std::string> otherVariant(const scenario::Scenario& s, const std::string& wanted) {
    if (!wanted.empty()) return wanted;
    if (s.variants.size() < 2)
        return Error{s.id, "scenario has one variant only", "compare needs two; add \"variants\" to the scenario"};
    return s.variants[1].name;
}

} // namespace

Exit compare(const scenario::Folders& folders, const CompareOptions& o) {
    if (o.reference)
        return refuse(Error{"--reference", "published tables are compared once wakeup placement is complete",
                            "compare without --reference sets A against B"});
    if (o.seeds < kFewestSeeds || o.seeds > kMostSeeds)
        return refuse(Error{"--seeds", fmt::format("{} seeds", o.seeds), fmt::format("{} to {}", kFewestSeeds, kMostSeeds)});
    const auto scenario = scenario::loadScenario(o.scenario, folders);
    if (!scenario) return refuse(scenario.error());
    auto overrides = readOverrides(o);
    if (!overrides) return refuse(overrides.error());
    const auto variantB = otherVariant(*scenario, o.variant);
    if (!variantB) return refuse(variantB.error());
    if (const Status s = writable(o.json); !s) return refuse(s.error());

    Comparison c;
    c.scenario = scenario->id;
    c.variantA = scenario->variants.front().name;
    c.variantB = *variantB;
    const std::uint64_t seed = overrides->seed.value_or(scenario->seed);
    for (int i = 0; i < o.seeds; ++i) {
        overrides->seed = seed + static_cast<std::uint64_t>(i);
        const auto a = scenario::buildRun(*scenario, c.variantA, *overrides), b = scenario::buildRun(*scenario, c.variantB, *overrides);
        if (!a) return refuse(a.error());
        if (!b) return refuse(b.error());
        c.a.push_back(session::runToEnd(*a));
        c.b.push_back(session::runToEnd(*b));
        if (i != 0) continue;
        const auto first = session::firstDifference(*a, *b);
        if (!first) return refuse(first.error(), Exit::Failed);
        c.first = *first;
        if (c.first.decision) {
            const auto& d = *c.first.decision;
            c.who = d.task && d.task.index() < c.a[0].tasks.size() ? fmt::format("task {} {}", d.task.v, c.a[0].tasks[d.task.index()].comm)
                                                                   : fmt::format("CPU {}", d.cpuA.v);
        }
    }
    c.metrics = session::compareMetrics(c.a, c.b);
    if (!o.json.empty())
        if (const Status s = deliver(o.json, json(c)); !s) return refuse(s.error());
    if (!o.quiet && o.json != "-") print(text(c));
    return Exit::Ok;
}

} // namespace rqs::cli
