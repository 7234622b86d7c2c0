// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/groups.h"

#include "core/base/suggest.h"

#include <algorithm>

namespace rqs::workload {
namespace {

bool nameLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
}

Status add(Workload& w, std::string_view path, std::int64_t shares, bool implied) {
    if (const auto parent = parentPath(path); !parent.empty() && groupByPath(w, parent) < 0)
        if (Status s = add(w, parent, kDefaultShares, true); !s) return s;
    if (w.groups.size() >= kMaxGroups)
        return Error{"", "more than " + std::to_string(kMaxGroups) + " groups", ""};
    w.groups.push_back({std::string(path), shares, implied});
    return Ok{};
}

} // namespace

std::string groupPathFault(std::string_view path) {
    if (path.empty() || path[0] != '/') return "begins with no /";
    if (std::count(path.begin(), path.end(), '/') > kMaxGroupDepth)
        return "is deeper than " + std::to_string(kMaxGroupDepth) + " levels";
    if (path.back() == '/' || path.find("//") != std::string_view::npos) return "has an empty name in it";
    for (const char c : path)
        if (c != '/' && !nameLetter(c)) return std::string("has a '") + c + "' in it";
    for (std::string_view rest = path; !rest.empty(); rest = parentPath(rest))
        if (rest.ends_with("/.") || rest.ends_with("/..")) return "has . or .. in it";
    return {};
}

std::string_view parentPath(std::string_view path) {
    return path.substr(0, std::min(path.rfind('/'), path.size()));
}

std::int32_t groupByPath(const Workload& w, std::string_view path) {
    for (std::size_t i = 0; i < w.groups.size(); ++i)
        if (w.groups[i].path == path) return static_cast<std::int32_t>(i);
    return -1;
}

Status declareGroup(Workload& w, std::string_view path, std::int64_t shares) {
    const std::string name = "group \"" + std::string(path) + "\"";
    if (const std::string fault = groupPathFault(path); !fault.empty())
        return Error{"", name + " " + fault, "a path like /a or /a/b"};
    if (shares < kMinShares || shares > kMaxShares)
        return Error{"", name + ": shares " + std::to_string(shares) + " are out of range",
                     "2 to 262144, default 1024"};
    if (const std::int32_t i = groupByPath(w, path); i >= 0) {
        GroupSpec& g = w.groups[static_cast<std::size_t>(i)];
        if (!g.implied) return Error{"", name + " is declared twice", ""};
        g.shares = shares;
        g.implied = false;
        return Ok{};
    }
    return add(w, path, shares, false);
}

Status applyAutogroup(Workload& w) {
    for (TaskSpec& t : w.tasks) {
        if (!t.group.empty() || t.session <= 0) continue;
        std::string path = "/autogroup-" + std::to_string(t.session);
        if (groupByPath(w, path) < 0)
            if (Status s = declareGroup(w, path, kDefaultShares); !s) return s;
        t.group = std::move(path);
    }
    return Ok{};
}

Status validateGroups(const Workload& w) {
    for (std::size_t i = 0; i < w.groups.size(); ++i) {
        const GroupSpec& g = w.groups[i];
        if (const std::string fault = groupPathFault(g.path); !fault.empty())
            return Error{"", "group \"" + g.path + "\" " + fault, "a path like /a or /a/b"};
        const std::string_view parent = parentPath(g.path);
        const std::int32_t above = parent.empty() ? 0 : groupByPath(w, parent);
        if (above < 0 || (!parent.empty() && static_cast<std::size_t>(above) >= i))
            return Error{"", "group \"" + g.path + "\" comes before the one it is in", ""};
        if (static_cast<std::size_t>(groupByPath(w, g.path)) != i)
            return Error{"", "group \"" + g.path + "\" is declared twice", ""};
        if (g.shares < kMinShares || g.shares > kMaxShares)
            return Error{"", "group \"" + g.path + "\": shares are out of range", "2 to 262144"};
    }
    std::vector<std::string_view> known;
    for (const GroupSpec& g : w.groups) known.push_back(g.path);
    std::sort(known.begin(), known.end());
    for (const TaskSpec& t : w.tasks) {
        if (t.session < 0) return Error{"", "task \"" + t.comm + "\": negative session", ""};
        if (!t.group.empty() && !std::binary_search(known.begin(), known.end(), std::string_view(t.group)))
            return Error{"", "task \"" + t.comm + "\" is in unknown group \"" + t.group + "\"",
                         known.empty() ? "declare it in \"groups\"" : didYouMean(t.group, known)};
    }
    return Ok{};
}

} // namespace rqs::workload
