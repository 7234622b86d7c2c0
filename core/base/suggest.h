// SPDX-License-Identifier: GPL-3.0-or-later
// "Did you mean ...?": the nearest known name to a misspelt one, by edit distance without regard to case.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace rqs {

/// Levenshtein distance: insertions, deletions and substitutions of one character cost 1 each.
int levenshtein(std::string_view a, std::string_view b);

/// Nearest candidate, or "" if none is near (more than a third of the longer name, at least 2, away).
/// Of equally near candidates the first wins. Range: anything iterable whose elements read as string_view.
template<class Range> std::string suggest(std::string_view name, const Range& candidates) {
    std::string best;
    int bestDistance = 0;
    for (const auto& candidate : candidates) {
        const std::string_view c{candidate};
        const int d = levenshtein(name, c);
        const int limit = std::max(2, static_cast<int>(std::max(name.size(), c.size()) / 3));
        if (d <= limit && d < static_cast<int>(std::max(name.size(), c.size())) &&
            (best.empty() || d < bestDistance)) {
            best = c;
            bestDistance = d;
        }
    }
    return best;
}

/// Hint for an Error: `did you mean "x"?`, else `known: a, b, c` when the list is short enough to read, else
/// "".
template<class Range> std::string didYouMean(std::string_view name, const Range& candidates) {
    if (auto best = suggest(name, candidates); !best.empty()) return "did you mean \"" + best + "\"?";
    std::string list;
    int n = 0;
    for (const auto& candidate : candidates) {
        if (++n > 12) return {};
        list += (list.empty() ? "known: " : ", ") + std::string(std::string_view{candidate});
    }
    return list;
}

} // namespace rqs
