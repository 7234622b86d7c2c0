// SPDX-License-Identifier: GPL-3.0-or-later
// How long one picture of the machine takes: 1600x900 on the raster engine, text cache warm as on screen,
// another thread busy as the simulation would be. p95_ms is what the design limits: 6 ms at 32 CPUs, 12 ms at
// 512.
#include "tests/ui/support/fake_snapshot.h"
#include "ui/views/machine_painter.h"

#include <QGuiApplication>
#include <QImage>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace rqs;
using namespace rqs::ui;

namespace {

QGuiApplication& application() {
    static int argc = 1;
    static char name[] = "bench_ui";
    static char* argv[] = {name, nullptr};
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    static QGuiApplication app(argc, argv);
    return app;
}

/// Keeps one thread busy for its lifetime.
class BusyWorker {
public:
    BusyWorker()
        : m_thread([this] {
              volatile std::uint64_t x = 0;
              while (!m_stop.load(std::memory_order_relaxed)) x = x + 1;
          }) {}
    ~BusyWorker() {
        m_stop = true;
        m_thread.join();
    }

private:
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

void paintMachineAt(benchmark::State& state, const test::FakeShape& shape) {
    application();
    const auto snapshot = test::fakeSnapshot(shape);
    const QSizeF size(1600, 900);
    const MachineLayout layout = layoutMachine(*snapshot->run, snapshot->shards, {size, 0, true});
    const TaskLabels labels = TaskLabels::of(*snapshot->run);
    TextCache cache;
    MachineScene scene;
    scene.snapshot = snapshot.get();
    scene.layout = &layout;
    scene.labels = &labels;
    scene.cache = &cache;
    scene.selected = CpuId(4);
    scene.footer = footerText(*snapshot);
    for (const auto& m : snapshot->moves) scene.moves.push_back({m, 0.7, 1, true});
    const Theme theme = Theme::light();
    QImage image(size.toSize(), QImage::Format_RGB32);
    const BusyWorker worker;
    std::vector<double> times;
    for (auto _ : state) {
        const auto from = std::chrono::steady_clock::now();
        QPainter painter(&image);
        paintMachine(painter, scene, theme);
        painter.end();
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count());
    }
    std::sort(times.begin(), times.end());
    state.counters["p50_ms"] = times[times.size() / 2];
    state.counters["p95_ms"] = times[times.size() * 95 / 100];
    state.counters["cpus"] = static_cast<double>(snapshot->cpus.size());
}

void Paint32(benchmark::State& s) { paintMachineAt(s, test::ryzen7950x()); }
void Paint256(benchmark::State& s) { paintMachineAt(s, test::twoSocket256()); }
void Paint512(benchmark::State& s) { paintMachineAt(s, test::epyc512()); }
void Paint1024(benchmark::State& s) { paintMachineAt(s, test::huge1024()); }

} // namespace

BENCHMARK(Paint32)->Unit(benchmark::kMillisecond);
BENCHMARK(Paint256)->Unit(benchmark::kMillisecond);
BENCHMARK(Paint512)->Unit(benchmark::kMillisecond);
BENCHMARK(Paint1024)->Unit(benchmark::kMillisecond);
