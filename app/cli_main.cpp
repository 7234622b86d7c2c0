// SPDX-License-Identifier: GPL-3.0-or-later
// runqscope-cli: everything the window can run, without a display. Exit status 0 only if all is well.
#include "app/cli/cli.h"

#include "app/data_folders.h"
#include "core/base/suggest.h"
#include "core/base/version.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>

namespace {

using namespace rqs;
using namespace rqs::cli;

struct Options {
    ListOptions list;
    RunOptions run;
    CompareOptions compare;
    CheckOptions check;
    TruthOptions truth;
};

/// One value per use: `--set A=on SCENARIO` must not swallow SCENARIO.
CLI::Option* repeatable(CLI::App* app, const std::string& name, std::vector<std::string>& to, const std::string& help) {
    return app->add_option(name, to, help)->allow_extra_args(false);
}

void describe(CLI::App& app, Options& o) {
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("runqscope-cli ") + std::string(kVersion));

    CLI::App* list = app.add_subcommand("list", "Scenarios, machines, kernels, features, tunables");
    list->add_flag("--json", o.list.json, "As JSON");

    CLI::App* run = app.add_subcommand("run", "Run one scenario");
    run->add_option("SCENARIO", o.run.scenario, "Id, folder or file")->required();
    run->add_option("--variant", o.run.variant, "Variant of the scenario")->capture_default_str();
    run->add_option("--kernel", o.run.kernel, "Kernel preset");
    run->add_option("--preempt", o.run.preemption, "Preemption model: none, voluntary, full");
    repeatable(run, "--set", o.run.set, "FEATURE=on|off for the whole run; repeatable");
    repeatable(run, "--tune", o.run.tune, "NAME=VALUE for the whole run; repeatable");
    repeatable(run, "--at", o.run.at, "TIME:INPUT, e.g. 20ms:\"set SHARED_RUNQ=off\"; repeatable");
    run->add_option("--inputs", o.run.inputs, "File of TIME:INPUT lines");
    run->add_option("--seed", o.run.seed, "Seed of tick phases, start offsets and cost jitter");
    run->add_option("--duration", o.run.duration, "Simulated time, e.g. 60ms");
    run->add_option("--json", o.run.json, "Write the result to FILE, - for standard output");
    run->add_option("--report", o.run.report, "Write report.md, result.json and CSV files to DIR");
    repeatable(run, "--export", o.run.exports, "FORMAT:FILE");
    run->add_flag("--quiet", o.run.quiet, "Errors only");

    CLI::App* compare = app.add_subcommand("compare", "Variant A against B over several seeds");
    compare->add_option("SCENARIO", o.compare.scenario, "Id, folder or file")->required();
    compare->add_option("--seeds", o.compare.seeds, "Number of seeds")->capture_default_str();
    compare->add_option("--variant", o.compare.variant, "Variant to compare with the first one (default: the second)");
    repeatable(compare, "--set", o.compare.set, "FEATURE=on|off for both; repeatable");
    repeatable(compare, "--tune", o.compare.tune, "NAME=VALUE for both; repeatable");
    compare->add_option("--seed", o.compare.seed, "First seed");
    compare->add_option("--duration", o.compare.duration, "Simulated time");
    compare->add_option("--json", o.compare.json, "Write the result to FILE, - for standard output");
    compare->add_flag("--reference", o.compare.reference, "Against the published table");
    compare->add_flag("--quiet", o.compare.quiet, "Errors only");

    CLI::App* check = app.add_subcommand("check", "Golden runs: all scenarios, or those named");
    check->add_option("SCENARIO", o.check.scenarios, "Id, folder or file");
    check->add_flag("--bless", o.check.bless, "Rewrite expected.txt");
    check->add_flag("--quiet", o.check.quiet, "Errors only");

    CLI::App* truth = app.add_subcommand("truth", "The model against recorded kernels");
    truth->add_option("CASE_DIR", o.truth.cases, "Folders of recorded cases")->required();
    truth->add_option("--json", o.truth.json, "Write the result to FILE, - for standard output");
    truth->add_flag("--quiet", o.truth.quiet, "Errors only");
}

/// CLI11 only says that some command is required; a misspelt one deserves its name and a suggestion.
Status knownCommand(int argc, char** argv) {
    const std::vector<std::string> commands{"list", "run", "compare", "check", "truth"};
    const std::string word = argc > 1 ? argv[1] : "";
    if (word.empty() || word.front() == '-' || std::find(commands.begin(), commands.end(), word) != commands.end()) return Ok{};
    for (const char* later : {"sweep", "import", "export"})
        if (word == later) return Error{word, "not built yet", "it comes with the workbench"};
    return Error{"", "unknown command \"" + word + "\"", didYouMean(word, commands)};
}

Exit dispatch(const CLI::App& app, const Options& o) {
    const auto folders = app::findDataFolders();
    if (!folders) return refuse(folders.error());
    if (app.got_subcommand("list")) return list(*folders, o.list);
    if (app.got_subcommand("run")) return run(*folders, o.run);
    if (app.got_subcommand("compare")) return compare(*folders, o.compare);
    if (app.got_subcommand("check")) return check(*folders, o.check);
    return truth(*folders, o.truth);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"See the Linux CPU scheduler decide, without a window"};
    Options options;
    try {
        if (const Status s = knownCommand(argc, argv); !s) return static_cast<int>(refuse(s.error()));
        describe(app, options);
        app.parse(argc, argv);
        return static_cast<int>(dispatch(app, options));
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e); // --help, --version
        return static_cast<int>(refuse(Error{"", e.what(), "runqscope-cli --help"}));
    } catch (const std::bad_alloc&) {
        return static_cast<int>(refuse(Error{"", "out of memory", "a smaller machine or fewer tasks"}));
    } catch (const std::exception& e) {
        return static_cast<int>(refuse(Error{"", std::string("internal error: ") + e.what(), ""}));
    }
}
