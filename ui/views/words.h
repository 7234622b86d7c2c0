// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and facts as people read them: units, digits grouped, kernel names. One place, so that machine,
// plots, panels and exports say the same thing in the same way.
#pragma once
#include "core/session/snapshot.h"

#include <QString>

#include <string_view>
#include <vector>

namespace rqs::ui {

QString qs(std::string_view s);
/// "18.204 311 ms": an instant, to the ns while that can matter.
QString timeText(SimTime t);
/// "0.7 µs", "12 ns", "3.25 ms": a length, two to three significant digits.
QString durationText(std::int64_t ns);
/// "1 204 311" with thin spaces.
QString countText(std::int64_t n);
/// "412 k", "1.2 M": a magnitude.
QString magnitudeText(double v);
QString bytesText(std::int64_t bytes);
/// "pull, same LLC".
QString moveText(const session::Move& m);
QString modeText(CpuMode m);

/// Labels of the tasks of one run, made once.
struct TaskLabels {
    std::vector<QString> name, number; ///< "snd 53", "53"
    std::vector<int> role;
    QString nameOf(TaskId t) const {
        return t.valid() && t.index() < name.size() ? name[t.index()] : QString();
    }
    int roleOf(TaskId t) const { return t.valid() && t.index() < role.size() ? role[t.index()] : 0; }
    static TaskLabels of(const session::RunInfo& run);
};

/// Scenario, machine, kernel, seed, switches, simulated time, notes: the line under every picture.
QString footerText(const session::Snapshot& s);
/// "hackbench · AMD 7950X · kernel 6.5".
QString titleText(const session::RunInfo& run);
QString featureName(sched::Feature f);

} // namespace rqs::ui
