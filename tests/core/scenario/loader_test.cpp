// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario loader: what a file means, where each error points, how names are looked up, and what a variant and
// the overrides change.
#include "core/base/text_file.h"
#include "core/scenario/build_run.h"
#include "core/scenario/loader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

using namespace rqs;
using namespace rqs::scenario;

namespace {

const Folders kShipped{RQS_SOURCE_DIR "/scenarios", RQS_SOURCE_DIR "/resources"};

const std::string kText = R"({
  "title": "t",
  "machine": "amd-7950x",
  "kernel": "6.5-tip-88c56cf",
  "features": { "SHARED_RUNQ": false, "WAKEUP_PREEMPTION": "on" },
  "tunables": { "migration_cost_ns": "1ms" },
  "workload": { "generator": "lab", "line": "lab run a,cpu=1,hog b,cpu=1,hog" },
  "seed": 5,
  "duration": "20ms",
  "warmup": "1.5ms",
  "variants": [
    { "name": "A", "title": "off" },
    { "name": "B", "features": { "SHARED_RUNQ": "on" }, "tunables": { "shared_runq_shard_size": 16 } },
    { "name": "C", "kernel": "6.16", "features": { "SHARED_RUNQ": "on" } }
  ],
  "inputs": [{ "at": "5ms", "input": "kill a" }]
}
)";

std::string replaced(const std::string& from, const std::string& to) {
    std::string text = kText;
    const auto at = text.find(from);
    if (at == std::string::npos) ADD_FAILURE() << "no " << from;
    return text.replace(at, from.size(), to);
}
/// The file without variant C, which does not fit its kernel.
std::string good() { return replaced(",\n    { \"name\": \"C\", \"kernel\": \"6.16\", \"features\": { \"SHARED_RUNQ\": \"on\" } }", ""); }

Result<Scenario> structure(const std::string& text) { return parseScenario(text, "s.json", "", ""); }
Result<Scenario> whole(const std::string& text) { return parseScenario(text, "s.json", "", kShipped.resources); }
std::string errorOf(const Result<Scenario>& s) { return s ? "accepted" : s.error().text(); }

} // namespace

TEST(ScenarioLoader, ReadsEverything) {
    const auto s = structure(kText);
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->base.kernel, "6.5-tip-88c56cf");
    EXPECT_EQ(s->base.features, (std::map<std::string, std::string>{{"SHARED_RUNQ", "off"}, {"WAKEUP_PREEMPTION", "on"}}));
    EXPECT_EQ(s->base.tunables.at("migration_cost_ns"), 1'000'000);
    EXPECT_EQ(s->duration.ns, 20'000'000);
    EXPECT_EQ(s->warmup.ns, 1'500'000);
    EXPECT_EQ(s->seed, 5u);
    ASSERT_EQ(s->variants.size(), 3u);
    EXPECT_EQ(s->variants[1].changes.tunables.at("shared_runq_shard_size"), 16);
    ASSERT_EQ(s->inputs.size(), 1u);
    EXPECT_EQ(s->inputs[0].at, SimTime{5'000'000});
}

TEST(ScenarioLoader, ErrorsPointAtTheValue) {
    EXPECT_EQ(errorOf(structure(replaced("\"20ms\"", "20"))), "s.json:9:15 (/duration): expected a string, found a number (a time with its unit: \"20ms\")");
    for (const auto& [from, to, parts] : std::vector<std::tuple<std::string, std::string, std::vector<std::string>>>{
             {"\"seed\": 5", "\"seed\": -1", {"s.json:8:11 (/seed)"}},
             {"\"seed\": 5", "\"seed\": 1.5", {"s.json:8:11 (/seed)"}},
             {"\"warmup\": \"1.5ms\"", "\"warmup\": \"20ms\"", {"s.json:10:13 (/warmup)", "shorter than the run"}},
             {"\"20ms\"", "\"0\"", {"s.json:9:15 (/duration)"}},
             {"\"name\": \"B\"", "\"name\": \"A\"", {"s.json:13:15", "second variant \"A\""}},
             {"\"name\": \"B\"", "\"name\": \"a b\"", {"s.json:13:15", "no variant name"}},
             {"\"5ms\"", "\"25ms\"", {"s.json:16:22", "after the end of the run"}},
             {"\"WAKEUP_PREEMPTION\": \"on\"", "\"WAKEUP_PREEMPTION\": 1", {"s.json:5:", "/features/WAKEUP_PREEMPTION", "\"on\" or \"off\""}},
             {"\"title\": \"t\",", "", {"s.json:1:1", "title"}},
             {"\"kernel\": \"6.5-tip-88c56cf\",", "", {"s.json:1:1", "kernel"}},
             {"\"lab\"", "\"lub\"", {"s.json:7:", "/workload/generator"}},
             {"\"line\"", "\"lien\"", {"s.json:7:", "line"}},
             {"\"variants\": [", "\"variants\": [ 7,", {"s.json:11:", "/variants/0"}},
             {"\"seed\": 5", "\"schema_version\": 2", {"s.json:8:21 (/schema_version)"}},
             {"\"seed\": 5", "\"expectations\": [{\"metric\": \"x\"}]", {"s.json:8:20", "without a bound"}},
             {"\"seed\": 5", "\"expectations\": [{\"metric\": \"x\", \"min\": 2, \"max\": 1}]", {"max is below min"}},
             {"\"seed\": 5", "\"expectations\": [{\"metric\": \"x\", \"min\": 2, \"variant\": \"D\"}]", {"no variant \"D\""}}}) {
        const std::string e = errorOf(structure(replaced(from, to)));
        for (const std::string& p : parts) EXPECT_NE(e.find(p), std::string::npos) << to << "\n" << e;
    }
}

TEST(ScenarioLoader, NamesAreCheckedWithTheirPosition) {
    EXPECT_EQ(errorOf(whole(good())), "accepted");
    const std::string c = errorOf(whole(kText));
    EXPECT_NE(c.find("s.json:5:32 (/features/SHARED_RUNQ): SHARED_RUNQ cannot be set: not in 6.16"), std::string::npos) << c;
    for (const auto& [from, to, part] : std::vector<std::tuple<std::string, std::string, std::string>>{
             {"amd-7950x", "amd-7950y", "s.json:3:14 (/machine): unknown machine \"amd-7950y\" (did you mean \"amd-7950x\"?)"},
             {"6.5-tip-88c56cf", "6.5-tip", "s.json:4:13 (/kernel)"},
             {"WAKEUP_PREEMPTION", "WAKEUP_PREEMPTIONS", "s.json:5:"},
             {"migration_cost_ns", "migration_cost", "s.json:6:"},
             {"\"1ms\"", "-2", "s.json:6:38 (/tunables/migration_cost_ns)"},
             {"b,cpu=1,hog", "b,cpu=1,frog", "s.json:7:"},
             {"\"SHARED_RUNQ\": \"on\"", "\"DELAY_DEQUEUE\": \"on\"", "s.json:13:51 (/variants/1/features/DELAY_DEQUEUE)"},
             {"kill a", "kill c", "s.json:15:38 (/inputs/0/input): no task \"c\""}}) {
        std::string text = good();
        text.replace(text.find(from), from.size(), to);
        const std::string e = errorOf(whole(text));
        EXPECT_NE(e.find(part), std::string::npos) << to << "\n" << e;
    }
}

TEST(ScenarioLoader, VariantsAndOverridesWinInOrder) {
    const auto s = whole(good());
    ASSERT_TRUE(s) << s.error().text();
    const auto a = buildRun(*s, "A"), b = buildRun(*s, "B");
    ASSERT_TRUE(a) << a.error().text();
    ASSERT_TRUE(b) << b.error().text();
    EXPECT_FALSE(a->kernel.on(sched::Feature::SHARED_RUNQ));
    EXPECT_TRUE(b->kernel.on(sched::Feature::SHARED_RUNQ));
    EXPECT_EQ(a->kernel.tunables.shared_runq_shard_size, 6);
    EXPECT_EQ(b->kernel.tunables.shared_runq_shard_size, 16);
    EXPECT_EQ(b->kernel.tunables.migration_cost_ns, 1'000'000);
    EXPECT_EQ(a->workload.tasks.size(), 2u);
    EXPECT_EQ(a->hardware->topology.cpuCount(), 32);
    ASSERT_EQ(a->inputs.size(), 1u);
    Overrides o;
    o.features = {{"SHARED_RUNQ", "off"}};
    o.tunables = {{"migration_cost_ns", "7us"}};
    o.inputs = {{SimTime{1'000'000}, "nice b 5"}};
    o.seed = 99;
    o.duration = Duration{4'000'000};
    const auto r = buildRun(*s, "B", o);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_FALSE(r->kernel.on(sched::Feature::SHARED_RUNQ));
    EXPECT_EQ(r->kernel.tunables.migration_cost_ns, 7000);
    EXPECT_EQ(r->seed, 99u);
    EXPECT_EQ(r->duration.ns, 4'000'000);
    ASSERT_EQ(r->inputs.size(), 1u) << "the scenario's own input lies after the end of this shorter run";
    EXPECT_EQ(r->inputs[0].text, "nice b 5");
}

TEST(ScenarioLoader, OverrideErrorsNameTheOption) {
    const auto s = whole(good());
    ASSERT_TRUE(s);
    const auto where = [&](const Overrides& o, const std::string& variant = "A") {
        const auto r = buildRun(*s, variant, o);
        return r ? std::string("accepted") : r.error().where;
    };
    Overrides kernel, feature, tunable, input, duration, preempt;
    kernel.kernel = "9.9";
    feature.features = {{"SHARED_RUNK", "on"}};
    tunable.tunables = {{"hz", "x"}};
    input.inputs = {{SimTime{1}, "kill zz"}};
    duration.duration = Duration{1'000'000};
    preempt.preemption = "lazy";
    EXPECT_EQ(where(kernel), "--kernel");
    EXPECT_EQ(where(feature), "--set");
    EXPECT_EQ(where(tunable), "--tune");
    EXPECT_EQ(where(input), "--at");
    EXPECT_EQ(where(duration), "--duration") << "shorter than the warm-up";
    EXPECT_EQ(where(preempt), "--preempt");
}

TEST(ScenarioLoader, LooksScenariosUp) {
    const std::string file = kShipped.scenarios + "/01-basics/01-two-hogs/scenario.json";
    for (const std::string name : {"01-basics/01-two-hogs", "01-two-hogs", "two-hogs"}) {
        const auto f = findScenario(name, kShipped);
        ASSERT_TRUE(f) << f.error().text();
        EXPECT_TRUE(std::filesystem::equivalent(*f, file)) << *f;
    }
    EXPECT_EQ(*findScenario(file, kShipped), file);
    const auto typo = findScenario("two-hoggs", kShipped);
    ASSERT_FALSE(typo);
    EXPECT_EQ(typo.error().hint, "did you mean \"two-hogs\"?");
    EXPECT_FALSE(findScenario("", kShipped));
    EXPECT_FALSE(findScenario(std::string(100000, 'x'), kShipped));
}

TEST(ScenarioLoader, EveryShippedScenarioLoadsAndTeaches) {
    const auto entries = listScenarios(kShipped.scenarios);
    EXPECT_GE(entries.size(), 6u);
    for (const Entry& e : entries) {
        EXPECT_EQ(e.error, "");
        const auto s = loadScenario(e.path, kShipped);
        ASSERT_TRUE(s) << s.error().text();
        EXPECT_EQ(s->id, e.id);
        EXPECT_FALSE(s->summary.empty()) << e.id;
        std::size_t at = 0;
        for (const char* heading : {"\n## Question\n", "\n## Predict\n", "\n## Run\n", "\n## Look\n", "\n## Why\n"}) {
            at = s->readme.find(heading, at);
            EXPECT_NE(at, std::string::npos) << e.id << heading;
        }
    }
}

TEST(ScenarioLoader, BrokenFilesAreListedWithTheirError) {
    const auto root = std::filesystem::path(::testing::TempDir()) / "rqs_broken_library";
    std::filesystem::create_directories(root / "01-x/02-y");
    ASSERT_TRUE(writeTextFile((root / "01-x/02-y/scenario.json").string(), "{ \"title\": }"));
    const auto entries = listScenarios(root.string());
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].id, "01-x/02-y");
    EXPECT_NE(entries[0].error.find("scenario.json:1:12"), std::string::npos) << entries[0].error;
    std::filesystem::remove_all(root);
    EXPECT_TRUE(listScenarios("/nowhere").empty());
}

TEST(ScenarioLoader, HostileTextIsRefusedQuickly) {
    const auto start = std::chrono::steady_clock::now();
    std::string many = "{";
    for (int i = 0; i < 200000; ++i) many += "\"k" + std::to_string(i) + "\":" + (i % 2 ? "1," : "[],");
    many += "\"z\":1}";
    std::string variants = "[";
    for (int i = 0; i < 100000; ++i) variants += "{},";
    variants += "{}]";
    for (const std::string& text : {std::string(), std::string(1 << 20, '\0'), std::string(1 << 20, '{'), many,
                                    replaced("\"seed\": 5", "\"plots\": " + variants), std::string("\xEF\xBB\xBF{}"), std::string("{}{}")})
        EXPECT_FALSE(whole(text));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(ScenarioLoader, CutAnywhereIsRefused) {
    const std::string text = good();
    const std::size_t end = text.find_last_of('}');
    for (std::size_t i = 0; i < end; ++i) ASSERT_FALSE(structure(text.substr(0, i))) << i;
}
