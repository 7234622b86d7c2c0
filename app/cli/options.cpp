// SPDX-License-Identifier: GPL-3.0-or-later
// Options of run and compare that change the run, and early checks of output paths.
#include "app/cli/options.h"

#include "core/base/text_file.h"
#include "core/scenario/input_text.h"
#include "core/scenario/text_values.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace rqs::cli {
namespace {

namespace fs = std::filesystem;
using Pairs = std::vector<std::pair<std::string, std::string>>;

Result<Pairs> assignments(const std::vector<std::string>& texts, const char* option, const char* form) {
    Pairs out;
    for (const std::string& text : texts) {
        const std::size_t eq = text.find('=');
        if (eq == std::string::npos || eq == 0 || eq + 1 == text.size())
            return Error{option, fmt::format("\"{}\" is not an assignment", text), form};
        out.emplace_back(text.substr(0, eq), text.substr(eq + 1));
    }
    return out;
}

Result<std::uint64_t> seedOf(const std::string& text) {
    const auto n = scenario::parseInteger(text, "--seed");
    if (!n) return n.error();
    if (*n < 0) return Error{"--seed", fmt::format("negative seed {}", *n), "0 or more"};
    return static_cast<std::uint64_t>(*n);
}

Status addCommon(scenario::Overrides& out, const std::vector<std::string>& set, const std::vector<std::string>& tune,
                 const std::string& seed, const std::string& duration) {
    auto features = assignments(set, "--set", "--set FEATURE=on|off");
    if (!features) return features.error();
    out.features = std::move(*features);
    auto tunables = assignments(tune, "--tune", "--tune NAME=VALUE");
    if (!tunables) return tunables.error();
    out.tunables = std::move(*tunables);
    if (!seed.empty()) {
        const auto n = seedOf(seed);
        if (!n) return n.error();
        out.seed = *n;
    }
    if (!duration.empty()) {
        const auto d = scenario::parseTime(duration, "--duration");
        if (!d) return d.error();
        out.duration = *d;
    }
    return Ok{};
}

} // namespace

Result<scenario::Overrides> readOverrides(const RunOptions& o) {
    scenario::Overrides out;
    if (const Status s = addCommon(out, o.set, o.tune, o.seed, o.duration); !s) return s.error();
    if (!o.kernel.empty()) out.kernel = o.kernel;
    if (!o.preemption.empty()) out.preemption = o.preemption;
    for (const std::string& text : o.at) {
        auto input = scenario::parseTimedInput(text, "--at");
        if (!input) return input.error();
        out.inputs.push_back(std::move(*input));
    }
    if (o.inputs.empty()) return out;
    const auto text = readTextFile(o.inputs);
    if (!text) return text.error();
    auto inputs = scenario::parseInputLines(*text, o.inputs);
    if (!inputs) return inputs.error();
    out.inputs.insert(out.inputs.end(), inputs->begin(), inputs->end());
    return out;
}

Result<scenario::Overrides> readOverrides(const CompareOptions& o) {
    scenario::Overrides out;
    if (const Status s = addCommon(out, o.set, o.tune, o.seed, o.duration); !s) return s.error();
    return out;
}

Status writable(const std::string& file) {
    if (file.empty() || file == "-") return Ok{};
    std::error_code ec;
    const fs::file_status st = fs::status(file, ec);
    if (fs::is_directory(st)) return Error{file, "cannot write file: it is a directory", ""};
    if (fs::exists(st) && !fs::is_regular_file(st)) return Ok{}; // a device or pipe shows when written to
    const std::string probe = file + ".part";
    const Status s = writeTextFile(probe, "");
    fs::remove(probe, ec);
    return s ? s : Status(Error{file, s.error().what, s.error().hint});
}

Status prepareFolder(const std::string& folder) {
    if (folder.empty()) return Ok{};
    std::error_code ec;
    fs::create_directories(folder, ec);
    if (ec || !fs::is_directory(folder))
        return Error{folder, "cannot make folder: " + (ec ? ec.message() : std::string("a file is in the way")), ""};
    const Status s = writable((fs::path(folder) / "result.json").string());
    return s ? s : Status(Error{folder, s.error().what, s.error().hint});
}

} // namespace rqs::cli
