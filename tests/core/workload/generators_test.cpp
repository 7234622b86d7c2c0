// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of generated workloads, their published counts, and how wrong arguments are refused.
#include "core/workload/arguments.h"
#include "core/workload/generators.h"
#include "tests/core/workload/support/toy_tasks.h"

#include <deque>
#include <set>

using namespace rqs;
using namespace rqs::workload;
using namespace rqs::workload::toy;

namespace {

using Args = std::map<std::string, std::string>;

Workload made(const std::string& name, const Args& args = {}) {
    auto w = generate(name, args);
    EXPECT_TRUE(w) << (w ? "" : w.error().text());
    return w ? *w : Workload{};
}
/// Error of a refusal; empty fields if it was accepted.
Error refused(const std::string& name, const Args& args) {
    const auto w = generate(name, args);
    return w ? Error{} : w.error();
}
#define EXPECT_REFUSED(name, args, where_, part)                                                             \
    do {                                                                                                     \
        const Error e = refused(name, Args args);                                                            \
        EXPECT_EQ(e.where, where_) << e.text();                                                              \
        EXPECT_NE(e.text().find(part), std::string::npos) << e.text();                                       \
    } while (false)

struct Totals {
    std::int64_t done = 0, wakeups = 0;
    std::size_t ended = 0;
};
/// One CPU, first come first served, each task until it sleeps.
Totals runAll(const Workload& w, int pageSize = 4096) {
    Tasks t(w, pageSize);
    std::deque<TaskId> queue;
    for (std::size_t i = 0; i < w.tasks.size(); ++i) queue.push_back(TaskId(i));
    Totals sum;
    while (!queue.empty()) {
        const TaskId at = queue.front();
        queue.pop_front();
        while (t.ready(at)) {
            const Did d = t.run(at);
            sum.wakeups += static_cast<std::int64_t>(d.woken.size());
            for (const TaskId n : d.woken) queue.push_back(n);
        }
        if (t.life[at.index()] == Life::Dead) ++sum.ended;
    }
    sum.done = t.done;
    return sum;
}

} // namespace

TEST(Hackbench, PW_7_2_17_messages) {
    for (const char* transport : {"pipe", "socket"})
        for (const int loops : {1, 30, 100}) {
            SCOPED_TRACE(std::string(transport) + " " + std::to_string(loops));
            const Workload w = made(
                "hackbench", {{"groups", "2"}, {"loops", std::to_string(loops)}, {"transport", transport}});
            ASSERT_EQ(w.tasks.size(), 80U);
            const Totals t = runAll(w);
            EXPECT_EQ(t.done, 400 * 2 * loops);
            EXPECT_EQ(t.ended, 80U);
            EXPECT_LE(t.wakeups, t.done + 80);
        }
}
TEST(Hackbench, Shape) {
    const Workload w = made("hackbench");
    EXPECT_EQ(w.tasks.size(), 400U);
    EXPECT_EQ(w.objects.size(), 200U);
    EXPECT_EQ(w.objects[0].kind, ObjectKind::UnixSocket);
    EXPECT_EQ(w.unit, "messages");
    EXPECT_EQ(w.tasks[0].role, "rcv"); // per group first the receivers
    EXPECT_EQ(w.tasks[19].role, "rcv");
    EXPECT_EQ(w.tasks[20].role, "snd");
    EXPECT_EQ(w.tasks[20].comm, "snd0.0");
    EXPECT_EQ(w.tasks[399].comm, "snd9.19");
    std::set<std::int32_t> mms;
    for (const TaskSpec& t : w.tasks) mms.insert(t.mm);
    EXPECT_EQ(mms.size(), 400U);
    // All senders of a group use the same 20 channels, in the same order.
    const auto& ops = w.codes[static_cast<std::size_t>(w.tasks[20].code)].ops;
    ASSERT_EQ(ops.size(), 22U);
    for (std::int32_t i = 0; i < 20; ++i)
        EXPECT_EQ(ops[static_cast<std::size_t>(i) + 1], op(OpKind::UnixSend, i, 100));
    EXPECT_EQ(w.tasks[20].code, w.tasks[39].code);
    EXPECT_NE(w.tasks[39].code, w.tasks[60].code);
}
TEST(Hackbench, ThreadsPipesAndMain) {
    const Workload w = made("hackbench", {{"groups", "1"},
                                          {"mode", "thread"},
                                          {"transport", "pipe"},
                                          {"main", "on"},
                                          {"bytes", "64"},
                                          {"loops", "5"}});
    ASSERT_EQ(w.tasks.size(), 41U);
    for (const TaskSpec& t : w.tasks) EXPECT_EQ(t.mm, 0);
    EXPECT_EQ(w.tasks[40].comm, "hackbench");
    const Totals t = runAll(w);
    EXPECT_EQ(t.done, 2000);
    EXPECT_EQ(t.ended, 41U);
    Tasks before(w);
    for (std::int32_t i = 0; i < 39; ++i) {
        before.runOn(TaskId(i));
        EXPECT_TRUE(before.blocked(TaskId(i)));
    }
    before.runOn(TaskId(40));
    EXPECT_TRUE(before.blocked(TaskId(40))); // 39 of 40 are ready
    before.runOn(TaskId(39));
    before.runOn(TaskId(40));
    for (std::int32_t i = 0; i < 40; ++i) EXPECT_TRUE(before.ready(TaskId(i)));
}
TEST(SchbenchPairs, PW_7_2_14_transfers_count_worker_turns) {
    const Workload w = made("schbench_pairs", {{"pairs", "3"}});
    ASSERT_EQ(w.tasks.size(), 6U);
    EXPECT_EQ(w.unit, "transfers");
    Tasks t(w);
    // Each turn of a worker: fill, post, sleep; of its message thread: fill, wake, sleep.
    for (int turn = 0; turn < 50; ++turn)
        for (std::int32_t i = 0; i < 6; ++i) t.runOn(TaskId(i));
    EXPECT_GT(t.done, 0);
    const std::int64_t before = t.done;
    for (std::int32_t i = 0; i < 6; ++i) {
        t.runOn(TaskId(i));
        EXPECT_TRUE(t.blocked(TaskId(i)) || t.ready(TaskId(i)));
    }
    EXPECT_EQ(t.done - before, 3); // one per worker
    for (const TaskSpec& s : w.tasks) EXPECT_EQ(s.mm, 0);
    EXPECT_EQ(w.codes[1].ops[1], op(OpKind::Compute, -1, 32)); // 512 B at 16 B/ns
}
TEST(Pingpong, OneByteGoesToAndFro) {
    const Workload w = made("pingpong", {{"pairs", "2"}, {"burn", "10us"}, {"pause", "1ms"}, {"cpu", "1,3"}});
    ASSERT_EQ(w.tasks.size(), 4U);
    EXPECT_EQ(w.tasks[0].comm, "ping0");
    EXPECT_EQ(w.tasks[3].comm, "pong1");
    EXPECT_EQ(w.tasks[2].cpus, (std::vector<std::int32_t>{1, 3}));
    EXPECT_NE(w.tasks[0].mm, w.tasks[1].mm);
    Tasks t(w);
    t.runOn(TaskId(1));
    Did d = t.run(TaskId(0));
    EXPECT_EQ(d.begin.ns, 10'000);
    d = t.run(TaskId(0));
    EXPECT_EQ(d.woken, Ids{TaskId(1)});
    EXPECT_EQ(t.run(TaskId(0)).effect.kind, Effect::Kind::Block);
    t.runOn(TaskId(1));
    d = t.run(TaskId(0));
    EXPECT_EQ(d.effect.done, 1);
    d = t.run(TaskId(0));
    EXPECT_EQ(d.effect.kind, Effect::Kind::SleepUntil);
    EXPECT_EQ(d.effect.until.ns, 1'050'000);
    EXPECT_EQ(made("pingpong", {{"transport", "socket"}}).objects[0].kind, ObjectKind::UnixSocket);
    EXPECT_EQ(made("pingpong", {{"mode", "thread"}}).tasks[1].mm, 0);
}
TEST(Hogs, ListsAreGivenOutInTurn) {
    const Workload w =
        made("hogs",
             {{"tasks", "5"}, {"nice", "-5,0,5"}, {"cpu", "0-1,4"}, {"policy", "batch"}, {"slice", "3ms"}});
    ASSERT_EQ(w.tasks.size(), 5U);
    EXPECT_EQ(w.tasks[3].nice, -5);
    EXPECT_EQ(w.tasks[4].nice, 0);
    EXPECT_EQ(w.tasks[4].cpus, (std::vector<std::int32_t>{0, 1, 4}));
    EXPECT_EQ(w.tasks[0].policy, 1);
    EXPECT_EQ(w.tasks[0].sliceNs, 3'000'000);
    EXPECT_EQ(w.tasks[2].comm, "hog2");
    EXPECT_EQ(made("hogs").tasks.size(), 2U);
}
TEST(Periodic, RunThenSleepOrGrid) {
    const Workload w =
        made("periodic",
             {{"tasks", "2"}, {"run", "0.2ms"}, {"sleep", "300us"}, {"hogs", "1"}, {"stagger", "2ms"}});
    ASSERT_EQ(w.tasks.size(), 3U);
    EXPECT_EQ(w.tasks[1].startNs, 2'000'000);
    EXPECT_EQ(w.tasks[2].role, "hog");
    Tasks t(w);
    EXPECT_EQ(t.run(TaskId(0)).effect.done, 1);
    EXPECT_EQ(t.run(TaskId(0)).effect.until.ns, 350'000);
    const Workload grid = made("periodic", {{"period", "4ms"}, {"slack", "0"}});
    EXPECT_EQ(grid.codes[0].ops[3], op(OpKind::TimerWait, -1, 4'000'000, 0));
}
TEST(Tasks, ProgramText) {
    const Workload w =
        made("tasks", {{"program", "prod,nice=5,count=2,loop:3;run:1us;pipe_write:p:100;end;exit\n"
                                   "cons,cpu=0-2,mm=7,role=sink,pipe_read:p:100;done"},
                       {"unit", "messages"}});
    ASSERT_EQ(w.tasks.size(), 3U);
    EXPECT_EQ(w.unit, "messages");
    EXPECT_EQ(w.tasks[1].comm, "prod1");
    EXPECT_EQ(w.tasks[1].nice, 5);
    EXPECT_EQ(w.tasks[1].code, w.tasks[0].code);
    EXPECT_NE(w.tasks[1].mm, w.tasks[0].mm);
    EXPECT_EQ(w.tasks[2].cpus.size(), 3U);
    EXPECT_EQ(w.tasks[2].role, "sink");
    EXPECT_EQ(w.objects.size(), 1U);
    EXPECT_EQ(runAll(w).done, 6);
}
TEST(Tasks, EveryStep) {
    const Workload w = made(
        "tasks",
        {{"program",
          "a,run:5;cpu:6;syscall:0;sleep:1ms;sleep:1ms:0;timer:2ms:3us;yield;unix_send:s:10;unix_recv:s:10;"
          "futex_wake:f:3;futex_wake:f:all;futex_wait:f;fork:b;loop;run:1;end;done:4 b,fork=yes,hog"}});
    const std::vector<Op> want{op(OpKind::LoopBegin, -1, -1),
                               op(OpKind::Compute, -1, 5),
                               op(OpKind::CpuBurn, -1, 6),
                               op(OpKind::Syscall),
                               op(OpKind::Sleep, -1, 1'000'000, 50'000),
                               op(OpKind::Sleep, -1, 1'000'000),
                               op(OpKind::TimerWait, -1, 2'000'000, 3'000),
                               op(OpKind::Yield),
                               op(OpKind::UnixSend, 0, 10),
                               op(OpKind::UnixRecv, 0, 10),
                               op(OpKind::FutexWake, 1, 3),
                               op(OpKind::FutexWake, 1, -1),
                               op(OpKind::FutexWait, 1),
                               op(OpKind::Fork, 1),
                               op(OpKind::LoopBegin, -1, -1),
                               op(OpKind::Compute, -1, 1),
                               op(OpKind::LoopEnd),
                               op(OpKind::Done, -1, 4),
                               op(OpKind::LoopEnd)};
    ASSERT_EQ(w.codes.size(), 2U);
    EXPECT_EQ(w.codes[0].ops, want);
    EXPECT_TRUE(w.tasks[1].startsByFork);
}
TEST(Generate, Refusals) {
    EXPECT_REFUSED("hakbench", ({}), "generator", "did you mean \"hackbench\"?");
    EXPECT_REFUSED("hackbench", ({{"group", "3"}}), "group", "did you mean \"groups\"?");
    EXPECT_REFUSED("hackbench", ({{"groups", "25000"}}), "groups", "100000");
    EXPECT_REFUSED("hackbench", ({{"groups", "0"}}), "groups", "1 to");
    EXPECT_REFUSED("hackbench", ({{"groups", "-3"}}), "groups", "out of range");
    EXPECT_REFUSED("hackbench", ({{"groups", "2500"}, {"main", "on"}}), "groups", "2499");
    EXPECT_REFUSED("hackbench", ({{"groups", "ten"}}), "groups", "not a whole number");
    EXPECT_REFUSED("hackbench", ({{"groups", "1.5"}}), "groups", "not a whole number");
    EXPECT_REFUSED("hackbench", ({{"groups", "99999999999999999999"}}), "groups", "not a whole number");
    EXPECT_REFUSED("hackbench", ({{"mode", "threads"}}), "mode", "process, thread");
    EXPECT_REFUSED("hackbench", ({{"loops", "0"}}), "loops", "out of range");
    EXPECT_REFUSED("hogs", ({{"tasks", "1000000"}}), "tasks", "100000");
    EXPECT_REFUSED("hogs", ({{"tasks", "-1"}}), "tasks", "out of range");
    EXPECT_REFUSED("hogs", ({{"nice", "0,20"}}), "nice", "-20 to 19");
    EXPECT_REFUSED("hogs", ({{"cpu", "3-1"}}), "cpu", "list of CPUs");
    EXPECT_REFUSED("hogs", ({{"cpu", "5000"}}), "cpu", "list of CPUs");
    EXPECT_REFUSED("hogs", ({{"cpu", ""}}), "cpu", "list of CPUs");
    EXPECT_REFUSED("hogs", ({{"slice", "3 parsec"}}), "slice", "not a time");
    EXPECT_REFUSED("periodic", ({{"tasks", "100000"}, {"hogs", "1"}}), "hogs", "0 to 0");
    EXPECT_REFUSED("periodic", ({{"run", "0"}}), "run", "out of range");
    EXPECT_REFUSED("periodic", ({{"sleep", "1ms"}, {"period", "1ms"}}), "period", "exclude");
    EXPECT_REFUSED("pingpong", ({{"pairs", "50001"}}), "pairs", "50000");
    EXPECT_REFUSED("schbench_pairs", ({{"bytes", "0"}}), "bytes", "out of range");
    EXPECT_REFUSED("tasks", ({}), "program", "missing");
    EXPECT_REFUSED("tasks", ({{"program", ""}}), "workload", "no task");
    EXPECT_REFUSED("tasks", ({{"program", "a,pipe_read:x:1 b,unix_send:x:1"}}), "program", "another kind");
    EXPECT_REFUSED("tasks", ({{"program", "a,fork:c"}}), "program", "no task \"c\"");
    EXPECT_REFUSED("tasks", ({{"program", "a,hog b,fork:a"}}), "program \"b\", operation 2",
                   "starts by itself");
    EXPECT_REFUSED("tasks", ({{"program", "a,loop:2;run:1"}}), "program",
                   "the loop is not ended at column 3");
    EXPECT_REFUSED("tasks", ({{"program", "a,run:1;end;loop;run:1"}}), "program",
                   "end without a loop at column 9");
    EXPECT_REFUSED("tasks", ({{"program", "a,loop;loop;loop;loop;run:1;end;end;end;end"}}),
                   "program \"a\", operation 5", "too deep");
    EXPECT_REFUSED("tasks", ({{"program", "a,done"}}), "program \"a\", operation 1", "takes time");
    EXPECT_REFUSED("tasks", ({{"program", "a,pipe_write:p:0"}}), "program", "pipe_write:NAME:BYTES");
    EXPECT_REFUSED("tasks", ({{"program", "a,count=100001,hog"}}), "program", "100000");
    EXPECT_REFUSED("tasks", ({{"program", "a,count=100000,hog b,hog"}}), "program", "the limit is 100000");
    EXPECT_REFUSED("lab", ({}), "line", "missing");
    EXPECT_REFUSED("lab", ({{"line", "lab run a,hop"}}), "line", "hop");
}
TEST(Generate, LargestAllowedIsAccepted) {
    EXPECT_EQ(made("hogs", {{"tasks", "100000"}}).tasks.size(), 100'000U);
    EXPECT_EQ(made("hackbench", {{"groups", "2500"}}).tasks.size(), 100'000U);
    EXPECT_EQ(made("pingpong", {{"pairs", "50000"}}).tasks.size(), 100'000U);
}
TEST(Generate, TableHasEveryNameWithAMeaning) {
    EXPECT_EQ(generators().size(), 7U);
    for (const GeneratorInfo& g : generators()) {
        EXPECT_EQ(generatorByName(g.name), &g);
        EXPECT_FALSE(g.meaning.empty());
        for (const ArgumentInfo& a : g.arguments) {
            EXPECT_FALSE(a.name.empty() || a.value.empty() || a.meaning.empty()) << g.name;
            // Each listed argument is read: a value that nothing accepts is refused under its own name.
            const Error e = refused(std::string(g.name), {{std::string(a.name), "\x01"}});
            const bool free = a.value == "text" || a.value.starts_with("word");
            EXPECT_TRUE(free || e.where == a.name) << g.name << " " << a.name << ": " << e.text();
        }
    }
    EXPECT_EQ(generatorByName("none"), nullptr);
}
TEST(Generate, FitsMachine) {
    const Workload w = made("hogs", {{"cpu", "1"}});
    EXPECT_TRUE(fitsMachine(w, 2));
    const Status s = fitsMachine(w, 1);
    ASSERT_FALSE(s);
    EXPECT_NE(s.error().text().find("CPU 1"), std::string::npos);
}
TEST(Arguments, Times) {
    EXPECT_EQ(timeNs("250"), 250);
    EXPECT_EQ(timeNs("250ns"), 250);
    EXPECT_EQ(timeNs("1.5us"), 1500);
    EXPECT_EQ(timeNs("0.25ms"), 250'000);
    EXPECT_EQ(timeNs("2s"), 2'000'000'000);
    EXPECT_EQ(timeNs("1000000s"), kMaxNs);
    for (const char* bad : {"", "ms", "-1ms", "1.ms", "1.5", "1.0001us", "1.2.3ms", "1 ms", "1m", "1000001s",
                            "99999999999999999999"})
        EXPECT_FALSE(timeNs(bad)) << bad;
}
