// SPDX-License-Identifier: GPL-3.0-or-later
// Invariants of the eevdf document over random histories of one queue: reference, counters, delayed members
// (I7, I9, I10, I11), independence of the reference rule, and CFS under the same treatment.
#include "core/sched/cfs.h"

#include "tests/core/sched/support/random_queue.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr int kHistories = 1000, kSteps = 40;

/// A machine life in small: tasks wake, fork, block, move away and back, ticks happen, somebody yields.
class History : public RandomQueue {
public:
    using RandomQueue::RandomQueue;
    bool placedWithLag = false;     ///< somebody joined left of V by positive lag
    std::vector<TaskId> droppedNow; ///< by the last schedule
    bool leftBehind = false;        ///< curr became delayed in the last step,
    bool leftInDebt = false;        ///< and was in debt then

    void begin(std::uint64_t seed, int most = 6) {
        fill(seed, most);
        placedWithLag = false;
        for (TaskId t : members) s.task(t).state = TaskState::Running;
        reschedule();
    }
    void step() {
        droppedNow.clear();
        leftBehind = false;
        now = now + Duration{dice.between(1, 2 * kMs)};
        bool resched = false;
        switch (dice.below(8)) {
        case 0:
        case 1: resched = taskTick(s, c, now); break;
        case 2: resched = wake(); break;
        case 3: resched = block(); break;
        case 4: resched = moveAway(); break;
        case 5:
            yieldTask(s, c, now);
            resched = true;
            break;
        case 6:
            if (members.size() < 30) {
                const TaskId t = task(anyNice(), anySlice());
                members.push_back(t);
                resched = join(t, EnqueueKind::Fork);
            }
            break;
        default: resched = updateCurr(s, c, now);
        }
        if (resched || q().curr < 0) reschedule();
    }

private:
    void reschedule() {
        const TaskId next = pickNext(s, c, now, &droppedNow);
        if (next && next == TaskId(q().curr)) return;
        putPrev(s, c, now);
        s.rq(c).curr = next;
        if (next) setNext(s, c, next, now);
    }
    bool join(TaskId t, EnqueueKind kind) {
        placedWithLag |= e(t).vlag.v > 0;
        const bool asked = enqueue(t, kind);
        return wakeupPreempt(s, c, t, kind == EnqueueKind::Fork, now) || asked;
    }
    bool wake() {
        const TaskId t = any();
        if (e(t).delayed && e(t).onRq) {
            updateCurr(s, c, now);
            requeueDelayed(s, c, t, now);
            s.task(t).state = TaskState::Running;
            return wakeupPreempt(s, c, t, false, now);
        }
        return !e(t).onRq &&
               join(t, e(t).relDeadline || e(t).relVruntime ? EnqueueKind::Migrate : EnqueueKind::Wakeup);
    }
    bool block() {
        if (q().curr < 0) return false;
        const TaskId t(q().curr);
        leftBehind = !dequeue(t);
        leftInDebt = !owed(t);
        return true;
    }
    bool moveAway() {
        const TaskId t = any();
        if (e(t).onRq && t.v != q().curr && !e(t).delayed) dequeue(t, DequeueKind::Migrate);
        return false;
    }
};

void checkCounters(History& h) {
    const CfsRq& q = h.q();
    std::int64_t load = 0, avg = 0, weight = 0;
    int nr = 0, delayed = 0, waiting = 0;
    for (TaskId t : h.members) {
        const Entity& e = h.e(t);
        if (!e.onRq) continue;
        ++nr;
        load += e.weight.w;
        delayed += e.delayed ? 1 : 0;
        if (q.curr == t.v) continue;
        ++waiting;
        avg += (e.vruntime - q.v0).v * weightInV(h.s, e);
        weight += weightInV(h.s, e);
    }
    EXPECT_EQ(q.nr, nr);
    EXPECT_EQ(q.nrDelayed, delayed);
    EXPECT_EQ(q.load, load);
    EXPECT_EQ(q.load == 0, q.nr == 0);
    TaskId out[64];
    EXPECT_EQ(queuedInPickOrder(h.s, h.c, out, 64), waiting) << "|tree| + curr = nr";
    EXPECT_EQ((std::vector<TaskId>(out, out + waiting)), h.waiting());
    EXPECT_EQ(q.sumAvg, avg);
    EXPECT_EQ(q.sumWeight, weight);
}

template<class F> void onHistories(History& h, F&& afterStep) {
    for (std::uint64_t seed = 0; seed < kHistories && !testing::Test::HasFailure(); ++seed) {
        h.begin(seed);
        for (int i = 0; i < kSteps && !testing::Test::HasFailure(); ++i) {
            SCOPED_TRACE("history " + std::to_string(seed) + " step " + std::to_string(i));
            h.step();
            afterStep();
        }
    }
}

} // namespace

TEST(EevdfHistories, I7_min_vruntime_never_goes_back_and_stays_behind_V_unless_somebody_joined_with_credit) {
    History h("6.12.0");
    VTime last;
    std::uint64_t seed = UINT64_MAX;
    onHistories(h, [&] {
        if (seed != h.base) last = h.q().v0;
        seed = h.base;
        EXPECT_FALSE(before(h.q().v0, last));
        last = h.q().v0;
        EXPECT_TRUE(h.placedWithLag || h.q().nr == 0 || !before(avgVruntime(h.s, h.c), h.q().v0));
    });
}

TEST(EevdfHistories, I9_delayed_means_queued_not_running_and_in_debt_when_it_began) {
    for (const std::string_view kernel : {"6.12.0", "6.12.117-debian"}) {
        History h(kernel);
        int delays = 0, drops = 0;
        onHistories(h, [&] {
            if (h.leftBehind) {
                ++delays;
                EXPECT_TRUE(h.leftInDebt);
            }
            for (TaskId t : h.droppedNow) {
                ++drops;
                EXPECT_FALSE(h.e(t).onRq || h.e(t).delayed);
                EXPECT_EQ(h.e(t).vlag.v, 0);
            }
            for (TaskId t : h.members)
                if (h.e(t).delayed) {
                    EXPECT_TRUE(h.e(t).onRq);
                    EXPECT_NE(h.q().curr, t.v);
                }
            EXPECT_TRUE(h.q().curr >= 0 || h.q().nr == 0) << "an idle CPU holds nobody";
        });
        EXPECT_GT(delays, 1000);
        EXPECT_GT(drops, 500);
    }
}

TEST(EevdfHistories, I10_I11_counters_sums_and_tree_agree_with_the_members) {
    for (const std::string_view kernel : {"6.6", "6.12.0", "6.12.117-debian", "7.1"}) {
        History h(kernel);
        onHistories(h, [&] { checkCounters(h); });
    }
}

TEST(EevdfHistories, picks_follow_the_rule_all_along) {
    for (const std::string_view kernel : {"6.6", "6.12.117-debian"}) {
        History h(kernel);
        onHistories(h, [&] {
            if (h.q().nr == 0) return;
            EXPECT_EQ(eevdf::pick(h.s, h.q()), h.pickByRule().v);
        });
    }
}

TEST(EevdfHistories, the_reference_only_keeps_numbers_small) {
    KernelPreset zero = *kernelById("6.12.0");
    zero.reference = ReferenceRule::ZeroVruntime;
    History a("6.12.0"), b("6.12.0");
    b.s.kernel.preset = &zero;
    int compared = 0, moved = 0;
    for (std::uint64_t seed = 0; seed < kHistories && !HasFailure(); ++seed) {
        a.begin(seed);
        b.begin(seed);
        for (int i = 0; i < kSteps && !HasFailure(); ++i) {
            a.step();
            b.step();
            if (a.q().nr == 0) break; // what remains of an empty queue is its reference
            moved += a.q().v0 != b.q().v0 ? 1 : 0;
            ++compared;
            EXPECT_EQ(a.q().curr, b.q().curr) << seed << ' ' << i;
            EXPECT_EQ(a.V(), b.V());
            for (std::size_t k = 0; k < a.members.size(); ++k) {
                EXPECT_EQ(a.v(a.members[k]), b.v(b.members[k]));
                EXPECT_EQ(a.d(a.members[k]), b.d(b.members[k]));
            }
        }
    }
    EXPECT_GT(compared, 10000);
    EXPECT_GT(moved, compared / 2);
}

TEST(CfsHistories, counters_order_and_min_vruntime_hold) {
    History h("6.5-tip-88c56cf");
    VTime last;
    std::uint64_t base = UINT64_MAX;
    onHistories(h, [&] {
        const CfsRq& q = h.q();
        if (base != h.base) last = q.v0;
        base = h.base;
        EXPECT_FALSE(before(q.v0, last)) << "min_vruntime never goes back";
        last = q.v0;
        std::vector<TaskId> expected;
        std::int64_t load = 0;
        for (TaskId t : h.members) {
            if (!h.e(t).onRq) continue;
            load += h.e(t).weight.w;
            EXPECT_FALSE(h.e(t).delayed || h.e(t).relVruntime);
            if (t.v != q.curr) expected.push_back(t);
        }
        EXPECT_EQ(q.load, load);
        std::sort(expected.begin(), expected.end(), [&](TaskId a, TaskId b) {
            const Entity &x = h.e(a), &y = h.e(b);
            return x.vruntime == y.vruntime ? x.sequence < y.sequence : before(x.vruntime, y.vruntime);
        });
        TaskId out[64];
        const int n = queuedInPickOrder(h.s, h.c, out, 64);
        EXPECT_EQ((std::vector<TaskId>(out, out + n)), expected);
        EXPECT_EQ(q.nr, n + (q.curr >= 0 ? 1 : 0));
        EXPECT_TRUE(q.nr == 0 || q.curr >= 0);
    });
}
