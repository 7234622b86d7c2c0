// SPDX-License-Identifier: GPL-3.0-or-later
// Random EEVDF queues for property tests, and what the rules say about them without caches, trees or int64.
#pragma once
#include "tests/core/sched/support/one_queue.h"

#include <algorithm>
#include <vector>

namespace rqs::sched::test {

__extension__ using Wide = __int128;

/// One empty queue that is filled anew for every case; making a machine for each would take most of the time.
class RandomQueue : public OneQueue {
public:
    explicit RandomQueue(std::string_view kernel = "6.12.0") : OneQueue(kernel), m_empty(s.rq(c)) {
        s.kernel.tunables.base_slice_ns = 3000000;
    }

    Dice dice{0};
    std::uint64_t base = 0; ///< vruntimes lie around here
    std::vector<TaskId> members;

    /// 1 to `most` members within `spread` of `base`; every second case wraps around u64, two in three have a
    /// running member. Deadlines are within the request, and coarse, so that ties occur.
    void fill(std::uint64_t seed, int most = 7, std::int64_t spread = 6 * kMs) {
        dice = Dice(seed);
        s.rq(c) = m_empty;
        s.entities.clear();
        s.tasks.clear();
        members.clear();
        now = SimTime{1000 * kMs};
        base = seed % 2 ? std::uint64_t{0} - static_cast<std::uint64_t>(dice.below(spread)) : 1000000000000u;
        reference(base);
        const std::int64_t n = dice.between(1, most);
        for (std::int64_t i = 0; i < n; ++i) {
            const TaskId t =
                member(anyNice(), base + static_cast<std::uint64_t>(dice.below(spread)), anySlice());
            const std::int64_t request = calcDeltaFair(e(t).slice, e(t)).v;
            const std::int64_t ahead = std::max<std::int64_t>(1, request * dice.between(1, 4) / 4);
            const std::uint64_t exact = v(t) + static_cast<std::uint64_t>(ahead);
            const std::uint64_t deadline = dice.oneIn(2) ? exact : coarse(t, exact);
            if (s.kernel.preset->policy == Policy::Eevdf) put(t, v(t), deadline);
            members.push_back(t);
        }
        if (!dice.oneIn(3)) run(any());
        if (q().curr >= 0 && dice.oneIn(2)) e(TaskId(q().curr)).vlag.v += 1; // protection lost
    }

    TaskId any() {
        return members[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(members.size())))];
    }
    int anyNice() { return dice.oneIn(3) ? 0 : static_cast<int>(dice.between(-20, 19)); }
    std::int64_t anySlice() { return dice.oneIn(2) ? 0 : dice.between(1, 80) * 100000; }

    std::int64_t weight(TaskId t) const { return s.entity(t).weight.scaled(); }
    std::int64_t key(TaskId t) const { return (s.entity(t).vruntime - VTime{base}).v; }
    Wide totalWeight() const {
        Wide sum = 0;
        for (TaskId t : members) sum += s.entity(t).onRq ? weight(t) : 0;
        return sum;
    }
    /// Sum of w (v - base): V is base + this / totalWeight().
    Wide weightedKeys() const {
        Wide sum = 0;
        for (TaskId t : members)
            if (s.entity(t).onRq) sum += Wide{weight(t)} * key(t);
        return sum;
    }
    /// lag >= 0 in exact arithmetic.
    bool owed(TaskId t) const { return weightedKeys() >= Wide{key(t)} * totalWeight(); }

    /// Waiting members in order of (deadline, insertion).
    std::vector<TaskId> waiting() const {
        std::vector<TaskId> out;
        for (TaskId t : members)
            if (s.entity(t).onRq && s.rq(c).cfs.curr != t.v) out.push_back(t);
        std::sort(out.begin(), out.end(), [&](TaskId a, TaskId b) {
            const Entity &x = s.entity(a), &y = s.entity(b);
            return x.deadline == y.deadline ? x.sequence < y.sequence : before(x.deadline, y.deadline);
        });
        return out;
    }
    /// The pick, straight from the rules.
    TaskId pickByRule() const {
        const CfsRq& queue = s.rq(c).cfs;
        TaskId curr = queue.curr >= 0 && s.entity(TaskId(queue.curr)).onRq ? TaskId(queue.curr) : TaskId{};
        const std::vector<TaskId> others = waiting();
        if (others.size() + (curr ? 1 : 0) == 1) return curr ? curr : others[0];
        if (curr && !owed(curr)) curr = {};
        if (curr && s.on(Feature::RUN_TO_PARITY) &&
            static_cast<std::uint64_t>(s.entity(curr).vlag.v) == s.entity(curr).deadline.v)
            return curr;
        const auto best = std::find_if(others.begin(), others.end(), [&](TaskId t) { return owed(t); });
        if (best == others.end()) return curr;
        return curr && before(s.entity(curr).deadline, s.entity(*best).deadline) ? curr : *best;
    }

private:
    Rq m_empty;

    /// Rounded to a multiple of 2^20 above `base`, but still later than v.
    std::uint64_t coarse(TaskId t, std::uint64_t deadline) {
        const std::uint64_t rounded = base + (((deadline - base) >> 20) << 20);
        return before(e(t).vruntime, VTime{rounded}) ? rounded : deadline;
    }
};

} // namespace rqs::sched::test
