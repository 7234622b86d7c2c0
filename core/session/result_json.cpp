// SPDX-License-Identifier: GPL-3.0-or-later
// RunResult -> JSON. Column names of lock_stat are the kernel's.
#include "core/session/result_json.h"

#include <algorithm>
#include <map>

namespace rqs::session {
namespace {

using Layout = JsonWriter::Layout;
constexpr std::size_t kListedTasks = 64;

double us(Duration d) { return static_cast<double>(d.ns) / 1e3; }
double average(Duration total, std::uint64_t n) { return n ? us(total) / static_cast<double>(n) : 0; }

void writeSetup(JsonWriter& w, const RunResult& r) {
    w.member("scenario", r.scenario).member("title", r.title);
    w.member("variant", r.variant).member("variant_title", r.variantTitle);
    w.member("seed", r.seed);
    w.member("kernel", r.kernel).member("preemption", r.preemption);
    w.key("machine").beginObject(Layout::OneLine);
    w.member("id", r.machine).member("title", r.machineTitle).member("cpus", r.cpus).member("llcs", r.llcs);
    w.member("nodes", r.nodes).member("sockets", r.sockets).endObject();
    w.key("features").beginObject();
    for (const auto& [name, on] : r.features) w.member(name, on ? "on" : "off");
    w.endObject();
    w.key("tunables").beginObject();
    for (const auto& [name, value] : r.tunables) w.member(name, value);
    w.endObject();
    w.key("inputs").beginArray();
    for (const scenario::TimedInput& i : r.inputs)
        w.beginObject(Layout::OneLine).member("at_ns", i.at.ns).member("input", i.text).endObject();
    w.endArray();
}

void writeHistogram(JsonWriter& w, const char* key, const metrics::Histogram& h) {
    w.key(key).beginObject(Layout::OneLine).member("unit", "ns").member("count", h.count());
    w.member("mean", h.count() ? h.total().ns / static_cast<std::int64_t>(h.count()) : 0);
    for (const auto& [name, q] : {std::pair{"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p99.9", 999}})
        w.member(name, h.quantile(q).ns);
    w.member("max", h.max().ns).endObject();
}

void writeCounts(JsonWriter& w, const RunResult& r) {
    const metrics::Numbers& n = r.numbers;
    w.member("context_switches", n.switches).member("wakeups", n.wakeups);
    w.key("migrations").beginObject(Layout::OneLine);
    for (std::size_t d = static_cast<std::size_t>(Distance::Smt); d < n.migrations.size(); ++d)
        w.member(distanceName(static_cast<Distance>(d)), n.migrations[d]);
    w.endObject();
    w.key("migrations_by_reason").beginObject(Layout::OneLine);
    for (std::size_t i = 0; i < n.migrationsByReason.size(); ++i)
        w.member(moveReasonName(static_cast<MoveReason>(i)), n.migrationsByReason[i]);
    w.endObject();
    w.member("anomalies", n.anomalies);
}

void writeThroughput(JsonWriter& w, const RunResult& r) {
    const double seconds = static_cast<double>((r.simTime - r.warmup).ns) / 1e9;
    w.key("throughput").beginObject(Layout::OneLine);
    w.member("value", seconds > 0 ? static_cast<double>(r.numbers.ops) / seconds : 0.0);
    w.member("unit", r.unit.empty() ? std::string() : r.unit + "/s");
    w.member("total", r.numbers.ops).member("lower_is_better", r.lowerIsBetter).endObject();
}

void writeSites(JsonWriter& w, const char* key, const std::array<std::uint64_t, static_cast<std::size_t>(CallSite::Count)>& sites) {
    w.key(key).beginObject(Layout::OneLine);
    for (std::size_t i = 0; i < sites.size(); ++i)
        if (sites[i]) w.member(callSiteName(static_cast<CallSite>(i)), sites[i]);
    w.endObject();
}

void writeLocks(JsonWriter& w, const metrics::Numbers& n) {
    w.key("lock_stat").beginArray();
    for (std::size_t i = 0; i < n.locks.size(); ++i) {
        const metrics::LockStatRow& l = n.locks[i];
        w.beginObject().member("class", lockClassName(static_cast<LockClass>(i))).member("time_unit", "us");
        w.member("con-bounces", l.conBounces).member("contentions", l.contentions);
        w.member("waittime-min", us(l.waitMin)).member("waittime-max", us(l.waitMax));
        w.member("waittime-total", us(l.waitTotal)).member("waittime-avg", average(l.waitTotal, l.contentions));
        w.member("acq-bounces", l.acqBounces).member("acquisitions", l.acquisitions);
        w.member("holdtime-min", us(l.holdMin)).member("holdtime-max", us(l.holdMax));
        w.member("holdtime-total", us(l.holdTotal)).member("holdtime-avg", average(l.holdTotal, l.acquisitions));
        writeSites(w, "waiters", l.waitSites);
        writeSites(w, "holders", l.holderSites);
        w.endObject();
    }
    w.endArray();
}

void writeCpus(JsonWriter& w, const RunResult& r) {
    w.key("cpus").beginArray();
    for (std::size_t i = 0; i < r.numbers.cpus.size(); ++i) {
        const metrics::CpuCounters& c = r.numbers.cpus[i];
        const std::int64_t all = (c.busy + c.idle).ns;
        w.beginObject(Layout::OneLine).member("CPU", i);
        w.member("Busy%", all > 0 ? 100.0 * static_cast<double>(c.busy.ns) / static_cast<double>(all) : 0.0);
        w.member("spin_ns", c.spin.ns).member("switches", c.switches).member("migrations_in", c.migrationsIn);
        w.member("wakeups", c.wakeups).member("ticks", c.ticks).endObject();
    }
    w.endArray();
}

void writeTasks(JsonWriter& w, const RunResult& r) {
    struct Sum { std::size_t tasks = 0; Duration run, wait; std::uint64_t switches = 0, migrations = 0; };
    std::map<std::string, Sum> roles;
    const std::size_t count = std::min(r.tasks.size(), r.numbers.tasks.size());
    for (std::size_t i = 0; i < count; ++i) {
        Sum& s = roles[r.tasks[i].role];
        const metrics::TaskCounters& t = r.numbers.tasks[i];
        ++s.tasks;
        s.run += t.run;
        s.wait += t.wait;
        s.switches += t.switches;
        s.migrations += t.migrations;
    }
    w.key("roles").beginArray();
    for (const auto& [name, s] : roles)
        w.beginObject(Layout::OneLine).member("role", name).member("tasks", s.tasks).member("run_ns", s.run.ns)
            .member("wait_ns", s.wait.ns).member("switches", s.switches).member("migrations", s.migrations).endObject();
    w.endArray();
    w.member("task_count", r.tasks.size());
    w.key("tasks").beginArray(); // the first kListedTasks; all of them only when there are few
    for (std::size_t i = 0; i < std::min(count, kListedTasks); ++i) {
        const metrics::TaskCounters& t = r.numbers.tasks[i];
        w.beginObject(Layout::OneLine).member("task", i).member("comm", r.tasks[i].comm).member("role", r.tasks[i].role);
        w.member("nice", r.tasks[i].nice).member("run_ns", t.run.ns).member("wait_ns", t.wait.ns);
        w.member("switches", t.switches).member("wakeups", t.wakeups).member("migrations", t.migrations).endObject();
    }
    w.endArray();
}

} // namespace

void writeResult(JsonWriter& w, const RunResult& r) {
    w.beginObject();
    w.member("schema_version", kResultSchemaVersion);
    writeSetup(w, r);
    w.member("sim_time_ns", r.simTime.ns).member("warmup_ns", r.warmup.ns);
    w.member("wall_s", r.wallSeconds);
    w.member("events", r.steps);
    writeCounts(w, r);
    writeThroughput(w, r);
    writeHistogram(w, "wakeup_latency", r.numbers.wakeupLatency);
    writeHistogram(w, "run_time", r.numbers.slice);
    w.member("idle_while_waiting_ns", r.numbers.idleWhileWaitingTotal.ns);
    writeLocks(w, r.numbers);
    writeCpus(w, r);
    writeTasks(w, r);
    w.member("placement", "simplified");
    w.key("notes").beginArray();
    for (const std::string& n : r.notes) w.value(n);
    w.endArray();
    w.member("fingerprint", fingerprintText(r.fingerprint));
    w.endObject();
}

std::string resultJson(const RunResult& r) {
    JsonWriter w;
    writeResult(w, r);
    return w.text();
}

} // namespace rqs::session
