// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/arguments.h"

#include "core/workload/program.h"

#include <charconv>

namespace rqs::workload {

namespace {
constexpr std::int32_t kMaxCpuNumber = 4095;

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0;;) {
        const std::size_t to = text.find(by, from);
        parts.push_back(text.substr(from, to - from));
        if (to == std::string_view::npos) return parts;
        from = to + 1;
    }
}
std::string rangeText(std::int64_t min, std::int64_t max) {
    return std::to_string(min) + " to " + std::to_string(max);
}
} // namespace

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t n = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (text.empty() || ec != std::errc{} || end != text.data() + text.size()) return {};
    return n;
}

std::optional<std::int64_t> timeNs(std::string_view text) {
    const std::size_t unitAt = text.find_first_not_of("0123456789.");
    const std::string_view unit =
        unitAt == std::string_view::npos ? std::string_view("ns") : text.substr(unitAt);
    std::int64_t scale = 0;
    if (unit == "ns")
        scale = 1;
    else if (unit == "us")
        scale = 1'000;
    else if (unit == "ms")
        scale = 1'000'000;
    else if (unit == "s")
        scale = 1'000'000'000;
    else
        return {};
    const std::string_view number = text.substr(0, unitAt);
    const std::size_t point = number.find('.');
    const auto whole = wholeNumber(number.substr(0, point));
    if (!whole || *whole > kMaxNs / scale) return {};
    std::int64_t ns = *whole * scale;
    if (point != std::string_view::npos) {
        const std::string_view digits = number.substr(point + 1);
        if (digits.empty()) return {};
        for (const char d : digits) {
            if (d == '.' || scale % 10 != 0) return {}; // finer than 1 ns
            scale /= 10;
            ns += (d - '0') * scale;
        }
    }
    if (ns > kMaxNs) return {};
    return ns;
}

std::optional<std::vector<std::int32_t>> cpuNumbers(std::string_view text) {
    std::vector<std::int32_t> cpus;
    for (const std::string_view part : split(text, ',')) {
        const std::size_t dash = part.find('-', 1);
        const auto a = wholeNumber(part.substr(0, dash));
        const auto b = dash == std::string_view::npos ? a : wholeNumber(part.substr(dash + 1));
        if (!a || !b || *a < 0 || *b < *a || *b > kMaxCpuNumber) return {};
        for (std::int64_t c = *a; c <= *b; ++c) cpus.push_back(static_cast<std::int32_t>(c));
        if (cpus.size() > static_cast<std::size_t>(kMaxCpuNumber) + 1) return {};
    }
    return cpus;
}

const std::string* Arguments::find(const std::string& name) const {
    const auto it = m_given.find(name);
    return it == m_given.end() ? nullptr : &it->second;
}

void Arguments::refuse(const std::string& name, std::string what, std::string hint) {
    if (!m_error) m_error = Error{name, std::move(what), std::move(hint)};
}

std::string Arguments::text(const std::string& name) const {
    const std::string* given = find(name);
    return given ? *given : std::string{};
}

std::int64_t Arguments::integer(const std::string& name, std::int64_t otherwise, std::int64_t min,
                                std::int64_t max) {
    const std::string* given = find(name);
    if (!given) return otherwise;
    const auto n = wholeNumber(*given);
    if (!n)
        refuse(name, "\"" + *given + "\" is not a whole number", rangeText(min, max));
    else if (*n < min || *n > max)
        refuse(name, *given + " is out of range", rangeText(min, max));
    else
        return *n;
    return otherwise;
}

std::int64_t Arguments::time(const std::string& name, std::int64_t otherwise, std::int64_t min,
                             std::int64_t max) {
    const std::string* given = find(name);
    if (!given) return otherwise;
    const auto ns = timeNs(*given);
    if (!ns)
        refuse(name, "\"" + *given + "\" is not a time", "a number with ns, us, ms or s, for example 20us");
    else if (*ns < min || *ns > max)
        refuse(name, *given + " is out of range", rangeText(min, max) + " ns");
    else
        return *ns;
    return otherwise;
}

std::string Arguments::choice(const std::string& name, std::string otherwise,
                              std::initializer_list<std::string_view> of) {
    const std::string* given = find(name);
    if (!given) return otherwise;
    for (const std::string_view c : of)
        if (*given == c) return *given;
    std::string all;
    for (const std::string_view c : of) all += (all.empty() ? "" : ", ") + std::string(c);
    refuse(name, "unknown value \"" + *given + "\"", "one of: " + all);
    return otherwise;
}

std::vector<std::int32_t> Arguments::integers(const std::string& name, std::int32_t otherwise,
                                              std::int32_t min, std::int32_t max) {
    const std::string* given = find(name);
    if (!given) return {otherwise};
    std::vector<std::int32_t> all;
    for (const std::string_view part : split(*given, ',')) {
        const auto n = wholeNumber(part);
        if (!n || *n < min || *n > max) {
            refuse(name, "\"" + std::string(part) + "\" is not a value from " + rangeText(min, max),
                   "for example -5,0,5");
            return {otherwise};
        }
        all.push_back(static_cast<std::int32_t>(*n));
    }
    return all;
}

std::vector<std::int32_t> Arguments::cpus(const std::string& name) {
    const std::string* given = find(name);
    if (!given) return {};
    auto all = cpuNumbers(*given);
    if (!all) {
        refuse(name, "\"" + *given + "\" is not a list of CPUs", "for example 0-3,8");
        return {};
    }
    return std::move(*all);
}

} // namespace rqs::workload
