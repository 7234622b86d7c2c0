// SPDX-License-Identifier: GPL-3.0-or-later
// Hold model of the pending-event set: take the earliest, put it back a random time later; the queue stays full.
// The rate is the yardstick all other figures are divided by.
#include "core/engine/indexed_heap.h"
#include "core/engine/random.h"

#include <benchmark/benchmark.h>

#include <array>

using namespace rqs;

static void Hold(benchmark::State& state) {
    const auto slots = static_cast<std::uint32_t>(state.range(0));
    // Delays are drawn beforehand: the queue is measured, not the random stream.
    std::array<std::int64_t, 4096> delay{};
    for (std::size_t i = 0; i < delay.size(); ++i)
        delay[i] = 1 + static_cast<std::int64_t>(engine::drawBelow(1, 0, engine::Purpose::Workload, i, 10000));
    engine::IndexedHeap heap(slots);
    for (std::uint32_t s = 0; s < slots; ++s) heap.set(s, SimTime{delay[s % delay.size()]});
    std::size_t next = 0;
    for (auto _ : state) {
        const std::uint32_t s = heap.topSlot();
        heap.set(s, heap.topTime() + Duration{delay[next++ % delay.size()]});
        benchmark::DoNotOptimize(s);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Hold)->Arg(32)->Arg(512)->Arg(4096);
