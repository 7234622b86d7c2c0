// SPDX-License-Identifier: GPL-3.0-or-later
// Invariants of the eevdf document over random lives of a machine with a random tree of groups: counters and
// loads of every queue (I9 to I11), weights and totals of groups (I12, I13), lags (I8), and fair shares per
// level (I16).
#include "tests/core/sched/support/grouped_machine.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr int kLives = 700, kSteps = 40; // 28,000 instants, each with a dozen queues
constexpr int kCpus = 3;

/// A machine on which groups, tasks and events are drawn.
struct Life : Grouped {
    Dice dice;
    std::vector<GroupId> groups{GroupId(0)};
    std::vector<TaskId> tasks;
    Life(std::string_view kernel, std::uint64_t seed) : Grouped(kernel), dice(seed) {
        for (std::int64_t n = dice.between(1, 4); n > 0; --n) {
            const GroupId parent = groups[static_cast<std::size_t>(dice.below(std::ssize(groups)))];
            groups.push_back(group(parent, dice.oneIn(3) ? dice.between(2, 20) : dice.between(100, 4000)));
        }
        for (std::int64_t n = dice.between(2, 10); n > 0; --n) {
            const GroupId g = groups[static_cast<std::size_t>(dice.below(std::ssize(groups)))];
            tasks.push_back(task(g, static_cast<int>(dice.between(-20, 19)),
                                 dice.oneIn(4) ? dice.between(100000, 9 * kMs) : 0,
                                 dice.oneIn(6) ? TaskPolicy::Idle : TaskPolicy::Normal));
        }
        ready();
    }
    TaskId any() { return tasks[static_cast<std::size_t>(dice.below(std::ssize(tasks)))]; }
    CpuId anyCpu() { return CpuId(static_cast<std::int32_t>(dice.below(kCpus))); }
    void step() {
        now = now + Duration{dice.oneIn(10) ? dice.between(1, 200 * kMs) : dice.between(1, 3 * kMs)};
        const TaskId t = any();
        CpuId c = s.task(t).cpu;
        switch (dice.below(6)) {
        case 0:
        case 1: {
            const CpuId on = s.entity(t).onRq ? s.task(t).cpu : anyCpu();
            const bool fresh = s.task(t).state == TaskState::New;
            if (fresh ? join(t, on, EnqueueKind::Fork) : wake(t, on)) schedule(on);
            c = on;
            break;
        }
        case 2:
            if (c && currTask(s, c) == t) {
                block(t);
                schedule(c);
            }
            break;
        case 3:
            if (c && s.entity(t).onRq && currTask(s, c) != t) move(t, anyCpu());
            c = s.task(t).cpu;
            break;
        default:
            for (int i = 0; i < kCpus; ++i)
                if (const CpuId x(i); currTask(s, x) && taskTick(s, x, now)) schedule(x);
        }
        if (c && !currTask(s, c)) schedule(c);
    }
};

/// Everything a queue counts, counted again.
struct Recount {
    std::int64_t load = 0, avg = 0, weight = 0;
    std::int32_t nr = 0, delayed = 0, idle = 0, custom = 0;
};

void checkQueues(Life& m) {
    const auto entities = static_cast<std::int32_t>(m.s.entities.size());
    std::map<const CfsRq*, Recount> counted;
    std::map<const CfsRq*, Recount> subtree;
    for (std::int32_t i = 0; i < entities; ++i) {
        const Entity& e = at(m.s, i);
        if (!e.onRq) {
            EXPECT_FALSE(e.delayed) << "I9";
            continue;
        }
        const CpuId c =
            isGroup(m.s, i)
                ? CpuId(static_cast<std::int32_t>((i - std::ssize(m.s.tasks)) % std::ssize(m.s.rqs)))
                : m.s.task(TaskId(i)).cpu;
        Level l{&queueOfEntity(m.s, i, c), i};
        Recount& r = counted[l.queue];
        r.load += e.weight.w;
        ++r.nr;
        r.delayed += e.delayed;
        r.idle += e.idlePolicy;
        r.custom += e.customSlice;
        if (l.queue->curr != i) {
            r.avg = wrapAdd(r.avg, wrapMul((e.vruntime - l.queue->v0).v, weightInV(m.s, e)));
            r.weight += weightInV(m.s, e);
        }
        if (isGroup(m.s, i)) {
            EXPECT_EQ(e.delayed, inside(m.s, i).nr == 0)
                << "a queued group is delayed exactly when it is empty";
            continue;
        }
        do {
            Recount& t = subtree[l.queue];
            ++t.nr;
            t.delayed += e.delayed;
            t.idle += e.idlePolicy;
        } while (l.up(m.s));
    }
    const bool eevdf = m.s.kernel.preset->policy == Policy::Eevdf;
    for (GroupId g : m.groups)
        for (int i = 0; i < kCpus; ++i) {
            const CpuId c(i);
            const CfsRq& q = m.queue(g, c);
            const Recount r = counted[&q];
            EXPECT_EQ(q.nr, r.nr) << "I10";
            EXPECT_EQ(q.load, r.load) << "I11";
            EXPECT_EQ(q.load == 0, q.nr == 0) << "I11";
            EXPECT_EQ(q.nrDelayed, r.delayed);
            EXPECT_EQ(q.nrIdle, r.idle);
            EXPECT_EQ(q.nrCustom, r.custom);
            if (eevdf) {
                EXPECT_EQ(q.sumAvg, r.avg);
                EXPECT_EQ(q.sumWeight, r.weight);
            }
            const Recount t = subtree[&q];
            EXPECT_EQ(q.below.nr, t.nr) << "I10: h_nr";
            EXPECT_EQ(q.below.idle, t.idle);
            if (m.s.kernel.preset->delayedCount != DelayedCount::TasksAndGroups) {
                EXPECT_EQ(q.below.delayed, t.delayed)
                    << "I10: h_nr - h_nr_delayed is the number of awake tasks";
            }
            if (q.owner >= 0 && q.nr > 0) {
                EXPECT_TRUE(at(m.s, q.owner).onRq);
            }
        }
}

void checkGroups(Life& m) {
    for (std::size_t g = 1; g < m.s.groups.size(); ++g) {
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < m.s.rqs.size(); ++c) {
            const std::size_t k = (g - 1) * m.s.rqs.size() + c;
            sum += m.s.groupLoads[k].contribution.load;
            const Entity& e = at(m.s, m.s.groupQueues[k].owner);
            if (!e.onRq || m.s.groupQueues[k].nr == 0) continue;
            EXPECT_GE(e.weight.w, 2) << "I12";
            EXPECT_LE(e.weight.w, m.s.groups[g].shares.w) << "I12";
        }
        EXPECT_EQ(m.s.groups[g].loadAvg, sum) << "I13";
    }
}

class GroupLives : public testing::TestWithParam<const char*> {};

} // namespace

TEST_P(GroupLives, I10_I11_I13_every_queue_counts_what_is_in_it) {
    std::int64_t delayedGroups = 0, delayedTasks = 0;
    for (std::uint64_t seed = 0; seed < kLives && !HasFailure(); ++seed) {
        Life m(GetParam(), seed);
        for (int i = 0; i < kSteps && !HasFailure(); ++i) {
            SCOPED_TRACE("life " + std::to_string(seed) + " step " + std::to_string(i));
            m.step();
            checkQueues(m);
            checkGroups(m);
            for (std::int32_t e = 0; e < static_cast<std::int32_t>(m.s.entities.size()); ++e)
                if (at(m.s, e).delayed) ++(isGroup(m.s, e) ? delayedGroups : delayedTasks);
        }
    }
    const bool delays = kernelById(GetParam())->delayedCount != DelayedCount::None ||
                        std::string_view(GetParam()) == "6.12.0";
    EXPECT_EQ(delayedGroups > 100, delays);
    EXPECT_EQ(delayedTasks > 100, delays);
}
INSTANTIATE_TEST_SUITE_P(Kernels, GroupLives,
                         testing::Values("6.5-tip-88c56cf", "6.6", "6.12.0", "6.13.0", "6.13.7",
                                         "6.12.117-debian", "7.1"),
                         [](const auto& param) {
                             std::string name = param.param;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

TEST(GroupInvariants, I12_weights_of_a_group_add_up_to_its_shares_at_least) {
    for (const char* kernel : {"6.5-tip-88c56cf", "6.12.0", "6.13.7"}) {
        SCOPED_TRACE(kernel);
        Grouped m(kernel);
        const GroupId g = m.group(GroupId(0), 1024), other = m.group(GroupId(0), 512);
        std::vector<TaskId> hogs;
        for (int i = 0; i < 7; ++i) hogs.push_back(m.task(i < 5 ? g : other));
        m.ready();
        for (int i = 0; i < 7; ++i)
            m.join(hogs[static_cast<std::size_t>(i)], CpuId(i % 3), EnqueueKind::Fork);
        for (int c = 0; c < 3; ++c) m.schedule(CpuId(c));
        m.ticks(500);
        for (GroupId x : {g, other}) {
            std::int64_t sum = 0;
            for (int c = 0; c < 3; ++c)
                if (m.queue(x, CpuId(c)).nr > 0) sum += m.weight(x, CpuId(c));
            EXPECT_GE(sum, m.s.groups[x.index()].shares.w - 3);
            EXPECT_LE(sum, m.s.groups[x.index()].shares.w * 102 / 100);
        }
    }
}

TEST(GroupInvariants, I16_every_level_divides_by_weight) {
    for (const char* kernel : {"6.5-tip-88c56cf", "6.6", "6.12.0", "6.13.7", "6.12.117-debian", "7.1"}) {
        SCOPED_TRACE(kernel);
        Grouped m(kernel, 1000);
        const GroupId big = m.group(GroupId(0), 2048), small = m.group(GroupId(0), 512),
                      inner = m.group(big, 1024);
        const TaskId root = m.task(GroupId(0), 5), b0 = m.task(big), i0 = m.task(inner),
                     i1 = m.task(inner, 3), s0 = m.task(small);
        m.ready();
        const CpuId c(0);
        for (TaskId t : {root, b0, i0, i1, s0}) m.join(t, c, EnqueueKind::Fork);
        m.schedule(c);
        m.ticks(100);
        std::map<TaskId, std::int64_t> before;
        for (TaskId t : {root, b0, i0, i1, s0}) before[t] = m.ran(t);
        const SimTime start = m.now;
        m.ticks(20000);
        const double T = static_cast<double>((m.now - start).ns);
        const auto got = [&](TaskId t) { return static_cast<double>(m.ran(t) - before[t]); };
        const double slack =
            2 * static_cast<double>(m.s.kernel.tunables.base_slice_ns + m.s.kernel.tunables.tick().ns);
        const double cfsSlack = m.s.kernel.preset->policy == Policy::Cfs ? 48e6 : slack;
        const double all = 335 + 2048 + 512;
        EXPECT_NEAR(got(root), T * 335 / all, cfsSlack + T * 0.002);
        EXPECT_NEAR(got(s0), T * 512 / all, cfsSlack + T * 0.002);
        const double bigTime = got(b0) + got(i0) + got(i1);
        EXPECT_NEAR(bigTime, T * 2048 / all, cfsSlack + T * 0.002);
        EXPECT_NEAR(got(b0), bigTime / 2, cfsSlack + T * 0.002);
        EXPECT_NEAR(got(i0), bigTime / 2 * 1024 / (1024 + 526), cfsSlack + T * 0.002);
    }
}
