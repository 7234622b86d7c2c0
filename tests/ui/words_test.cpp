// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in words: units, precision that can matter, grouped digits.
#include "tests/ui/support/fake_snapshot.h"
#include "ui/views/decision_words.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::ui;

namespace {
std::string plain(QString s) { return s.replace(QChar(0x2009), QLatin1Char(' ')).toStdString(); }
} // namespace

TEST(Words, Times) {
    EXPECT_EQ(plain(timeText({18'204'311})), "18.204 311 ms");
    EXPECT_EQ(plain(timeText({0})), "0.000 000 ms");
    EXPECT_EQ(plain(timeText({12'345'678'901})), "12.345 678 s");
}

TEST(Words, Durations) {
    EXPECT_EQ(plain(durationText(7)), "7 ns");
    EXPECT_EQ(plain(durationText(700)), "0.70 µs");
    EXPECT_EQ(plain(durationText(4'100)), "4.1 µs");
    EXPECT_EQ(plain(durationText(2'000'000)), "2 ms");
    EXPECT_EQ(plain(durationText(-4'100)), "−4.1 µs");
    EXPECT_EQ(plain(durationText(0)), "0 ns");
}

TEST(Words, Counts) {
    EXPECT_EQ(plain(countText(1'204'311)), "1 204 311");
    EXPECT_EQ(plain(countText(-12)), "−12");
    EXPECT_EQ(plain(magnitudeText(412'000)), "412 k");
    EXPECT_EQ(plain(magnitudeText(20'000'000)), "20 M");
    EXPECT_EQ(plain(magnitudeText(0)), "0");
}

TEST(Words, TasksAreNamedByRoleAndRank) {
    const auto labels = TaskLabels::of(*test::fakeSnapshot(test::ryzen7950x())->run);
    EXPECT_EQ(labels.nameOf(TaskId(107)).toStdString(), "rcv 53");
    EXPECT_EQ(labels.nameOf({}).toStdString(), "");
    EXPECT_EQ(labels.nameOf(TaskId(100000)).toStdString(), "");
}

TEST(Words, ADecisionIsExplainedInTheKernelsOrder) {
    const auto s = test::fakeSnapshot(test::ryzen7950x());
    const DecisionText t = explain(*s->decision, TaskLabels::of(*s->run));
    EXPECT_EQ(t.question.toStdString(), "Why CPU 5?");
    EXPECT_EQ(t.about.toStdString(), "select_task_rq_fair · rcv 108 · on CPU 3");
    ASSERT_EQ(t.lines.size(), 6U);
    EXPECT_EQ(t.lines[0].test.toStdString(), "CPU 3: target idle?");
    EXPECT_FALSE(t.lines[0].passed);
    EXPECT_TRUE(t.lines[5].chosen);
    EXPECT_EQ(t.outcome.toStdString(), "CPU 5");
}

TEST(Words, LongSearchesAreOneLine) {
    Decision d;
    d.question = Question::WhichCpu;
    for (int c : {18, 19, 20, 3}) d.add(c, rqs::Test::ScanIdle, false, 2, 0);
    d.add(7, rqs::Test::Fallback, true, 1, 1);
    d.outcome = 7;
    const DecisionText t = explain(d, {});
    ASSERT_EQ(t.lines.size(), 2U);
    EXPECT_TRUE(t.lines[0].test.contains(QStringLiteral("CPU 18-20,3"))) << t.lines[0].test.toStdString();
    EXPECT_EQ(t.lines[0].verdict.toStdString(), "✗ no: 4 busy");
    EXPECT_TRUE(t.lines[1].chosen);
}
