// SPDX-License-Identifier: GPL-3.0-or-later
// Case folder to Case.
#include "core/session/truth/case_reader.h"
#include "core/base/text_file.h"

#include <zlib.h>

#include <charconv>
#include <memory>
#include <optional>

namespace rqs::session::truth {
namespace {

constexpr std::size_t kMaxTraceBytes = std::size_t{512} << 20;
constexpr std::size_t kMaxTextBytes = 4 << 20; ///< of cmd and tasks

std::optional<std::int64_t> parseNumber(std::string_view s) {
    std::int64_t v = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
    if (error != std::errc{} || end != s.data() + s.size()) return std::nullopt;
    return v;
}

std::string_view trim(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
    return s;
}

/// Calls f for each piece of `s` between separators.
template<class F> void split(std::string_view s, char separator, F&& f) {
    while (true) {
        const auto end = s.find(separator);
        f(s.substr(0, end));
        if (end == std::string_view::npos) return;
        s.remove_prefix(end + 1);
    }
}

void parseFeatures(std::string_view text, Case& c) {
    split(text, ' ', [&](std::string_view word) {
        if (word.empty()) return;
        const bool off = word.starts_with("NO_");
        c.features.emplace_back(word.substr(off ? 3 : 0), !off);
    });
}

void parseCmd(std::string_view text, Case& c) {
    bool guestPart = true; // what follows "-- guest --" describes the emulator
    split(text, '\n', [&](std::string_view line) {
        if (line.starts_with("-- ")) guestPart = false;
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) return;
        const auto key = trim(line.substr(0, colon)), value = trim(line.substr(colon + 1));
        if (!guestPart) {
            if (key == "smp") c.smp = value;
        } else if (key == "workload")
            c.workload = value;
        else if (key == "kernel")
            c.kernelRelease = value;
        else if (key == "features")
            parseFeatures(value, c);
        else if (const auto n = parseNumber(value))
            c.knobs.emplace_back(key, *n);
    });
}

Status readTrace(const std::filesystem::path& file, Case& c) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> gz(gzopen(file.c_str(), "rb"), gzclose);
    if (!gz) return Error{file.string(), "cannot be opened", ""};
    std::string pending;
    std::vector<char> block(1 << 18);
    std::size_t total = 0;
    const auto take = [&](std::string_view line) {
        if (auto e = readEvent(line))
            c.events.push_back(*e);
        else
            ++c.skippedLines;
    };
    while (true) {
        const int n = gzread(gz.get(), block.data(), static_cast<unsigned>(block.size()));
        if (n < 0) return Error{file.string(), "is damaged: not a complete gzip file", ""};
        if (n == 0) break;
        total += static_cast<std::size_t>(n);
        if (total > kMaxTraceBytes) return Error{file.string(), "holds more than 512 MB of text", ""};
        pending.append(block.data(), static_cast<std::size_t>(n));
        std::size_t from = 0;
        for (auto end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', from)) {
            take(std::string_view(pending).substr(from, end - from));
            from = end + 1;
        }
        pending.erase(0, from);
    }
    int code = Z_OK;
    gzerror(gz.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END)
        return Error{file.string(), "is damaged: not a complete gzip file", ""};
    if (!pending.empty()) take(pending);
    if (c.events.empty())
        return Error{file.string(), "holds no trace event", "ftrace text, one event a line"};
    return Ok{};
}

} // namespace

bool Case::feature(std::string_view featureName) const {
    for (const auto& [f, on] : features)
        if (f == featureName) return on;
    return false;
}

std::int64_t Case::knob(std::string_view knobName, std::int64_t otherwise) const {
    for (const auto& [k, v] : knobs)
        if (k == knobName) return v;
    return otherwise;
}

std::vector<CaseTask> parseTasks(std::string_view text) {
    std::vector<CaseTask> tasks;
    split(text, '\n', [&](std::string_view line) {
        const auto space = line.find(' ');
        const auto pid = parseNumber(line.substr(0, space));
        if (space == std::string_view::npos || !pid || *pid < 0 || *pid > INT32_MAX) return;
        CaseTask t;
        t.pid = static_cast<std::int32_t>(*pid);
        t.text = trim(line.substr(space + 1));
        bool first = true;
        split(t.text, ',', [&](std::string_view word) {
            if (first) t.name = word;
            first = false;
            const auto equals = word.find('=');
            if (equals == std::string_view::npos) return;
            const auto key = word.substr(0, equals), value = word.substr(equals + 1);
            if (key == "policy")
                t.policy = value;
            else if (const auto n = parseNumber(value)) {
                if (key == "nice" && *n >= -20 && *n <= 19) t.nice = static_cast<std::int32_t>(*n);
                if (key == "slice" && *n >= 0) t.sliceNs = *n;
            }
        });
        tasks.push_back(std::move(t));
    });
    return tasks;
}

Result<Case> readCase(const std::filesystem::path& folder) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
        return Error{folder.string(), "is not a folder",
                     "a case is a folder with cmd, tasks and trace.txt.gz"};
    Case c;
    c.folder = folder;
    c.name = folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();

    const auto cmd = readTextFile((folder / "cmd").string(), kMaxTextBytes);
    if (!cmd) return cmd.error();
    parseCmd(cmd.value(), c);
    if (c.workload.empty() || c.kernelRelease.empty())
        return Error{(folder / "cmd").string(), "has no workload or no kernel line", ""};

    if (std::filesystem::exists(folder / "tasks", error)) {
        const auto tasks = readTextFile((folder / "tasks").string(), kMaxTextBytes);
        if (!tasks) return tasks.error();
        c.tasks = parseTasks(tasks.value());
    }
    for (const char* file : {"trace.txt.gz", "trace.txt"}) {
        if (c.traced || !std::filesystem::exists(folder / file, error)) continue;
        if (auto s = readTrace(folder / file, c); !s) return s.error();
        c.traced = true;
    }
    return c;
}

} // namespace rqs::session::truth
