// SPDX-License-Identifier: GPL-3.0-or-later
// Decision replay: recorded run times and events drive the production functions of core/sched/fair.h on one
// queue, and every decision the kernel made is compared with what they decide there.
#pragma once
#include "core/sched/rules.h"
#include "core/session/truth/case_reader.h"
#include "core/session/truth/report.h"

namespace rqs::session::truth {

/// Can this case be replayed? Ok, or the reason why not (no trace, no single decisions in it, groups, CFS).
Status replayable(const Case& c);
/// Replays CPU 1, where the recorded workloads ran. `rules` switches rules of core/sched off (sabotage
/// tests).
Result<ReplayResult> replayDecisions(const Case& c, const sched::RuleOverrides& rules = {});

} // namespace rqs::session::truth
