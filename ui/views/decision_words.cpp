// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decision_words.h"

#include <QStringList>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {

enum class Subject : std::uint8_t { Cpu, Task, Shard };

Subject subjectOf(Question q, Test t) {
    if (t == Test::ShardEmpty) return Subject::Shard;
    switch (q) {
    case Question::WhichCpu:
    case Question::Balance: return Subject::Cpu;
    default: return Subject::Task;
    }
}

QString subjectText(Subject s, std::int32_t who, const TaskLabels& labels) {
    if (who < 0) return {};
    switch (s) {
    case Subject::Cpu: return u"CPU %1"_s.arg(who);
    case Subject::Shard: return u"shard %1"_s.arg(who);
    case Subject::Task: return labels.nameOf(TaskId(who));
    }
    return {};
}

/// What the two numbers of a candidate are; the rule of each test decides.
QString numbersText(const Candidate& c) {
    const auto apart = [&](const QString& before, const QString& after) {
        return durationText(c.a < c.b ? c.b - c.a : c.a - c.b) + (c.a < c.b ? before : after);
    };
    switch (c.test) {
    case Test::TargetIdle:
    case Test::PrevIdle:
    case Test::RecentIdle:
    case Test::SiblingIdle:
    case Test::Fallback:
    case Test::OnlyCandidate: return c.a > 0 ? u"nr_running %1"_s.arg(c.a) : QString();
    case Test::ScanIdle:
        return c.a > 0 ? u"nr_running %1 (scan %2)"_s.arg(c.a).arg(c.b + 1)
                       : u"idle (scan %1)"_s.arg(c.b + 1);
    case Test::IdleCore: return u"%1 of %2 threads idle"_s.arg(c.a).arg(c.b);
    case Test::WakeAffineIdle: return u"nr_running %1 here, %2 there"_s.arg(c.a).arg(c.b);
    case Test::WakeAffineWeight: return {};
    case Test::IdealSlice:
    case Test::WakeupGran:
    case Test::AvgIdle:
    case Test::TaskHot: return durationText(c.a) + u" of "_s + durationText(c.b);
    case Test::SliceUsed: return apart(u" to go"_s, u" past"_s);
    case Test::LagNegative:
    case Test::Eligible: return u"lag "_s + durationText(c.a);
    case Test::LagPlaced: return durationText(c.a) + u" → "_s + durationText(c.b);
    case Test::CurrKeeps: return c.b != 0 ? u"deadline "_s + apart(u" earlier"_s, u" later"_s) : QString();
    case Test::Leftmost: return c.b != 0 ? apart(u" behind"_s, u" ahead"_s) : QString();
    case Test::EarliestDeadline:
    case Test::Protected: return {};
    case Test::Busiest: return u"nr_running %1, best so far %2"_s.arg(c.a).arg(c.b);
    default:
        if (c.a == 0 && c.b == 0) return {};
        return c.b == 0 ? countText(c.a) : countText(c.a) + u" : "_s + countText(c.b);
    }
}

/// CPUs as Linux writes lists: "18-29,3".
QString cpuList(const std::vector<std::int32_t>& cpus) {
    QStringList parts;
    for (std::size_t i = 0; i < cpus.size();) {
        std::size_t j = i;
        while (j + 1 < cpus.size() && cpus[j + 1] == cpus[j] + 1) ++j;
        parts << (j > i ? u"%1-%2"_s.arg(cpus[i]).arg(cpus[j]) : QString::number(cpus[i]));
        i = j + 1;
    }
    return parts.join(u',');
}

/// Three or more failed looks of one search in a row say the same: one line for all. Returns how many it
/// took.
std::int32_t joinedSearch(const Decision& d, std::int32_t from, DecisionLine& out) {
    const Test test = d.candidates[static_cast<std::size_t>(from)].test;
    if (test != Test::ScanIdle && test != Test::IdleCore) return 0;
    std::vector<std::int32_t> cpus;
    std::int32_t i = from;
    for (; i < d.count; ++i) {
        const Candidate& c = d.candidates[static_cast<std::size_t>(i)];
        if (c.test != test || c.passed || c.who < 0) break;
        cpus.push_back(c.who);
    }
    if (cpus.size() < 3) return 0;
    out.test = qs(testText(test)) + u" CPU "_s + cpuList(cpus);
    out.verdict = u"✗ no: %1 busy"_s.arg(cpus.size());
    return i - from;
}

QString outcomeText(const Decision& d, const TaskLabels& labels) {
    switch (d.question) {
    case Question::WhichCpu: return u"CPU %1"_s.arg(d.outcome);
    case Question::Balance: return d.outcome >= 0 ? u"from CPU %1"_s.arg(d.outcome) : u"nothing to pull"_s;
    case Question::WhoRuns:
    case Question::Pull: return d.outcome >= 0 ? labels.nameOf(TaskId(d.outcome)) : u"nobody"_s;
    case Question::Preempt: return d.outcome > 0 ? u"yes, preempt"_s : u"no, keep running"_s;
    case Question::SliceEnd: return d.outcome > 0 ? u"yes, reschedule"_s : u"no, goes on"_s;
    case Question::LeaveQueue: return d.outcome > 0 ? u"leaves"_s : u"stays, delayed"_s;
    case Question::Placement: return u"placed"_s;
    }
    return {};
}

QString headline(const Decision& d, const TaskLabels& labels) {
    switch (d.question) {
    case Question::WhichCpu: return u"Why CPU %1?"_s.arg(d.outcome);
    case Question::WhoRuns:
        return d.outcome >= 0 ? u"Why does %1 run?"_s.arg(labels.nameOf(TaskId(d.outcome)))
                              : u"Why does nobody run?"_s;
    case Question::Preempt: return d.outcome > 0 ? u"Why preempt?"_s : u"Why not preempt?"_s;
    case Question::SliceEnd: return d.outcome > 0 ? u"Why is the slice over?"_s : u"Why not over yet?"_s;
    case Question::LeaveQueue: return d.outcome > 0 ? u"Why leave the queue?"_s : u"Why stay queued?"_s;
    case Question::Pull:
        return d.outcome >= 0 ? u"Why pull %1?"_s.arg(labels.nameOf(TaskId(d.outcome)))
                              : u"Why pull nothing?"_s;
    case Question::Placement: return u"Why placed there?"_s;
    case Question::Balance: return u"Why balance so?"_s;
    }
    return {};
}

} // namespace

DecisionText explain(const Decision& d, const TaskLabels& labels) {
    DecisionText out;
    out.question = headline(d, labels);
    QStringList about{QString::fromUtf8(d.function)};
    if (d.task.valid()) about << labels.nameOf(d.task);
    if (d.cpu.valid()) about << u"on CPU %1"_s.arg(d.cpu.v);
    about.removeAll(QString());
    out.about = about.join(u" · "_s);
    // Only these questions have a candidate as their outcome; the others say yes or no.
    const bool picks = d.question == Question::WhichCpu || d.question == Question::WhoRuns ||
                       d.question == Question::Pull || d.question == Question::Balance;
    for (std::int32_t i = 0; i < d.count; ++i) {
        const Candidate& c = d.candidates[static_cast<std::size_t>(i)];
        DecisionLine l;
        if (const std::int32_t joined = joinedSearch(d, i, l); joined > 0) {
            out.lines.push_back(l);
            i += joined - 1;
            continue;
        }
        const QString who = subjectText(subjectOf(d.question, c.test), c.who, labels);
        // wake_affine asks the same of the waker's CPU and then of the previous one; only the first needs a shared cache.
        const bool previous = c.test == Test::WakeAffineIdle && c.who != d.cpu.v;
        const QString test = previous ? u"previous CPU idle?"_s : qs(testText(c.test));
        l.test = who.isEmpty() ? test : who + u": "_s + test;
        l.passed = c.passed;
        l.chosen = picks && c.passed && c.who >= 0 && c.who == d.outcome && i + 1 == d.count;
        const QString numbers = numbersText(c);
        l.verdict = (c.passed ? u"✓ yes"_s : u"✗ no"_s) + (numbers.isEmpty() ? QString() : u": "_s + numbers);
        if (l.chosen) l.verdict = u"✓ chosen"_s;
        out.lines.push_back(l);
    }
    if (d.omitted > 0)
        out.lines.push_back({u"%1 further tests, not listed"_s.arg(d.omitted), {}, false, false});
    out.outcome = outcomeText(d, labels);
    return out;
}

} // namespace rqs::ui
