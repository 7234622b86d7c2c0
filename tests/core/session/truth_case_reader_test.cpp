// SPDX-License-Identifier: GPL-3.0-or-later
// Case folders: what is read from a good one, and a clear error for every kind of damaged one.
#include "core/session/truth/case_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace truth = rqs::session::truth;
namespace fs = std::filesystem;

namespace {

const fs::path kCases = fs::path(RQS_TEST_DATA) / "truth";

/// A copy of a small case that a test may damage.
class DamagedCase : public testing::Test {
protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = fs::temp_directory_path() / (std::string("rqs_truth_") + info->name());
        fs::remove_all(m_folder);
        fs::copy(kCases / "b05-0-19", m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    void write(const char* file, const std::string& text) { std::ofstream(m_folder / file) << text; }
    std::string errorText() {
        const auto c = truth::readCase(m_folder);
        return c ? "no error" : c.error().text();
    }
    fs::path m_folder;
};

} // namespace

TEST(TruthCaseReader, ReadsWorkloadFeaturesKnobsTasksAndTrace) {
    const auto c = truth::readCase(kCases / "b05-0-19");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(c->name, "b05-0-19");
    EXPECT_TRUE(c->workload.starts_with("lab run ")) << c->workload;
    EXPECT_EQ(c->kernelRelease, "6.12.117+deb12-cloud-amd64");
    EXPECT_TRUE(c->feature("RUN_TO_PARITY"));
    EXPECT_FALSE(c->feature("HRTICK"));
    EXPECT_FALSE(c->feature("NO_SUCH_FEATURE"));
    EXPECT_EQ(c->knob("base_slice_ns", -1), 1400000);
    EXPECT_EQ(c->knob("no_such_knob", -1), -1);
    ASSERT_EQ(c->tasks.size(), 2u);
    EXPECT_EQ(c->tasks[0].nice, 0);
    EXPECT_EQ(c->tasks[1].nice, 19);
    EXPECT_TRUE(c->traced);
    EXPECT_GT(c->events.size(), 1000u);
    EXPECT_EQ(c->skippedLines, 0);
    EXPECT_TRUE(std::is_sorted(c->events.begin(), c->events.end(),
                               [](const auto& a, const auto& b) { return a.timeNs < b.timeNs; }));
}

TEST(TruthCaseReader, TrailingSlashKeepsTheName) {
    const auto c = truth::readCase(kCases / "b05-0-19" / "");
    ASSERT_TRUE(c);
    EXPECT_EQ(c->name, "b05-0-19");
}

TEST(TruthCaseReader, TaskLines) {
    const auto t = truth::parseTasks(
        "668 s01,slice=100000,cpu=1,hog\n773 batch,policy=batch,nice=-5,hog\n\nx y\n-3 z\n7\n");
    ASSERT_EQ(t.size(), 2u);
    EXPECT_EQ(t[0].pid, 668);
    EXPECT_EQ(t[0].name, "s01");
    EXPECT_EQ(t[0].sliceNs, 100000);
    EXPECT_EQ(t[1].policy, "batch");
    EXPECT_EQ(t[1].nice, -5);
}

TEST(TruthCaseReader, EventFields) {
    const auto e = truth::readEvent(
        "kworker/1:1-45 [001] dN.3. 8.974040597: deq: pid=45 gq=0x0 vr=4370323029 "
        "dl=4371723029 vlag=4371723029 zero=4370369163 cpu=1 av=47241216 al=2048 nr=3 fl=0x201");
    ASSERT_TRUE(e);
    EXPECT_EQ(e->kind, truth::EventKind::Dequeue);
    EXPECT_EQ(e->queue, 1);
    EXPECT_EQ(e->pid, 45);
    EXPECT_EQ(e->vruntime, 4370323029u);
    EXPECT_EQ(e->zero, 4370369163u);
    EXPECT_EQ(e->flagBits, truth::kDequeueSleep | truth::kDequeueDelayed);
    EXPECT_FALSE(e->group);
    EXPECT_FALSE(truth::readEvent("kworker/1:1-45 [001] dN.3. 8.974040597: deq: pid=45 gq=0x0 vr=43703"));
}

TEST_F(DamagedCase, MissingFolder) {
    fs::remove_all(m_folder);
    EXPECT_NE(errorText().find("not a folder"), std::string::npos) << errorText();
}
TEST_F(DamagedCase, MissingCmd) {
    fs::remove(m_folder / "cmd");
    EXPECT_NE(errorText().find("cmd"), std::string::npos) << errorText();
}
TEST_F(DamagedCase, CmdWithoutKernel) {
    write("cmd", "workload: lab run hog,cpu=1,hog\n");
    EXPECT_NE(errorText().find("no kernel"), std::string::npos) << errorText();
}
TEST_F(DamagedCase, TruncatedTrace) {
    fs::resize_file(m_folder / "trace.txt.gz", fs::file_size(m_folder / "trace.txt.gz") / 2);
    EXPECT_NE(errorText().find("damaged"), std::string::npos) << errorText();
}
TEST_F(DamagedCase, CorruptedTrace) {
    std::fstream f(m_folder / "trace.txt.gz", std::ios::in | std::ios::out | std::ios::binary);
    f.seekp(4000);
    f << "not what gzip wrote here";
    f.close();
    EXPECT_NE(errorText().find("damaged"), std::string::npos) << errorText();
}
TEST_F(DamagedCase, TraceThatIsNone) {
    write("trace.txt.gz", std::string(5000, '\1') + "\nhello\n");
    EXPECT_NE(errorText().find("no trace event"), std::string::npos) << errorText();
}
TEST_F(DamagedCase, NoTraceIsNoError) {
    fs::remove(m_folder / "trace.txt.gz");
    const auto c = truth::readCase(m_folder);
    ASSERT_TRUE(c);
    EXPECT_FALSE(c->traced);
}
TEST_F(DamagedCase, PlainTextTrace) {
    fs::remove(m_folder / "trace.txt.gz");
    write("trace.txt",
          "a-1 [001] d..1. 1.5: yield: pid=7 cpu=1\ngarbage\na-1 [001] d..1. 1.6: yield: pid=8 cpu=1");
    const auto c = truth::readCase(m_folder);
    ASSERT_TRUE(c);
    EXPECT_EQ(c->events.size(), 2u);
    EXPECT_EQ(c->skippedLines, 1);
}
