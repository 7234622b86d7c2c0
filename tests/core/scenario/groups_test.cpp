// SPDX-License-Identifier: GPL-3.0-or-later
// "groups" and "autogroup" of scenario files: what they make of the workload, and which errors they give.
#include "core/scenario/build_run.h"
#include "core/scenario/loader.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::scenario;

namespace {

Result<Scenario> load(const std::string& groups, const std::string& args, const std::string& more = "") {
    return parseScenario(R"({"title":"t","machine":"smythies","kernel":"6.13.7",)" + more + R"("groups":[)" +
                             groups + R"(],"workload":{"generator":"hogs","args":{"tasks":2)" + args +
                             R"(}},"duration":"20ms"})",
                         "s.json", "", RQS_SOURCE_DIR "/resources");
}
std::string errorOf(const Result<Scenario>& s) { return s ? "accepted" : s.error().text(); }

void expectError(const Result<Scenario>& s, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        EXPECT_NE(errorOf(s).find(part), std::string::npos) << errorOf(s) << "\nlacks " << part;
}

} // namespace

TEST(ScenarioGroups, Weights_and_shares_reach_the_workload) {
    const auto s =
        load(R"({"path":"/a","weight":300},{"path":"/b/c","shares":2},{"path":"/d"})", R"(,"cg":"/a,/b/c")");
    ASSERT_TRUE(s) << s.error().text();
    const auto run = buildRun(*s, "A");
    ASSERT_TRUE(run) << run.error().text();
    const auto& g = run->workload.groups;
    ASSERT_EQ(g.size(), 4U);
    EXPECT_EQ(g[0].shares, 3072);
    EXPECT_EQ(g[1].path, "/b");
    EXPECT_EQ(g[1].shares, 1024);
    EXPECT_EQ(g[2].shares, 2);
    EXPECT_EQ(g[3].shares, 1024) << "weight 100 by default";
    EXPECT_EQ(run->workload.tasks[1].group, "/b/c");
}

TEST(ScenarioGroups, Autogroup_can_differ_between_variants) {
    const auto s =
        load("", R"(,"session":"each")", R"("variants":[{"name":"off"},{"name":"on","autogroup":"on"}],)");
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_TRUE(buildRun(*s, "off")->workload.groups.empty());
    const auto on = buildRun(*s, "on");
    ASSERT_EQ(on->workload.groups.size(), 2U);
    EXPECT_EQ(on->workload.tasks[1].group, "/autogroup-2");
}

TEST(ScenarioGroups, Errors_say_what_is_wrong_and_where) {
    expectError(load(R"({"path":"/a","weight":0})", ""), {"/groups/0/weight", "1 to 10000"});
    expectError(load(R"({"path":"/a","weight":10001})", ""), {"/groups/0/weight"});
    expectError(load(R"({"path":"/a","shares":1})", ""), {"/groups/0/shares", "2 to 262144"});
    expectError(load(R"({"path":"/a","shares":262145})", ""), {"/groups/0/shares"});
    expectError(load(R"({"path":"/a","shares":2,"weight":2})", ""), {"give one"});
    expectError(load(R"({"path":"/a"},{"path":"/a"})", ""), {"/groups/1/path", "declared twice"});
    expectError(load(R"({"path":"/a/../b"})", ""), {"/groups/0/path", ". or .."});
    expectError(load(R"({"path":"a"})", ""), {"/groups/0/path", "begins with no /"});
    expectError(load(R"({"weight":100})", ""), {"path"});
    expectError(load(R"({"path":"/abc"})", R"(,"cg":"/abd")"),
                {"/workload/args/cg", "unknown group \"/abd\"", "/abc"});
    expectError(load("", R"(,"cg":"/a//b")"), {"/workload/args/cg", "empty name"});
    expectError(load("", "", R"("autogroup":"maybe",)"), {"/autogroup", "on"});
}
