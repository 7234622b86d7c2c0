// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a user can do to the simulated machine while it runs. Inputs are logged as (time, steps already
// executed) and applied exactly there, so that a run can be repeated.
#pragma once
#include "core/base/cpumask.h"
#include "core/sched/features.h"

#include <variant>

namespace rqs::sim {

struct SetFeature { sched::Feature feature{}; bool on = false; bool operator==(const SetFeature&) const = default; };
struct SetTunable { std::int32_t index = 0; std::int64_t value = 0; bool operator==(const SetTunable&) const = default; };  ///< index into tunableTable()
struct SetPreemption { sched::Preemption model{}; bool operator==(const SetPreemption&) const = default; };
struct SetNice { TaskId task; std::int32_t nice = 0; bool operator==(const SetNice&) const = default; };
struct KillTask { TaskId task; bool operator==(const KillTask&) const = default; };
struct SetAffinity { TaskId task; CpuMask cpus; bool operator==(const SetAffinity&) const = default; };
using Input = std::variant<SetFeature, SetTunable, SetPreemption, SetNice, KillTask, SetAffinity>;

} // namespace rqs::sim
