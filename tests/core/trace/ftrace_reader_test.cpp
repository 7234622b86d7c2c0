// SPDX-License-Identifier: GPL-3.0-or-later
// Text in, fields out: the shapes of line that real traces contain, and what must be refused.
#include "core/trace/ftrace_reader.h"

#include <gtest/gtest.h>

#include <string>

using rqs::trace::readFtraceLine;

TEST(FtraceReader, SplitsTheColumns) {
    const auto l = readFtraceLine("hog0-197 [001] dNh1. 9.247426480: sched_stat_runtime: comm=hog0 pid=197 "
                                  "runtime=2652783 [ns]");
    ASSERT_TRUE(l);
    EXPECT_EQ(l->comm, "hog0");
    EXPECT_EQ(l->pid, 197);
    EXPECT_EQ(l->cpu, 1);
    EXPECT_TRUE(l->flags.resched());
    EXPECT_TRUE(l->flags.hardIrq());
    EXPECT_FALSE(l->flags.softIrq());
    EXPECT_EQ(l->flags.preemptDepth, '1');
    EXPECT_EQ(l->timeNs, 9'247'426'480);
    EXPECT_EQ(l->event, "sched_stat_runtime");
    EXPECT_EQ(l->number("runtime"), 2652783);
    EXPECT_EQ(l->text("comm"), "hog0");
}

TEST(FtraceReader, CommMayHoldDashesSpacesAndBrackets) {
    const auto l = readFtraceLine(
        "  my [0] task-1-12 [000]  d..2. 1.5: sched_switch: prev_pid=12 ==> next_pid=0 next_prio=120");
    ASSERT_TRUE(l);
    EXPECT_EQ(l->comm, "my [0] task-1");
    EXPECT_EQ(l->pid, 12);
    EXPECT_EQ(l->timeNs, 1'500'000'000);
    EXPECT_EQ(l->number("next_pid"), 0);
}

TEST(FtraceReader, KeyIsAWholeWord) {
    const auto l = readFtraceLine("a-1 [000] d..2. 1.5: sched_switch: prev_pid=12 pid=7");
    ASSERT_TRUE(l);
    EXPECT_EQ(l->number("pid"), 7);
    EXPECT_EQ(l->number("prev_pid"), 12);
    EXPECT_FALSE(l->number("id"));
    EXPECT_FALSE(l->number("prev"));
}

TEST(FtraceReader, Numbers) {
    const auto l = readFtraceLine("a-1 [000] d..2. 1.5: e: a=0x201 b=-93220 c=18446744073709551615 d=x e=");
    ASSERT_TRUE(l);
    EXPECT_EQ(l->number("a"), 0x201);
    EXPECT_EQ(l->number("b"), -93220);
    EXPECT_EQ(l->number("c"), -1);
    EXPECT_FALSE(l->number("d"));
    EXPECT_FALSE(l->number("e"));
}

TEST(FtraceReader, RefusesWhatIsNoEvent) {
    for (const char* text :
         {"", "# tracer: nop", "a-1 [000]", "a-1 [000] d..2.", "a-1 [000] d..2. 1.5",
          "a [000] d..2. 1.5: e: x", "a-1 [x] d..2. 1.5: e: x", "a-1 [000] d..2. 15: e: x",
          "a-1 [000] d. 1.5: e: x", "a-1 [000] d..2. 1.5: e x", "a-1 [000] d..2. 1.-5: e: x",
          "[[[ [ ] ] -1 [", "a-99999999999 [000] d..2. 1.5: e: x"})
        EXPECT_FALSE(readFtraceLine(text)) << text;
}

TEST(FtraceReader, NeverReadsPastAnyPrefix) {
    const std::string whole =
        "hog0-197 [001] dNh1. 9.247426480: set_next: pid=197 gq=0x0 vr=2914494307 vlag=-5\n";
    for (std::size_t n = 0; n <= whole.size(); ++n) {
        const std::string part = whole.substr(0, n); // own allocation: a sanitizer sees any overrun
        if (const auto l = readFtraceLine(part)) {
            EXPECT_EQ(l->pid, 197);
            EXPECT_FALSE(l->number("runtime"));
        }
    }
}
