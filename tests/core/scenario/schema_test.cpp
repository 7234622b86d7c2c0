// SPDX-License-Identifier: GPL-3.0-or-later
// resources/scenario.schema.json: accepts every shipped scenario, refuses what the loader refuses.
#include "core/scenario/loader.h"
#include "core/scenario/writer.h"
#include "core/workload/generators.h"

#include <gtest/gtest.h>

#include <valijson/adapters/rapidjson_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/utils/rapidjson_utils.hpp>
#include <valijson/validator.hpp>

using namespace rqs;

namespace {

class Schema : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(valijson::utils::loadDocument(RQS_SOURCE_DIR "/resources/scenario.schema.json", m_document));
        valijson::adapters::RapidJsonAdapter adapter(m_document);
        valijson::SchemaParser().populateSchema(adapter, m_schema);
    }
    /// Empty when the schema accepts the text.
    std::string check(const std::string& text) {
        rapidjson::Document d;
        d.Parse(text.c_str());
        if (d.HasParseError()) return "no JSON";
        valijson::adapters::RapidJsonAdapter adapter(d);
        valijson::ValidationResults results;
        if (valijson::Validator().validate(m_schema, adapter, &results)) return {};
        valijson::ValidationResults::Error e;
        std::string out = "refused";
        while (results.popError(e)) {
            out += "\n";
            for (const std::string& part : e.context) out += part;
            out += ": " + e.description;
        }
        return out;
    }
    rapidjson::Document m_document;
    valijson::Schema m_schema;
};

TEST_F(Schema, AcceptsEveryShippedScenario) {
    const auto entries = scenario::listScenarios(RQS_SOURCE_DIR "/scenarios");
    ASSERT_GE(entries.size(), 6u);
    for (const scenario::Entry& e : entries) {
        rapidjson::Document d;
        ASSERT_TRUE(valijson::utils::loadDocument(e.path, d)) << e.path;
        valijson::adapters::RapidJsonAdapter adapter(d);
        EXPECT_TRUE(valijson::Validator().validate(m_schema, adapter, nullptr)) << e.path;
        // What the program itself writes must satisfy it too.
        auto s = scenario::loadScenario(e.path, {});
        ASSERT_TRUE(s) << s.error().text();
        EXPECT_EQ(check(scenario::scenarioText(*s)), "") << e.path;
    }
}

TEST_F(Schema, KnowsEveryGenerator) {
    for (const workload::GeneratorInfo& g : workload::generators())
        EXPECT_EQ(check(R"({"title":"t","machine":"m","kernel":"k","workload":{"generator":")" + std::string(g.name) + R"("},"duration":"5ms"})"), "");
    EXPECT_NE(check(R"({"title":"t","machine":"m","kernel":"k","workload":{"generator":"hog"},"duration":"5ms"})"), "");
}

TEST_F(Schema, AgreesWithTheLoaderOnStructure) {
    const std::string good = R"({"title":"t","machine":"m","kernel":"k","workload":{"generator":"hogs"},"duration":"5ms"})";
    const auto with = [&](const std::string& more) { return good.substr(0, good.size() - 1) + "," + more + "}"; };
    const auto loads = [](const std::string& text) { return static_cast<bool>(scenario::parseScenario(text, "t", "", "")); };
    for (const std::string& text : {good, with(R"("warmup":"0")"), with(R"("warmup":"1.5 ms")"), with(R"("features":{"A":true,"B":"off"})"),
                                    with(R"("tunables":{"base_slice_ns":"3ms","nr_migrate":8})"),
                                    with(R"("variants":[{"name":"x-1","workload_args":{"a":1.5}}])"),
                                    with(R"("expectations":[{"metric":"m","max":3}])")}) {
        EXPECT_EQ(check(text), "") << text;
        EXPECT_TRUE(loads(text)) << text;
    }
    for (const std::string& text : {std::string("[]"), std::string("{}"), with(R"("extra":1)"), with(R"("warmup":"5")"), with(R"("warmup":"-1ms")"),
                                    with(R"("warmup":5)"), with(R"("seed":-1)"), with(R"("seed":1.5)"), with(R"("preemption":"lazy")"),
                                    with(R"("features":["A"])"), with(R"("features":{"A":1})"), with(R"("variants":[{"title":"x"}])"),
                                    with(R"("variants":[{"name":"a b"}])"), with(R"("inputs":[{"at":"1ms"}])"),
                                    with(R"("expectations":[{"metric":"m"}])"), with(R"("schema_version":2)")}) {
        EXPECT_NE(check(text), "") << text;
        EXPECT_FALSE(loads(text)) << text;
    }
}

} // namespace
