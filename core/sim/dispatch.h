// SPDX-License-Identifier: GPL-3.0-or-later
// Advances a World: takes the earliest event of the three queues and lets the CPU it belongs to execute until
// it has something to wait for.
#pragma once
#include "core/sim/input.h"
#include "core/sim/world.h"

namespace rqs::sim {

/// Executes exactly one step; false if there is nothing left to happen. `sink` may be null.
bool step(World& w, RecordSink* sink);
/// Steps up to and including events at `until`, at most `maxSteps`; leaves now at the last event, or at
/// `until` when the next event lies beyond. Returns the number of steps.
std::uint64_t runUntil(World& w, SimTime until, RecordSink* sink, std::uint64_t maxSteps = UINT64_MAX);
/// Applies a user input at the present instant.
Status apply(World& w, const Input& input, RecordSink* sink);

} // namespace rqs::sim
