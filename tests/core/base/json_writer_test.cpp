// SPDX-License-Identifier: GPL-3.0-or-later
// JSON writer: form, escaping, numbers that read back exactly; text files.
#include "core/base/json_writer.h"

#include "core/base/json.h"
#include "core/base/text_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

using namespace rqs;

TEST(JsonWriter, FormOfNestedContainers) {
    JsonWriter w;
    w.beginObject().member("a", 1).key("b").beginArray().value("x").value(true).null().endArray();
    w.key("c").beginObject(JsonWriter::Layout::OneLine).member("d", -2).member("e", 0.5).endObject();
    w.key("f").beginArray().endArray().key("g").beginObject().endObject().endObject();
    EXPECT_EQ(w.text(), "{\n  \"a\": 1,\n  \"b\": [\n    \"x\",\n    true,\n    null\n  ],\n  \"c\": {\"d\": -2, \"e\": 0.5},\n"
                        "  \"f\": [],\n  \"g\": {}\n}\n");
}

TEST(JsonWriter, EscapesWhatJsonCannotCarry) {
    EXPECT_EQ(jsonQuoted("a\"b\\c\n\t\r\x01z"), "\"a\\\"b\\\\c\\n\\t\\r\\u0001z\"");
    EXPECT_EQ(jsonQuoted("ü—𝄞"), "\"ü—𝄞\"");
    EXPECT_EQ(jsonQuoted("\xff"), "\"\xEF\xBF\xBD\"");
    EXPECT_EQ(jsonQuoted("a\xC3"), "\"a\xEF\xBF\xBD\"") << "cut off sequence";
    EXPECT_EQ(jsonQuoted("\xC0\xAF"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"") << "overlong";
    EXPECT_EQ(jsonQuoted("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"") << "surrogate";
}

TEST(JsonWriter, EveryByteStringReadsBack) {
    for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 256; b += 3) {
            const std::string text{static_cast<char>(a), 'x', static_cast<char>(b), static_cast<char>(a ^ b)};
            const auto d = json::Document::fromText(jsonQuoted(text), "t");
            ASSERT_TRUE(d) << a << " " << b << " " << d.error().text();
            if (a < 128 && b < 128) {
                ASSERT_EQ(d->root().text(), text);
            }
        }
}

TEST(JsonWriter, NumbersReadBackExactly) {
    constexpr double kMost = std::numeric_limits<double>::max();
    for (double x : {0.0, 0.1, 1e-300, 1.7976931348623157e308, -3.25, 1e22, 123456789.123456789}) {
        const auto d = json::Document::fromText(JsonWriter().value(x).text(), "t");
        ASSERT_TRUE(d);
        EXPECT_EQ(*d->root().asNumber(-kMost, kMost), x);
    }
    EXPECT_EQ(JsonWriter().value(std::numeric_limits<double>::quiet_NaN()).text(), "null\n");
    EXPECT_EQ(JsonWriter().value(INFINITY).text(), "null\n");
    EXPECT_EQ(JsonWriter().value(std::uint64_t{18446744073709551615u}).text(), "18446744073709551615\n");
    EXPECT_EQ(JsonWriter().value(INT64_MIN).text(), "-9223372036854775808\n");
}

TEST(TextFile, WritesWholeOrNotAtAll) {
    const std::string path = (std::filesystem::path(::testing::TempDir()) / "rqs_text_file").string();
    ASSERT_TRUE(writeTextFile(path, "one"));
    ASSERT_TRUE(writeTextFile(path, "two\n"));
    EXPECT_EQ(*readTextFile(path), "two\n");
    EXPECT_FALSE(std::filesystem::exists(path + ".part"));
    const auto small = readTextFile(path, 3);
    ASSERT_FALSE(small);
    EXPECT_NE(small.error().text().find("too large"), std::string::npos);
    std::filesystem::remove(path);
    const auto gone = readTextFile(path);
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().text(), path + ": cannot read file: no such file");
    EXPECT_FALSE(readTextFile("/"));
    EXPECT_FALSE(writeTextFile("/", "x"));
    EXPECT_FALSE(writeTextFile("/proc/nowhere/x", "x"));
    EXPECT_FALSE(writeTextFile("/dev/full", "x"));
}
