// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizer of ftrace text lines.
#include "core/trace/ftrace_reader.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace rqs::trace {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

template<class T> std::optional<T> parse(std::string_view s, int base = 10) {
    T v{};
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v, base);
    if (error != std::errc{} || end != s.data() + s.size()) return std::nullopt;
    return v;
}

/// "12.345678901" (micro- or nanoseconds after the point) to ns.
std::optional<std::int64_t> parseTime(std::string_view s) {
    const auto dot = s.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto fraction = s.substr(dot + 1);
    if (fraction.empty() || fraction.size() > 9) return std::nullopt;
    const auto seconds = parse<std::int64_t>(s.substr(0, dot));
    auto part = parse<std::int64_t>(fraction);
    if (!seconds || !part || *seconds < 0 || *seconds > 9'000'000'000 || *part < 0) return std::nullopt;
    for (auto i = fraction.size(); i < 9; ++i) *part *= 10;
    return *seconds * 1'000'000'000 + *part;
}

/// Takes the text up to the next space off the front of `rest`.
std::string_view word(std::string_view& rest) {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    const auto end = std::min(rest.find(' '), rest.size());
    const auto w = rest.substr(0, end);
    rest.remove_prefix(end);
    return w;
}

} // namespace

std::optional<std::string_view> FtraceLine::text(std::string_view key) const {
    for (std::size_t at = fields.find(key); at != std::string_view::npos; at = fields.find(key, at + 1)) {
        const auto end = at + key.size();
        if ((at != 0 && fields[at - 1] != ' ') || end >= fields.size() || fields[end] != '=') continue;
        const auto rest = fields.substr(end + 1);
        return rest.substr(0, rest.find(' '));
    }
    return std::nullopt;
}

std::optional<std::int64_t> FtraceLine::number(std::string_view key) const {
    const auto t = text(key);
    if (!t) return std::nullopt;
    if (t->starts_with("0x")) {
        const auto v = parse<std::uint64_t>(t->substr(2), 16);
        return v ? std::optional(static_cast<std::int64_t>(*v)) : std::nullopt;
    }
    if (const auto v = parse<std::int64_t>(*t)) return v;
    const auto v = parse<std::uint64_t>(*t);
    return v ? std::optional(static_cast<std::int64_t>(*v)) : std::nullopt;
}

std::optional<FtraceLine> readFtraceLine(std::string_view line) {
    // A comm may hold spaces, dashes and brackets, so the first "-digits [digits] " is the anchor.
    for (std::size_t at = line.find(" ["); at != std::string_view::npos; at = line.find(" [", at + 1)) {
        const auto close = line.find("] ", at);
        if (close == std::string_view::npos) return std::nullopt;
        auto head = line.substr(0, at);
        while (!head.empty() && head.back() == ' ') head.remove_suffix(1);
        const auto dash = head.rfind('-');
        if (dash == std::string_view::npos || dash + 1 >= head.size() || !digit(head[dash + 1])) continue;
        const auto pid = parse<std::int32_t>(head.substr(dash + 1));
        const auto cpu = parse<std::int32_t>(line.substr(at + 2, close - at - 2));
        if (!pid || !cpu) continue;

        FtraceLine l;
        l.comm = head.substr(0, dash);
        while (!l.comm.empty() && l.comm.front() == ' ') l.comm.remove_prefix(1);
        l.pid = *pid;
        l.cpu = *cpu;
        auto rest = line.substr(close + 2);
        const auto flags = word(rest);
        if (flags.size() < 4) return std::nullopt;
        l.flags = {flags[0], flags[1], flags[2], flags[3], flags.size() > 4 ? flags[4] : '.'};
        auto stamp = word(rest);
        if (!stamp.ends_with(':')) return std::nullopt;
        stamp.remove_suffix(1);
        const auto time = parseTime(stamp);
        if (!time) return std::nullopt;
        l.timeNs = *time;
        auto name = word(rest);
        if (!name.ends_with(':')) return std::nullopt;
        name.remove_suffix(1);
        l.event = name;
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.remove_suffix(1);
        l.fields = rest;
        return l;
    }
    return std::nullopt;
}

} // namespace rqs::trace
