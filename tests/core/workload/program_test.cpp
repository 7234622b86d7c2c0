// SPDX-License-Identifier: GPL-3.0-or-later
// Loops, sleeps, timers, forks, exits, units; what validate() refuses; copies of a State go on alike.
#include "tests/core/workload/support/toy_tasks.h"

#include <algorithm>

using namespace rqs;
using namespace rqs::workload;
using namespace rqs::workload::toy;

namespace {

Op loop(std::int64_t n) { return op(OpKind::LoopBegin, -1, n); }
Op end() { return op(OpKind::LoopEnd); }
Op compute(std::int64_t ns) { return op(OpKind::Compute, -1, ns); }
Op done(std::int64_t n) { return op(OpKind::Done, -1, n); }

/// The computations a program makes until it exits, by length.
std::vector<std::int64_t> computations(std::vector<Op> ops) {
    Build b;
    const TaskId t = b.task(std::move(ops));
    Tasks tasks(b.w);
    std::vector<std::int64_t> all;
    for (;;) {
        const Did d = tasks.run(t);
        if (d.effect.kind == Effect::Kind::Exit || all.size() > 10'000) return all;
        all.push_back(d.begin.ns);
    }
}

std::string refusal(const Workload& w) {
    const Status s = validate(w);
    return s ? "accepted" : s.error().text();
}
std::string refusal(std::vector<Op> ops) {
    Build b;
    b.object(ObjectKind::Pipe);
    b.task(std::move(ops));
    return refusal(b.w);
}

} // namespace

TEST(Program, FourLoopsInsideEachOther) {
    const auto all = computations({loop(2), compute(1), loop(3), compute(2), loop(2), compute(3), loop(5),
                                   compute(4), end(), end(), end(), end()});
    EXPECT_EQ(std::count(all.begin(), all.end(), 1), 2);
    EXPECT_EQ(std::count(all.begin(), all.end(), 2), 6);
    EXPECT_EQ(std::count(all.begin(), all.end(), 3), 12);
    EXPECT_EQ(std::count(all.begin(), all.end(), 4), 60);
}
TEST(Program, LoopOfNoTurnsIsSkipped) {
    EXPECT_EQ(computations({compute(1), loop(0), compute(9), loop(-1), compute(8), end(), end(), compute(2)})
                  .size(),
              2U);
    EXPECT_EQ(computations({loop(3), loop(0), compute(9), end(), compute(2), end()}),
              (std::vector<std::int64_t>{2, 2, 2}));
}
TEST(Program, LoopForEver) { EXPECT_EQ(computations({loop(-1), compute(1), end()}).size(), 10'001U); }

TEST(Program, EndOfProgramIsExit) {
    Build b;
    const TaskId t = b.task({compute(5)});
    Tasks tasks(b.w);
    tasks.run(t);
    const Did d = tasks.run(t);
    EXPECT_EQ(d.begin.kind, Begin::Kind::Exit);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Exit);
}
TEST(Program, BeginOfEachKind) {
    Build b;
    const TaskId t = b.task({compute(5), op(OpKind::CpuBurn, -1, 6), op(OpKind::Syscall, -1, 7),
                             op(OpKind::Yield), op(OpKind::Exit), compute(1)});
    Tasks tasks(b.w);
    Did d = tasks.run(t);
    EXPECT_EQ(d.begin.kind, Begin::Kind::User);
    EXPECT_EQ(d.begin.ns, 5);
    d = tasks.run(t);
    EXPECT_EQ(d.begin.kind, Begin::Kind::User);
    EXPECT_EQ(d.begin.ns, 6);
    d = tasks.run(t);
    EXPECT_EQ(d.begin.kind, Begin::Kind::Kernel);
    EXPECT_EQ(d.begin.op, OpKind::Syscall);
    EXPECT_EQ(d.begin.ns, 7);
    d = tasks.run(t);
    EXPECT_EQ(d.begin.op, OpKind::Yield);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Yield);
    d = tasks.run(t);
    EXPECT_EQ(d.begin.kind, Begin::Kind::Exit);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Exit);
}
TEST(Program, HogNeverLeavesItsLoop) {
    Build b;
    const TaskId t = b.task({op(OpKind::SpinUser), compute(1)});
    Tasks tasks(b.w);
    for (int i = 0; i < 3; ++i) {
        const Did d = tasks.run(t);
        EXPECT_EQ(d.begin.kind, Begin::Kind::User);
        EXPECT_EQ(d.begin.ns, kForeverNs);
        EXPECT_EQ(d.effect.kind, Effect::Kind::Continue);
    }
}
TEST(Program, UnitsComeWithTheOperationBeforeThem) {
    Build b;
    const TaskId t = b.task({loop(3), compute(1), done(2), done(5), end(), done(100), compute(1)});
    Tasks tasks(b.w);
    EXPECT_EQ(tasks.run(t).effect.done, 7);
    EXPECT_EQ(tasks.run(t).effect.done, 7);
    EXPECT_EQ(tasks.run(t).effect.done, 107);
    EXPECT_EQ(tasks.run(t).effect.done, 0);
}
TEST(Program, UnitsOfABlockingOperationWaitForItsEnd) {
    Build b;
    const auto p = b.object(ObjectKind::Pipe);
    const TaskId r = b.task({op(OpKind::PipeRead, p, 10), done(1)});
    const TaskId w = b.task({op(OpKind::PipeWrite, p, 10)});
    Tasks t(b.w);
    EXPECT_EQ(t.run(r).effect.done, 0);
    t.run(w);
    EXPECT_EQ(t.run(r).effect.done, 1);
}
TEST(Program, SleepEndsAtTheEndOfItsSlack) {
    Build b;
    const TaskId t =
        b.task({loop(2), op(OpKind::Sleep, -1, 1000, kDefaultSlackNs), done(1), compute(7), end()});
    Tasks tasks(b.w);
    tasks.now = {500};
    Did d = tasks.run(t);
    EXPECT_EQ(d.effect.kind, Effect::Kind::SleepUntil);
    EXPECT_EQ(d.effect.until.ns, 500 + 1000 + 50'000);
    EXPECT_EQ(d.effect.done, 0);
    // Woken too early: the same instant again.
    tasks.now = {2000};
    tasks.wake(t);
    d = tasks.run(t);
    EXPECT_TRUE(d.begin.resumed);
    EXPECT_EQ(d.effect.until.ns, 51'500);
    tasks.now = {51'500};
    tasks.wake(t);
    d = tasks.run(t);
    EXPECT_EQ(d.begin.kind, Begin::Kind::User);
    EXPECT_EQ(d.begin.ns, 7);
    EXPECT_FALSE(d.begin.resumed);
    EXPECT_EQ(d.effect.done, 1);
}
TEST(Program, TimerGridStartsWhenTheTaskFirstRunsAndNeverShifts) {
    Build b;
    const TaskId t = b.task({loop(-1), compute(30), op(OpKind::TimerWait, -1, 100, 5), end()});
    Tasks tasks(b.w);
    tasks.now = {1000};
    tasks.run(t);
    tasks.now = {1030};
    EXPECT_EQ(tasks.run(t).effect.until.ns, 1105);
    tasks.now = {1111}; // ran late
    tasks.wake(t);
    tasks.run(t);
    tasks.now = {1141};
    EXPECT_EQ(tasks.run(t).effect.until.ns, 1205);
    tasks.now = {1205};
    tasks.wake(t);
    tasks.run(t);
    tasks.now = {1450}; // two instants were missed: they pass without sleeping
    EXPECT_EQ(tasks.run(t).effect.kind, Effect::Kind::Continue);
    tasks.run(t);
    EXPECT_EQ(tasks.run(t).effect.kind, Effect::Kind::Continue);
    tasks.run(t);
    const Did d = tasks.run(t);
    EXPECT_EQ(d.effect.kind, Effect::Kind::SleepUntil);
    EXPECT_EQ(d.effect.until.ns, 1505);
}
TEST(Program, ForkStartsAChildOnce) {
    Build b;
    const TaskId child = b.task({compute(1)}, true);
    const TaskId t = b.task({loop(2), op(OpKind::Fork, child.v), end()});
    Tasks tasks(b.w);
    Did d = tasks.run(t);
    EXPECT_EQ(d.begin.op, OpKind::Fork);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Fork);
    EXPECT_EQ(d.effect.child, child);
    d = tasks.run(t);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(tasks.run(t).effect.kind, Effect::Kind::Exit);
}
TEST(Program, ACopyGoesOnLikeTheOriginal) {
    Build b;
    const auto p = b.object(ObjectKind::Pipe);
    const TaskId w = b.repeats(op(OpKind::PipeWrite, p, 100));
    const TaskId r = b.task({loop(-1), op(OpKind::PipeRead, p, 100), done(1), end()});
    Tasks first(b.w);
    first.run(r);
    first.runOn(w, 100);
    Tasks second = first;
    for (Tasks* t : {&first, &second}) {
        t->runOn(r);
        EXPECT_EQ(t->done, 100);
        EXPECT_EQ(t->runOn(w), 640);
    }
    EXPECT_EQ(first.state.codes, second.state.codes); // programs are shared
}

TEST(Validate, Refusals) {
    EXPECT_EQ(refusal({compute(1)}), "accepted");
    EXPECT_NE(refusal(Workload{}).find("no task"), std::string::npos);
    EXPECT_NE(refusal({loop(-1), done(1), end()}).find("nothing that takes time"), std::string::npos);
    EXPECT_NE(refusal({loop(-1), loop(0), compute(1), end(), end()}).find("nothing that takes time"),
              std::string::npos);
    EXPECT_EQ(refusal({loop(-1), loop(2), compute(1), end(), end()}), "accepted");
    EXPECT_NE(refusal({loop(1), compute(1)}).find("not ended"), std::string::npos);
    EXPECT_NE(refusal({compute(1), end()}).find("not begun"), std::string::npos);
    EXPECT_NE(
        refusal({loop(1), loop(1), loop(1), loop(1), loop(1), compute(1), end(), end(), end(), end(), end()})
            .find("too deep"),
        std::string::npos);
    EXPECT_NE(refusal({compute(0)}).find("out of range"), std::string::npos);
    EXPECT_NE(refusal({compute(kMaxNs + 1)}).find("out of range"), std::string::npos);
    EXPECT_NE(refusal({op(OpKind::Sleep, -1, -1)}).find("out of range"), std::string::npos);
    EXPECT_NE(refusal({op(OpKind::Sleep, -1, 1, -1)}).find("slack"), std::string::npos);
    EXPECT_NE(refusal({op(OpKind::PipeRead, 0, 0)}).find("out of range"), std::string::npos);
    EXPECT_NE(refusal({op(OpKind::PipeRead, 1, 1)}).find("does not exist"), std::string::npos);
    EXPECT_NE(refusal({op(OpKind::UnixRecv, 0, 1)}).find("another kind"), std::string::npos);
    EXPECT_NE(refusal({op(OpKind::Fork, 7)}).find("does not exist"), std::string::npos);
    EXPECT_NE(refusal({op(OpKind::Fork, 0)}).find("starts by itself"), std::string::npos);
    EXPECT_NE(refusal({op(static_cast<OpKind>(200))}).find("unknown operation"), std::string::npos);
}
TEST(Validate, TaskFields) {
    Build good;
    good.task({compute(1)});
    const auto with = [&](auto change) {
        Workload w = good.w;
        change(w.tasks[0]);
        return refusal(w);
    };
    EXPECT_NE(with([](TaskSpec& t) { t.comm = ""; }).find("name"), std::string::npos);
    EXPECT_NE(with([](TaskSpec& t) { t.comm = "sixteen-letters!"; }).find("name"), std::string::npos);
    EXPECT_NE(with([](TaskSpec& t) { t.nice = 20; }).find("nice"), std::string::npos);
    EXPECT_NE(with([](TaskSpec& t) { t.policy = 3; }).find("policy"), std::string::npos);
    EXPECT_NE(with([](TaskSpec& t) { t.sliceNs = -1; }).find("slice"), std::string::npos);
    EXPECT_NE(with([](TaskSpec& t) { t.startNs = -1; }).find("start"), std::string::npos);
    EXPECT_NE(with([](TaskSpec& t) { t.code = 1; }).find("no program"), std::string::npos);
    EXPECT_NE(with([](TaskSpec& t) { t.cpus = {-1}; }).find("CPU"), std::string::npos);
    Workload many = good.w;
    many.tasks.resize(kMaxTasks + 1, many.tasks[0]);
    EXPECT_NE(refusal(many).find("100000"), std::string::npos);
}
TEST(Validate, ARefusedWorkloadExitsInsteadOfCrashing) {
    Build b;
    b.task({loop(1), op(OpKind::PipeRead, 99, 1)});
    State s = makeState(b.w, 4096);
    EXPECT_EQ(begin(s, TaskId(0), {}).kind, Begin::Kind::Exit);
    EXPECT_EQ(finish(s, TaskId(0), {}).kind, Effect::Kind::Exit);
    EXPECT_FALSE(forget(s, TaskId(0)));
}
