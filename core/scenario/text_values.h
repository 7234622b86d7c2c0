// SPDX-License-Identifier: GPL-3.0-or-later
// Small values as people write them: times with a unit, whole numbers, CPU lists. All exact: no
// floating point.
#pragma once
#include "core/base/cpumask.h"
#include "core/base/result.h"
#include "core/base/units.h"

#include <string>
#include <string_view>
#include <vector>

namespace rqs::scenario {

/// "20ms", "1.5s", "250us", "800ns"; "0" needs no unit. Errors: no unit, negative, not a whole number of ns, > 10^9 s.
Result<Duration> parseTime(std::string_view text, const std::string& where);
/// Shortest exact form with one unit: "20ms", "1500us"; parseTime() reads it back.
std::string timeText(Duration d);

/// Decimal integer that fits 64 bits, optional sign; the whole text must be the number.
Result<std::int64_t> parseInteger(std::string_view text, const std::string& where);

/// Linux CPU list "0-3,8,10-11" on a machine with `cpus` CPUs.
Result<CpuMask> parseCpuList(std::string_view text, int cpus, const std::string& where);
/// The same list, ranges merged.
std::string cpuListText(const CpuMask& mask);

std::string_view trimmed(std::string_view text);
/// Words separated by blanks.
std::vector<std::string_view> words(std::string_view text);

} // namespace rqs::scenario
