// SPDX-License-Identifier: GPL-3.0-or-later
// `check`: golden runs. Every variant of every scenario must do exactly what expected.txt says, and meet the
// scenario's expectations.
#include "app/cli/cli.h"

#include "core/base/text_file.h"
#include "core/scenario/build_run.h"
#include "core/session/run_to_end.h"
#include "core/session/verdict.h"

#include <fmt/format.h>

#include <filesystem>

namespace rqs::cli {
namespace {

namespace fs = std::filesystem;

struct Outcome {
    session::GoldenFile got;
    std::vector<std::string> problems;  ///< besides differences from expected.txt
};

Result<Outcome> runVariants(const scenario::Scenario& s) {
    Outcome out;
    for (const scenario::Variant& v : s.variants) {
        const auto setup = scenario::buildRun(s, v.name);
        if (!setup) return setup.error();
        const session::RunResult r = session::runToEnd(*setup);
        out.got[v.name] = session::goldenOf(r);
        for (const std::string& u : session::unmet(s.expectations, r)) out.problems.push_back(v.name + ": " + u);
    }
    return out;
}

std::vector<std::string> compareWith(const session::GoldenFile& expected, const session::GoldenFile& got) {
    std::vector<std::string> out;
    for (const auto& [variant, golden] : got) {
        const auto it = expected.find(variant);
        if (it == expected.end()) out.push_back("variant " + variant + " is not in expected.txt");
        else
            for (const std::string& d : session::differences(it->second, golden)) out.push_back(variant + ": " + d);
    }
    for (const auto& [variant, golden] : expected)
        if (!got.contains(variant)) out.push_back("expected.txt has a variant " + variant + " that the scenario has not");
    return out;
}

Exit checkOne(const scenario::Folders& folders, const std::string& name, const CheckOptions& o) {
    const auto scenario = scenario::loadScenario(name, folders);
    if (!scenario) return refuse(scenario.error());
    const std::string file = (fs::path(scenario->folder) / "expected.txt").string();
    auto outcome = runVariants(*scenario);
    if (!outcome) return refuse(outcome.error());
    std::vector<std::string> problems = std::move(outcome->problems);
    if (o.bless) {
        if (const Status s = writeTextFile(file, session::goldenText(scenario->id, outcome->got)); !s) return refuse(s.error());
    } else {
        const auto text = readTextFile(file);
        if (!text) return refuse(Error{file, text.error().what, "make it with: runqscope-cli check --bless " + scenario->id}, Exit::Failed);
        const auto expected = session::parseGolden(*text, file);
        if (!expected) return refuse(expected.error());
        const auto differences = compareWith(*expected, outcome->got);
        problems.insert(problems.end(), differences.begin(), differences.end());
    }
    for (const std::string& p : problems) refuse(Error{scenario->id, p, ""});
    if (!o.quiet)
        print(fmt::format("{}  {} ({} variant{})\n", problems.empty() ? (o.bless ? "blessed" : "ok     ") : "FAILED ", scenario->id,
                          outcome->got.size(), outcome->got.size() == 1 ? "" : "s"));
    return problems.empty() ? Exit::Ok : Exit::Failed;
}

} // namespace

Exit check(const scenario::Folders& folders, const CheckOptions& o) {
    std::vector<std::string> names = o.scenarios;
    if (names.empty())
        for (const scenario::Entry& e : scenario::listScenarios(folders.scenarios)) names.push_back(e.path);
    if (names.empty()) return refuse(Error{folders.scenarios, "no scenarios here", ""});
    Exit worst = Exit::Ok;
    for (const std::string& name : names) {
        const Exit e = checkOne(folders, name, o);
        if (static_cast<int>(e) > static_cast<int>(worst)) worst = e;
    }
    return worst;
}

} // namespace rqs::cli
