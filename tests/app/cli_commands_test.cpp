// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands print and promise: JSON keys, repeatability, overrides, comparison, list, check.
#include "program.h"

#include "core/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace rqs;
using rqs::test::cli;
using rqs::test::Outcome;
using rqs::test::TempFolder;
using testing::HasSubstr;

namespace {

const std::string kHackbench = "02-shared-runq/01-hackbench-7950x";
const std::string kTwoHogs = "01-basics/01-two-hogs";

json::Document parsed(const Outcome& o) {
    EXPECT_EQ(o.status, 0) << o.err;
    auto d = json::Document::fromText(o.out, "stdout");
    if (!d) ADD_FAILURE() << d.error().text();
    return d ? std::move(d).value() : std::move(json::Document::fromText("null", "x")).value();
}

/// One short run as JSON.
json::Document runJson(std::vector<std::string> more, const std::string& scenario = kHackbench, const std::string& duration = "12ms") {
    std::vector<std::string> arguments{"run", scenario, "--json", "-", "--duration", duration};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return parsed(cli(arguments));
}

std::string fingerprint(std::vector<std::string> more) { return std::string(runJson(std::move(more)).root().at("fingerprint").text()); }

std::int64_t integer(json::Value v) {
    const auto n = v.asInt(INT64_MIN, INT64_MAX);
    if (!n) ADD_FAILURE() << n.error().text();
    return n ? *n : -1;
}

} // namespace

TEST(CliRun, JsonHasThePromisedKeys) {
    const auto doc = runJson({});
    const json::Value r = doc.root();
    for (const char* key : {"schema_version", "scenario", "variant", "seed", "features", "kernel", "machine", "sim_time_ns", "wall_s",
                            "events", "context_switches", "wakeups", "migrations", "throughput", "wakeup_latency", "lock_stat",
                            "fingerprint", "placement", "notes"})
        EXPECT_TRUE(r.at(key)) << key;
    EXPECT_EQ(r.at("scenario").text(), kHackbench);
    EXPECT_EQ(r.at("variant").text(), "A");
    EXPECT_EQ(r.at("placement").text(), "simplified");
    EXPECT_EQ(integer(r.at("sim_time_ns")), 12'000'000);
    EXPECT_GT(integer(r.at("events")), 1000);
    EXPECT_GT(integer(r.at("context_switches")), 100);
    EXPECT_GT(integer(r.at("wakeups")), 100);
    EXPECT_TRUE(r.at("throughput").at("value"));
    EXPECT_EQ(r.at("throughput").at("unit").text(), "messages/s");
    EXPECT_GT(integer(r.at("throughput").at("total")), 100);
    ASSERT_EQ(r.at("lock_stat").size(), 3u);
    for (const json::Value row : r.at("lock_stat").items())
        for (const char* column : {"con-bounces", "contentions", "waittime-min", "waittime-max", "waittime-total", "waittime-avg", "acq-bounces",
                                   "acquisitions", "holdtime-min", "holdtime-max", "holdtime-total", "holdtime-avg"})
            EXPECT_TRUE(row.at(column)) << column;
    EXPECT_EQ(r.at("cpus").size(), 32u);
    EXPECT_EQ(integer(r.at("task_count")), 400);
}

TEST(CliRun, RepeatsExactlyAndEveryChangeShows) {
    const std::string base = fingerprint({});
    EXPECT_EQ(fingerprint({}), base);
    EXPECT_EQ(fingerprint({"--variant", "A", "--seed", "1"}), base);
    EXPECT_NE(fingerprint({"--seed", "2"}), base);
    EXPECT_NE(fingerprint({"--variant", "B"}), base);
    EXPECT_EQ(fingerprint({"--set", "SHARED_RUNQ=on"}), fingerprint({"--variant", "B"}));
    EXPECT_NE(fingerprint({"--at", "5ms:set SHARED_RUNQ=on"}), base);
    EXPECT_EQ(fingerprint({"--at", "5ms:set SHARED_RUNQ=on"}), fingerprint({"--at", "5ms:set SHARED_RUNQ=on"}));
    EXPECT_NE(fingerprint({"--at", "5ms:set SHARED_RUNQ=on"}), fingerprint({"--at", "6ms:set SHARED_RUNQ=on"}));
}

TEST(CliRun, InputFilesDoWhatOptionsDo) {
    TempFolder folder;
    const std::string file = folder.file("in.txt", "# two flips\n8ms:set SHARED_RUNQ=off\n\n5ms:set SHARED_RUNQ=on\n");
    EXPECT_EQ(fingerprint({"--inputs", file}), fingerprint({"--at", "5ms:set SHARED_RUNQ=on", "--at", "8ms:set SHARED_RUNQ=off"}));
}

TEST(CliRun, OneNanosecondOfOneCostShows) {
    TempFolder folder;
    std::ifstream in(std::string(RQS_SOURCE_DIR) + "/resources/machines/amd-7950x.json");
    std::string machine((std::istreambuf_iterator<char>(in)), {});
    std::ifstream sin(std::string(RQS_SOURCE_DIR) + "/scenarios/" + kHackbench + "/scenario.json");
    std::string scenario((std::istreambuf_iterator<char>(sin)), {});
    const auto at = scenario.find("\"amd-7950x\"");
    ASSERT_NE(at, std::string::npos);
    scenario.replace(at, 11, "\"amd-7950x.json\"");
    folder.file("amd-7950x.json", machine);
    const std::string path = folder.file("scenario.json", scenario);
    const std::string same = std::string(runJson({}, path).root().at("fingerprint").text());
    EXPECT_EQ(same, fingerprint({}));
    const auto cost = machine.find("\"unix_send\"");
    ASSERT_NE(cost, std::string::npos);
    const auto digit = machine.find_first_of("0123456789", machine.find("\"value\"", cost));
    const auto end = machine.find_first_not_of("0123456789", digit);
    machine.replace(digit, end - digit, std::to_string(std::stoll(machine.substr(digit, end - digit)) + 1));
    folder.file("amd-7950x.json", machine);
    EXPECT_NE(std::string(runJson({}, path).root().at("fingerprint").text()), same);
}

TEST(CliRun, KillAndAffinityTakeEffect) {
    const auto killed = runJson({"--at", "10ms:kill hog1"}, kTwoHogs, "40ms");
    const auto tasks = killed.root().at("tasks").items();
    ASSERT_EQ(tasks.size(), 2u);
    EXPECT_LT(integer(tasks[1].at("run_ns")), 11'000'000);
    EXPECT_GT(integer(tasks[0].at("run_ns")), 28'000'000);
    const auto doc = runJson({"--at", "10ms:affinity hog1 0"}, kTwoHogs, "40ms");
    for (const json::Value t : doc.root().at("tasks").items()) EXPECT_GT(integer(t.at("run_ns")), 25'000'000);
}

TEST(CliRun, HumanOutputNamesWhatMatters) {
    const Outcome o = cli({"run", kTwoHogs, "--duration", "40ms"});
    EXPECT_EQ(o.status, 0) << o.err;
    for (const char* part : {"01-basics/01-two-hogs", "gt-smp2", "6.12.117-debian", "context_switches", "hog0", "fingerprint 0x"})
        EXPECT_THAT(o.out, HasSubstr(part));
    EXPECT_EQ(cli({"run", kTwoHogs, "--duration", "40ms", "--quiet"}).out, "");
}

TEST(CliRun, ReportFolder) {
    TempFolder folder;
    const Outcome o = cli({"run", kTwoHogs, "--duration", "40ms", "--quiet", "--report", folder.path("r/deep")});
    EXPECT_EQ(o.status, 0) << o.err;
    for (const char* name : {"report.md", "result.json", "throughput.csv", "wakeup_latency.csv"})
        EXPECT_GT(std::filesystem::file_size(folder.path("r/deep/" + std::string(name))), 10u) << name;
}

TEST(CliRun, ScenarioByIdFolderFileAndTail) {
    const std::string folder = std::string(RQS_SOURCE_DIR) + "/scenarios/" + kTwoHogs;
    for (const std::string& name : {kTwoHogs, folder, folder + "/scenario.json", std::string("01-two-hogs"), std::string("two-hogs")}) {
        const Outcome o = cli({"run", name, "--duration", "5ms", "--json", "-"});
        const auto doc = parsed(o);
        EXPECT_EQ(doc.root().at("scenario").text(), kTwoHogs) << name;
    }
}

TEST(CliCompare, EveryMetricWithAnIntervalAndTheFirstDifference) {
    const auto doc = parsed(cli({"compare", kHackbench, "--duration", "12ms", "--json", "-"}));
    const json::Value r = doc.root();
    EXPECT_EQ(r.at("seeds").size(), 5u);
    EXPECT_EQ(r.at("fingerprints_a").size(), 5u);
    bool found = false;
    for (const json::Value m : r.at("metrics").items()) {
        if (m.at("metric").text() != "throughput") continue;
        found = true;
        EXPECT_GT(*m.at("ci95_pct").asNumber(0, 1e9), 0);
        EXPECT_NE(*m.at("change_pct").asNumber(-1e9, 1e9), 0);
    }
    EXPECT_TRUE(found);
    EXPECT_GT(r.at("metrics").size(), 10u);
    EXPECT_TRUE(r.at("first_differing_decision").at("question"));
    EXPECT_GT(integer(r.at("divergence_ns")), 0);
}

TEST(CliCompare, HumanOutput) {
    const Outcome o = cli({"compare", kTwoHogs, "--duration", "60ms", "--seeds", "3"});
    EXPECT_EQ(o.status, 0) << o.err;
    for (const char* part : {"3 seeds", "context_switches", "±", "first differing decision", "the runs part at"})
        EXPECT_THAT(o.out, HasSubstr(part));
}

TEST(CliList, NamesEverythingAndParses) {
    const auto doc = parsed(cli({"list", "--json"}));
    EXPECT_GE(doc.root().at("scenarios").size(), 6u);
    EXPECT_GE(doc.root().at("machines").size(), 10u);
    EXPECT_GE(doc.root().at("kernels").size(), 10u);
    EXPECT_GE(doc.root().at("features").size(), 20u);
    const Outcome o = cli({"list"});
    EXPECT_EQ(o.status, 0) << o.err;
    for (const char* part : {"amd-7950x", "6.5-tip-88c56cf", "SHARED_RUNQ", kTwoHogs.c_str()}) EXPECT_THAT(o.out, HasSubstr(part));
}

TEST(CliCheck, FailsWhenTheGoldenFileDiffers) {
    TempFolder folder;
    const std::string from = std::string(RQS_SOURCE_DIR) + "/scenarios/" + kTwoHogs;
    std::filesystem::copy(from + "/scenario.json", folder.path("scenario.json"));
    const Outcome missing = cli({"check", folder.path("scenario.json")});
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.err, HasSubstr("--bless"));
    EXPECT_EQ(cli({"check", "--bless", folder.path("scenario.json")}).status, 0);
    EXPECT_EQ(cli({"check", folder.path("scenario.json")}).status, 0);
    std::ifstream in(folder.path("expected.txt"));
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto at = text.find("context_switches ");
    ASSERT_NE(at, std::string::npos);
    text.insert(at + 17, "9");
    folder.file("expected.txt", text);
    const Outcome o = cli({"check", folder.path("scenario.json")});
    EXPECT_EQ(o.status, 1);
    EXPECT_THAT(o.err, HasSubstr("context_switches is"));
}

TEST(CliVersion, AndHelp) {
    EXPECT_THAT(cli({"--version"}).out, HasSubstr("runqscope-cli "));
    EXPECT_THAT(cli({"run", "--help"}).out, HasSubstr("--set"));
    EXPECT_EQ(cli({"--help"}).status, 0);
}
