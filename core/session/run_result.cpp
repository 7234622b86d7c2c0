// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a run and its scalar metrics under the field's names (schedstat, lock_stat, turbostat, perf sched).
#include "core/session/run_result.h"

#include "core/scenario/input_text.h"

#include <fmt/format.h>

namespace rqs::session {
namespace {

constexpr std::size_t kNamedTasks = 16; // more are a crowd: their shares are in the JSON per role
constexpr int kFirstMove = static_cast<int>(Distance::Smt);

double us(Duration d) { return static_cast<double>(d.ns) / 1e3; }
double ms(Duration d) { return static_cast<double>(d.ns) / 1e6; }

void addLock(std::vector<Metric>& out, LockClass cls, const metrics::LockStatRow& row) {
    const std::string name = lockClassName(cls);
    out.push_back({name + " contentions", "", static_cast<double>(row.contentions), false, true});
    out.push_back({name + " acquisitions", "", static_cast<double>(row.acquisitions), false, false});
    out.push_back({name + " waittime-total", "us", us(row.waitTotal), false, true});
    out.push_back({name + " holdtime-total", "us", us(row.holdTotal), false, false});
}

} // namespace

RunResult describeRun(const scenario::RunSetup& s) {
    RunResult r;
    r.scenario = s.scenarioId;
    r.title = s.title;
    r.variant = s.variant;
    r.variantTitle = s.variantTitle;
    r.kernel = s.kernel.preset->id;
    r.preemption = sched::preemptionName(s.kernel.preemption);
    r.machine = s.hardware->id;
    r.machineTitle = s.hardware->title;
    r.cpus = s.hardware->topology.cpuCount();
    r.llcs = s.hardware->topology.llcCount();
    r.nodes = s.hardware->topology.nodeCount();
    r.sockets = s.hardware->topology.socketCount();
    r.seed = s.seed;
    for (std::size_t i = 0; i < sched::kFeatures; ++i) {
        const auto f = static_cast<sched::Feature>(i);
        if (sched::has(s.kernel.preset->exists, f)) r.features.emplace_back(sched::info(f).name, s.kernel.on(f));
    }
    for (const sched::TunableInfo& t : sched::tunableTable()) r.tunables.emplace_back(t.name, s.kernel.tunables.*t.field);
    for (const scenario::PlannedInput& i : s.inputs) r.inputs.push_back({i.at, i.text, {}});
    r.unit = s.workload.unit;
    r.lowerIsBetter = s.workload.lowerIsBetter;
    for (const workload::TaskSpec& t : s.workload.tasks) r.tasks.push_back({t.comm, t.role, t.nice});
    r.notes = s.notes;
    r.warmup = SimTime{s.warmup.ns};
    return r;
}

std::vector<Metric> metricsOf(const RunResult& r) {
    const metrics::Numbers& n = r.numbers;
    const double seconds = static_cast<double>((r.simTime - r.warmup).ns) / 1e9;
    const auto perSecond = [&](double x) { return seconds > 0 ? x / seconds : 0; };
    std::vector<Metric> out;
    if (!r.unit.empty())
        out.push_back({"throughput", r.unit + "/s", perSecond(static_cast<double>(n.ops)), !r.lowerIsBetter, r.lowerIsBetter});
    out.push_back({"context_switches", "/s", perSecond(static_cast<double>(n.switches)), false, false});
    out.push_back({"wakeups", "/s", perSecond(static_cast<double>(n.wakeups)), false, false});
    double moves = 0;
    for (int d = kFirstMove; d < static_cast<int>(Distance::Count); ++d)
        moves += static_cast<double>(n.migrations[static_cast<std::size_t>(d)]);
    out.push_back({"migrations", "/s", perSecond(moves), false, false});
    for (int d = kFirstMove; d < static_cast<int>(Distance::Count); ++d)
        out.push_back({fmt::format("migrations {}", distanceName(static_cast<Distance>(d))), "/s",
                       perSecond(static_cast<double>(n.migrations[static_cast<std::size_t>(d)])), false, false});
    for (const auto& [name, q] : {std::pair{"sch delay p50", 500}, {"sch delay p90", 900}, {"sch delay p99", 990}})
        out.push_back({name, "us", us(n.wakeupLatency.quantile(q)), false, true});
    out.push_back({"sch delay max", "us", us(n.wakeupLatency.max()), false, true});
    out.push_back({"run time p50", "us", us(n.slice.quantile(500)), false, false});
    Duration busy{}, all{};
    for (const metrics::CpuCounters& c : n.cpus) {
        busy += c.busy;
        all += c.busy + c.idle;
    }
    out.push_back({"Busy%", "%", all.ns > 0 ? 100.0 * static_cast<double>(busy.ns) / static_cast<double>(all.ns) : 0, false, false});
    out.push_back({"idle while tasks wait", "ms", ms(n.idleWhileWaitingTotal), false, true});
    if (r.tasks.size() <= kNamedTasks)
        for (std::size_t i = 0; i < r.tasks.size() && i < n.tasks.size(); ++i)
            out.push_back({"share " + r.tasks[i].comm, "%", perSecond(ms(n.tasks[i].run)) / 10, false, false});
    for (int c = 0; c < static_cast<int>(LockClass::Count); ++c)
        addLock(out, static_cast<LockClass>(c), n.locks[static_cast<std::size_t>(c)]);
    return out;
}

std::string fingerprintText(std::uint64_t fingerprint) { return fmt::format("0x{:016x}", fingerprint); }

} // namespace rqs::session
