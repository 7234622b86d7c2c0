// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a workload before it runs, and turns programs into a form that executes in constant time per step.
#pragma once
#include "core/base/result.h"
#include "core/workload/workload.h"

namespace rqs::workload {

inline constexpr std::size_t kMaxTasks = 100'000;
inline constexpr std::size_t kMaxOps = 1'000'000;  ///< over all codes
inline constexpr std::int64_t kMaxNs = kForeverNs; ///< of one computation, sleep or period
inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 30;

/// First thing that is wrong with `w`; `where` names the task or the program and operation.
Status validate(const Workload& w);

/// Fills in the jump targets (amount2) of loops. Only for codes that validate() accepts.
Code compile(const Code& code);

/// Walks over operations that take no time, up to one that does or the end; counts units into p.done.
void settle(const Code& code, State::TaskProg& p);

} // namespace rqs::workload
