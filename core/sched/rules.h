// SPDX-License-Identifier: GPL-3.0-or-later
// Switches that break single rules of the policy on purpose. Only sabotage tests set them: a check that cannot
// see a broken rule proves nothing. All false = the kernel's rules.
#pragma once

namespace rqs::sched {

struct RuleOverrides {
    bool tieNewestFirst = false;      ///< equal deadlines: the newcomer goes before its equals
    bool truncateAverage = false;     ///< V rounds towards zero instead of down
    bool noLagInflation = false;      ///< placement uses the stored lag as it is
    bool everyoneEligible = false;    ///< the pick ignores eligibility
    bool protectForever = false;      ///< the protection marker survives slice renewal
    bool noLagClamp = false;          ///< stored lag is not limited
    bool operator==(const RuleOverrides&) const = default;
};

} // namespace rqs::sched
