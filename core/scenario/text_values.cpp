// SPDX-License-Identifier: GPL-3.0-or-later
// Parsers of times, integers and CPU lists.
#include "core/scenario/text_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace rqs::scenario {
namespace {

constexpr std::int64_t kMaxTimeNs = 1'000'000'000'000'000'000; // 10^9 s
struct Unit { std::string_view name; std::int64_t ns; };
constexpr std::array<Unit, 4> kUnits{{{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}}};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Digits with at most one point times `unit`, exactly; nothing if it is no number, not whole, or too large.
std::optional<std::int64_t> scaled(std::string_view digits, std::int64_t unit) {
    const std::size_t point = digits.find('.');
    const std::string_view whole = digits.substr(0, point);
    std::string_view part = point == std::string_view::npos ? std::string_view{} : digits.substr(point + 1);
    if (whole.empty() || (point != std::string_view::npos && part.empty())) return {};
    std::int64_t value = 0;
    for (char c : whole) {
        if (!isDigit(c)) return {};
        value = value * 10 + (c - '0');
        if (value > kMaxTimeNs / unit) return {};
    }
    value *= unit;
    for (char c : part) {
        if (!isDigit(c)) return {};
        if (unit == 1 && c != '0') return {};
        if (unit == 1) continue;
        unit /= 10;
        value += (c - '0') * unit;
    }
    return value <= kMaxTimeNs ? std::optional(value) : std::nullopt;
}

} // namespace

Result<Duration> parseTime(std::string_view text, const std::string& where) {
    const std::string hint = "a time with its unit: 20ms, 1.5s, 250us, 800ns";
    const std::string_view t = trimmed(text);
    if (t == "0") return Duration{0};
    if (t.starts_with('-')) return Error{where, fmt::format("negative time \"{}\"", t), "times start at 0"};
    const std::size_t end = t.find_first_not_of("0123456789.");
    const std::string_view digits = t.substr(0, end);
    const std::string_view name = end == std::string_view::npos ? std::string_view{} : trimmed(t.substr(end));
    for (const Unit& u : kUnits) {
        if (u.name != name) continue;
        if (const auto ns = scaled(digits, u.ns)) return Duration{*ns};
        return Error{where, fmt::format("\"{}\" is not a whole number of nanoseconds up to 1000000000s", t), hint};
    }
    return Error{where, fmt::format("\"{}\" is not a time", t), hint};
}

std::string timeText(Duration d) {
    if (d.ns == 0) return "0";
    for (const Unit& u : kUnits)
        if (d.ns % u.ns == 0) return fmt::format("{}{}", d.ns / u.ns, u.name);
    return {};
}

Result<std::int64_t> parseInteger(std::string_view text, const std::string& where) {
    const std::string_view t = trimmed(text);
    std::int64_t value = 0;
    const char* first = t.data() + (t.starts_with('+') && t.size() > 1 && isDigit(t[1]) ? 1 : 0);
    const auto [end, error] = std::from_chars(first, t.data() + t.size(), value);
    if (t.empty() || error == std::errc::invalid_argument || end != t.data() + t.size())
        return Error{where, fmt::format("\"{}\" is not a whole number", t), ""};
    if (error == std::errc::result_out_of_range)
        return Error{where, fmt::format("{} does not fit 64 bits", t), ""};
    return value;
}

Result<CpuMask> parseCpuList(std::string_view text, int cpus, const std::string& where) {
    CpuMask mask(cpus);
    std::string_view rest = trimmed(text);
    const std::string hint = "a list like 0-3,8";
    if (rest.empty()) return Error{where, "empty CPU list", hint};
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = trimmed(rest.substr(0, comma));
        const std::size_t dash = item.find('-', 1);
        const auto from = parseInteger(item.substr(0, dash), where);
        const auto to = dash == std::string_view::npos ? from : parseInteger(item.substr(dash + 1), where);
        if (!from || !to || *from > *to)
            return Error{where, fmt::format("\"{}\" is not a CPU or a range of CPUs", item), hint};
        if (*from < 0 || *to >= cpus)
            return Error{where, fmt::format("CPU {} does not exist", *from < 0 ? *from : *to),
                         fmt::format("this machine has CPUs 0-{}", cpus - 1)};
        for (std::int64_t c = *from; c <= *to; ++c) mask.set(CpuId(static_cast<std::int32_t>(c)));
        if (comma == std::string_view::npos) return mask;
        rest = rest.substr(comma + 1);
    }
}

std::string cpuListText(const CpuMask& mask) {
    std::string out;
    for (CpuId c = mask.first(); c;) {
        CpuId last = c;
        while (last.v + 1 < mask.width() && mask.test(CpuId(last.v + 1))) last = CpuId(last.v + 1);
        out += out.empty() ? "" : ",";
        out += last == c ? fmt::format("{}", c.v) : fmt::format("{}-{}", c.v, last.v);
        c = mask.next(last.v + 1);
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t start = text.find_first_not_of(" \t\r\n", i);
        if (start == std::string_view::npos) break;
        const std::size_t end = std::min(text.find_first_of(" \t\r\n", start), text.size());
        out.push_back(text.substr(start, end - start));
        i = end;
    }
    return out;
}

} // namespace rqs::scenario
