// SPDX-License-Identifier: GPL-3.0-or-later
// Standard output and error of the command line program.
#include "app/cli/cli.h"

#include "core/base/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace rqs::cli {
namespace {

/// Characters, not bytes, so that columns with µ or — line up.
std::size_t width(const std::string& s) {
    return static_cast<std::size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace

Exit refuse(const Error& e, Exit status) {
    std::string line = "runqscope-cli: " + e.text();
    for (char& c : line)
        if (c == '\n' || c == '\r') c = ' ';
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
    return status;
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

Status deliver(const std::string& file, std::string_view text) {
    if (file != "-") return writeTextFile(file, text);
    print(text);
    if (std::fflush(stdout) != 0) return Error{"standard output", "cannot write", ""};
    return Ok{};
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i >= widths.size()) widths.push_back(0);
            widths[i] = std::max(widths[i], width(row[i]));
        }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string pad(widths[i] - width(row[i]), ' ');
            line += (i ? "  " : "") + (i ? pad + row[i] : row[i] + pad);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::string quantity(double value, std::string_view unit) {
    struct Step { double factor; const char* name; };
    constexpr std::array<Step, 4> kCounts{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
    constexpr std::array<Step, 4> kTimes{{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};
    const double size = std::abs(value);
    if (unit == "us" || unit == "ms") { // times step through their own units
        const double scale = unit == "us" ? 1e3 : 1e6;
        for (const Step& t : kTimes)
            if (size * scale >= t.factor) return fmt::format("{:.4g} {}", value * scale / t.factor, t.name);
        return "0 " + std::string(unit);
    }
    const std::string words = unit.empty() || unit.starts_with('/') || unit == "%" ? std::string(unit) : " " + std::string(unit);
    for (const Step& c : kCounts)
        if (size >= c.factor && c.factor > 1) return fmt::format("{:.4g} {}{}", value / c.factor, c.name, words);
    return fmt::format("{:.4g}{}{}", value, unit.starts_with('/') || unit == "%" ? " " : "", words);
}

} // namespace rqs::cli
