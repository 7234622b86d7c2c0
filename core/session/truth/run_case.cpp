// SPDX-License-Identifier: GPL-3.0-or-later
// One case, both ways.
#include "core/session/truth/run_case.h"

#include "core/session/truth/free_run.h"
#include "core/session/truth/replay.h"

namespace rqs::session::truth {

Result<CaseReport> runCase(const std::filesystem::path& folder, const std::filesystem::path& resources) {
    const auto c = readCase(folder);
    if (!c) return c.error();
    CaseReport report;
    report.name = c->name;
    if (const auto s = replayable(*c); !s)
        report.notes.push_back("no decision replay: " + s.error().what);
    else if (auto replay = replayDecisions(*c))
        report.replay = std::move(*replay);
    else
        report.notes.push_back("no decision replay: " + replay.error().what);
    if (!resources.empty()) {
        if (auto run = freeRun(*c, resources))
            report.freeRun = std::move(*run);
        else
            report.notes.push_back("no free run: " + run.error().what);
    }
    return report;
}

} // namespace rqs::session::truth
