// SPDX-License-Identifier: GPL-3.0-or-later
// What all commands of runqscope-cli share: exit status, the one error line, output files, options as values.
#pragma once
#include "core/base/result.h"
#include "core/scenario/loader.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rqs::cli {

enum class Exit : int { Ok = 0, Failed = 1, BadInput = 2 };

/// Prints `runqscope-cli: where: what (hint)` as one line on stderr.
Exit refuse(const Error& e, Exit status = Exit::BadInput);
/// Writes to a file, or to standard output when the name is "-".
Status deliver(const std::string& file, std::string_view text);
void print(std::string_view text);

/// Columns padded to their widest cell; the first is left-aligned, the others right-aligned.
std::string table(const std::vector<std::vector<std::string>>& rows);
/// Four significant digits with a prefix, or a time in the unit that fits: "1.234 M messages/s", "7.142 ms".
std::string quantity(double value, std::string_view unit);

struct ListOptions { bool json = false; };
struct RunOptions {
    std::string scenario, kernel, preemption, inputs, seed, duration, variant = "A", json, report;
    std::vector<std::string> set, tune, at, exports;
    bool quiet = false;
};
struct CompareOptions {
    std::string scenario, json, variant, duration, seed;
    std::vector<std::string> set, tune;
    int seeds = 5;
    bool reference = false, quiet = false;
};
struct CheckOptions { std::vector<std::string> scenarios; bool bless = false, quiet = false; };
struct TruthOptions { std::vector<std::string> cases; std::string json; bool quiet = false; };

Exit list(const scenario::Folders& folders, const ListOptions& o);
Exit run(const scenario::Folders& folders, const RunOptions& o);
Exit compare(const scenario::Folders& folders, const CompareOptions& o);
Exit check(const scenario::Folders& folders, const CheckOptions& o);
Exit truth(const scenario::Folders& folders, const TruthOptions& o);

} // namespace rqs::cli
