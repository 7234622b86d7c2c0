// SPDX-License-Identifier: GPL-3.0-or-later
// EEVDF: who is picked, who preempts, when a slice ends.
#include "core/sched/eevdf.h"
#include "core/sched/entity_tree.h"
#include "core/sched/queue.h"

namespace rqs::sched::eevdf {
namespace {

using View = EntityTreeView<&Entity::deadline>;

std::int64_t bits(VTime t) { return static_cast<std::int64_t>(t.v); }

/// Eligibility of one instant: A and L are the same for every member.
struct Eligibility {
    Sums all;
    VTime v0;
    bool everyone, full;
    Eligibility(const State& s, const CfsRq& q)
        : all(sums(s, q)), v0(q.v0), everyone(s.rules.everyoneEligible), full(fullWeights(s)) {}
    bool operator()(VTime v) const {
        const std::int64_t key = (v - v0).v;
        return everyone || (full ? reachFull(all, key) : all.reach(key));
    }
};

std::int32_t firstEligible(const View& tree, const Eligibility& ok) {
    if (ok.everyone || ok.full) return tree.firstEligible(ok);
    return tree.firstEligible([all = ok.all, v0 = ok.v0](VTime v) { return all.reach((v - v0).v); });
}

/// The walk "first eligible in deadline order", spelt out for a reader; the search itself skips subtrees.
void explainWalk(const State& s, const CfsRq& q, const Eligibility& ok, std::int32_t best, Decision* why) {
    if (!why) return;
    const VTime average = averageVruntime(s, q);
    const View tree(s.entities, q.root);
    for (std::int32_t i = tree.first(); i >= 0; i = tree.next(i)) {
        const Entity& e = at(s, i);
        why->add(i, Test::Eligible, ok(e.vruntime), (average - e.vruntime).v);
        if (i == best) return;
    }
}

} // namespace

std::int32_t pick(const State& s, const CfsRq& q, Decision* why) {
    std::int32_t curr = currQueued(s, q) ? q.curr : -1;
    if (q.nr == 1) {
        const std::int32_t only = curr >= 0 ? curr : q.root;
        note(why, only, Test::OnlyCandidate, true);
        return only;
    }
    const Eligibility ok(s, q);
    if (curr >= 0) {
        const Entity& c = at(s, curr);
        const bool may = ok(c.vruntime);
        if (why) why->add(curr, Test::Eligible, may, (averageVruntime(s, q) - c.vruntime).v);
        if (!may) {
            curr = -1;
        } else if (s.on(Feature::RUN_TO_PARITY)) {
            note(why, curr, Test::Protected, markerIntact(c), c.vlag.v, bits(c.deadline));
            if (markerIntact(c)) return curr;
        }
    }
    const View tree(s.entities, q.root);
    const std::int32_t best = firstEligible(tree, ok);
    explainWalk(s, q, ok, best, why);
    if (best < 0) {
        // Nobody can be ineligible alone, except when sums overflowed: then the earliest deadline runs.
        const std::int32_t fallback = curr >= 0 ? curr : tree.first() >= 0 ? tree.first() : q.curr;
        note(why, fallback, Test::Fallback, true);
        return fallback;
    }
    if (curr >= 0) {
        const VTime mine = at(s, curr).deadline, theirs = at(s, best).deadline;
        const bool keeps = before(mine, theirs);
        note(why, curr, Test::CurrKeeps, keeps, bits(mine), bits(theirs));
        if (keeps) return curr;
    }
    note(why, best, Test::EarliestDeadline, true, bits(at(s, best).deadline));
    return best;
}

std::int32_t pickNext(const State& s, const CfsRq& q, Decision* why) {
    if (q.next >= 0) {
        // PICK_BUDDY split off from NEXT_BUDDY in 6.13-rc3.
        const bool listens = has(s.kernel.preset->exists, Feature::PICK_BUDDY) ? s.on(Feature::PICK_BUDDY)
                                                                               : s.on(Feature::NEXT_BUDDY);
        if (listens) {
            const bool may = eligible(s, q, q.next);
            if (why)
                why->add(q.next, Test::NextBuddy, may, (averageVruntime(s, q) - at(s, q.next).vruntime).v);
            if (may) return q.next;
        }
    }
    return pick(s, q, why);
}

bool wakeupPreempts(State& s, CfsRq& q, std::int32_t wakee, SimTime now, Decision* why) {
    const bool asked = updateCurr(s, q, now);
    if (q.curr < 0) return true;
    Entity& c = at(s, q.curr);
    const Entity& w = at(s, wakee);
    if (s.on(Feature::PREEMPT_SHORT) && w.slice < c.slice && eligible(s, q, wakee) &&
        (before(w.deadline, c.deadline) || !eligible(s, q, q.curr)) && markerIntact(c))
        c.vlag.v = wrapAdd(c.vlag.v, 1);
    return pick(s, q, why) == wakee || asked;
}

bool tick(State& s, CfsRq& q, SimTime now, Decision* why) {
    if (!why || q.curr < 0) return updateCurr(s, q, now);
    const Entity& c = at(s, q.curr);
    const VTime deadline = c.deadline;
    const bool wasIntact = markerIntact(c);
    const bool asks = updateCurr(s, q, now);
    const bool renewed = c.deadline != deadline;
    why->add(q.curr, Test::SliceUsed, renewed, bits(c.vruntime), bits(deadline));
    if (q.nr == 1) {
        why->add(q.curr, Test::OnlyCandidate, true);
    } else if (!renewed && s.on(Feature::PREEMPT_SHORT)) {
        why->add(q.curr, Test::Protected, wasIntact, c.vlag.v, bits(deadline));
        if (!wasIntact)
            why->add(q.curr, Test::Eligible, eligible(s, q, q.curr), (averageVruntime(s, q) - c.vruntime).v);
    }
    return asks;
}

} // namespace rqs::sched::eevdf
