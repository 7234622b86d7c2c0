// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of whole runs: context switches and steps per second, checkpoints, and stepping back.
#include "core/scenario/build_run.h"
#include "core/scenario/loader.h"
#include "core/session/session.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace rqs;

namespace {

scenario::Folders folders() { return {RQS_SOURCE_DIR "/scenarios", RQS_SOURCE_DIR "/resources"}; }

scenario::RunSetup fromText(const std::string& text) {
    auto s = scenario::parseScenario(text, "bench", "", folders().resources);
    if (!s) std::abort();
    auto r = scenario::buildRun(*s, "A");
    if (!r) std::abort();
    return std::move(r).value();
}

scenario::RunSetup shipped(const char* id, const char* variant) {
    auto s = scenario::loadScenario(id, folders());
    if (!s) std::abort();
    auto r = scenario::buildRun(*s, variant);
    if (!r) std::abort();
    return std::move(r).value();
}

/// 512 CPUs, 4,096 tasks in 2,048 ping-pong pairs.
scenario::RunSetup large() {
    return fromText(R"({"schema_version":1,"title":"b","summary":"b","machine":"amd-2x128-zen4","kernel":"6.12.0",
        "workload":{"generator":"pingpong","args":{"pairs":2048,"burn":"2us"}},"seed":1,"duration":"10s","warmup":"0ms"})");
}

sim::World worldOf(const scenario::RunSetup& r) { return sim::makeWorld(r.hardware, r.kernel, r.workload, r.seed); }

void report(benchmark::State& state, std::uint64_t steps, std::uint64_t switches) {
    state.SetItemsProcessed(static_cast<std::int64_t>(steps));
    state.counters["switches/s"] = benchmark::Counter(static_cast<double>(switches), benchmark::Counter::kIsRate);
    state.counters["steps/switch"] = static_cast<double>(steps) / static_cast<double>(std::max<std::uint64_t>(switches, 1));
}

/// Steps of a warmed-up machine, no listener; items are steps.
void runSteps(benchmark::State& state, const scenario::RunSetup& setup, SimTime warm) {
    sim::World w = worldOf(setup);
    sim::runUntil(w, warm, nullptr);
    std::uint64_t steps = 0, switches = 0;
    for (auto _ : state) {
        const std::uint64_t before = w.counters.switches;
        for (int i = 0; i < 100000; ++i) sim::step(w, nullptr);
        steps += 100000;
        switches += w.counters.switches - before;
    }
    report(state, steps, switches);
}

} // namespace

static void Hackbench7950x(benchmark::State& state) {
    runSteps(state, shipped("02-shared-runq/01-hackbench-7950x", state.range(0) ? "B" : "A"), {5000000});
}
BENCHMARK(Hackbench7950x)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// The same with the metrics collector listening, as in the programs.
static void Hackbench7950xCollected(benchmark::State& state) {
    session::Session s(shipped("02-shared-runq/01-hackbench-7950x", "A"));
    s.runUntil({5000000});
    std::uint64_t steps = 0, switches = 0;
    for (auto _ : state) {
        const std::uint64_t before = s.world().counters.switches;
        const std::uint64_t n = s.runUntil(s.end(), 50000);
        steps += n;
        switches += s.world().counters.switches - before;
        if (n < 50000) {
            state.PauseTiming();
            s.seekTime({5000000});
            state.ResumeTiming();
        }
    }
    report(state, steps, switches);
}
BENCHMARK(Hackbench7950xCollected)->Unit(benchmark::kMillisecond);

static void Large512(benchmark::State& state) { runSteps(state, large(), {3000000}); }
BENCHMARK(Large512)->Unit(benchmark::kMillisecond);

static void WorldCopy512(benchmark::State& state) {
    sim::World w = worldOf(large());
    sim::runUntil(w, {3000000}, nullptr);
    for (auto _ : state) {
        sim::World copy = w;
        benchmark::DoNotOptimize(copy.steps);
    }
}
BENCHMARK(WorldCopy512)->Unit(benchmark::kMillisecond);

/// One step back from random places of a run of a million steps; the counter is the 95th percentile.
static void StepBack(benchmark::State& state) {
    auto setup = shipped("02-shared-runq/01-hackbench-7950x", "A");
    setup.duration = {10'000'000'000};
    session::Session s(setup);
    s.runUntil(s.end(), 1'000'000);
    std::vector<double> ms;
    std::uint64_t k = 0;
    for (auto _ : state) {
        state.PauseTiming();
        s.seekStep(1 + engine::drawBelow(3, 0, engine::Purpose::Workload, ++k, 1'000'000 - 1));
        state.ResumeTiming();
        const auto t0 = std::chrono::steady_clock::now();
        s.stepBack(session::StepUnit::Step);
        ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count());
    }
    std::sort(ms.begin(), ms.end());
    state.counters["p95_ms"] = ms[ms.size() * 95 / 100];
}
BENCHMARK(StepBack)->Unit(benchmark::kMillisecond)->Iterations(100);
