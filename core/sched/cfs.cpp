// SPDX-License-Identifier: GPL-3.0-or-later
// CFS as it was in 6.5, the last kernel before EEVDF.
#include "core/sched/cfs.h"

#include "core/sched/entity_tree.h"
#include "core/sched/queue.h"

#include <algorithm>

namespace rqs::sched::cfs {
namespace {

using Tree = EntityTree<&Entity::vruntime>;
using View = EntityTreeView<&Entity::vruntime>;

/// A sleep longer than this could wrap vruntime differences: 2^63 / 1024 ns, about 104 days.
constexpr Duration kLongSleep{std::int64_t{1} << 53};

std::int64_t bits(VTime t) { return static_cast<std::int64_t>(t.v); }

std::int32_t nrLatency(const Tunables& t) {
    const std::int64_t gran = std::max<std::int64_t>(t.min_granularity_ns, 1);
    return static_cast<std::int32_t>((t.latency_ns + gran - 1) / gran);
}

void insert(State& s, CfsRq& q, std::int32_t i) {
    Tree(s.entities, q.root).insert(i, q.nextSequence++, s.rules.tieNewestFirst);
}

void advanceMinVruntime(State& s, CfsRq& q) {
    const bool curr = currQueued(s, q);
    if (!curr && q.root < 0) return;
    VTime least = curr ? at(s, q.curr).vruntime : at(s, q.root).minVruntime;
    if (curr && q.root >= 0) least = earlier(least, at(s, q.root).minVruntime);
    q.v0 = later(q.v0, least);
}

VDelta wakeupGranularity(const State& s, const Entity& e) {
    return calcDeltaFair(Duration{s.kernel.tunables.wakeup_granularity_ns}, e);
}

bool longSleeper(const Entity& e, SimTime now) {
    return e.execStart != Entity::kNeverRan && now - e.execStart > kLongSleep;
}

/// place_entity: nobody may start far left of the queue.
void place(State& s, CfsRq& q, std::int32_t i, bool initial, SimTime now, Decision* why) {
    Entity& e = at(s, i);
    const Tunables& t = s.kernel.tunables;
    VTime floor = q.v0;
    if (initial) {
        if (s.on(Feature::START_DEBIT)) floor = floor + calcDeltaFair(slice(s, q, i), e);
    } else {
        std::int64_t credit = e.idlePolicy ? t.min_granularity_ns : t.latency_ns;
        if (s.on(Feature::GENTLE_FAIR_SLEEPERS)) credit >>= 1;
        floor = floor - VDelta{credit};
    }
    const bool moved = longSleeper(e, now) || before(e.vruntime, floor);
    note(why, i, Test::LagPlaced, moved, bits(e.vruntime), bits(floor));
    if (moved) e.vruntime = floor;
}

} // namespace

Duration period(const State& s, std::int32_t nr) {
    const Tunables& t = s.kernel.tunables;
    return {nr > nrLatency(t) ? nr * t.min_granularity_ns : t.latency_ns};
}

Duration slice(const State& s, const CfsRq& q, std::int32_t i) {
    const Entity& e = at(s, i);
    std::int32_t nr = q.nr;
    if (s.grouped() && s.on(Feature::ALT_PERIOD)) { // the tasks of the whole CPU instead of this queue
        const CfsRq* root = &q;
        while (root->owner >= 0) root = &above(s, *root);
        nr = root->below.nr;
    }
    std::int64_t out = period(s, nr + (e.onRq ? 0 : 1)).ns;
    const CfsRq* level = &q;
    for (std::int32_t j = i;; j = level->owner, level = &above(s, *level)) {
        const Entity& x = at(s, j);
        out = calcDelta(Duration{out}, x.weight, inverseOf(Weight{level->load + (x.onRq ? 0 : x.weight.w)}));
        if (level->owner < 0) break;
    }
    if (s.on(Feature::BASE_SLICE)) {
        const bool amongOthers = e.idlePolicy && (q.nr == 0 || q.nrIdle < q.nr);
        const Tunables& t = s.kernel.tunables;
        out = std::max(out, amongOthers ? t.idle_min_granularity_ns : t.min_granularity_ns);
    }
    return {out};
}

int leadOver(const State& s, const Entity& curr, const Entity& e) {
    const VDelta lead = curr.vruntime - e.vruntime;
    if (lead.v <= 0) return -1;
    return lead > wakeupGranularity(s, e) ? 1 : 0;
}

void updateCurr(State& s, CfsRq& q, SimTime now) {
    if (q.curr < 0) return;
    Entity& e = at(s, q.curr);
    const Duration ran = bookRuntime(e, now);
    if (ran.ns == 0) return;
    e.vruntime = e.vruntime + calcDeltaFair(ran, e);
    advanceMinVruntime(s, q);
}

void fork(State& s, CfsRq& q, std::int32_t i, SimTime now) {
    Entity& e = at(s, i);
    updateCurr(s, q, now);
    e.vruntime = q.curr >= 0 ? at(s, q.curr).vruntime : q.v0;
    place(s, q, i, true, now, nullptr);
    e.vruntime = {static_cast<std::uint64_t>((e.vruntime - q.v0).v)};
    e.relVruntime = true;
}

void enqueue(State& s, CfsRq& q, std::int32_t i, bool wakeup, SimTime now, Decision* why) {
    Entity& e = at(s, i);
    const bool isCurr = q.curr == i;
    const bool relative = e.relVruntime;
    const auto rebase = [&] { e.vruntime = q.v0 + VDelta{static_cast<std::int64_t>(e.vruntime.v)}; };
    e.relVruntime = false;
    if (relative && isCurr) rebase();
    updateCurr(s, q, now);
    if (relative && !isCurr) rebase();
    if (wakeup)
        place(s, q, i, false, now, why);
    else
        note(why, i, Test::LagPlaced, false, bits(e.vruntime), bits(q.v0));
    if (!isCurr) insert(s, q, i);
    countIn(s, q, i);
}

void dequeue(State& s, CfsRq& q, std::int32_t i, bool sleep, bool save, SimTime now) {
    Entity& e = at(s, i);
    updateCurr(s, q, now);
    clearBuddies(s, q, i);
    if (q.curr != i) Tree(s.entities, q.root).erase(i);
    countOut(s, q, i);
    if (!sleep) { // before min_vruntime loses sight of this entity and moves on
        e.vruntime = {static_cast<std::uint64_t>((e.vruntime - q.v0).v)};
        e.relVruntime = true;
    }
    if (!save) advanceMinVruntime(s, q);
}

std::int32_t pick(const State& s, const CfsRq& q, Decision* why) {
    const std::int32_t curr = currQueued(s, q) ? q.curr : -1;
    const View tree(s.entities, q.root);
    const std::int32_t first = tree.first();
    const bool currLeads = first < 0 || (curr >= 0 && before(at(s, curr).vruntime, at(s, first).vruntime));
    const std::int32_t left = currLeads ? curr : first;
    if (left < 0) return -1;
    const Entity& l = at(s, left);
    note(why, left, Test::Leftmost, true, bits(l.vruntime), bits(q.v0));
    const auto fair = [&](std::int32_t i, Test test) {
        const bool ok = leadOver(s, at(s, i), l) < 1;
        if (why) why->add(i, test, ok, (at(s, i).vruntime - l.vruntime).v, wakeupGranularity(s, l).v);
        return ok;
    };
    std::int32_t best = left;
    if (q.skip >= 0 && q.skip == left) {
        std::int32_t second = left == curr ? first : tree.next(left);
        if (left != curr &&
            (second < 0 || (curr >= 0 && before(at(s, curr).vruntime, at(s, second).vruntime))))
            second = curr;
        if (second >= 0 && fair(second, Test::SkipBuddy)) best = second;
    }
    if (q.next >= 0 && fair(q.next, Test::NextBuddy)) return q.next;
    if (q.last >= 0 && fair(q.last, Test::LastBuddy)) return q.last;
    return best;
}

void putPrev(State& s, CfsRq& q, SimTime now) {
    if (q.curr < 0) return;
    if (at(s, q.curr).onRq) {
        updateCurr(s, q, now);
        insert(s, q, q.curr);
    }
    q.curr = -1;
}

void setNext(State& s, CfsRq& q, std::int32_t i, SimTime now) {
    clearBuddies(s, q, i);
    Entity& e = at(s, i);
    if (e.onRq && q.curr != i) Tree(s.entities, q.root).erase(i);
    e.execStart = now;
    e.prevSumExec = e.sumExec;
    q.curr = i;
}

bool crowded(const State& s, const CfsRq& q) { return q.nr >= nrLatency(s.kernel.tunables); }

bool wakeupPreempts(State& s, CfsRq& q, std::int32_t wakee, bool buddyMarked, SimTime now, Decision* why) {
    updateCurr(s, q, now);
    if (q.curr < 0) return true;
    const Entity &c = at(s, q.curr), &w = at(s, wakee);
    const bool yes = leadOver(s, c, w) == 1;
    if (why) why->add(wakee, Test::WakeupGran, yes, (c.vruntime - w.vruntime).v, wakeupGranularity(s, w).v);
    if (yes && !buddyMarked) setBuddy(s, &q, &CfsRq::next, wakee); // the pick will prefer whom this was for
    return yes;
}

bool tick(State& s, CfsRq& q, SimTime now, Decision* why) {
    updateCurr(s, q, now);
    if (q.curr < 0) return false;
    if (q.nr <= 1) {
        note(why, q.curr, Test::OnlyCandidate, true);
        return false;
    }
    const Tunables& t = s.kernel.tunables;
    const Entity& c = at(s, q.curr);
    Duration ideal = slice(s, q, q.curr);
    if (s.kernel.preset->tickCapsSlice) ideal = std::min(ideal, Duration{t.latency_ns});
    const Duration ran = c.sumExec - c.prevSumExec;
    note(why, q.curr, Test::IdealSlice, ran > ideal, ran.ns, ideal.ns);
    if (ran > ideal) {
        clearBuddies(s, q, q.curr);
        return true;
    }
    if (ran.ns < t.min_granularity_ns || q.root < 0) return false;
    const VTime left = at(s, q.root).minVruntime;
    const bool unfair = (c.vruntime - left).v > ideal.ns;
    if (why) why->add(View(s.entities, q.root).first(), Test::Leftmost, unfair, bits(left), bits(c.vruntime));
    return unfair;
}

void yield(State& s, CfsRq& q, bool batch, SimTime now) {
    if (q.curr < 0) return;
    clearBuddies(s, q, q.curr);
    if (!batch) updateCurr(s, q, now);
    q.skip = q.curr;
}

int inPickOrder(const State& s, const CfsRq& q, TaskId* out, int max) {
    int n = 0;
    const View tree(s.entities, q.root);
    for (std::int32_t i = tree.first(); i >= 0 && n < max; i = tree.next(i)) out[n++] = TaskId(i);
    return n;
}

} // namespace rqs::sched::cfs
