// SPDX-License-Identifier: GPL-3.0-or-later
// EEVDF: average, lag, placement, accounting, joining and leaving. Who is picked: eevdf_pick.cpp.
#include "core/sched/eevdf.h"

#include "core/sched/entity_tree.h"
#include "core/sched/queue.h"

#include <algorithm>

namespace rqs::sched::eevdf {
namespace {

using Tree = EntityTree<&Entity::deadline>;
using View = EntityTreeView<&Entity::deadline>;

std::int64_t weighted(const CfsRq& q, const Entity& e, std::int64_t weight) {
    return wrapMul((e.vruntime - q.v0).v, weight);
}

void insert(State& s, CfsRq& q, std::int32_t i) {
    const Entity& e = at(s, i);
    const std::int64_t w = weightInV(s, e);
    q.sumAvg = wrapAdd(q.sumAvg, weighted(q, e, w));
    q.sumWeight += w;
    Tree(s.entities, q.root).insert(i, q.nextSequence++, s.rules.tieNewestFirst);
}

void erase(State& s, CfsRq& q, std::int32_t i) {
    const Entity& e = at(s, i);
    Tree(s.entities, q.root).erase(i);
    const std::int64_t w = weightInV(s, e);
    q.sumAvg = wrapSub(q.sumAvg, weighted(q, e, w));
    q.sumWeight -= w;
}

void moveReference(CfsRq& q, VDelta by) {
    q.sumAvg = wrapSub(q.sumAvg, wrapMul(q.sumWeight, by.v));
    q.v0 = q.v0 + by;
}

/// min_vruntime: never behind, at most the smallest vruntime of the members.
void advanceMinVruntime(State& s, CfsRq& q) {
    if (s.kernel.preset->reference != ReferenceRule::MinVruntime) return;
    VTime least = q.v0;
    const bool curr = currQueued(s, q);
    if (curr) least = at(s, q.curr).vruntime;
    if (q.root >= 0) {
        const VTime tree = at(s, q.root).minVruntime;
        least = curr ? earlier(least, tree) : tree;
    }
    if (const VDelta by = least - q.v0; by.v > 0) moveReference(q, by);
}

/// Starts a new request when the old one is used up; what was run beyond it is forgotten.
bool renewDeadline(State& s, CfsRq& q, Entity& e) {
    if (before(e.vruntime, e.deadline)) return false;
    const bool keep = s.rules.protectForever && markerIntact(e);
    if (!e.customSlice) e.slice = {s.kernel.tunables.base_slice_ns};
    e.deadline = e.vruntime + calcDeltaFair(e.slice, e);
    if (keep) e.vlag = {static_cast<std::int64_t>(e.deadline.v)};
    if (s.kernel.preset->reference == ReferenceRule::ZeroVruntime)
        centreReference(s, q, averageVruntime(s, q));
    return true;
}

Duration longestSlice(const State& s, const CfsRq& q) {
    Duration longest = currQueued(s, q) ? at(s, q.curr).slice : Duration{};
    const View tree(s.entities, q.root);
    for (std::int32_t i = tree.first(); i >= 0; i = tree.next(i)) longest = std::max(longest, at(s, i).slice);
    return longest;
}

/// The lag that, placed this far from V, is `lag` once the entity's own weight pulls V along.
std::int64_t inflated(const State& s, std::int64_t lag, std::int64_t weight, std::int64_t others) {
    if (s.rules.noLagInflation) return lag;
    others = std::max<std::int64_t>(others, 1);
    std::int64_t product;
    if (!__builtin_mul_overflow(lag, others + weight, &product)) return product / others;
    if (!fullWeights(s)) return product / others; // wraps as in the kernel
    __extension__ using Wide = __int128;
    return static_cast<std::int64_t>(Wide{lag} * (others + weight) / others);
}

} // namespace

/// zero_vruntime follows V wherever V is asked for.
void centreReference(const State& s, CfsRq& q, VTime average) {
    if (s.kernel.preset->reference == ReferenceRule::ZeroVruntime) moveReference(q, average - q.v0);
}

void storeLag(State& s, CfsRq& q, std::int32_t i) {
    const VTime average = averageVruntime(s, q);
    at(s, i).vlag = clampedLag(s, q, i, average);
    centreReference(s, q, average);
}

void takeOut(State& s, CfsRq& q, std::int32_t i) {
    if (q.curr != i) erase(s, q, i);
}

void putBack(State& s, CfsRq& q, std::int32_t i) {
    if (q.curr != i) insert(s, q, i);
}

void catchUp(State& s, CfsRq& q) { advanceMinVruntime(s, q); }

bool reachFull(Sums all, std::int64_t key) {
    __extension__ using Wide = __int128;
    return all.avg >= Wide{key} * all.weight;
}

bool markerIntact(const Entity& e) { return e.vlag.v == static_cast<std::int64_t>(e.deadline.v); }

Sums sums(const State& s, const CfsRq& q) {
    Sums out{q.sumAvg, q.sumWeight};
    if (currQueued(s, q)) {
        const Entity& c = at(s, q.curr);
        const std::int64_t w = weightInV(s, c);
        out.avg = wrapAdd(out.avg, weighted(q, c, w));
        out.weight += w;
    }
    return out;
}

VTime averageVruntime(const State& s, const CfsRq& q) {
    const Sums x = sums(s, q);
    if (x.weight == 0) return q.v0;
    // Rounds down: an entity placed exactly at V must be eligible.
    std::int64_t offset = x.avg / x.weight;
    if (x.avg % x.weight < 0 && !s.rules.truncateAverage) --offset;
    return q.v0 + VDelta{offset};
}

bool eligible(const State& s, const CfsRq& q, std::int32_t i) {
    const Sums x = sums(s, q);
    const std::int64_t key = (at(s, i).vruntime - q.v0).v;
    if (fullWeights(s)) [[unlikely]]
        return reachFull(x, key);
    return x.reach(key);
}

VDelta clampedLag(const State& s, const CfsRq& q, std::int32_t i) {
    return clampedLag(s, q, i, averageVruntime(s, q));
}

VDelta clampedLag(const State& s, const CfsRq& q, std::int32_t i, VTime average) {
    const Entity& e = at(s, i);
    const VDelta lag = average - e.vruntime;
    if (s.rules.noLagClamp) return lag;
    const Duration tick = s.kernel.tunables.tick();
    const Duration most = s.kernel.preset->lagClamp == LagClamp::TwiceOwnSlice ? std::max(e.slice * 2, tick)
                                                                               : longestSlice(s, q) + tick;
    const VDelta limit = calcDeltaFair(most, e);
    return std::clamp(lag, -limit, limit);
}

void place(State& s, CfsRq& q, std::int32_t i, bool initial, Decision* why) {
    Entity& e = at(s, i);
    if (!e.customSlice) e.slice = {s.kernel.tunables.base_slice_ns};
    VDelta request = calcDeltaFair(e.slice, e);
    const VTime average = averageVruntime(s, q);
    std::int64_t lag = 0;
    if (s.on(Feature::PLACE_LAG) && q.nr > 0 && !(s.kernel.preset->placeLagNeedsLag && e.vlag.v == 0))
        lag = inflated(s, e.vlag.v, weightInV(s, e), sums(s, q).weight);
    centreReference(s, q, average);
    e.vruntime = average - VDelta{lag};
    note(why, i, Test::LagPlaced, lag != 0, e.vlag.v, lag);
    if (e.relDeadline) {
        e.deadline = e.vruntime + VDelta{static_cast<std::int64_t>(e.deadline.v)};
        e.relDeadline = false;
        return;
    }
    if (initial && s.on(Feature::PLACE_DEADLINE_INITIAL)) request.v /= 2;
    e.deadline = e.vruntime + request;
}

bool updateCurr(State& s, CfsRq& q, SimTime now) {
    if (q.curr < 0) return false;
    Entity& e = at(s, q.curr);
    const Duration ran = bookRuntime(e, now);
    if (ran.ns == 0) return false;
    e.vruntime = e.vruntime + calcDeltaFair(ran, e);
    const bool renewed = renewDeadline(s, q, e);
    advanceMinVruntime(s, q);
    if (q.nr == 1) return false;
    const bool overrun = s.on(Feature::PREEMPT_SHORT) && !markerIntact(e) && !eligible(s, q, q.curr);
    if (!renewed && !overrun) return false;
    clearBuddies(s, q, q.curr);
    return true;
}

bool enqueue(State& s, CfsRq& q, std::int32_t i, EnqueueKind kind, SimTime now, Decision* why) {
    const bool initial = kind == EnqueueKind::Fork;
    const bool isCurr = q.curr == i;
    if (isCurr) place(s, q, i, initial, why);
    const bool asks = updateCurr(s, q, now);
    if (!isCurr) place(s, q, i, initial, why);
    join(s, q, i);
    return asks;
}

void join(State& s, CfsRq& q, std::int32_t i) {
    if (q.curr != i) insert(s, q, i);
    countIn(s, q, i);
}

bool dequeue(State& s, CfsRq& q, std::int32_t i, Leave how, SimTime now, Decision* why, bool* asks) {
    Entity& e = at(s, i);
    const bool asked = updateCurr(s, q, now);
    if (asks) *asks = asked;
    clearBuddies(s, q, i);
    if (how == Leave::Sleep && e.delayed) how = Leave::Picked;
    if (how == Leave::Sleep && s.on(Feature::DELAY_DEQUEUE)) {
        const bool owes = !eligible(s, q, i);
        note(why, i, Test::LagNegative, owes, (averageVruntime(s, q) - e.vruntime).v);
        if (owes) {
            e.delayed = true;
            ++q.nrDelayed;
            return false;
        }
    }
    storeLag(s, q, i);
    const bool stays = how == Leave::Migrate || how == Leave::Save; // runnable: will be put back somewhere
    if (stays && s.on(Feature::PLACE_REL_DEADLINE)) {
        e.deadline = {static_cast<std::uint64_t>((e.deadline - e.vruntime).v)};
        e.relDeadline = true;
    }
    if (q.curr != i) erase(s, q, i);
    countOut(s, q, i);
    if (how != Leave::Save) advanceMinVruntime(s, q);
    if (!stays && e.delayed) {
        e.delayed = false;
        if (s.on(Feature::DELAY_ZERO) && e.vlag.v > 0) e.vlag = {};
    }
    return true;
}

void requeueDelayed(State& s, CfsRq& q, std::int32_t i) {
    Entity& e = at(s, i);
    if (!e.delayed) return;
    if (s.on(Feature::DELAY_ZERO)) {
        storeLag(s, q, i);
        if (e.vlag.v > 0) {
            const bool isCurr = q.curr == i;
            if (!isCurr) erase(s, q, i);
            countOut(s, q, i);
            e.vlag = {};
            place(s, q, i, false);
            if (!isCurr) insert(s, q, i);
            countIn(s, q, i);
        }
    }
    e.delayed = false;
    --q.nrDelayed;
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
    if (e.onRq) {
        if (q.curr != i) erase(s, q, i);
        e.vlag = {static_cast<std::int64_t>(e.deadline.v)};
    }
    e.execStart = now;
    e.prevSumExec = e.sumExec;
    q.curr = i;
}

void yield(State& s, CfsRq& q, SimTime now) {
    if (q.curr < 0) return;
    clearBuddies(s, q, q.curr);
    updateCurr(s, q, now);
    Entity& e = at(s, q.curr);
    const VDelta request = calcDeltaFair(e.slice, e);
    if (!s.kernel.preset->yieldForfeits) {
        e.deadline = e.deadline + request;
    } else if (eligible(s, q, q.curr)) {
        e.vruntime = e.deadline;
        e.deadline = e.deadline + request;
        advanceMinVruntime(s, q);
    }
}

void relocate(State& s, CfsRq& q, std::int32_t i, VTime vruntime, VTime deadline) {
    const bool inTree = q.curr != i && at(s, i).onRq;
    if (inTree) erase(s, q, i);
    at(s, i).vruntime = vruntime;
    at(s, i).deadline = deadline;
    if (inTree) insert(s, q, i);
}

int inPickOrder(const State& s, const CfsRq& q, TaskId* out, int max) {
    int n = 0;
    const View tree(s.entities, q.root);
    for (std::int32_t i = tree.first(); i >= 0 && n < max; i = tree.next(i)) out[n++] = TaskId(i);
    return n;
}

} // namespace rqs::sched::eevdf
