// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario from a case folder, simulation, and figures measured the same way on both sides.
#include "core/session/truth/free_run.h"

#include "core/base/json.h"
#include "core/scenario/build_run.h"
#include "core/session/truth/guest.h"
#include "core/sim/dispatch.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace rqs::session::truth {
namespace {

constexpr double kShareTolerance = 0.01;
/// The driver sleeps until the next `start=` with the default timer slack of 50 us, wakes and writes to the
/// gate: 62 to 70 us after the stated time in the recordings. Tasks released at once do not wait for it.
constexpr std::int64_t kDriverLateNs = 65'000, kFirstLateStartNs = 1'000'000;
constexpr std::uint64_t kMaxSteps = 200'000'000;

/// What one named task did in the window.
struct TaskFigures {
    double share = 0;
    std::vector<std::int64_t> slices, latencies;
    std::int64_t delayed = 0, requeued = 0;
};

/// Value at q percent of the sorted list, as the recorded summary takes it.
double percentile(std::vector<std::int64_t> v, std::size_t q) {
    if (v.empty()) return 0;
    std::sort(v.begin(), v.end());
    return static_cast<double>(v[std::min(v.size() - 1, v.size() * q / 100)]);
}

/// Watches the simulation and keeps what the recorded summary keeps.
class Watcher : public RecordSink {
public:
    Watcher(std::size_t cpus, std::size_t tasks)
        : m_running(cpus), m_since(cpus), m_woken(tasks, SimTime{-1}), figures(tasks) {}

    void on(SimTime t, const Record& r) override {
        if (const auto* s = std::get_if<SwitchRecord>(&r))
            onSwitch(t, *s);
        else if (const auto* w = std::get_if<WakeRecord>(&r)) {
            m_woken[w->task.index()] = t;
            if (w->requeued) ++figures[w->task.index()].requeued;
        } else if (const auto* d = std::get_if<DequeueRecord>(&r)) {
            if (d->delayed && d->sleep) ++figures[d->task.index()].delayed;
        }
    }
    /// Ends the window: what runs now is a last, cut slice.
    void finish(SimTime end) {
        for (std::size_t c = 0; c < m_running.size(); ++c)
            if (m_running[c]) add(m_running[c], end - m_since[c]);
        for (auto& f : figures) {
            std::int64_t sum = 0;
            for (const auto s : f.slices) sum += s;
            f.share = end.ns > 0 ? static_cast<double>(sum) / static_cast<double>(end.ns) : 0;
        }
    }

private:
    void onSwitch(SimTime t, const SwitchRecord& s) {
        ++switches;
        const auto c = s.cpu.index();
        if (m_running[c]) add(m_running[c], t - m_since[c]);
        m_running[c] = s.next;
        m_since[c] = t;
        if (!s.next) return;
        const auto n = s.next.index();
        if (m_woken[n].ns >= 0) figures[n].latencies.push_back((t - m_woken[n]).ns);
        m_woken[n] = SimTime{-1};
        if (std::find(order.begin(), order.end(), s.next) == order.end()) order.push_back(s.next);
    }
    void add(TaskId t, Duration d) { figures[t.index()].slices.push_back(d.ns); }

    std::vector<TaskId> m_running;
    std::vector<SimTime> m_since;
    std::vector<SimTime> m_woken;

public:
    std::vector<TaskFigures> figures; ///< by TaskId
    std::vector<TaskId> order;        ///< of first runs
    std::int64_t switches = 0;
};

/// "-d 2000" of the workload line, in ns.
Duration windowOf(const std::string& line) {
    std::int64_t ms = 2000;
    if (const auto at = line.find(" -d "); at != std::string::npos)
        std::from_chars(line.data() + at + 4, line.data() + line.size(), ms);
    return Duration{std::clamp<std::int64_t>(ms, 1, 600'000) * 1'000'000};
}

Result<scenario::RunSetup> setupOf(const Case& c, const std::filesystem::path& resources) {
    const auto preset = guestPreset(c);
    if (!preset) return preset.error();
    const auto machine = guestMachine(c);
    if (!machine) return machine.error();
    scenario::Scenario s;
    s.id = "truth/" + c.name;
    s.title = c.name;
    s.machine = *machine;
    s.resources = resources.string();
    s.base.kernel = std::string((*preset)->id);
    for (const auto& [name, on] : c.features)
        if (const auto f = sched::featureByName(name);
            f && sched::has((*preset)->exists, *f) && sched::info(*f).built)
            s.base.features[name] = on ? "on" : "off";
    for (const auto& [name, value] : c.knobs)
        for (const auto& t : sched::tunableTable())
            if (t.name == name && t.runtime) s.base.tunables[name] = value;
    s.workload.generator = "lab";
    s.workload.line = c.workload;
    s.duration = windowOf(c.workload);
    s.variants.push_back({"A", c.name, {}});
    auto setup = scenario::buildRun(s, "A");
    if (!setup) return setup;
    for (auto& t : setup->workload.tasks)
        if (t.startNs >= kFirstLateStartNs) t.startNs += kDriverLateNs;
    std::string missing;
    for (const auto& [name, on] : c.features)
        if (const auto f = sched::featureByName(name); f && on && !sched::info(*f).built)
            missing += (missing.empty() ? "" : ", ") + name;
    if (!missing.empty()) setup->notes.push_back("on in the guest, not modelled: " + missing);
    return setup;
}

/// The phase of the recorded tick against the start of the workload: like the machine, a starting condition.
/// A seed would draw it. None if the trace shows no tick.
std::optional<Duration> tickPhase(const Case& c, Duration tick) {
    if (c.events.empty()) return std::nullopt;
    const std::int64_t start = c.events.front().timeNs; // the trace begins with the marker of the start
    for (const Event& e : c.events)
        if (e.kind == EventKind::Runtime && e.flags.hardIrq() && e.flags.preemptDepth == '1')
            return Duration{(e.timeNs - start) % tick.ns};
    return std::nullopt;
}

/// World of the setup without what a seed varies: costs as the machine file states them, the recorded tick
/// phase.
sim::World worldOf(const Case& c, const scenario::RunSetup& setup) {
    auto world = sim::makeWorld(setup.hardware, setup.kernel, setup.workload, setup.seed);
    for (std::size_t i = 0; i < machine::kCosts; ++i) world.costs.ns[i] = setup.hardware->costs.entries[i].ns;
    if (const auto phase = tickPhase(c, setup.kernel.tunables.tick()))
        for (auto& cpu : world.cpus) cpu.tickBase = SimTime{} + *phase;
    return world;
}

/// Figures of the recorded run by task name, from summary.json.
struct Recorded {
    std::map<std::string, json::Value> tasks;
    json::Value all;
};

Recorded recordedOf(const json::Document& summary) {
    Recorded r;
    for (const auto& m : summary.root().at("tasks").members()) {
        const std::string name(m.key.substr(0, m.key.rfind('-')));
        r.tasks.emplace(name, m.value);
    }
    r.all = summary.root().at("all");
    return r;
}

std::optional<double> numberAt(json::Value v, std::initializer_list<std::string_view> path) {
    for (const auto key : path) v = v.at(key);
    if (!v || v.kind() != json::Kind::Number) return std::nullopt;
    const auto n = v.asNumber(-1e18, 1e18);
    return n ? std::optional(*n) : std::nullopt;
}

/// Names in the order in which the tasks first ran, from the trace.
std::vector<std::string> firstRuns(const Case& c) {
    std::vector<std::string> order;
    for (const Event& e : c.events) {
        if (e.kind != EventKind::Switch) continue;
        for (const auto& t : c.tasks)
            if (t.pid == e.pid && std::find(order.begin(), order.end(), t.name) == order.end())
                order.push_back(t.name);
    }
    return order;
}

class Comparison {
public:
    Comparison(const Case& c, const scenario::RunSetup& setup, const Watcher& sim, double tick)
        : m_case(c), m_setup(setup), m_sim(sim), m_tick(tick) {}

    FreeRun against(const Recorded& recorded) {
        if (m_case.traced) order();
        for (std::size_t i = 0; i < m_setup.workload.tasks.size() && i < m_sim.figures.size(); ++i) {
            const auto& name = m_setup.workload.tasks[i].comm;
            const auto r = recorded.tasks.find(name);
            if (r == recorded.tasks.end())
                m_out.notes.push_back("the recording has no figures of " + name);
            else
                task(name, r->second, m_sim.figures[i]);
        }
        if (const auto n = numberAt(recorded.all, {"switches"}))
            add("switches", *n, static_cast<double>(m_sim.switches), 0);
        return std::move(m_out);
    }

private:
    void add(std::string name, double recorded, double simulated, double tolerance) {
        m_out.figures.push_back({std::move(name), recorded, simulated, tolerance});
    }
    void order() {
        const auto theirs = firstRuns(m_case);
        std::size_t same = 0;
        while (same < theirs.size() && same < m_sim.order.size() &&
               m_setup.workload.tasks[m_sim.order[same].index()].comm == theirs[same])
            ++same;
        add("order_of_first_runs", static_cast<double>(theirs.size()), static_cast<double>(same), 0.5);
    }
    void task(const std::string& name, json::Value r, const TaskFigures& f) {
        if (const auto x = numberAt(r, {"share"})) add("share_" + name, *x, f.share, kShareTolerance);
        if (const auto x = numberAt(r, {"slices", "p50"}))
            add("slice_p50_ns_" + name, *x, percentile(f.slices, 50), m_tick);
        const auto wakeups = numberAt(r, {"wakeup_latency_ns", "n"});
        if (wakeups && *wakeups >= 20) {
            for (const auto& [key, q] : {std::pair("p50", 50u), std::pair("p95", 95u)})
                if (const auto x = numberAt(r, {"wakeup_latency_ns", key}))
                    add("wakeup_" + std::string(key) + "_ns_" + name, *x, percentile(f.latencies, q), m_tick);
        }
        if (const auto x = numberAt(r, {"delayed_dequeues"}))
            add("delayed_" + name, *x, static_cast<double>(f.delayed), 0);
        if (const auto x = numberAt(r, {"requeued_while_delayed"}))
            add("requeued_" + name, *x, static_cast<double>(f.requeued), 0);
    }

    const Case& m_case;
    const scenario::RunSetup& m_setup;
    const Watcher& m_sim;
    double m_tick;
    FreeRun m_out;
};

} // namespace

Result<FreeRun> freeRun(const Case& c, const std::filesystem::path& resources) {
    const auto summary = json::Document::fromFile((c.folder / "summary.json").string());
    if (!summary) return summary.error();
    const auto setup = setupOf(c, resources);
    if (!setup) return setup.error();

    auto world = worldOf(c, *setup);
    Watcher watcher(world.cpus.size(), setup->workload.tasks.size());
    const SimTime end = SimTime{} + setup->duration;
    if (sim::runUntil(world, end, &watcher, kMaxSteps) >= kMaxSteps)
        return Error{c.folder.string(), "the simulation needs more than 200 million steps", ""};
    watcher.finish(end);
    const auto tick = static_cast<double>(setup->kernel.tunables.tick().ns);
    auto run = Comparison(c, *setup, watcher, tick).against(recordedOf(*summary));
    run.notes.insert(run.notes.end(), setup->notes.begin(), setup->notes.end());
    return run;
}

} // namespace rqs::session::truth
