// SPDX-License-Identifier: GPL-3.0-or-later
// Columns and rules of /proc/lock_stat (behavioural spec wakeup_balance 7.2).
#include "core/metrics/lock_stat_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace rqs::metrics {
namespace {

constexpr std::size_t kNameWidth = 40, kNameKept = 37, kRule = 221;

std::string times(Duration min, Duration max, Duration total, std::uint64_t count) {
    const Duration avg = count ? total / static_cast<std::int64_t>(count) : Duration{};
    return fmt::format("{:>14} {:>14} {:>14} {:>14}", lockStatTime(min), lockStatTime(max),
                       lockStatTime(total), lockStatTime(avg));
}

using Sites = std::array<std::uint64_t, static_cast<std::size_t>(CallSite::Count)>;
void appendSites(std::string& out, std::string_view name, const Sites& counts,
                 const std::array<CallSite, LockStatRow::kPoints>& order, std::uint8_t points) {
    out += fmt::format("{:>{}}\n", std::string(name.size(), '-'), kNameWidth);
    for (std::size_t i = 0; i < points; ++i) {
        const auto site = static_cast<std::size_t>(order[i]);
        out += fmt::format("{:>{}} {:>14} {:>29} {}+0x0/0x0\n", name, kNameWidth, counts[site],
                           fmt::format("[<{:016x}>]", site + 1), callSiteName(order[i]));
    }
}

} // namespace

std::string lockStatTime(Duration d) {
    const std::int64_t rounded = d.ns + 5;
    return fmt::format("{}.{:02}", rounded / 1000, rounded % 1000 / 10);
}

std::string lockStatLine(std::string_view name, const LockStatRow& row) {
    return fmt::format("{:>{}}:{:>14} {:>14} {} {:>14} {:>14} {}", name.substr(0, kNameKept), kNameWidth,
                       row.conBounces, row.contentions,
                       times(row.waitMin, row.waitMax, row.waitTotal, row.contentions), row.acqBounces,
                       row.acquisitions, times(row.holdMin, row.holdMax, row.holdTotal, row.acquisitions));
}

std::string lockStatText(std::span<const LockStatRow> rows) {
    const std::string rule(kRule, '-');
    std::string out = "lock_stat version 0.4\n" + rule + '\n';
    out += fmt::format("{:>40}", "class name");
    for (const char* title :
         {"con-bounces", "contentions", "waittime-min", "waittime-max", "waittime-total", "waittime-avg",
          "acq-bounces", "acquisitions", "holdtime-min", "holdtime-max", "holdtime-total", "holdtime-avg"})
        out += fmt::format(" {:>14}", title);
    out += '\n' + rule + "\n\n";

    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].acquisitions) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows[a].contentions > rows[b].contentions; });
    for (std::size_t i : order) {
        const LockStatRow& row = rows[i];
        const std::string_view name = lockClassName(static_cast<LockClass>(i));
        out += lockStatLine(name, row) + '\n';
        if (row.contentions == 0) continue;
        appendSites(out, name, row.waitSites, row.waitOrder, row.waitPoints);
        appendSites(out, name, row.holderSites, row.holderOrder, row.holderPoints);
        out += '\n' + std::string(kRule, '.') + "\n\n";
    }
    return out;
}

} // namespace rqs::metrics
