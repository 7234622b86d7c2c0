// SPDX-License-Identifier: GPL-3.0-or-later
// Lock statistics as /proc/lock_stat (version 0.4) prints them, for tools that read that file.
#pragma once
#include "core/metrics/collector.h"

#include <span>
#include <string>
#include <string_view>

namespace rqs::metrics {

/// A time column: microseconds with two decimals, rounded as the kernel does ((ns + 5) / 1000).
std::string lockStatTime(Duration d);
/// The line of one class, without newline: 220 characters. Names are cut to 37 characters.
std::string lockStatLine(std::string_view name, const LockStatRow& row);
/// The whole file for rows indexed by LockClass. Classes without a completed hold do not appear; most
/// contended first. The model has no code addresses: a call site prints as its number and with offset 0.
std::string lockStatText(std::span<const LockStatRow> rows);

} // namespace rqs::metrics
