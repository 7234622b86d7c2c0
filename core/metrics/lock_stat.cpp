// SPDX-License-Identifier: GPL-3.0-or-later
// Counting rules of lock_stat (behavioural spec wakeup_balance 5.2).
#include "core/metrics/collector.h"

#include <algorithm>

namespace rqs::metrics {
namespace {

void countSite(CallSite site, std::array<std::uint64_t, static_cast<std::size_t>(CallSite::Count)>& counts,
               std::array<CallSite, LockStatRow::kPoints>& order, std::uint8_t& points) {
    if (site >= CallSite::Count) return;
    if (counts[static_cast<std::size_t>(site)]++ == 0 && points < order.size()) order[points++] = site;
}

void spread(Duration d, Duration& min, Duration& max, Duration& total) {
    if (d.ns > 0 && (min.ns == 0 || d < min)) min = d;
    max = std::max(max, d);
    total += d;
}

} // namespace

void LockStatRow::contend(const LockRecord& r) {
    conBounces += r.bounced ? 1 : 0;
    countSite(r.site, waitSites, waitOrder, waitPoints);
    countSite(r.holderSite, holderSites, holderOrder, holderPoints);
}

void LockStatRow::acquire(const LockRecord& r) {
    acqBounces += r.bounced ? 1 : 0;
    if (!r.contended || r.wait.ns <= 0) return;
    ++contentions;
    spread(r.wait, waitMin, waitMax, waitTotal);
}

void LockStatRow::release(const LockRecord& r) {
    ++acquisitions;
    spread(r.hold, holdMin, holdMax, holdTotal);
}

} // namespace rqs::metrics
