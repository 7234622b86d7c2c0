// SPDX-License-Identifier: GPL-3.0-or-later
// Property: however operations and wakeups of several CPUs interleave, no byte is lost or doubled, nobody
// sleeps while what he waits for is there and nobody was told, and all programs end.
#include "core/engine/random.h"
#include "core/workload/generators.h"
#include "tests/core/workload/support/toy_tasks.h"

using namespace rqs;
using namespace rqs::workload;
using namespace rqs::workload::toy;

namespace {

/// Several CPUs without time: an operation begins, others come between, it finishes; wakeups it owes are
/// handed out one by one with others in between.
class Chaos {
public:
    Chaos(const Workload& w, std::uint64_t seed, int cpus)
        : s(makeState(w, 4096)), m_w(w), m_seed(seed), m_cpus(cpus), m_task(w.tasks.size()) {
        for (std::size_t i = 0; i < m_task.size(); ++i)
            if (!w.tasks[i].startsByFork) m_ready.push_back(TaskId(i));
    }
    /// False when nothing can happen any more.
    bool step() {
        const std::size_t choices =
            m_busy.size() + (m_busy.size() < static_cast<std::size_t>(m_cpus) ? m_ready.size() : 0);
        if (choices == 0) return false;
        const std::size_t pick = below(choices);
        if (pick >= m_busy.size()) {
            const TaskId t = take(m_ready, pick - m_busy.size());
            m_task[t.index()] = {};
            begin(s, t, {});
            m_busy.push_back(t);
            return true;
        }
        const TaskId t = m_busy[pick];
        Info& i = m_task[t.index()];
        if (!i.finished) {
            i.finished = true;
            i.effect = finish(s, t, {}).kind;
            checkOwed(t);
            return true;
        }
        if (const TaskId woken = popWake(s, t)) {
            ++wakeups;
            wake(woken);
            return true;
        }
        take(m_busy, pick);
        if (i.effect == Effect::Kind::Exit)
            ++ended;
        else if (i.effect != Effect::Kind::Block || i.wokenMeanwhile)
            m_ready.push_back(t);
        else
            i.asleep = true;
        return true;
    }
    void run(std::uint64_t most = 5'000'000) {
        std::uint64_t n = 0;
        while (step()) {
            ASSERT_LT(++n, most) << "does not end";
            check();
            if (testing::Test::HasFailure()) return;
        }
        EXPECT_EQ(ended, m_task.size());
    }

    State s;
    std::size_t ended = 0;
    std::int64_t wakeups = 0;

private:
    struct Info {
        bool finished = false, wokenMeanwhile = false, asleep = false;
        Effect::Kind effect{};
    };
    std::size_t below(std::size_t n) {
        return engine::drawBelow(m_seed, 0, engine::Purpose::Workload, m_counter++, n);
    }
    static TaskId take(std::vector<TaskId>& from, std::size_t i) {
        const TaskId t = from[i];
        from[i] = from.back();
        from.pop_back();
        return t;
    }
    void wake(TaskId t) {
        Info& i = m_task[t.index()];
        if (!i.asleep) {
            i.wokenMeanwhile = true; // still on its way to sleep
            return;
        }
        i.asleep = false;
        m_ready.push_back(t);
    }
    void checkOwed(TaskId t) {
        EXPECT_EQ(s.tasks[t.index()].phase == State::Phase::Waiting,
                  m_task[t.index()].effect == Effect::Kind::Block);
    }

    /// Somebody was selected for this side of the object and has not looked yet.
    bool told(std::int32_t object, OpKind kind) const {
        for (const State::TaskProg& p : s.tasks) {
            if (p.phase != State::Phase::Selected) continue;
            const auto& ops = (*s.codes)[static_cast<std::size_t>(p.code)].ops;
            if (static_cast<std::size_t>(p.pc) < ops.size() &&
                ops[static_cast<std::size_t>(p.pc)].object == object &&
                ops[static_cast<std::size_t>(p.pc)].kind == kind)
                return true;
        }
        return false;
    }
    void check() const {
        for (std::size_t o = 0; o < s.objects.size(); ++o) {
            const auto i = static_cast<std::size_t>(s.objects[o].index);
            const auto id = static_cast<std::int32_t>(o);
            switch (s.objects[o].kind) {
            case ObjectKind::Pipe: {
                const State::Pipe& p = s.pipes[i];
                std::int64_t sum = 0;
                for (std::int32_t k = 0; k < p.used; ++k)
                    sum += p.len[static_cast<std::size_t>((p.first + k) % kPipePages)];
                EXPECT_EQ(sum, p.bytes);
                EXPECT_FALSE(p.readers.count > 0 && p.bytes > 0 && !told(id, OpKind::PipeRead))
                    << "lost reader";
                EXPECT_FALSE(p.writers.count > 0 && p.used < kPipePages && !told(id, OpKind::PipeWrite))
                    << "lost writer";
                break;
            }
            case ObjectKind::UnixSocket: {
                const State::Socket& k = s.sockets[i];
                EXPECT_GE(k.charge, 0);
                EXPECT_GE(k.queued, 0);
                EXPECT_EQ(k.messages == 0, k.charge == 0);
                EXPECT_FALSE(k.messages > 0 && k.readers.count > 0) << "lost reader";
                EXPECT_FALSE(k.charge * 4 <= kUnixSendBuffer && k.writers.count > 0) << "lost writer";
                break;
            }
            case ObjectKind::Futex:
                EXPECT_FALSE(s.futexes[i].tokens > 0 && s.futexes[i].waiters.count > 0) << "lost waiter";
                break;
            }
        }
    }

    Workload m_w;
    std::uint64_t m_seed, m_counter = 0;
    int m_cpus;
    std::vector<Info> m_task;
    std::vector<TaskId> m_ready, m_busy;
};

/// Producers and consumers of one channel whose message sizes differ; both sides move `total` bytes.
Workload mixed(OpKind write, OpKind read, ObjectKind kind, std::uint64_t seed) {
    constexpr std::array<std::int64_t, 6> sizes{100, 250, 500, 4000, 5000, 20'000};
    const auto draw = [&](std::uint64_t i, std::uint64_t n) {
        return engine::drawBelow(seed, 1, engine::Purpose::Workload, i, n);
    };
    Build b;
    const std::int32_t o = b.object(kind);
    const std::int64_t producers = 1 + static_cast<std::int64_t>(draw(0, 4)),
                       consumers = 1 + static_cast<std::int64_t>(draw(1, 4));
    const auto side = [&](OpKind op_, std::int64_t n, std::int64_t units, std::uint64_t base) {
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t size = sizes[draw(base + static_cast<std::uint64_t>(i), sizes.size())];
            b.task({op(OpKind::LoopBegin, -1, units * 20'000 / size), op(op_, o, size), op(OpKind::LoopEnd)});
        }
    };
    side(write, producers, 2 * consumers, 10);
    side(read, consumers, 2 * producers, 20);
    return b.w;
}

} // namespace

TEST(Interleaving, PipesOfMixedSizes) {
    for (std::uint64_t seed = 0; seed < 150 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Chaos c(mixed(OpKind::PipeWrite, OpKind::PipeRead, ObjectKind::Pipe, seed), seed,
                1 + static_cast<int>(seed % 5));
        c.run();
        EXPECT_EQ(c.s.pipes[0].bytes, 0);
        EXPECT_EQ(c.s.pipes[0].used, 0);
    }
}
TEST(Interleaving, SocketsOfMixedSizes) {
    for (std::uint64_t seed = 0; seed < 150 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Chaos c(mixed(OpKind::UnixSend, OpKind::UnixRecv, ObjectKind::UnixSocket, seed), seed,
                1 + static_cast<int>(seed % 5));
        c.run();
        EXPECT_EQ(c.s.sockets[0].queued, 0);
        EXPECT_EQ(c.s.sockets[0].charge, 0);
    }
}
TEST(Interleaving, FutexUnitsAreNeitherLostNorDoubled) {
    for (std::uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Build b;
        const auto f = b.object(ObjectKind::Futex);
        for (int i = 0; i < 3; ++i)
            b.task({op(OpKind::LoopBegin, -1, 40), op(OpKind::FutexWake, f, 1 + i), op(OpKind::LoopEnd)});
        for (int i = 0; i < 6; ++i)
            b.task({op(OpKind::LoopBegin, -1, 40), op(OpKind::FutexWait, f), op(OpKind::LoopEnd)});
        Chaos c(b.w, seed, 1 + static_cast<int>(seed % 6));
        c.run();
        EXPECT_EQ(c.s.futexes[0].tokens, 0);
    }
}
TEST(Interleaving, GeneratedHackbenchEnds) {
    for (std::uint64_t seed = 0; seed < 24 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        HackbenchShape shape;
        shape.groups = 2;
        shape.fds = 3;
        shape.loops = 250; // 750 messages per channel: enough to fill pipes and sockets
        shape.pipes = seed % 2 == 0;
        shape.mainTask = seed % 3 == 0;
        Chaos c(hackbench(shape), seed, 1 + static_cast<int>(seed % 7));
        c.run();
    }
}
