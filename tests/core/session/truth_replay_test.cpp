// SPDX-License-Identifier: GPL-3.0-or-later
// The production scheduler against a recorded kernel, decision by decision; and the proof that the comparison
// can fail: each rule broken on purpose must show.
#include "core/base/json.h"
#include "core/session/truth/queue_mirror.h"
#include "core/session/truth/replay.h"
#include "core/session/truth/run_case.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace truth = rqs::session::truth;
namespace fs = std::filesystem;
using rqs::sched::RuleOverrides;
using truth::Kind;

namespace {

const fs::path kCases = fs::path(RQS_TEST_DATA) / "truth";
const std::vector<std::string> kNames = {"b02-0-5",
                                         "b05-0-19",
                                         "b07-6mixed",
                                         "b14-10hogs-nortp",
                                         "b2-3hogs-base20000us",
                                         "b33-slice-8-16-32ms",
                                         "b36-yield",
                                         "c01-hog-1per-dd",
                                         "c03-hog-short-dd-cut",
                                         "c06-hog-mixednice-dd-cut"};

truth::Case load(const std::string& name) {
    auto c = truth::readCase(kCases / name);
    EXPECT_TRUE(c) << c.error().text();
    return std::move(*c);
}

std::string listed(const truth::ReplayResult& r) {
    std::string s;
    for (const auto& d : r.differences) s += "\n  " + d;
    return s;
}

class TruthReplay : public testing::TestWithParam<std::string> {};

/// How many differences the broken rule causes on the named cases together.
std::int64_t differences(const RuleOverrides& rules, const std::vector<std::string>& names) {
    std::int64_t n = 0;
    for (const auto& name : names) {
        const auto r = truth::replayDecisions(load(name), rules);
        EXPECT_TRUE(r) << r.error().text();
        n += r->differ();
    }
    return n;
}

const std::vector<std::string> kHogs = {"b07-6mixed", "b14-10hogs-nortp", "b2-3hogs-base20000us"};

} // namespace

TEST_P(TruthReplay, NoDifferenceFromTheKernel) {
    const auto r = truth::replayDecisions(load(GetParam()));
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->differ(), 0) << listed(*r);
}

TEST_P(TruthReplay, JudgesNearlyAllTheReferenceJudges) {
    const auto doc = rqs::json::Document::fromFile((kCases / "expected_judged.json").string());
    ASSERT_TRUE(doc) << doc.error().text();
    const auto expected = doc->root().at(GetParam());
    ASSERT_TRUE(expected);
    const auto r = truth::replayDecisions(load(GetParam()));
    ASSERT_TRUE(r) << r.error().text();
    for (const Kind k :
         {Kind::Pick, Kind::Keep, Kind::Place, Kind::Lag, Kind::Delay, Kind::Preempt, Kind::Tick}) {
        const auto want = expected.at(truth::kindName(k)).asInt(0, 1'000'000);
        ASSERT_TRUE(want) << want.error().text();
        EXPECT_GE((*r)[k].judged() * 100, *want * 98) << truth::kindName(k);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, TruthReplay, testing::ValuesIn(kNames), [](const auto& p) {
    std::string s = p.param;
    std::replace_if(
        s.begin(), s.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return s;
});

TEST(TruthSabotage, IntactRulesShowNothing) { EXPECT_EQ(differences({}, kHogs), 0); }
TEST(TruthSabotage, TieRule) { EXPECT_GT(differences({.tieNewestFirst = true}, kHogs), 0); }
TEST(TruthSabotage, FloorOfV) { EXPECT_GT(differences({.truncateAverage = true}, kHogs), 0); }
TEST(TruthSabotage, LagInflation) { EXPECT_GT(differences({.noLagInflation = true}, kHogs), 0); }
TEST(TruthSabotage, Eligibility) { EXPECT_GT(differences({.everyoneEligible = true}, kHogs), 0); }
TEST(TruthSabotage, ProtectionMarker) { EXPECT_GT(differences({.protectForever = true}, kHogs), 0); }

TEST(TruthSabotage, LagClampOnSleepers) {
    EXPECT_EQ(differences({}, {"c06-hog-mixednice-dd-cut"}), 0);
    EXPECT_GT(differences({.noLagClamp = true}, {"c06-hog-mixednice-dd-cut"}), 0);
}

// E2.3: r = 3 ms, HZ 250, A at 0 and B at 20 ms, both nice 0: V = 10 ms, B's lag of -10 ms is stored as -6
// ms.
TEST(TruthSabotage, LagClampOnExampleE2_3) {
    using namespace rqs;
    using namespace rqs::sched;
    for (const bool broken : {false, true}) {
        auto c = load("b05-0-19");
        for (auto& [name, value] : c.knobs)
            if (name == "base_slice_ns") value = 3'000'000;
        auto made = truth::QueueMirror::make(c, CpuId(1), {.noLagClamp = broken});
        ASSERT_TRUE(made) << made.error().text();
        truth::QueueMirror& m = *made;
        const TaskId a = m.get(9001, 120), b = m.get(9002, 120);
        enqueueTask(m.state, m.cpu, a, EnqueueKind::Wakeup, m.now);
        enqueueTask(m.state, m.cpu, b, EnqueueKind::Wakeup, m.now);
        m.switchTo(b);
        m.now = SimTime{20'000'000};
        dequeueTask(m.state, m.cpu, b, DequeueKind::Save, m.now);
        EXPECT_EQ(m.entity(b).vlag.v, broken ? -10'000'000 : -6'000'000);
    }
}

// Traces that no kernel wrote: lines lost, doubled, exchanged, numbers changed. Whatever comes out, it comes
// out.
TEST(TruthReplayRobust, DamagedTracesNeverCrash) {
    const auto whole = load("c03-hog-short-dd-cut");
    std::uint64_t x = 1;
    const auto draw = [&](std::size_t below) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(x >> 33) % below;
    };
    std::int64_t differ = 0;
    for (int round = 0; round < 60; ++round) {
        auto c = whole;
        for (std::size_t n = 0; n < 40; ++n) {
            const std::size_t i = draw(c.events.size()), j = draw(c.events.size());
            switch (draw(6)) {
            case 0: c.events.erase(c.events.begin() + static_cast<std::ptrdiff_t>(i)); break;
            case 1: std::swap(c.events[i], c.events[j]); break;
            case 2: c.events.insert(c.events.begin() + static_cast<std::ptrdiff_t>(i), c.events[j]); break;
            case 3: c.events[i].pid = c.events[j].pid; break;
            case 4: c.events[i].vruntime ^= std::uint64_t{1} << draw(64); break;
            default: c.events[i].runtime = static_cast<std::int64_t>(draw(3'600'000'000)) * 1000;
            }
        }
        const auto r = truth::replayDecisions(c);
        ASSERT_TRUE(r) << r.error().text();
        differ += r->differ();
        EXPECT_LE(r->differences.size(), 12u);
    }
    EXPECT_GT(differ, 0);
}

TEST(TruthReport, CaseWithoutReplaySaysWhy) {
    const auto folder = fs::temp_directory_path() / "rqs_truth_no_trace";
    fs::remove_all(folder);
    fs::copy(kCases / "b05-0-19", folder);
    fs::remove(folder / "trace.txt.gz");
    const auto r = truth::runCase(folder);
    fs::remove_all(folder);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_FALSE(r->replay);
    ASSERT_EQ(r->notes.size(), 1u);
    EXPECT_NE(r->notes[0].find("no trace"), std::string::npos) << r->notes[0];
    const auto missing = truth::runCase(kCases / "no-such-case");
    EXPECT_FALSE(missing);
}

TEST(TruthReport, NotesAreGathered) {
    std::vector<truth::CaseReport> cases(6);
    for (auto& c : cases) c.notes = {"of all"};
    cases[0].name = "first";
    cases[0].notes.push_back("of one");
    const auto text = truth::reportsText(cases);
    EXPECT_NE(text.find("note: of all\n"), std::string::npos) << text;
    EXPECT_NE(text.find("note: of one (first)\n"), std::string::npos) << text;
}

TEST(TruthReport, JsonNamesKindsAndFigures) {
    truth::CaseReport c;
    c.name = "x";
    c.replay.emplace();
    (*c.replay)[Kind::Pick] = {5, 1, 2};
    c.replay->differences = {"1.0 pick a over b"};
    c.freeRun.emplace();
    c.freeRun->figures = {{"share_hog0", 0.5, 0.52, 0.01}};
    truth::CaseReport none;
    none.name = "y";
    const std::vector<truth::CaseReport> both = {c, none};
    EXPECT_FALSE(c.ok());
    EXPECT_TRUE(none.ok());

    const auto doc = rqs::json::Document::fromText(truth::reportsJson(both), "report");
    ASSERT_TRUE(doc) << doc.error().text();
    const auto cases = doc->root().at("cases").items();
    ASSERT_EQ(cases.size(), 2u);
    EXPECT_EQ(cases[0].at("case").text(), "x");
    EXPECT_EQ(cases[0].at("replay").at("pick").at("agree").text(), "5");
    EXPECT_EQ(cases[0].at("replay").at("pick").at("differ").text(), "1");
    EXPECT_EQ(cases[0].at("replay").at("pick").at("not_judged").text(), "2");
    EXPECT_EQ(cases[0].at("free_run").at("share_hog0").at("recorded").text(), "0.5");
    EXPECT_EQ(cases[0].at("free_run").at("share_hog0").at("simulated").text(), "0.52");
    EXPECT_EQ(cases[1].at("replay").kind(), rqs::json::Kind::Null);
    EXPECT_EQ(cases[1].at("free_run").kind(), rqs::json::Kind::Null);
    EXPECT_EQ(doc->root().at("summary").at("replay").at("pick").at("agree").text(), "5");

    const auto text = truth::reportsText(both);
    EXPECT_NE(text.find("5!1"), std::string::npos) << text;
    EXPECT_EQ(text.find("note:"), std::string::npos) << text;
    EXPECT_NE(text.find("share_hog0 recorded 0.5, simulated 0.52"), std::string::npos) << text;
}
