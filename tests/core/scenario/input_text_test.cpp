// SPDX-License-Identifier: GPL-3.0-or-later
// Input words: every form, its value, and the error of every way to get it wrong.
#include "core/scenario/input_text.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::scenario;

namespace {

class InputText : public ::testing::Test {
protected:
    InputText() {
        for (const char* name : {"hog0", "hog1", "twin", "twin"}) {
            workload::TaskSpec t;
            t.comm = name;
            tasks.push_back(t);
        }
    }
    Result<sim::Input> read(const std::string& text) { return parseInput(text, {kernel, tasks, 8}, "--at"); }
    template<class T>
    T as(const std::string& text) {
        const auto i = read(text);
        if (!i) ADD_FAILURE() << i.error().text();
        if (!i || !std::holds_alternative<T>(*i)) return T{};
        EXPECT_EQ(*read(inputText(*i)), *i) << "written as " << inputText(*i);
        return std::get<T>(*i);
    }
    std::string error(const std::string& text) {
        const auto i = read(text);
        return i ? "accepted" : i.error().text();
    }
    bool refuses(const std::string& text, const std::string& part) {
        const std::string e = error(text);
        if (e.find(part) != std::string::npos) return true;
        ADD_FAILURE() << text << ": " << e;
        return false;
    }
    sched::KernelConfig kernel = sched::makeKernel(*sched::kernelById("6.5-tip-88c56cf"), 8, 250);
    std::vector<workload::TaskSpec> tasks;
};

TEST_F(InputText, Features) {
    const auto on = as<sim::SetFeature>("set SHARED_RUNQ=on");
    EXPECT_EQ(on.feature, sched::Feature::SHARED_RUNQ);
    EXPECT_TRUE(on.on);
    EXPECT_FALSE(as<sim::SetFeature>("set  SHARED_RUNQ = off ").on);
    refuses("set SHARED_RUNK=on", "SHARED_RUNQ");
    refuses("set SHARED_RUNQ=maybe", "--at: ");
    refuses("set SHARED_RUNQ", "not an assignment");
    refuses("set DELAY_DEQUEUE=on", "DELAY_DEQUEUE"); // EEVDF only, this is CFS
    refuses("set", "not an assignment");
}

TEST_F(InputText, Tunables) {
    const auto size = as<sim::SetTunable>("tune shared_runq_shard_size=16");
    EXPECT_EQ(sched::tunableTable()[static_cast<std::size_t>(size.index)].name, "shared_runq_shard_size");
    EXPECT_EQ(size.value, 16);
    EXPECT_EQ(as<sim::SetTunable>("tune migration_cost_ns=1ms").value, 1000000);
    refuses("tune migration_cost=1", "did you mean \"migration_cost_ns\"?");
    refuses("tune migration_cost_ns=fast", "not a time");
    refuses("tune migration_cost_ns=-5", "migration_cost_ns");
    refuses("tune nr_migrate=1ms", "not a whole number");
    refuses("tune hz=1000", "hz");
}

TEST_F(InputText, Preemption) {
    EXPECT_EQ(as<sim::SetPreemption>("preempt full").model, sched::Preemption::Full);
    refuses("preempt lazy", "none, voluntary or full");
}

TEST_F(InputText, Tasks) {
    EXPECT_EQ(as<sim::KillTask>("kill hog1").task, TaskId(1));
    EXPECT_EQ(as<sim::KillTask>("kill 3").task, TaskId(3));
    EXPECT_EQ(as<sim::SetNice>("nice hog0 -20").nice, -20);
    EXPECT_EQ(as<sim::SetAffinity>("affinity hog0 0-2,7").cpus.count(), 4);
    refuses("kill hog2", "did you mean \"hog0\"?");
    refuses("kill twin", "2 tasks are called \"twin\"");
    refuses("kill 4", "no task 4");
    refuses("kill -1", "no task -1");
    refuses("kill", "needs a task");
    refuses("kill hog0 hog1", "needs a task");
    refuses("nice hog0", "needs a task and a value");
    refuses("nice hog0 20", "-20 to 19");
    refuses("nice hog0 low", "not a whole number");
    refuses("affinity hog0 8", "CPU 8 does not exist");
}

TEST_F(InputText, NotBuiltAndUnknown) {
    refuses("offline 3", "\"offline\" is not built yet");
    refuses("online 3", "no CPU hotplug");
    refuses("cpuset a 0-3", "no cgroups");
    refuses("kil hog0", "did you mean \"kill\"?");
    refuses("", "empty input");
}

TEST_F(InputText, TimedInputs) {
    const auto i = parseTimedInput("20ms:set SHARED_RUNQ=off", "--at");
    ASSERT_TRUE(i);
    EXPECT_EQ(i->at, SimTime{20'000'000});
    EXPECT_EQ(i->text, "set SHARED_RUNQ=off");
    for (const char* bad : {"set SHARED_RUNQ=off", "20:set X=on", "-1ms:kill hog0", "20ms:", "", ":"})
        EXPECT_FALSE(parseTimedInput(bad, "--at")) << bad;
}

TEST_F(InputText, InputFilesNameTheLine) {
    const auto good = parseInputLines("# flips\n\n20ms:set SHARED_RUNQ=off\r\n  30ms: kill hog0", "in.txt");
    ASSERT_TRUE(good);
    ASSERT_EQ(good->size(), 2u);
    EXPECT_EQ((*good)[1].text, "kill hog0");
    const auto bad = parseInputLines("1ms:kill hog0\n\nsoon:kill hog1\n", "in.txt");
    ASSERT_FALSE(bad);
    EXPECT_TRUE(bad.error().where.starts_with("in.txt:3")) << bad.error().where;
}

} // namespace
