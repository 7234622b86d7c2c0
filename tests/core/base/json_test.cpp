// SPDX-License-Identifier: GPL-3.0-or-later
// JSON reader: positions, duplicate keys, limits, bad input, and messages of typed access.
#include "core/base/json.h"
#include "core/base/suggest.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

using namespace rqs;
using namespace rqs::json;

namespace {
Document parse(const std::string& text) {
    auto d = Document::fromText(text, "t.json");
    if (!d) ADD_FAILURE() << d.error().text();
    return d ? std::move(d).value() : std::move(Document::fromText("null", "x")).value();
}
std::string errorOf(const std::string& text, Limits limits = {}) {
    auto d = Document::fromText(text, "t.json", limits);
    return d ? "" : d.error().text();
}
std::string tempFile(const std::string& name) {
    return (std::filesystem::path(::testing::TempDir()) / ("rqs_json_" + name)).string();
}
} // namespace

TEST(Json, KeepsOrderAndPositions) {
    const auto d = parse("{\n  \"b\" : [1, \"x\",\n    {\"ä\":true, \"z\": null}],\n  \"a\": -7\n}");
    const auto m = d.root().members();
    ASSERT_EQ(m.size(), 2u);
    EXPECT_EQ(m[0].key, "b");
    EXPECT_EQ(m[1].key, "a");
    EXPECT_EQ(d.root().where(), "t.json:1:1 (/)");
    EXPECT_EQ(m[0].value.where(), "t.json:2:9 (/b)");
    const auto items = m[0].value.items();
    ASSERT_EQ(items.size(), 3u);
    EXPECT_EQ(items[0].where(), "t.json:2:10 (/b/0)");
    EXPECT_EQ(items[1].where(), "t.json:2:13 (/b/1)");
    EXPECT_EQ(items[2].where(), "t.json:3:5 (/b/2)");
    EXPECT_EQ(items[2].at("ä").where(), "t.json:3:10 (/b/2/ä)");
    EXPECT_EQ(items[2].at("z").where(), "t.json:3:21 (/b/2/z)");
    EXPECT_EQ(m[1].value.where(), "t.json:4:8 (/a)");
    EXPECT_EQ(m[1].keyError("w").where, "t.json:4:3 (/a)");
    EXPECT_EQ(m[1].value.asInt(-10, 0).value(), -7);
    EXPECT_EQ(items[2].at("z").kind(), Kind::Null);
    EXPECT_FALSE(d.root().at("nothing"));
}

TEST(Json, DuplicateKeyIsAnErrorWithBothPlaces) {
    EXPECT_EQ(errorOf("{\"a\":1,\n \"c\":{\"q\":1,\"b\":2, \"q\":3}}"),
              "t.json:2:20 (/c/q): duplicate key \"q\" (first given at t.json:2:7)");
    EXPECT_EQ(errorOf("{\"q\":{\"x\":1},\"p\":{\"x\":1}}"), "");
}

TEST(Json, ManyMembersAreCheckedQuickly) {
    std::string text = "{";
    for (int i = 0; i < 300000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
    text += "\"k7\":2}";
    EXPECT_NE(errorOf(text).find("duplicate key \"k7\""), std::string::npos);
}

TEST(Json, BadInputSaysWhere) {
    EXPECT_EQ(errorOf(""), "t.json:1:1: the file is empty (expected a JSON value)");
    EXPECT_NE(errorOf("{\"a\": [1, 2").find("t.json:1:12"), std::string::npos);
    EXPECT_NE(errorOf("{\"a\": [1, 2").find("cut off"), std::string::npos);
    EXPECT_NE(errorOf("{\n\"a\" 1}").find("t.json:2:5"), std::string::npos);
    EXPECT_NE(errorOf("{} x").find("t.json:1:4"), std::string::npos);
    EXPECT_NE(errorOf("{\"a\":\"\xff\xfe\"}").find("t.json:1:"), std::string::npos);
    EXPECT_NE(errorOf("// c\n{}"), "");
    EXPECT_EQ(errorOf(std::string("{\"a\":\0 1}", 9)),
              "t.json:1:6: contains a NUL byte (binary data is not JSON)");
    EXPECT_NE(errorOf("\x7f"
                      "ELF\x02\x01"),
              "");
}

TEST(Json, DepthIsLimitedWithoutRecursion) {
    EXPECT_EQ(errorOf(std::string(64, '[') + std::string(64, ']')), "");
    EXPECT_EQ(errorOf(std::string(65, '[') + std::string(65, ']')),
              "t.json:1:65: nested too deeply (at most 64 levels)");
    const std::string deep(1u << 20, '[');
    EXPECT_EQ(errorOf(deep), "t.json:1:65: nested too deeply (at most 64 levels)");
    EXPECT_NE(errorOf(deep, Limits{16u << 20, 1 << 30, 4'000'000}),
              ""); // the parser itself does not recurse either
}

TEST(Json, NumberOfValuesIsLimited) {
    EXPECT_EQ(errorOf("[1,2,3,4]", Limits{1000, 8, 4}), "t.json:1:8: too many values (at most 4)");
    EXPECT_EQ(errorOf("[1,2,3]", Limits{1000, 8, 4}), "");
}

TEST(Json, EscapesAreResolved) {
    const auto d = parse(R"({"a\tb":"\u00e4\"x\\","c":"]}"})");
    EXPECT_EQ(d.root().at("a\tb").text(), "ä\"x\\");
    EXPECT_EQ(d.root().at("c").where(), "t.json:1:27 (/c)");
}

TEST(Json, FilesFailFast) {
    EXPECT_EQ(Document::fromFile("/nonexistent/x.json").error().text(), "/nonexistent/x.json: no such file");
    EXPECT_NE(Document::fromFile(::testing::TempDir()).error().text().find("is a directory"),
              std::string::npos);
    EXPECT_NE(Document::fromFile("/dev/zero").error().text().find("not a regular file"), std::string::npos);

    const auto big = tempFile("big"); // sparse: 1 GB without writing it
    std::ofstream(big).put(' ');
    std::filesystem::resize_file(big, 1u << 30);
    const auto t0 = std::chrono::steady_clock::now();
    const auto e = Document::fromFile(big);
    const auto took = std::chrono::steady_clock::now() - t0;
    std::filesystem::remove(big);
    ASSERT_FALSE(e);
    EXPECT_NE(e.error().what.find("too large (1073741824 bytes)"), std::string::npos);
    EXPECT_LT(took, std::chrono::seconds(1));

    const auto good = tempFile("good");
    std::ofstream(good) << "{\"x\": 5}";
    const auto d = Document::fromFile(good);
    std::filesystem::remove(good);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->root().at("x").where(), good + ":1:7 (/x)");
}

TEST(Json, TypedAccessExplains) {
    const auto d = parse(
        "{\"n\": 1.5, \"s\": \"x\", \"big\": 99999999999999999999, \"neg\": -1, \"t\": true, \"d\": 2.5e3}");
    const auto r = d.root();
    EXPECT_EQ(r.at("s").asInt(0, 1).error().text(), "t.json:1:17 (/s): expected a number, found a string");
    EXPECT_EQ(r.at("n").asInt(0, 9).error().text(),
              "t.json:1:7 (/n): expected a whole number, found 1.5 (write it without fraction or exponent)");
    EXPECT_NE(r.at("big").asInt(0, 9).error().text().find("out of range (expected 0 to 9)"),
              std::string::npos);
    EXPECT_NE(r.at("neg").asInt(0, 9).error().text().find("-1 is out of range"), std::string::npos);
    EXPECT_NE(r.at("n").asBool().error().text().find("expected true or false, found a number"),
              std::string::npos);
    EXPECT_TRUE(r.at("t").asBool().value());
    EXPECT_EQ(r.at("d").asNumber(0, 1e9).value(), 2500.0);
    EXPECT_NE(r.at("d").asNumber(0, 1).error().text().find("expected 0 to 1"), std::string::npos);
    EXPECT_NE(r.asArray().error().text().find("expected an array, found an object"), std::string::npos);
}

TEST(Json, ObjectReaderCollectsFirstErrorAndUnknownKeys) {
    const auto d = parse("{\"groups\": 10, \"mode\": \"procss\", \"list\": [1,2,3], \"extra\": 1}");
    {
        ObjectReader r(d.root());
        EXPECT_EQ(r.getInt("groups", 1, 100), 10);
        r.find("mode");
        EXPECT_EQ(r.getArray("list", 1, 3).size(), 3u);
        EXPECT_EQ(r.getInt("loops", 1, 9, 4), 4);
        EXPECT_TRUE(r.ok());
        const auto s = r.finish();
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().what, "unknown key \"extra\"");
        EXPECT_EQ(s.error().where, "t.json:1:51 (/extra)");
    }
    {
        ObjectReader r(d.root());
        EXPECT_EQ(r.getChoice("mode", {"process", "thread"}), 0u);
        r.getInt("groups", 20, 100); // second error does not replace the first
        for (auto k : {"groups", "list", "extra"}) r.find(k);
        EXPECT_EQ(r.finish().error().text(),
                  "t.json:1:24 (/mode): unknown mode \"procss\" (did you mean \"process\"?)");
    }
}

TEST(Json, MisspeltRequiredKeyIsReportedAsTheMisspelling) {
    const auto d = parse("{\"grousp\": 10}");
    ObjectReader r(d.root());
    r.getInt("groups", 1, 100);
    EXPECT_EQ(r.finish().error().text(),
              "t.json:1:2 (/grousp): unknown key \"grousp\" (did you mean \"groups\"?)");
    const auto none = parse("{}");
    ObjectReader q(none.root());
    q.getInt("groups", 1, 100);
    EXPECT_EQ(q.finish().error().text(), "t.json:1:1 (/): missing member \"groups\"");
    const auto array = parse("[1]");
    EXPECT_NE(ObjectReader(array.root()).finish().error().text().find("expected an object, found an array"),
              std::string::npos);
}

TEST(Suggest, NearestOrNothing) {
    EXPECT_EQ(levenshtein("kitten", "sitting"), 3);
    EXPECT_EQ(levenshtein("", "abc"), 3);
    EXPECT_EQ(levenshtein("SHARED", "shared"), 0);
    const std::vector<std::string> names{"SHARED_RUNQ", "SIS_SYNC", "PREEMPT_AUTO"};
    EXPECT_EQ(suggest("SHARD_RUNQ", names), "SHARED_RUNQ");
    EXPECT_EQ(suggest("whatever", names), "");
    EXPECT_EQ(suggest("ab", std::vector<std::string>{"xy"}), "");
    EXPECT_EQ(didYouMean("whatever", names), "known: SHARED_RUNQ, SIS_SYNC, PREEMPT_AUTO");
}
