// SPDX-License-Identifier: GPL-3.0-or-later
// `run`: one scenario, one variant, from start to end.
#include "app/cli/cli.h"

#include "app/cli/options.h"
#include "app/cli/report.h"
#include "core/session/result_json.h"
#include "core/session/run_to_end.h"

#include <fmt/format.h>

#include <chrono>

namespace rqs::cli {

Exit run(const scenario::Folders& folders, const RunOptions& o) {
    if (!o.exports.empty())
        return refuse(Error{"--export", "foreign formats come with the workbench", "use --json FILE or --report DIR"});
    const auto scenario = scenario::loadScenario(o.scenario, folders);
    if (!scenario) return refuse(scenario.error());
    const auto overrides = readOverrides(o);
    if (!overrides) return refuse(overrides.error());
    // A result that cannot be written should not cost a run first.
    if (const Status s = writable(o.json); !s) return refuse(s.error());
    if (const Status s = prepareFolder(o.report); !s) return refuse(s.error());
    const auto setup = scenario::buildRun(*scenario, o.variant, *overrides);
    if (!setup) return refuse(setup.error());

    const auto start = std::chrono::steady_clock::now();
    session::RunResult result = session::runToEnd(*setup);
    result.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    if (!o.json.empty())
        if (const Status s = deliver(o.json, session::resultJson(result)); !s) return refuse(s.error());
    if (!o.report.empty())
        if (const Status s = writeReport(o.report, result); !s) return refuse(s.error());
    if (!o.quiet && o.json != "-") print(summary(result));
    if (result.numbers.anomalies > 0)
        return refuse(Error{result.scenario, fmt::format("{} anomalies (list corruption, lockup, ...) in this run",
                                                         result.numbers.anomalies), ""}, Exit::Failed);
    return Exit::Ok;
}

} // namespace rqs::cli
