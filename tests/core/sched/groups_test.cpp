// SPDX-License-Identifier: GPL-3.0-or-later
// Task groups: worked examples of sections 5 and 7 of the eevdf document that need a hierarchy, and how
// groups join, leave, stay behind delayed and are picked.
#include "tests/core/sched/support/grouped_machine.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr CpuId k0{0}, k1{1};

/// Root task T beside group G with three hogs, all on CPU 0: ran for `ticks`.
struct TaskBesideGroup : Grouped {
    GroupId g;
    TaskId t;
    std::vector<TaskId> inside;
    explicit TaskBesideGroup(std::string_view kernel) : Grouped(kernel) {
        g = group();
        t = task(GroupId(0));
        for (int i = 0; i < 3; ++i) inside.push_back(task(g));
        ready();
        join(t, k0, EnqueueKind::Fork);
        for (TaskId i : inside) join(i, k0, EnqueueKind::Fork);
        schedule(k0);
    }
};

/// Root with groups A{T0} and B{T1} on CPU 0; T1 has overrun and blocks.
struct TwoGroups : Grouped {
    GroupId a, b;
    TaskId t0, t1;
    explicit TwoGroups(std::string_view kernel) : Grouped(kernel) {
        a = group();
        b = group();
        t0 = task(a);
        t1 = task(b);
        ready();
        join(t1, k0);
        schedule(k0);
        join(t0, k0);
        now = now + Duration{2 * kMs};
        updateCurr(s, k0, now);
    }
};

} // namespace

TEST(Eevdf, E7_6_a_group_shares_like_one_task) {
    for (const char* kernel :
         {"6.5-tip-88c56cf", "6.6", "6.12.0", "6.13.0", "6.13.7", "6.12.117-debian", "7.1"}) {
        SCOPED_TRACE(kernel);
        TaskBesideGroup m(kernel);
        m.ticks(3000);
        const double total = static_cast<double>(m.now.ns);
        EXPECT_NEAR(static_cast<double>(m.ran(m.t)) / total, 0.5, 0.01);
        for (TaskId i : m.inside) EXPECT_NEAR(static_cast<double>(m.ran(i)) / total, 1.0 / 6, 0.01);
        EXPECT_EQ(m.weight(m.g, k0), 1048576);
    }
}

TEST(Eevdf, E5_5_a_delayed_group_is_counted_as_the_preset_says) {
    struct Row {
        const char* kernel;
        std::int32_t delayed;
    };
    for (const Row& r : {Row{"6.13.7", 0}, Row{"6.13.0", 1}, Row{"6.12.0", 0}}) {
        SCOPED_TRACE(r.kernel);
        TwoGroups m(r.kernel);
        EXPECT_EQ(m.root(k0).below.nr, 2);
        EXPECT_TRUE(m.block(m.t1)) << "alone in its group its lag is 0: really dequeued";
        EXPECT_TRUE(m.entity(m.b, k0).delayed);
        EXPECT_TRUE(m.entity(m.b, k0).onRq);
        EXPECT_EQ(m.root(k0).nr, 2);
        EXPECT_EQ(m.s.rq(k0).nrRunning(), 1);
        EXPECT_EQ(m.s.rq(k0).nrDelayed(), r.delayed);
        EXPECT_EQ(m.queue(m.a, k0).below.nr, 1);
        EXPECT_EQ(m.queue(m.b, k0).below.nr, 0);
        EXPECT_EQ(m.schedule(k0), m.t0);
        for (int i = 0; i < 100 && m.entity(m.b, k0).onRq; ++i) {
            m.tick();
            m.schedule(k0);
        }
        EXPECT_FALSE(m.entity(m.b, k0).onRq) << "picked once its debt was paid, and dropped";
        EXPECT_EQ(m.root(k0).nr, 1);
        EXPECT_EQ(m.s.rq(k0).nrDelayed(), 0);
        EXPECT_LE(m.entity(m.b, k0).vlag.v, 0) << "DELAY_ZERO";
    }
}

TEST(Groups, A_delayed_task_counts_on_every_level_until_it_wakes) {
    for (const char* kernel : {"6.13.7", "6.13.0"}) {
        SCOPED_TRACE(kernel);
        Grouped m(kernel);
        const GroupId outer = m.group(), inner = m.group(outer);
        const TaskId a = m.task(inner), b = m.task(inner), r = m.task(GroupId(0));
        m.ready();
        for (TaskId t : {r, a, b}) m.join(t, k0);
        m.schedule(k0);
        while (currTask(m.s, k0) != a) m.tick();
        m.now = m.now + Duration{2 * kMs};
        updateCurr(m.s, k0, m.now);
        ASSERT_FALSE(m.block(a)) << "stays behind in its own queue";
        for (CfsRq* q : {&m.root(k0), &m.queue(outer, k0), &m.queue(inner, k0)})
            EXPECT_EQ(q->below.delayed, 1);
        EXPECT_EQ(m.root(k0).below.nr, 3);
        m.wake(a, k1);
        EXPECT_EQ(m.s.task(a).cpu, k0) << "a delayed task wakes where it is";
        for (CfsRq* q : {&m.root(k0), &m.queue(outer, k0), &m.queue(inner, k0)})
            EXPECT_EQ(q->below.delayed, 0);
    }
}

TEST(Groups, A_group_left_by_migration_can_become_delayed) {
    TwoGroups m("6.12.0");
    m.move(m.t1, k1);
    EXPECT_TRUE(m.entity(m.b, k0).delayed) << "the request becomes a sleep above the task";
    EXPECT_FALSE(m.s.entity(m.t1).delayed);
    EXPECT_EQ(m.s.rq(k0).nrRunning(), 1);
    EXPECT_EQ(m.s.rq(k1).nrRunning(), 1);
    EXPECT_EQ(m.entity(m.b, k0).slice.ns, 0) << "6.12 to 6.14: nobody is left to take the request from";
    m.move(m.t1, k0);
    EXPECT_FALSE(m.entity(m.b, k0).delayed) << "a task inside ends the delay";
    EXPECT_EQ(m.entity(m.b, k0).slice.ns, m.s.kernel.tunables.base_slice_ns);
    EXPECT_EQ(m.root(k0).below.nr, 2);
}

TEST(Groups, A_group_emptied_by_migration_falls_to_weight_2_unless_the_kernel_keeps_it) {
    for (const char* kernel : {"6.12.0", "6.13-rc6", "6.13-rc6+p1"}) {
        TwoGroups m(kernel);
        m.move(m.t1, k1);
        EXPECT_EQ(m.weight(m.b, k0), 2) << kernel << ": its load went with the task";
        EXPECT_EQ(m.weight(m.b, k1), 1048576) << kernel;
    }
    for (const char* kernel : {"6.13.0", "6.13.7"}) {
        TwoGroups m(kernel);
        m.move(m.t1, k1);
        EXPECT_EQ(m.weight(m.b, k0), 1048576) << kernel;
    }
    TwoGroups slept("6.12.0");
    slept.block(slept.t1);
    EXPECT_EQ(slept.weight(slept.b, k0), 1048576) << "a task that only blocks leaves its load behind";
}

TEST(Groups, The_request_of_a_group_is_the_least_of_its_members) {
    Grouped m("6.12.0");
    const GroupId outer = m.group(), inner = m.group(outer);
    const TaskId slow = m.task(inner), fast = m.task(inner, 0, kMs), other = m.task(outer, 0, 2 * kMs);
    m.ready();
    m.join(slow, k0);
    EXPECT_EQ(m.entity(inner, k0).slice.ns, m.s.kernel.tunables.base_slice_ns);
    m.join(other, k0);
    EXPECT_EQ(m.entity(outer, k0).slice.ns, 2 * kMs);
    m.join(fast, k0);
    EXPECT_EQ(m.entity(inner, k0).slice.ns, kMs);
    EXPECT_EQ(m.entity(outer, k0).slice.ns, kMs);
    dequeueTask(m.s, k0, fast, DequeueKind::Save, m.now);
    EXPECT_EQ(m.entity(outer, k0).slice.ns, 2 * kMs);
}

TEST(Groups, Tasks_of_one_group_compete_with_each_other_first) {
    Grouped m("6.12.0");
    const GroupId g = m.group();
    const TaskId a = m.task(g), b = m.task(g), r = m.task(GroupId(0));
    m.ready();
    for (TaskId t : {a, b, r}) m.join(t, k0);
    std::vector<TaskId> order;
    for (int i = 0; i < 8; ++i) {
        order.push_back(m.schedule(k0));
        m.ticks(1);
    }
    EXPECT_EQ(std::count(order.begin(), order.end(), r), 4);
    EXPECT_EQ(std::count(order.begin(), order.end(), a), 2);
    EXPECT_EQ(std::count(order.begin(), order.end(), b), 2);
}

TEST(Groups, A_sleeper_leaves_the_cpu_to_its_group) {
    Grouped m("6.13.7");
    const GroupId g = m.group();
    const TaskId a = m.task(g), b = m.task(g), r = m.task(GroupId(0));
    m.ready();
    for (TaskId t : {a, b, r}) m.join(t, k0);
    ASSERT_EQ(m.schedule(k0), a);
    m.block(a);
    EXPECT_EQ(m.root(k0).next, m.queue(g, k0).owner) << "its group is the next buddy";
    EXPECT_EQ(m.schedule(k0), b);
    m.ticks(1);
    EXPECT_EQ(m.root(k0).next, -1) << "until its request is used up";
}

TEST(Groups, A_switch_inside_a_group_leaves_the_group_protected) {
    Grouped m("6.12.0");
    const GroupId g = m.group();
    const TaskId a = m.task(g), b = m.task(g), r = m.task(GroupId(0));
    m.ready();
    for (TaskId t : {a, b, r}) m.join(t, k0);
    m.schedule(k0);
    const SimTime picked = m.entity(g, k0).execStart;
    m.now = m.now + Duration{kMs};
    putPrev(m.s, k0, m.now, b);
    setNext(m.s, k0, b, m.now);
    EXPECT_EQ(currTask(m.s, k0), b);
    EXPECT_EQ(m.root(k0).curr, m.queue(g, k0).owner);
    EXPECT_EQ(m.entity(g, k0).execStart, picked) << "neither put nor set again";
    putPrev(m.s, k0, m.now, r);
    EXPECT_EQ(m.root(k0).curr, -1);
    EXPECT_EQ(m.queue(g, k0).curr, -1);
    setNext(m.s, k0, r, m.now);
    EXPECT_EQ(currTask(m.s, k0), r);
}

TEST(Groups, Empty_groups_change_nothing) {
    for (const char* kernel : {"6.5-tip-88c56cf", "6.6", "6.12.0", "6.13.7", "6.12.117-debian", "7.1"}) {
        SCOPED_TRACE(kernel);
        Grouped flat(kernel), with(kernel);
        with.group(with.group());
        for (Grouped* m : {&flat, &with}) {
            for (int i = 0; i < 6; ++i) m->task(GroupId(0), i - 2, i == 3 ? kMs : 0);
            m->ready();
        }
        Dice dice(7);
        for (int step = 0; step < 3000; ++step) {
            const TaskId t(static_cast<std::int32_t>(dice.below(6)));
            const std::int64_t what = dice.below(4), later = dice.between(1, 3 * kMs);
            for (Grouped* m : {&flat, &with}) {
                m->now = m->now + Duration{later};
                const bool runs = currTask(m->s, k0) == t;
                if (what == 0 && m->wake(t, k0)) m->schedule(k0);
                if (what == 1 && runs) {
                    m->block(t);
                    m->schedule(k0);
                }
                if (what >= 2 && currTask(m->s, k0) && taskTick(m->s, k0, m->now)) m->schedule(k0);
                if (!currTask(m->s, k0)) m->schedule(k0);
            }
            ASSERT_EQ(currTask(flat.s, k0), currTask(with.s, k0)) << step;
            ASSERT_EQ(flat.s.rq(k0).nrRunning(), with.s.rq(k0).nrRunning()) << step;
            ASSERT_EQ(flat.s.rq(k0).nrDelayed(), with.s.rq(k0).nrDelayed()) << step;
            for (std::int32_t i = 0; i < 6; ++i)
                ASSERT_EQ(at(flat.s, i).vruntime, at(with.s, i).vruntime) << step;
        }
    }
}
