// SPDX-License-Identifier: GPL-3.0-or-later
// Golden files come back as written; every single changed figure is found; expectations bind.
#include "core/session/verdict.h"

#include "core/base/json.h"
#include "core/session/result_json.h"

#include <gtest/gtest.h>

#include <limits>

using namespace rqs;
using namespace rqs::session;

namespace {

RunResult sample() {
    RunResult r;
    r.scenario = "s";
    r.variant = "A";
    r.unit = "messages";
    r.seed = 7;
    r.simTime = SimTime{2'000'000'000};
    r.warmup = SimTime{1'000'000'000};
    r.steps = 12345;
    r.fingerprint = 0x0123456789abcdefULL;
    r.numbers.ops = 500;
    r.numbers.switches = 40;
    r.numbers.migrations[static_cast<std::size_t>(Distance::Llc)] = 3;
    r.numbers.locks[static_cast<std::size_t>(LockClass::Shard)].contentions = 9;
    r.tasks = {{"a", "hog", 0}};
    r.numbers.tasks.resize(1);
    r.numbers.tasks[0].run = Duration{250'000'000};
    return r;
}

} // namespace

TEST(Golden, ComesBackFromText) {
    GoldenFile f{{"A", goldenOf(sample())}, {"B", goldenOf(sample())}};
    f["B"]["events"] = "1";
    const auto back = parseGolden(goldenText("x/y", f), "expected.txt");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, f);
    EXPECT_TRUE(differences(f["A"], goldenOf(sample())).empty());
}

TEST(Golden, EveryChangedFigureIsFound) {
    const Golden g = goldenOf(sample());
    EXPECT_EQ(g.at("fingerprint"), "0x0123456789abcdef");
    EXPECT_EQ(g.at("throughput_total"), "500");
    EXPECT_EQ(g.at("contentions_&shard->lock"), "9");
    for (const auto& [name, value] : g) {
        Golden changed = g;
        changed[name] += "0";
        EXPECT_EQ(differences(changed, g).size(), 1u) << name;
        changed.erase(name);
        EXPECT_EQ(differences(changed, g).size(), 1u) << name;
        EXPECT_EQ(differences(g, changed).size(), 1u) << name;
    }
}

TEST(Golden, BadFilesNameTheLine) {
    for (const auto& [text, where] : {std::pair{"variant A\nfingerprint\n", "e:2"}, {"events 1\n", "e:1"}, {"# x\n\nvariant A B\n", "e:3"}}) {
        const auto f = parseGolden(text, "e");
        ASSERT_FALSE(f) << text;
        EXPECT_EQ(f.error().where, where);
    }
}

TEST(Expectations, BindTheirVariantOnly) {
    constexpr double kMost = std::numeric_limits<double>::max();
    const RunResult r = sample();
    EXPECT_TRUE(unmet({{"throughput", "A", 499, 501}}, r).empty());
    EXPECT_EQ(unmet({{"throughput", "A", 501, kMost}}, r).size(), 1u);
    EXPECT_EQ(unmet({{"throughput", "A", -kMost, 499}}, r).size(), 1u);
    EXPECT_TRUE(unmet({{"throughput", "B", 501, kMost}}, r).empty());
    EXPECT_TRUE(unmet({{"share a", "A", 24.9, 25.1}}, r).empty());
    const auto unknown = unmet({{"througput", "A", 0, 1}}, r);
    ASSERT_EQ(unknown.size(), 1u);
    EXPECT_NE(unknown[0].find("did you mean \"throughput\"?"), std::string::npos) << unknown[0];
}

TEST(ResultJson, ParsesAndCarriesTheFigures) {
    RunResult r = sample();
    r.title = "quote \" and \xff";
    r.notes = {"placement: simplified"};
    r.numbers.locks[static_cast<std::size_t>(LockClass::Shard)].waitTotal = Duration{18'000};
    const auto doc = json::Document::fromText(resultJson(r), "r.json");
    ASSERT_TRUE(doc) << doc.error().text();
    const json::Value v = doc->root();
    EXPECT_EQ(*v.at("schema_version").asInt(0, 99), kResultSchemaVersion);
    EXPECT_EQ(*v.at("events").asInt(0, INT64_MAX), 12345);
    EXPECT_EQ(v.at("fingerprint").text(), "0x0123456789abcdef");
    EXPECT_DOUBLE_EQ(*v.at("throughput").at("value").asNumber(0, 1e9), 500);
    EXPECT_EQ(*v.at("migrations").at("llc").asInt(0, 99), 3);
    const json::Value shard = v.at("lock_stat").items()[static_cast<std::size_t>(LockClass::Shard)];
    EXPECT_EQ(shard.at("class").text(), "&shard->lock");
    EXPECT_DOUBLE_EQ(*shard.at("waittime-total").asNumber(0, 1e9), 18);
    EXPECT_DOUBLE_EQ(*shard.at("waittime-avg").asNumber(0, 1e9), 2);
}
