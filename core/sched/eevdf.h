// SPDX-License-Identifier: GPL-3.0-or-later
// EEVDF on one queue (behavioural spec eevdf 2-5, flat): V, lag, eligibility, placement, pick, slices,
// delayed dequeue. Functions change one queue under its lock; fair.h is the task-level wrapper. Numbers in
// decisions: Eligible a = lag; Protected, EarliestDeadline, CurrKeeps a, b = the two deadlines compared;
// SliceUsed a = vruntime, b = deadline; LagPlaced a = stored lag, b = lag as placed.
#pragma once
#include "core/sched/fair.h"
#include "core/sched/weights.h"

namespace rqs::sched::eevdf {

/// Weighted sum of keys v - v0 and of weights over all members.
struct Sums {
    std::int64_t avg = 0, weight = 0;
    /// Is somebody with key v - v0 not ahead of V? The product wraps as it does in the kernel.
    bool reach(std::int64_t key) const { return avg >= wrapMul(key, weight); }
};
/// The same with full weights, whose product with a key may need more than 64 bits.
bool reachFull(Sums all, std::int64_t key);
Sums sums(const State& s, const CfsRq& q);
/// V: v0 + floor(A / L).
VTime averageVruntime(const State& s, const CfsRq& q);
/// lag >= 0, without division.
bool eligible(const State& s, const CfsRq& q, std::int32_t i);
/// Does the running entity still hold the marker of its pick?
bool markerIntact(const Entity& e);

/// V - v of a member, clamped (update_entity_lag).
VDelta clampedLag(const State& s, const CfsRq& q, std::int32_t i);
VDelta clampedLag(const State& s, const CfsRq& q, std::int32_t i, VTime average);
/// place_entity: sets v and d of an entity that is not in the sums.
void place(State& s, CfsRq& q, std::int32_t i, bool initial, Decision* why = nullptr);

bool updateCurr(State& s, CfsRq& q, SimTime now);
/// enqueue_entity; true if charging curr asks for a reschedule.
bool enqueue(State& s, CfsRq& q, std::int32_t i, EnqueueKind kind, SimTime now, Decision* why = nullptr);
/// The end of enqueue(): a placed entity becomes a member.
void join(State& s, CfsRq& q, std::int32_t i);
/// How an entity leaves. Picked: a delayed entity whose turn came. Exit: a sleep that cannot be delayed.
enum class Leave : std::uint8_t { Sleep, Picked, Exit, Migrate, Save };
/// dequeue_entity; false: stays behind, delayed. `asks`: charging curr asks for a reschedule.
bool dequeue(State& s, CfsRq& q, std::int32_t i, Leave how, SimTime now, Decision* why = nullptr,
             bool* asks = nullptr);
/// requeue_delayed_entity. Curr is not charged first: the lag is the one of the last accounting point.
void requeueDelayed(State& s, CfsRq& q, std::int32_t i);

/// pick_eevdf: -1 only if the queue is empty.
std::int32_t pick(const State& s, const CfsRq& q, Decision* why = nullptr);
/// pick_next_entity before the test for delayed: a buddy, or pick_eevdf.
std::int32_t pickNext(const State& s, const CfsRq& q, Decision* why = nullptr);
void putPrev(State& s, CfsRq& q, SimTime now);
void setNext(State& s, CfsRq& q, std::int32_t i, SimTime now);

/// The comparison of check_preempt_wakeup_fair after the class and policy tests; charges curr.
bool wakeupPreempts(State& s, CfsRq& q, std::int32_t wakee, SimTime now, Decision* why = nullptr);
bool tick(State& s, CfsRq& q, SimTime now, Decision* why = nullptr);
void yield(State& s, CfsRq& q, SimTime now);
/// Weight change of an entity that is in no queue. Of queued ones: reweight.h.
void reweightOffQueue(const State& s, Entity& e, const Load& load);

/// Stores the lag of a member (update_entity_lag).
void storeLag(State& s, CfsRq& q, std::int32_t i);
/// Around a change of what a member's place depends on: leaves tree and sums, or comes back; it stays
/// counted. Nothing for the running entity, which is in neither.
void takeOut(State& s, CfsRq& q, std::int32_t i);
void putBack(State& s, CfsRq& q, std::int32_t i);
/// Lets the reference catch up after members moved (update_min_vruntime).
void catchUp(State& s, CfsRq& q);
/// Moves a reference that follows V to `average`.
void centreReference(const State& s, CfsRq& q, VTime average);

/// Gives a member other virtual times and keeps tree and sums right: for replays that go on from recorded
/// state.
void relocate(State& s, CfsRq& q, std::int32_t i, VTime vruntime, VTime deadline);

int inPickOrder(const State& s, const CfsRq& q, TaskId* out, int max);

} // namespace rqs::sched::eevdf
