// SPDX-License-Identifier: GPL-3.0-or-later
// Times, integers and CPU lists as people write them: exact values, and errors that name the culprit.
#include "core/scenario/text_values.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::scenario;

namespace {
std::int64_t ns(const char* text) {
    const auto t = parseTime(text, "x");
    if (!t) ADD_FAILURE() << t.error().text();
    return t ? t->ns : -1;
}
std::string timeError(const char* text) {
    const auto t = parseTime(text, "--duration");
    return t ? "accepted" : t.error().text();
}
std::string cpus(const char* text, int count = 8) {
    const auto m = parseCpuList(text, count, "affinity");
    return m ? cpuListText(*m) : m.error().what;
}
} // namespace

TEST(TimeText, ReadsUnitsExactly) {
    EXPECT_EQ(ns("20ms"), 20'000'000);
    EXPECT_EQ(ns("1.5s"), 1'500'000'000);
    EXPECT_EQ(ns("250us"), 250'000);
    EXPECT_EQ(ns(" 800 ns "), 800);
    EXPECT_EQ(ns("0"), 0);
    EXPECT_EQ(ns("0.000000001s"), 1);
    EXPECT_EQ(ns("0.123456789s"), 123'456'789);
    EXPECT_EQ(ns("3.000ns"), 3);
    EXPECT_EQ(ns("1000000000s"), 1'000'000'000'000'000'000);
}

TEST(TimeText, RefusesWhatIsNoTime) {
    EXPECT_NE(timeError("20").find("--duration: \"20\" is not a time (a time with its unit"), std::string::npos);
    EXPECT_NE(timeError("-5ms").find("negative time \"-5ms\""), std::string::npos);
    EXPECT_NE(timeError("0.5ns").find("whole number of nanoseconds"), std::string::npos);
    EXPECT_NE(timeError("0.0000000001s").find("whole number"), std::string::npos);
    EXPECT_NE(timeError("99999999999999999999s").find("whole number"), std::string::npos);
    for (const char* bad : {"", "ms", "1.2.3ms", ".5ms", "5.ms", "5 m", "1e3ms", "20ms5", "0x10ms"})
        EXPECT_NE(timeError(bad), "accepted") << bad;
}

TEST(TimeText, WritesWhatItReads) {
    for (const char* text : {"20ms", "1500us", "7s", "1ns", "0", "999999999ns"}) EXPECT_EQ(timeText({ns(text)}), text);
    EXPECT_EQ(timeText({1'500'000'000}), "1500ms");
}

TEST(Integer, WholeTextOnly) {
    EXPECT_EQ(*parseInteger("-42", ""), -42);
    EXPECT_EQ(*parseInteger("+7", ""), 7);
    EXPECT_EQ(*parseInteger("9223372036854775807", ""), INT64_MAX);
    for (const char* bad : {"", "1.0", "1e3", "9223372036854775808", "12x", "+", "+-1", "--1"}) EXPECT_FALSE(parseInteger(bad, "")) << bad;
}

TEST(CpuList, RangesMergeAndAreChecked) {
    EXPECT_EQ(cpus("0-3,8,7", 16), "0-3,7-8");
    EXPECT_EQ(cpus("5"), "5");
    EXPECT_EQ(cpus(" 1 - 2 , 4 "), "1-2,4");
    EXPECT_EQ(cpus("8"), "CPU 8 does not exist");
    EXPECT_EQ(cpus("0-100000000000"), "CPU 100000000000 does not exist");
    EXPECT_EQ(cpus(""), "empty CPU list");
    EXPECT_EQ(cpus("3-1"), "\"3-1\" is not a CPU or a range of CPUs");
    EXPECT_EQ(cpus("1,"), "\"\" is not a CPU or a range of CPUs");
    EXPECT_EQ(cpus("-1"), "CPU -1 does not exist");
}
