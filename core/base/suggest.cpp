// SPDX-License-Identifier: GPL-3.0-or-later
// Edit distance with one row of the classic table.
#include "core/base/suggest.h"

#include <numeric>
#include <vector>

namespace rqs {
namespace {
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
} // namespace

int levenshtein(std::string_view a, std::string_view b) {
    constexpr std::size_t kLongest = 256; // names are short; a hostile megabyte key must not cost minutes
    a = a.substr(0, kLongest);
    b = b.substr(0, kLongest);
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int substituted = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row[b.size()];
}

} // namespace rqs
