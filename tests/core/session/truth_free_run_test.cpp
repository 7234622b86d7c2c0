// SPDX-License-Identifier: GPL-3.0-or-later
// The workload line alone, simulated from the start, must come out as the kernel recorded it: order of the
// first runs, shares within a point, slice lengths within a tick.
#include "core/session/truth/free_run.h"
#include "core/session/truth/run_case.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace truth = rqs::session::truth;
namespace fs = std::filesystem;

namespace {

const fs::path kCases = fs::path(RQS_TEST_DATA) / "truth";
const fs::path kResources = fs::path(RQS_SOURCE_DIR) / "resources";

truth::Case load(const std::string& name) {
    auto c = truth::readCase(kCases / name);
    EXPECT_TRUE(c) << c.error().text();
    return std::move(*c);
}

const truth::Figure* figure(const truth::FreeRun& r, const std::string& name) {
    for (const auto& f : r.figures)
        if (f.name == name) return &f;
    return nullptr;
}

class TruthFreeRun : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(TruthFreeRun, AgreesWithTheRecordedRun) {
    const auto c = load(GetParam());
    const auto r = truth::freeRun(c, kResources);
    ASSERT_TRUE(r) << r.error().text();
    const auto* order = figure(*r, "order_of_first_runs");
    ASSERT_NE(order, nullptr);
    EXPECT_EQ(order->recorded, static_cast<double>(c.tasks.size()));
    for (const auto& t : c.tasks) {
        EXPECT_NE(figure(*r, "share_" + t.name), nullptr) << t.name;
        EXPECT_NE(figure(*r, "slice_p50_ns_" + t.name), nullptr) << t.name;
    }
    for (const auto& f : r->figures)
        EXPECT_TRUE(f.ok()) << f.name << ": recorded " << f.recorded << ", simulated " << f.simulated;
}

INSTANTIATE_TEST_SUITE_P(Cases, TruthFreeRun,
                         testing::Values("b02-0-5", "b05-0-19", "b07-6mixed", "b14-10hogs-nortp",
                                         "b2-3hogs-base20000us", "b33-slice-8-16-32ms", "b36-yield",
                                         "c01-hog-1per-dd"),
                         [](const auto& p) {
                             std::string s = p.param;
                             std::replace(s.begin(), s.end(), '-', '_');
                             return s;
                         });

/// Task groups: shares only; the recorded traces of these cases are not kept here.
class TruthFreeRunGroups : public testing::TestWithParam<std::string> {};

TEST_P(TruthFreeRunGroups, SharesAgreeWithinOnePoint) {
    const auto c = load(GetParam());
    const auto r = truth::freeRun(c, kResources);
    ASSERT_TRUE(r) << r.error().text();
    for (const auto& t : c.tasks) {
        const auto* share = figure(*r, "share_" + t.name);
        ASSERT_NE(share, nullptr) << t.name;
        EXPECT_NEAR(share->simulated, share->recorded, 0.01) << t.name;
    }
}
INSTANTIATE_TEST_SUITE_P(Cases, TruthFreeRunGroups, testing::Values("g01-2in1-1in1", "g03-sleepers-in-group"),
                         [](const auto& p) {
                             std::string s = p.param;
                             std::replace(s.begin(), s.end(), '-', '_');
                             return s;
                         });

// The comparison is not blind: another nice value, another slice, and the figures no longer agree.
TEST(TruthFreeRunSabotage, OtherNiceShows) {
    auto c = load("b02-0-5");
    const auto at = c.workload.find("nice=5");
    ASSERT_NE(at, std::string::npos);
    c.workload.replace(at, 6, "nice=4");
    const auto r = truth::freeRun(c, kResources);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_FALSE(figure(*r, "share_hog1")->ok());
}
TEST(TruthFreeRunSabotage, OtherBaseSliceShows) {
    auto c = load("b2-3hogs-base20000us");
    for (auto& [name, value] : c.knobs)
        if (name == "base_slice_ns") value = 3'000'000;
    const auto r = truth::freeRun(c, kResources);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_FALSE(std::all_of(r->figures.begin(), r->figures.end(), [](const auto& f) { return f.ok(); }));
}

TEST(TruthFreeRunRefusal, ErrorsSayWhy) {
    auto c = load("b05-0-19");
    c.workload = "lab run hog0,cpu=1,cg=A+B,hog";
    EXPECT_FALSE(truth::freeRun(c, kResources));
    c = load("b05-0-19");
    c.smp = "-smp 16";
    EXPECT_FALSE(truth::freeRun(c, kResources));
    c = load("b05-0-19");
    c.kernelRelease = "5.4";
    EXPECT_FALSE(truth::freeRun(c, kResources));
    EXPECT_FALSE(truth::freeRun(load("c03-hog-short-dd-cut"), kResources)) << "has no summary";
}

TEST(TruthFreeRunRepeat, SameFiguresTwice) {
    const auto c = load("b07-6mixed");
    const auto a = truth::freeRun(c, kResources), b = truth::freeRun(c, kResources);
    ASSERT_TRUE(a && b);
    ASSERT_EQ(a->figures.size(), b->figures.size());
    for (std::size_t i = 0; i < a->figures.size(); ++i)
        EXPECT_EQ(a->figures[i].simulated, b->figures[i].simulated) << a->figures[i].name;
}

TEST(TruthRunCase, CarriesBothParts) {
    const auto r = truth::runCase(kCases / "b05-0-19", kResources);
    ASSERT_TRUE(r) << r.error().text();
    ASSERT_TRUE(r->replay);
    ASSERT_TRUE(r->freeRun);
    EXPECT_TRUE(r->ok()) << truth::reportsText(std::vector{*r});
}
