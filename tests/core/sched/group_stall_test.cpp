// SPDX-License-Identifier: GPL-3.0-or-later
// The six-second migration in small (behavioural spec eevdf 6.6): one hog per CPU in one group, a task alone
// in its group that visits every CPU once a second. Each move is the fair class's part of sched_setaffinity:
// leave and join in place, then away with the stopper.
#include "tests/core/sched/support/grouped_machine.h"

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

struct Visitor : Grouped {
    TaskId visitor;
    std::int64_t longestWait = 0;
    explicit Visitor(std::string_view kernel) : Grouped(kernel, 1000) {
        const GroupId hogs = group(), own = group();
        std::vector<TaskId> all;
        for (std::size_t c = 0; c < s.rqs.size(); ++c) all.push_back(task(hogs));
        visitor = task(own, -20);
        ready();
        for (std::size_t c = 0; c < s.rqs.size(); ++c) {
            join(all[c], CpuId(c), EnqueueKind::Fork);
            schedule(CpuId(c));
        }
        join(visitor, CpuId(0), EnqueueKind::Fork);
        untilItRuns(CpuId(0));
    }
    void untilItRuns(CpuId c) {
        const SimTime since = now;
        schedule(c);
        while (currTask(s, c) != visitor) tick();
        longestWait = std::max(longestWait, (now - since).ns);
    }
    void moveTo(CpuId to) {
        const CpuId from = s.task(visitor).cpu;
        now = now + Duration{40000};
        dequeueTask(s, from, visitor, DequeueKind::Save, now);
        putPrev(s, from, now);
        enqueueTask(s, from, visitor, EnqueueKind::Restore, now);
        setNext(s, from, visitor, now);
        now = now + Duration{2000};
        dequeueTask(s, from, visitor, DequeueKind::Migrate, now);
        schedule(from);
        if (join(visitor, to, EnqueueKind::Migrate)) schedule(to);
        untilItRuns(to);
    }
    void round() {
        for (std::size_t c = 0; c < s.rqs.size(); ++c)
            if (CpuId(c) != s.task(visitor).cpu) moveTo(CpuId(c));
        const CpuId last = s.task(visitor).cpu;
        now = now + Duration{20000};
        block(visitor);
        schedule(last);
        ticks(1000);
        if (wake(visitor, last)) schedule(last);
        untilItRuns(last);
    }
};

std::int64_t longestWait(const char* kernel) {
    Visitor v(kernel);
    for (int i = 0; i < 8; ++i) v.round();
    return v.longestWait;
}

} // namespace

TEST(GroupStall, Only_delayed_groups_of_weight_2_make_a_migration_take_seconds) {
    const std::int64_t good = longestWait("pre-152e11f6"), broken = longestWait("6.13-rc6"),
                       first = longestWait("6.13-rc6+p1"), both = longestWait("6.13-rc6+p1+p2");
    RecordProperty("good", std::to_string(good));
    RecordProperty("broken", std::to_string(broken));
    RecordProperty("first", std::to_string(first));
    RecordProperty("both", std::to_string(both));
    EXPECT_LT(good, 20 * kMs);
    EXPECT_GT(broken, 500 * kMs);
    EXPECT_LT(broken, 1024 * 2 * 3 * kMs + 20 * kMs) << "the cap: 1024 times the lag clamp";
    EXPECT_LT(first, 60 * kMs);
    EXPECT_LT(both, 20 * kMs);
}
