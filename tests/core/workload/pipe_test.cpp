// SPDX-License-Identifier: GPL-3.0-or-later
// Pipe rules of preempt_workloads 3.1, with the exact counts of 7.2 item 11.
#include "tests/core/workload/support/toy_tasks.h"

using namespace rqs;
using namespace rqs::workload;
using namespace rqs::workload::toy;

namespace {

struct OnePipe {
    Build b;
    std::int32_t pipe = b.object(ObjectKind::Pipe);
    TaskId writer(std::int64_t bytes = 100) { return b.repeats(op(OpKind::PipeWrite, pipe, bytes)); }
    TaskId reader(std::int64_t bytes = 100) { return b.repeats(op(OpKind::PipeRead, pipe, bytes)); }
};

} // namespace

TEST(Pipe, PW_7_2_11_capacity_4k) {
    OnePipe p;
    const TaskId w = p.writer();
    Tasks t(p.b.w, 4096);
    EXPECT_EQ(t.runOn(w), 640);
    EXPECT_TRUE(t.blocked(w));
    EXPECT_EQ(t.state.pipes[0].bytes, 64'000);
}
TEST(Pipe, PW_7_2_11_capacity_64k) {
    OnePipe p;
    const TaskId w = p.writer();
    Tasks t(p.b.w, 65'536);
    EXPECT_EQ(t.runOn(w), 10'480);
    EXPECT_TRUE(t.blocked(w));
}
TEST(Pipe, PW_7_2_11_writer_wakes_only_if_empty) {
    OnePipe p;
    const TaskId w = p.writer(), r = p.reader(), r2 = p.reader();
    Tasks t(p.b.w);
    EXPECT_EQ(t.run(r).effect.kind, Effect::Kind::Block);
    EXPECT_EQ(t.run(r2).effect.kind, Effect::Kind::Block);
    const Did first = t.run(w);
    EXPECT_EQ(first.woken, Ids{r}); // exclusive: one of two, the one that came first
    EXPECT_TRUE(first.effect.sync);
    EXPECT_EQ(first.effect.kind, Effect::Kind::Continue);
    const Did second = t.run(w); // not empty now
    EXPECT_TRUE(second.woken.empty());
    EXPECT_FALSE(second.effect.sync);
    EXPECT_TRUE(t.blocked(r2));
}
TEST(Pipe, PW_7_2_11_reader_wakes_only_if_full) {
    OnePipe p;
    const TaskId w = p.writer(), r = p.reader();
    Tasks t(p.b.w);
    t.runOn(w, 639);
    EXPECT_TRUE(t.run(r).woken.empty()); // 16 pages in use, but nobody sleeps
    t.runOn(w);
    ASSERT_TRUE(t.blocked(w));
    // The oldest page is half read: every read began with 16 pages in use and selects the writer, which finds
    // no free page and sleeps again, until its last message leaves the page.
    int woken = 0, reads = 0;
    while (t.blocked(w)) {
        const Did d = t.run(r);
        ++reads;
        EXPECT_TRUE(d.woken == Ids{w});
        EXPECT_TRUE(d.effect.sync);
        ++woken;
        if (t.run(w).effect.kind == Effect::Kind::Continue) break;
        ASSERT_TRUE(t.blocked(w));
    }
    EXPECT_EQ(reads, 39); // one of the page's 40 messages was read before
    EXPECT_EQ(woken, 39);
    EXPECT_EQ(t.runOn(w), 39); // the page the last read freed: 1 + 39 messages
    ASSERT_TRUE(t.blocked(w));
}
TEST(Pipe, ReadOfNotFullPipeWakesNobody) {
    OnePipe p;
    const TaskId w = p.writer(), r = p.reader();
    Tasks t(p.b.w);
    t.runOn(w);
    for (int i = 0; i < 40; ++i) t.run(r);
    ASSERT_TRUE(t.ready(w));
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(t.run(r).woken.empty());
}
TEST(Pipe, SmallWritesMergeOnlyIntoANonEmptyPipe) {
    OnePipe p;
    const TaskId w = p.writer(), r = p.reader();
    Tasks t(p.b.w);
    t.run(w);
    t.run(r);
    EXPECT_EQ(t.state.pipes[0].used, 0); // the emptied page is gone with its free rest
    t.runOn(w, 40);
    EXPECT_EQ(t.state.pipes[0].used, 1);
    t.run(w);
    EXPECT_EQ(t.state.pipes[0].used, 2); // 4,100 bytes do not fit a page, a message is not split
    EXPECT_EQ(t.state.pipes[0].len[(static_cast<std::size_t>(t.state.pipes[0].first) + 1) % 16], 100);
}
TEST(Pipe, MergeCountsFromTheWriteEndNotTheUnreadRest) {
    OnePipe p;
    const TaskId w = p.writer(), r = p.reader();
    Tasks t(p.b.w);
    t.runOn(w, 40);
    for (int i = 0; i < 39; ++i) t.run(r);
    EXPECT_EQ(t.state.pipes[0].bytes, 100);
    t.run(w);
    EXPECT_EQ(t.state.pipes[0].used, 2); // the first page was filled once, reading does not free its start
}
TEST(Pipe, LargeWriteFillsPagesAndMergesItsOddPart) {
    OnePipe p;
    const TaskId small = p.writer(100), large = p.writer(5000);
    Tasks t(p.b.w);
    t.run(small);
    t.run(large); // 904 bytes join the first page, 4,096 take the next
    EXPECT_EQ(t.state.pipes[0].used, 2);
    EXPECT_EQ(t.state.pipes[0].len[0], 1004);
    EXPECT_EQ(t.state.pipes[0].len[1], 4096);
}
TEST(Pipe, WriteLargerThanThePipeSleepsHalfWayAndGoesOn) {
    OnePipe p;
    const TaskId w = p.writer(100'000), r = p.reader(100'000);
    Tasks t(p.b.w);
    EXPECT_EQ(t.run(r).effect.kind, Effect::Kind::Block);
    const Did first = t.run(w);
    EXPECT_EQ(first.effect.kind, Effect::Kind::Block);
    EXPECT_EQ(first.woken, Ids{r}); // it filled the empty pipe, so the reader hears of it before it sleeps
    EXPECT_TRUE(first.effect.sync);
    const Did half = t.run(r); // empties the full pipe, wants more: a second call, which sleeps
    EXPECT_TRUE(half.begin.resumed);
    EXPECT_EQ(half.effect.kind, Effect::Kind::Block);
    EXPECT_EQ(half.woken, Ids{w});
    const Did rest = t.run(w);
    EXPECT_TRUE(rest.begin.resumed);
    EXPECT_EQ(rest.begin.bytes, 100'000 - 65'536);
    EXPECT_EQ(rest.effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(rest.woken, Ids{r});
    EXPECT_EQ(t.run(r).effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(t.state.pipes[0].bytes, 0);
}
TEST(Pipe, ReaderThatSleptPassesTheWakeOnIfDataIsLeft) {
    OnePipe p;
    const TaskId w = p.writer(), r1 = p.reader(), r2 = p.reader(), r3 = p.reader();
    Tasks t(p.b.w);
    for (const TaskId r : {r1, r2, r3}) t.run(r);
    EXPECT_EQ(t.run(w).woken, Ids{r1});
    EXPECT_TRUE(t.run(w).woken.empty());
    const Did d1 = t.run(r1);
    EXPECT_EQ(d1.woken, Ids{r2}); // one message is left
    EXPECT_TRUE(d1.effect.sync);
    EXPECT_TRUE(t.run(r2).woken.empty()); // nothing is left
    EXPECT_TRUE(t.blocked(r3));
}
TEST(Pipe, ReaderThatDidNotSleepPassesNothingOn) {
    OnePipe p;
    const TaskId w = p.writer(), r1 = p.reader(), r2 = p.reader();
    Tasks t(p.b.w);
    t.run(r1);
    t.run(w);
    t.run(w);
    t.run(w);
    t.run(r1); // slept: nobody else waits
    t.life[r2.index()] = Life::Ready;
    EXPECT_TRUE(t.run(r1).woken.empty());
    EXPECT_EQ(t.run(r2).effect.kind, Effect::Kind::Continue);
}
TEST(Pipe, WriterThatSleptPassesTheWakeOnIfThereIsRoom) {
    OnePipe p;
    const TaskId w1 = p.writer(), w2 = p.writer(), r = p.reader(4000);
    Tasks t(p.b.w);
    t.runOn(w1);
    t.run(w2);
    ASSERT_TRUE(t.blocked(w1) && t.blocked(w2));
    EXPECT_EQ(t.run(r).woken, Ids{w1});  // frees a page
    EXPECT_TRUE(t.run(r).woken.empty()); // not full any more
    const Did d = t.run(w1);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(d.woken, Ids{w2});
    EXPECT_TRUE(d.effect.sync);
}
TEST(Pipe, WokenWriterFindsThePlaceTakenAndQueuesAgainAtTheEnd) {
    OnePipe p;
    const TaskId w1 = p.writer(), w2 = p.writer(), w3 = p.writer(), r = p.reader(4000);
    Tasks t(p.b.w);
    t.runOn(w1);
    t.run(w2);
    ASSERT_EQ(t.run(r).woken, Ids{w1});
    EXPECT_EQ(t.runOn(w3), 40); // takes the free page before w1 runs
    const Did again = t.run(w1);
    EXPECT_TRUE(again.begin.resumed);
    EXPECT_EQ(again.effect.kind, Effect::Kind::Block);
    EXPECT_TRUE(again.woken.empty());
    EXPECT_EQ(t.run(r).woken, Ids{w2}); // w1 stands behind w2 and w3 now
    EXPECT_EQ(t.state.pipes[0].writers.count, 2);
    EXPECT_EQ(t.state.pipes[0].writers.head, w3);
    EXPECT_EQ(t.state.pipes[0].writers.tail, w1);
}
TEST(Pipe, SleptWriterThatFillsThePipeAgainPassesNothingOn) {
    OnePipe p;
    const TaskId w1 = p.writer(4000), w2 = p.writer(4000), r = p.reader(4000);
    Tasks t(p.b.w);
    EXPECT_EQ(t.runOn(w1), 16);
    t.run(w2);
    EXPECT_EQ(t.run(r).woken, Ids{w1});
    EXPECT_TRUE(t.run(w1).woken.empty());
    EXPECT_TRUE(t.blocked(w2));
}
TEST(Pipe, ForgottenSelectedTaskPassesItsWakeOn) {
    OnePipe p;
    const TaskId w = p.writer(), r1 = p.reader(), r2 = p.reader();
    Tasks t(p.b.w);
    t.run(r1);
    t.run(r2);
    EXPECT_EQ(t.run(w).woken, Ids{r1});
    EXPECT_TRUE(forget(t.state, r1)); // killed before it could read
    EXPECT_EQ(popWake(t.state, r1), r2);
    EXPECT_FALSE(popWake(t.state, r1));
    t.wake(r2);
    EXPECT_EQ(t.run(r2).effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(begin(t.state, r1, {}).kind, Begin::Kind::Exit);
}
TEST(Pipe, ForgottenWaiterLeavesTheMiddleOfTheList) {
    OnePipe p;
    const TaskId w = p.writer(), r1 = p.reader(), r2 = p.reader(), r3 = p.reader();
    Tasks t(p.b.w);
    for (const TaskId r : {r1, r2, r3}) t.run(r);
    EXPECT_FALSE(forget(t.state, r2));
    EXPECT_EQ(t.run(w).woken, Ids{r1});
    t.run(w);
    EXPECT_EQ(t.run(r1).woken, Ids{r3});
}
TEST(Pipe, AWaiterWokenBySomethingElseLooksAgain) {
    OnePipe p;
    const TaskId w = p.writer(), r = p.reader();
    Tasks t(p.b.w);
    t.run(r);
    t.wake(r); // not by the pipe
    const Did d = t.run(r);
    EXPECT_TRUE(d.begin.resumed);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Block);
    EXPECT_EQ(t.state.pipes[0].readers.count, 1);
    EXPECT_EQ(t.run(w).woken, Ids{r});
}
