// SPDX-License-Identifier: GPL-3.0-or-later
// Changing the weight of an entity, queued or not, by the rule of the preset (behavioural spec eevdf 6.1):
// what becomes of its vruntime, lag and deadline, and so of V. Load averages are the caller's
// (pelt::reweight).
#pragma once
#include "core/sched/state.h"
#include "core/sched/weights.h"

namespace rqs::sched {

/// What a reweight is about, at one instant.
struct ReweightView {
    Weight weight;
    VTime average, vruntime, deadline;
    VDelta lag; ///< average - vruntime, not clamped
};
struct ReweightNote {
    ReweightView before, after; ///< before: once curr was charged
};

/// reweight_entity: entity `i`, a member of `q` or of none, gets another weight (>= 2). Charges curr first.
/// True if that asks for a reschedule. `note`, where given, is filled for members under EEVDF.
bool reweightEntity(State& s, CfsRq& q, std::int32_t i, const Load& load, SimTime now,
                    ReweightNote* note = nullptr);
/// The same for groups, whose weights are in no table.
bool reweightEntity(State& s, CfsRq& q, std::int32_t i, Weight weight, SimTime now,
                    ReweightNote* note = nullptr);

} // namespace rqs::sched
