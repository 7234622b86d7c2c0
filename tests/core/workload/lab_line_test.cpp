// SPDX-License-Identifier: GPL-3.0-or-later
// `lab run` and `lab pp` lines: every line of the recorded cases, each key and step, and errors with columns.
#include "core/workload/lab_line.h"
#include "tests/core/workload/support/toy_tasks.h"

#include <fstream>
#include <sstream>

using namespace rqs;
using namespace rqs::workload;
using namespace rqs::workload::toy;

namespace {

LabRun parsed(const std::string& line) {
    auto r = parseLabLine(line);
    EXPECT_TRUE(r) << line << ": " << (r ? "" : r.error().text());
    return r ? *r : LabRun{};
}
std::string refused(const std::string& line) {
    const auto r = parseLabLine(line);
    return r ? "accepted" : r.error().text();
}
#define EXPECT_REFUSED(line, part) EXPECT_NE(refused(line).find(part), std::string::npos) << refused(line)

} // namespace

TEST(LabLine, EveryRecordedLine) {
    std::ifstream in(RQS_TEST_DATA "/lab_lines.txt");
    ASSERT_TRUE(in);
    int lines = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        ++lines;
        std::istringstream fields(line);
        std::size_t tasks = 0;
        std::string rest;
        fields >> tasks >> std::ws;
        std::getline(fields, rest);
        const LabRun r = parsed(rest);
        const bool pp = rest.starts_with("lab pp");
        EXPECT_EQ(r.workload.tasks.size(), pp ? 2 * tasks : tasks) << rest;
        EXPECT_GE(r.duration.ns, 40'000'000) << rest;
        EXPECT_TRUE(validate(r.workload)) << rest;
        for (const TaskSpec& t : r.workload.tasks) EXPECT_TRUE(t.exactStart) << rest;
        const bool pinned = rest.find("cpu=1") != std::string::npos;
        for (const TaskSpec& t : r.workload.tasks)
            EXPECT_EQ(t.cpus, pinned ? std::vector<std::int32_t>{1} : std::vector<std::int32_t>{}) << rest;
    }
    EXPECT_EQ(lines, 44);
}
TEST(LabLine, KeysAndSteps) {
    const LabRun r = parsed("lab run -d 500 -D 250 a,nice=-5,cpu=1,run:200000;sleep:300000 "
                            "b,slice=3000000,cpu=0-2,start=7,timer:4000000;cpu:100;yield "
                            "c,policy=batch,hog d,policy=idle e");
    EXPECT_EQ(r.duration.ns, 500'000'000);
    EXPECT_EQ(r.dumpAt.ns, 250'000'000);
    ASSERT_EQ(r.workload.tasks.size(), 5U);
    const auto& t = r.workload.tasks;
    EXPECT_EQ(t[0].nice, -5);
    EXPECT_EQ(t[0].cpus, std::vector<std::int32_t>{1});
    EXPECT_EQ(t[1].sliceNs, 3'000'000);
    EXPECT_EQ(t[1].cpus, (std::vector<std::int32_t>{0, 1, 2}));
    EXPECT_EQ(t[1].startNs, 7'000'000);
    EXPECT_EQ(t[2].policy, 1);
    EXPECT_EQ(t[3].policy, 2);
    EXPECT_TRUE(t[4].cpus.empty());
    EXPECT_EQ(t[4].role, "e");
    const auto ops = [&](std::size_t i) { return r.workload.codes[static_cast<std::size_t>(t[i].code)].ops; };
    // The guest's spin loop makes whole turns of 256 instructions.
    EXPECT_EQ(ops(0)[1], op(OpKind::Compute, -1, 199'936));
    EXPECT_EQ(ops(0)[2], op(OpKind::Sleep, -1, 300'000, 1));
    EXPECT_EQ(ops(1)[1], op(OpKind::TimerWait, -1, 4'000'000, 1));
    EXPECT_EQ(ops(1)[2], op(OpKind::CpuBurn, -1, 100));
    EXPECT_EQ(ops(1)[3], op(OpKind::Yield));
    EXPECT_EQ(ops(4)[1], op(OpKind::SpinUser)); // no steps = hog
    EXPECT_EQ(parsed("lab run a,run:5").workload.codes[0].ops[1].amount, 256);
    EXPECT_EQ(parsed("lab run a,run:1").duration.ns, 2'000'000'000);
}
TEST(LabLine, ReleaseFollowsTheLine) {
    const LabRun r = parsed("lab run z,hog a,start=5,hog m,hog b,start=5,hog");
    const auto& t = r.workload.tasks;
    EXPECT_EQ(t[0].startNs, 0);
    EXPECT_EQ(t[2].startNs, kReleaseGapNs);
    EXPECT_EQ(t[1].startNs, 5'000'000);
    EXPECT_EQ(t[3].startNs, 5'000'000 + kReleaseGapNs);
    EXPECT_TRUE(t[0].exactStart);
    const LabRun u = parsed("lab run -F -U -d5 a,hog");
    EXPECT_FALSE(u.workload.tasks[0].exactStart);
    EXPECT_TRUE(u.placedAsForks);
    EXPECT_EQ(u.duration.ns, 5'000'000);
}
TEST(LabLine, PingPong) {
    const LabRun r = parsed("lab pp -d 300 -n 4 -b 20000 -s 2000000 -C 3");
    EXPECT_EQ(r.duration.ns, 300'000'000);
    ASSERT_EQ(r.workload.tasks.size(), 8U);
    EXPECT_EQ(r.workload.tasks[7].comm, "pong3");
    EXPECT_EQ(r.workload.tasks[7].cpus, std::vector<std::int32_t>{3});
    EXPECT_EQ(r.workload.tasks[1].startNs, 0); // the second of a pair sleeps in its read by then
    EXPECT_EQ(r.workload.tasks[0].startNs, kSettleNs);
    EXPECT_EQ(r.workload.tasks[2].startNs, kSettleNs + kReleaseGapNs + 500'000); // released pause/pairs apart
    const auto& ping = r.workload.codes[0].ops;
    EXPECT_EQ(ping[1], op(OpKind::Compute, -1, 19'968));
    EXPECT_EQ(ping[2], op(OpKind::PipeWrite, 0, 1));
    EXPECT_EQ(ping[3], op(OpKind::PipeRead, 1, 1));
    EXPECT_EQ(ping[5], op(OpKind::Sleep, -1, 2'000'000, 1));
    const LabRun plain = parsed("lab pp");
    EXPECT_EQ(plain.workload.tasks.size(), 2U);
    EXPECT_EQ(plain.duration.ns, 500'000'000);
    EXPECT_EQ(plain.workload.codes[0].ops.size(), 5U);
}
TEST(LabLine, Groups_and_sessions) {
    const auto run = parseLabLine("lab run -S -g all a,cg=A,hog b,cg=A/in,hog c,hog");
    ASSERT_TRUE(run) << run.error().text();
    const Workload& w = run->workload;
    EXPECT_EQ(w.tasks[0].group, "/A");
    EXPECT_EQ(w.tasks[1].group, "/A/in");
    EXPECT_EQ(w.tasks[2].group, "/all");
    EXPECT_EQ(w.tasks[2].session, 3);
    ASSERT_EQ(w.groups.size(), 3U);
    EXPECT_EQ(w.groups[0].path, "/A");
    EXPECT_EQ(w.groups[1].path, "/A/in");
    EXPECT_EQ(w.groups[2].shares, 1024);
}
TEST(LabLine, Refusals) {
    EXPECT_REFUSED("", "begins with \"lab run\"");
    EXPECT_REFUSED("hackbench -g 4", "begins with \"lab run\"");
    EXPECT_REFUSED("lab", "without a command at column 1");
    EXPECT_REFUSED("lab turbo -n 20", "lab turbo is not supported at column 5");
    EXPECT_REFUSED("lab rum a,hog", "unknown command \"rum\" at column 5");
    EXPECT_REFUSED("lab run", "without a task");
    EXPECT_REFUSED("lab run -d", "needs a value");
    EXPECT_REFUSED("lab run -d x a,hog", "-d x is not valid at column 12");
    EXPECT_REFUSED("lab run -d 0 a,hog", "1 to 600000");
    EXPECT_REFUSED("lab run -x a,hog", "unknown option -x at column 10");
    EXPECT_REFUSED("lab run -g a//b a,hog", "has an empty name in it");
    EXPECT_REFUSED("lab run a,cg=,hog", "has an empty name in it at column");
    EXPECT_REFUSED("lab run a,cg=A+B,hog", "has a '+' in it at column");
    EXPECT_REFUSED("lab run a,cg=../A,hog", "has . or .. in it at column");
    EXPECT_REFUSED("lab run a,policy=fifo:10,hog", "policy=fifo:10 is not supported");
    EXPECT_REFUSED("lab run a,policy=bath,hog", "other, batch or idle");
    EXPECT_REFUSED("lab run a,nise=3,hog", "did you mean \"nice\"?");
    EXPECT_REFUSED("lab run a,nice=20,hog", "-20 to 19");
    EXPECT_REFUSED("lab run a,nice=3x,hog", "nice=3x is not valid");
    EXPECT_REFUSED("lab run a,slice=-1,hog", "slice=-1 is not valid");
    EXPECT_REFUSED("lab run a,cpu=2-1,hog", "cpu=2-1 is not valid");
    EXPECT_REFUSED("lab run a,start=1.5,hog", "milliseconds");
    EXPECT_REFUSED("lab run a,cpu=1,hop b,hog", "unknown step \"hop\" at column 17");
    EXPECT_REFUSED("lab run a,cpu=1,hop b,hog", "did you mean \"hog\"?");
    EXPECT_REFUSED("lab run a,run:1;slep:5", "unknown step \"slep\" at column 17");
    EXPECT_REFUSED("lab run a,run", "run:NS");
    EXPECT_REFUSED("lab run a,run:x", "\"run:x\" is not a valid step");
    EXPECT_REFUSED("lab run a,run:-5", "run:NS");
    EXPECT_REFUSED("lab run a,run:5:6", "too many colons");
    EXPECT_REFUSED("lab run a,sleep:20us", "sleep:NS");
    EXPECT_REFUSED("lab run a,timer:0", "timer:NS");
    EXPECT_REFUSED("lab run a,pipe_read:p:1", "unknown step \"pipe_read\"");
    EXPECT_REFUSED("lab run a,hog,hog", "second list of steps");
    EXPECT_REFUSED("lab run ,hog", "needs a name");
    EXPECT_REFUSED("lab run run:5;sleep:5", "is not a task name");
    EXPECT_REFUSED("lab pp -n 0", "1 to 256");
    EXPECT_REFUSED("lab pp -n 257", "1 to 256");
    EXPECT_REFUSED("lab pp a,hog", "options only");
    std::string many = "lab run";
    for (int i = 0; i < 257; ++i) many += " h,hog";
    EXPECT_REFUSED(many, "at most 256");
    std::string steps = "lab run a,yield";
    for (int i = 0; i < 32; ++i) steps += ";yield";
    EXPECT_REFUSED(steps, "at most 32");
}
TEST(LabLine, RandomDamageNeverCrashes) {
    const std::string good =
        "lab run -d 500 -D 250 hog,cpu=1,hog per1,cpu=1,start=2,nice=-5,run:200000;sleep:300000";
    const std::string letters = ",;:=- 0a\t\xff";
    std::uint64_t x = 1;
    const auto draw = [&](std::size_t n) {
        x = x * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::size_t>((x >> 33) % n);
    };
    int accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string line = good;
        for (std::size_t k = draw(4); k < 4; ++k) {
            const std::size_t at = draw(line.size());
            if (draw(2) == 0)
                line.erase(at, 1 + draw(3));
            else
                line.insert(at, 1, letters[draw(letters.size())]);
        }
        const auto r = parseLabLine(line);
        if (!r) {
            EXPECT_FALSE(r.error().what.empty());
            continue;
        }
        ++accepted;
        EXPECT_TRUE(validate(r->workload)) << line;
    }
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, 20'000);
}
