// SPDX-License-Identifier: GPL-3.0-or-later
// `truth`: the model against recorded kernels, case by case.
#include "app/cli/cli.h"

#include "app/cli/options.h"
#include "core/session/truth/run_case.h"

namespace rqs::cli {

Exit truth(const scenario::Folders& folders, const TruthOptions& o) {
    if (const Status s = writable(o.json); !s) return refuse(s.error());
    std::vector<session::truth::CaseReport> reports;
    Exit status = Exit::Ok;
    for (const std::string& folder : o.cases) {
        auto report = session::truth::runCase(folder, folders.resources);
        if (!report) {
            status = refuse(report.error());
            continue;
        }
        if (!report->ok() && status == Exit::Ok) status = Exit::Failed;
        reports.push_back(std::move(*report));
    }
    if (!o.json.empty())
        if (const Status s = deliver(o.json, session::truth::reportsJson(reports)); !s) return refuse(s.error());
    if (!o.quiet && o.json != "-") print(session::truth::reportsText(reports));
    return status;
}

} // namespace rqs::cli
