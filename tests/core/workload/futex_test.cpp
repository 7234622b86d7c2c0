// SPDX-License-Identifier: GPL-3.0-or-later
// Futex rules: queue order, never sync, units left for those who come later.
#include "tests/core/workload/support/toy_tasks.h"

using namespace rqs;
using namespace rqs::workload;
using namespace rqs::workload::toy;

namespace {

struct OneFutex {
    Build b;
    std::int32_t futex;
    explicit OneFutex(std::int64_t tokens = 0) : futex(b.object(ObjectKind::Futex, tokens)) {}
    TaskId waiter() { return b.repeats(op(OpKind::FutexWait, futex)); }
    TaskId waker(std::int64_t n) { return b.repeats(op(OpKind::FutexWake, futex, n)); }
};

} // namespace

TEST(Futex, PW_7_2_13_wakes_in_queue_order_and_never_sync) {
    OneFutex f;
    const TaskId a = f.waiter(), b = f.waiter(), c = f.waiter(), w = f.waker(2);
    Tasks t(f.b.w);
    for (const TaskId x : {b, c, a}) EXPECT_EQ(t.run(x).effect.kind, Effect::Kind::Block);
    const Did d = t.run(w);
    EXPECT_EQ(d.begin.wakes, 2);
    EXPECT_EQ(d.woken, (Ids{b, c}));
    EXPECT_TRUE(d.effect.wakes);
    EXPECT_FALSE(d.effect.sync);
    EXPECT_TRUE(t.blocked(a));
    const Did r = t.run(b);
    EXPECT_TRUE(r.begin.resumed);
    EXPECT_EQ(r.effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(t.state.futexes[0].tokens, 0); // the unit was handed over, none is left
    EXPECT_EQ(t.run(b).effect.kind, Effect::Kind::Block);
}
TEST(Futex, AWakeThatFindsNobodyIsConsumedLater) {
    OneFutex f;
    const TaskId a = f.waiter(), w = f.waker(1);
    Tasks t(f.b.w);
    EXPECT_TRUE(t.run(w).woken.empty());
    EXPECT_EQ(t.state.futexes[0].tokens, 1);
    const Did d = t.run(a);
    EXPECT_FALSE(d.begin.resumed);
    EXPECT_EQ(d.effect.kind, Effect::Kind::Continue);
    EXPECT_EQ(t.run(a).effect.kind, Effect::Kind::Block);
}
TEST(Futex, UnitsBeyondTheWaitersStay) {
    OneFutex f(1);
    const TaskId a = f.waiter(), b = f.waiter(), w = f.waker(5);
    Tasks t(f.b.w);
    EXPECT_EQ(t.run(a).effect.kind, Effect::Kind::Continue); // the unit it began with
    t.run(a);
    t.run(b);
    const Did d = t.run(w);
    EXPECT_EQ(d.begin.wakes, 2);
    EXPECT_EQ(d.woken, (Ids{a, b}));
    EXPECT_EQ(t.state.futexes[0].tokens, 3);
}
TEST(Futex, BroadcastLeavesNoUnit) {
    OneFutex f;
    const TaskId a = f.waiter(), b = f.waiter(), w = f.waker(-1);
    Tasks t(f.b.w);
    EXPECT_EQ(t.run(w).begin.wakes, 0);
    EXPECT_EQ(t.state.futexes[0].tokens, 0);
    t.run(a);
    t.run(b);
    const Did d = t.run(w);
    EXPECT_EQ(d.begin.wakes, 2);
    EXPECT_EQ(d.woken, (Ids{a, b}));
}
TEST(Futex, AWaiterWokenBySomethingElseSleepsAgain) {
    OneFutex f;
    const TaskId a = f.waiter(), w = f.waker(1);
    Tasks t(f.b.w);
    t.run(a);
    t.wake(a);
    EXPECT_EQ(t.run(a).effect.kind, Effect::Kind::Block);
    EXPECT_EQ(t.state.futexes[0].waiters.count, 1);
    EXPECT_EQ(t.run(w).woken, Ids{a});
}
