// SPDX-License-Identifier: GPL-3.0-or-later
// The reweight rules of all kernels.
#include "core/sched/reweight.h"

#include "core/sched/cfs.h"
#include "core/sched/eevdf.h"
#include "core/sched/queue.h"

namespace rqs::sched {
namespace {

/// What is x at weight `from` is this at weight `to`. Rounds towards zero.
std::int64_t rescaled(std::int64_t x, Weight from, Weight to) { return wrapMul(x, from.w) / to.w; }
VDelta rescaled(VDelta x, Weight from, Weight to) { return {rescaled(x.v, from, to)}; }

bool scalesRelativeDeadline(ReweightRule rule) {
    return rule == ReweightRule::R613 || rule == ReweightRule::R613n || rule == ReweightRule::R71;
}

ReweightView view(const State& s, const CfsRq& q, const Entity& e) {
    const VTime average = eevdf::averageVruntime(s, q);
    return {e.weight, average, e.vruntime, e.deadline, average - e.vruntime};
}

/// R67 and R71: lag and deadline are rescaled as seen from a V that includes the entity.
void rescaleAround(VTime average, VDelta lag, Entity& e, Weight to) {
    e.vruntime = average - rescaled(lag, e.weight, to);
    e.deadline = average + rescaled(e.deadline - average, e.weight, to);
}

/// R71: a running entity stays protected, or unprotected.
void keepMarker(Entity& e, bool intact) {
    const auto marker = static_cast<std::int64_t>(e.deadline.v);
    if (intact)
        e.vlag = {marker};
    else if (e.vlag.v == marker)
        e.vlag.v = wrapAdd(marker, 1);
}

/// R613: leaves with its lag, and is placed anew. The running entity is not in the tree, so V and the weight
/// of the others still include it, at its old vruntime and new weight: the rule's bug (eevdf spec 6.4).
void placeAnew(State& s, CfsRq& q, std::int32_t i, const Load& load, bool uncounted) {
    Entity& e = at(s, i);
    eevdf::storeLag(s, q, i);
    e.deadline = {static_cast<std::uint64_t>((e.deadline - e.vruntime).v)};
    e.relDeadline = true;
    eevdf::takeOut(s, q, i);
    if (uncounted) --q.nr;
    eevdf::reweightOffQueue(s, e, load);
    eevdf::place(s, q, i, false);
    eevdf::putBack(s, q, i);
    if (uncounted) ++q.nr;
}

void reweightMember(State& s, CfsRq& q, std::int32_t i, const Load& load) {
    const ReweightRule rule = s.kernel.preset->reweight;
    Entity& e = at(s, i);
    if (rule == ReweightRule::R613 || rule == ReweightRule::R613n) {
        placeAnew(s, q, i, load, rule == ReweightRule::R613n);
        return;
    }
    const VTime average = eevdf::averageVruntime(s, q);
    const VDelta lag = eevdf::clampedLag(s, q, i, average);
    const bool intact = eevdf::markerIntact(e);
    eevdf::takeOut(s, q, i);
    if (rule == ReweightRule::R66) // the lag becomes what the new weight makes of it
        e.deadline = e.vruntime + rescaled(e.deadline - e.vruntime, e.weight, load.weight);
    else if (rule != ReweightRule::Cfs)
        rescaleAround(average, lag, e, load.weight);
    if (rule == ReweightRule::R71 && q.curr == i) keepMarker(e, intact);
    setWeight(s, e, load);
    eevdf::putBack(s, q, i);
    eevdf::centreReference(s, q, average);
}

} // namespace

namespace eevdf {

void reweightOffQueue(const State& s, Entity& e, const Load& load) {
    const ReweightRule rule = s.kernel.preset->reweight;
    if (rule != ReweightRule::Cfs) e.vlag = rescaled(e.vlag, e.weight, load.weight);
    if (e.relDeadline && scalesRelativeDeadline(rule)) {
        const VDelta left{static_cast<std::int64_t>(e.deadline.v)};
        e.deadline.v = static_cast<std::uint64_t>(rescaled(left, e.weight, load.weight).v);
    }
    setWeight(s, e, load);
}

} // namespace eevdf

bool reweightEntity(State& s, CfsRq& q, std::int32_t i, const Load& load, SimTime now, ReweightNote* note) {
    Entity& e = at(s, i);
    if (!e.onRq) {
        eevdf::reweightOffQueue(s, e, load);
        return false;
    }
    const std::int64_t before = e.weight.w;
    if (s.kernel.preset->policy == Policy::Cfs) {
        cfs::updateCurr(s, q, now);
        setWeight(s, e, load); // the order of the tree does not depend on weights
        q.load += e.weight.w - before;
        return false;
    }
    const bool asks = eevdf::updateCurr(s, q, now);
    if (note) note->before = view(s, q, e);
    reweightMember(s, q, i, load);
    q.load += e.weight.w - before;
    eevdf::catchUp(s, q);
    if (note) note->after = view(s, q, e);
    return asks;
}

bool reweightEntity(State& s, CfsRq& q, std::int32_t i, Weight weight, SimTime now, ReweightNote* note) {
    return reweightEntity(s, q, i, Load{weight, inverseOf(weight)}, now, note);
}

} // namespace rqs::sched
