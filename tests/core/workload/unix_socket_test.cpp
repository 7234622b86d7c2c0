// SPDX-License-Identifier: GPL-3.0-or-later
// Stream socket rules of preempt_workloads 3.1, with the exact counts of 7.2 item 12.
#include "core/workload/channels.h"
#include "tests/core/workload/support/toy_tasks.h"

using namespace rqs;
using namespace rqs::workload;
using namespace rqs::workload::toy;

namespace {

struct OneSocket {
    Build b;
    std::int32_t socket = b.object(ObjectKind::UnixSocket);
    TaskId sender(std::int64_t bytes = 100) { return b.repeats(op(OpKind::UnixSend, socket, bytes)); }
    TaskId receiver(std::int64_t bytes = 100) { return b.repeats(op(OpKind::UnixRecv, socket, bytes)); }
};

} // namespace

TEST(UnixSocket, PW_7_2_12_blocks_at_278) {
    OneSocket s;
    const TaskId a = s.sender();
    Tasks t(s.b.w);
    EXPECT_EQ(t.runOn(a), 278);
    EXPECT_TRUE(t.blocked(a));
    EXPECT_EQ(t.state.sockets[0].charge, 278 * 768);
    EXPECT_EQ(t.state.sockets[0].messages, 278);
}
TEST(UnixSocket, PW_7_2_12_releases_all_senders_at_69) {
    OneSocket s;
    const TaskId a = s.sender(), b = s.sender(), c = s.sender(), r = s.receiver();
    Tasks t(s.b.w);
    t.runOn(a);
    t.run(c);
    t.run(b);
    for (int left = 277; left > 69; --left) {
        EXPECT_TRUE(t.run(r).woken.empty()) << left << " left";
        ASSERT_EQ(t.state.sockets[0].messages, left);
    }
    const Did d = t.run(r);
    EXPECT_EQ(t.state.sockets[0].messages, 69);
    EXPECT_EQ(d.woken, (Ids{a, c, b})); // together, in the order they fell asleep
    EXPECT_TRUE(d.effect.sync);
    EXPECT_TRUE(t.run(r).woken.empty());
    EXPECT_EQ(t.run(a).effect.kind, Effect::Kind::Continue);
}
TEST(UnixSocket, PW_7_2_12_released_senders_may_block_again) {
    OneSocket s;
    const TaskId a = s.sender(), b = s.sender(), r = s.receiver();
    Tasks t(s.b.w);
    t.runOn(a);
    t.run(b);
    t.runOn(r, 209);
    ASSERT_TRUE(t.ready(a) && t.ready(b));
    EXPECT_EQ(t.runOn(a), 209); // fills it up alone
    const Did d = t.run(b);
    EXPECT_TRUE(d.begin.resumed);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Block);
}
TEST(UnixSocket, EverySendWakesASleepingReader) {
    OneSocket s;
    const TaskId a = s.sender(), r1 = s.receiver(), r2 = s.receiver();
    Tasks t(s.b.w);
    t.run(r1);
    t.run(r2);
    const Did d = t.run(a);
    EXPECT_EQ(d.woken, (Ids{r1, r2})); // not exclusive
    EXPECT_TRUE(d.effect.sync);
    EXPECT_EQ(t.run(r2).effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(t.run(r1).effect.kind, Effect::Kind::Block); // nothing left for it
    EXPECT_EQ(t.run(a).woken, Ids{r1});
    EXPECT_EQ(t.run(r2).effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(t.run(r1).effect.kind, Effect::Kind::Block);
    EXPECT_EQ(t.run(r2).effect.kind, Effect::Kind::Block);
    EXPECT_EQ(t.run(a).woken, (Ids{r1, r2}));
    EXPECT_TRUE(t.run(a).woken.empty()); // both are awake
}
TEST(UnixSocket, ChargeFormula) {
    EXPECT_EQ(unixCharge(1, 4096), 768);
    EXPECT_EQ(unixCharge(100, 4096), 768);
    EXPECT_EQ(unixCharge(192, 4096), 768);   // 192 + 320 = 512
    EXPECT_EQ(unixCharge(193, 4096), 1280);  // 256 + 320 -> 1024
    EXPECT_EQ(unixCharge(3776, 4096), 4352); // 3776 + 320 = 4096
    EXPECT_EQ(unixCharge(4096, 4096), 4864); // one page, no linear part: 256 + 512 + 4096
    EXPECT_EQ(unixChunk(4096), 36'544);
    EXPECT_EQ(unixCharge(36'545, 4096), unixCharge(36'544, 4096) + unixCharge(1, 4096));
    EXPECT_EQ(unixCharge(100, 65'536), 768);
}
TEST(UnixSocket, MixedSizesKeepTheirOwnCharge) {
    OneSocket s;
    const TaskId small = s.sender(100), large = s.sender(1000), r = s.receiver(1100);
    Tasks t(s.b.w);
    EXPECT_EQ(t.state.sockets[0].unit, 0);
    EXPECT_EQ(t.state.ring.size(), 278U);
    for (int i = 0; i < 500; ++i) {
        t.run(small);
        t.run(large);
        ASSERT_EQ(t.state.sockets[0].charge, unixCharge(100, 4096) + unixCharge(1000, 4096));
        ASSERT_EQ(t.run(r).effect.kind, Effect::Kind::Continue);
        ASSERT_EQ(t.state.sockets[0].charge, 0);
        ASSERT_EQ(t.state.sockets[0].queued, 0);
    }
}
TEST(UnixSocket, HalfReadBufferStaysCharged) {
    OneSocket s;
    const TaskId a = s.sender(100), r = s.receiver(60);
    Tasks t(s.b.w);
    t.run(a);
    t.run(r);
    EXPECT_EQ(t.state.sockets[0].charge, 768);
    EXPECT_EQ(t.state.sockets[0].queued, 40);
    EXPECT_EQ(t.run(r).effect.kind, Effect::Kind::Block); // 40 of 60
    EXPECT_EQ(t.state.sockets[0].charge, 0);
    EXPECT_EQ(t.run(a).woken, Ids{r});
    EXPECT_EQ(t.run(r).begin.bytes, 20);
    EXPECT_EQ(t.state.sockets[0].queued, 80);
}
TEST(UnixSocket, LargeSendIsCutAndSleepsBetweenItsBuffers) {
    OneSocket s;
    const TaskId a = s.sender(1'000'000), r = s.receiver(1'000'000);
    Tasks t(s.b.w);
    t.run(r);
    const Did d = t.run(a);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Block);
    EXPECT_EQ(d.woken, Ids{r});
    EXPECT_EQ(t.state.sockets[0].messages, 6); // 5 x about 37 kB are below 212,992, the sixth passes it
    int turns = 0;
    while (t.state.tasks[r.index()].progress != 0 || turns == 0) {
        ASSERT_LT(++turns, 100);
        if (t.ready(r)) t.run(r);
        if (t.ready(a)) t.run(a);
    }
    EXPECT_GT(turns, 3);
}
