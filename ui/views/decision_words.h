// SPDX-License-Identifier: GPL-3.0-or-later
// A decision record in words: the question, each test with its numbers, the verdict.
#pragma once
#include "ui/views/words.h"

namespace rqs::ui {

struct DecisionLine {
    QString test, verdict;
    bool passed = false, chosen = false;
};
struct DecisionText {
    QString question; ///< "Why CPU 5?"
    QString about;    ///< "select_task_rq_fair · rcv 217 · on CPU 3"
    std::vector<DecisionLine> lines;
    QString outcome;
};
DecisionText explain(const Decision& d, const TaskLabels& labels);

} // namespace rqs::ui
