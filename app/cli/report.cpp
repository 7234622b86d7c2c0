// SPDX-License-Identifier: GPL-3.0-or-later
// Text tables and CSV of one run.
#include "app/cli/report.h"

#include "core/base/text_file.h"
#include "core/scenario/text_values.h"
#include "core/session/result_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace rqs::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;
constexpr std::size_t kListedTasks = 16;

std::string us(Duration d) { return fmt::format("{:.2f}", static_cast<double>(d.ns) / 1e3); }
std::string average(Duration total, std::uint64_t n) {
    return n ? fmt::format("{:.2f}", static_cast<double>(total.ns) / 1e3 / static_cast<double>(n)) : "-";
}

std::string heading(const session::RunResult& r) {
    std::string out = fmt::format("{}: {}\n", r.scenario, r.title);
    out += fmt::format("variant {}{}, seed {}\n", r.variant, r.variantTitle.empty() ? "" : " (" + r.variantTitle + ")", r.seed);
    out += fmt::format("{} ({} CPUs, {} LLCs), kernel {}, preempt {}\n", r.machine, r.cpus, r.llcs, r.kernel, r.preemption);
    std::string on, off;
    for (const auto& [name, enabled] : r.features) (enabled ? on : off) += (enabled ? " " : " NO_") + name;
    out += fmt::format("features:{}{}\n", on, off);
    for (const scenario::TimedInput& i : r.inputs)
        out += fmt::format("input at {}: {}\n", scenario::timeText(Duration{i.at.ns}), i.text);
    return out;
}

std::string metricTable(const session::RunResult& r) {
    Rows rows;
    for (const session::Metric& m : session::metricsOf(r)) {
        if (m.name[0] == '&') continue; // lock_stat has its own table
        // Kinds of work and distances that this run does not have.
        if (m.value == 0 && (m.name == "throughput" || m.name.starts_with("migrations "))) continue;
        rows.push_back({m.name, quantity(m.value, m.unit)});
    }
    return table(rows);
}

std::string lockTable(const session::RunResult& r) {
    Rows rows{{"lock_stat (us)", "con-bounces", "contentions", "waittime-total", "waittime-avg", "waittime-max", "acquisitions",
               "holdtime-total", "holdtime-avg"}};
    for (std::size_t i = 0; i < r.numbers.locks.size(); ++i) {
        const metrics::LockStatRow& l = r.numbers.locks[i];
        if (l.acquisitions == 0) continue;
        rows.push_back({lockClassName(static_cast<LockClass>(i)), std::to_string(l.conBounces), std::to_string(l.contentions),
                        us(l.waitTotal), average(l.waitTotal, l.contentions), us(l.waitMax), std::to_string(l.acquisitions),
                        us(l.holdTotal), average(l.holdTotal, l.acquisitions)});
    }
    return rows.size() > 1 ? table(rows) : std::string();
}

std::string taskTable(const session::RunResult& r) {
    if (r.tasks.size() > kListedTasks) return {};
    Rows rows{{"task", "nice", "run ms", "wait ms", "switches", "wakeups", "migrations"}};
    for (std::size_t i = 0; i < r.tasks.size() && i < r.numbers.tasks.size(); ++i) {
        const metrics::TaskCounters& t = r.numbers.tasks[i];
        rows.push_back({fmt::format("{} {}", i, r.tasks[i].comm), std::to_string(r.tasks[i].nice),
                        fmt::format("{:.3f}", static_cast<double>(t.run.ns) / 1e6),
                        fmt::format("{:.3f}", static_cast<double>(t.wait.ns) / 1e6), std::to_string(t.switches),
                        std::to_string(t.wakeups), std::to_string(t.migrations)});
    }
    return table(rows);
}

std::string seriesCsv(const metrics::TimeSeries& s, const std::string& unit) {
    std::string out = fmt::format("start_ns,{}\n", unit);
    for (std::size_t i = 0; i < s.sums().size(); ++i)
        out += fmt::format("{},{}\n", s.bin().ns * static_cast<std::int64_t>(i), s.sums()[i]);
    return out;
}

std::string histogramCsv(const metrics::Histogram& h) {
    std::string out = "from_ns,to_ns,count\n";
    for (int i = 0; i + 1 < metrics::Histogram::kBuckets; ++i)
        if (h.bucketCount(i))
            out += fmt::format("{},{},{}\n", metrics::Histogram::lowerEdge(i), metrics::Histogram::lowerEdge(i + 1), h.bucketCount(i));
    return out;
}

} // namespace

std::string summary(const session::RunResult& r) {
    std::string out = heading(r);
    out += fmt::format("simulated {} ({} of it warm-up), {} steps, {:.2f} s wall\n\n", scenario::timeText(Duration{r.simTime.ns}),
                       scenario::timeText(Duration{r.warmup.ns}), r.steps, r.wallSeconds);
    out += metricTable(r);
    for (const std::string& part : {lockTable(r), taskTable(r)})
        if (!part.empty()) out += "\n" + part;
    for (const std::string& n : r.notes) out += "\nnote: " + n;
    out += fmt::format("{}fingerprint {}\n", r.notes.empty() ? "\n" : "\n\n", session::fingerprintText(r.fingerprint));
    return out;
}

Status writeReport(const std::string& folder, const session::RunResult& r) {
    const auto file = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
    const std::string md = fmt::format("# {}\n\n```\n{}```\n", r.title, summary(r));
    if (Status s = writeTextFile(file("report.md"), md); !s) return s;
    if (Status s = writeTextFile(file("result.json"), session::resultJson(r)); !s) return s;
    if (Status s = writeTextFile(file("throughput.csv"), seriesCsv(r.numbers.throughput, r.unit.empty() ? "units" : r.unit)); !s)
        return s;
    return writeTextFile(file("wakeup_latency.csv"), histogramCsv(r.numbers.wakeupLatency));
}

} // namespace rqs::cli
