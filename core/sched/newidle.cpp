// SPDX-License-Identifier: GPL-3.0-or-later
// newidle_balance up to the LLC as separate instants; the caller spends the time and takes the locks between.
#include "core/sched/newidle.h"

#include "core/sched/group_load.h"
#include "core/sched/hierarchy.h"

#include <algorithm>

namespace rqs::sched {
namespace {

constexpr Duration kDecayPeriod{1000000000};
constexpr SimTime kNoStamp{-1};

std::size_t at(int level) { return static_cast<std::size_t>(level); }

/// Domain whose cost the early exit test reads; -1 = no such domain, test skipped.
int gateLevel(const State& s, CpuId c) {
    const int levels = static_cast<int>(s.hw->domains.of(c).size());
    int level = 0;
    if (s.on(Feature::SHARED_RUNQ) && s.kernel.preset &&
        s.kernel.preset->sharedRunq == SharedRunqVersion::V3) {
        const int llc = s.hw->domains.llcDomain(c);
        if (llc < 0) return -1;
        level = llc + 1;
    }
    return level < levels ? level : -1;
}

void open(Decision* why, CpuId c, const char* function) {
    if (!why) return;
    why->question = Question::Balance;
    why->cpu = c;
    why->function = function;
}

/// task_hot without the buddy rule, which needs tasks on the destination: a newly idle CPU has none.
bool hot(const State& s, TaskId t, const machine::Domain& d, SimTime now) {
    if (s.task(t).policy == TaskPolicy::Idle || d.shareCapacity) return false;
    const std::int64_t cost = s.kernel.tunables.migration_cost_ns;
    if (cost == -1) return true;
    return cost != 0 && (now - s.entity(t).execStart).ns < cost;
}

bool colder(const State& s, TaskId a, TaskId b) {
    const Entity &x = s.entity(a), &y = s.entity(b);
    if (x.sequence != y.sequence) return x.sequence < y.sequence;
    if (x.execStart != y.execStart) return x.execStart < y.execStart;
    return a < b;
}

TaskId coldestOf(const State& s, const CfsRq& q, CpuId to, const machine::Domain& d, SimTime now,
                 TaskId best);

/// Coldest movable task of a subtree, or `best`.
TaskId coldestIn(const State& s, std::int32_t node, CpuId to, const machine::Domain& d, SimTime now,
                 TaskId best) {
    for (; node >= 0; node = s.entities[static_cast<std::size_t>(node)].right) {
        const TaskId t{node};
        const Entity& e = s.entity(t);
        best = coldestIn(s, e.left, to, d, now, best);
        if (isGroup(s, node)) {
            best = coldestOf(s, inside(s, node), to, d, now, best);
            continue;
        }
        if (e.delayed || s.task(t).onCpu || !s.allowedOn(t, to) || hot(s, t, d, now)) continue;
        if (!best || colder(s, t, best)) best = t;
    }
    return best;
}

/// The same over a queue and the groups in it; the running group has tasks that wait, too.
TaskId coldestOf(const State& s, const CfsRq& q, CpuId to, const machine::Domain& d, SimTime now,
                 TaskId best) {
    best = coldestIn(s, q.root, to, d, now, best);
    return q.curr >= 0 && isGroup(s, q.curr) ? coldestOf(s, inside(s, q.curr), to, d, now, best) : best;
}

} // namespace

void noteEnqueue(State& s, CpuId c) {
    if (s.rq(c).nrRunning() >= 2) s.overload = true;
}

bool newidleBegin(State& s, CpuId c, SimTime now, Decision* why) {
    open(why, c, "newidle_balance");
    Rq& q = s.rq(c);
    q.idleStamp = now;
    if (!q.online) return false;
    if (why) why->add(c.v, Test::Overload, s.overload, s.overload ? 1 : 0, 0);
    bool go = s.overload;
    if (const int level = gateLevel(s, c); go && level >= 0) {
        const Duration cost = q.maxNewidleCost[at(level)];
        go = q.avgIdle >= cost;
        if (why) why->add(c.v, Test::AvgIdle, !go, q.avgIdle.ns, cost.ns);
    }
    if (go && s.grouped()) load::updateBlocked(s, c, now);
    if (why) why->outcome = go ? 1 : 0;
    return go;
}

int newidleLevels(const State& s, CpuId c) { return s.hw->domains.llcDomain(c) + 1; }

bool newidleAffordable(const State& s, CpuId c, int level, Duration spent) {
    const Rq& q = s.rq(c);
    return q.avgIdle >= spent + q.maxNewidleCost[at(level)];
}

CpuId newidleBusiest(State& s, CpuId c, int level, int* read, Decision* why) {
    open(why, c, "find_busiest_queue");
    const auto domains = s.hw->domains.of(c);
    const machine::Domain& d = domains[at(level)];
    CpuId busiest;
    std::int32_t most = 1;
    bool overload = false;
    for (std::size_t g = 0; g < d.groups.size(); ++g) {
        const CpuMask& span = d.groups[g].span;
        for (CpuId other = span.first(); other; other = span.next(other.v + 1)) {
            const std::int32_t nr = s.rq(other).nrRunning();
            overload |= nr > 1;
            if (g == 0 || nr <= 1) continue; // the first group is c's own
            if (why) why->add(other.v, Test::Busiest, nr > most, nr, most);
            if (nr > most) {
                most = nr;
                busiest = other;
            }
        }
    }
    if (level + 1 == static_cast<int>(domains.size())) s.overload = overload;
    if (read) *read = d.weight;
    if (why) why->outcome = busiest.v;
    return busiest;
}

TaskId newidleDetachable(const State& s, CpuId busiest, CpuId c, int level, SimTime now) {
    if (s.rq(busiest).nrRunning() <= 1) return {};
    return coldestOf(s, s.rq(busiest).cfs, c, s.hw->domains.of(c)[at(level)], now, {});
}

void newidleCharge(State& s, CpuId c, int level, Duration cost, SimTime now) {
    Rq& q = s.rq(c);
    Duration& max = q.maxNewidleCost[at(level)];
    SimTime& last = q.lastDecay[at(level)];
    if (cost > max) {
        max = cost;
        last = now;
    } else if (now - last > kDecayPeriod) {
        max = max * 253 / 256;
        last = now;
    }
}

void newidleEnd(State& s, CpuId c, bool pulled, Duration total) {
    Rq& q = s.rq(c);
    q.maxIdleBalanceCost = std::max(q.maxIdleBalanceCost, total);
    if (pulled) q.idleStamp = kNoStamp;
}

void sampleAvgIdle(State& s, CpuId c, SimTime now) {
    Rq& q = s.rq(c);
    if (q.idleStamp == kNoStamp) return;
    const Duration sample = now - q.idleStamp;
    q.avgIdle += (sample - q.avgIdle) / 8;
    q.avgIdle = std::min(q.avgIdle, q.maxIdleBalanceCost * 2);
    q.idleStamp = kNoStamp;
}

} // namespace rqs::sched
