// SPDX-License-Identifier: GPL-3.0-or-later
// Load, runnable and utilisation averages of entities and queues (PELT): the kernel's recurrence, exact
// (behavioural spec eevdf 8). Time is counted in units of 1024 ns, 1024 units make a period, half is
// forgotten after 32 periods. Pure arithmetic on one or two averages; who calls when is the caller's.
#pragma once
#include "core/base/units.h"

namespace rqs::sched {

/// Averages of one entity or queue. Sums are in units (runnable and utilisation times 1024); averages are
/// refreshed only when a period ends.
struct PeltAvg {
    std::int64_t loadSum = 0; ///< entity: without its weight; queue: with the weights of its members
    std::int64_t runnableSum = 0, utilSum = 0;
    std::int64_t loadAvg = 0, runnableAvg = 0, utilAvg = 0;
    SimTime lastUpdate{0};          ///< or kDetached
    std::int32_t periodContrib = 0; ///< units into the current period

    static constexpr SimTime kDetached{-(std::int64_t{1} << 62)}; ///< in no queue's sums: attach it first
    bool attached() const { return lastUpdate != kDetached; }
    bool operator==(const PeltAvg&) const = default;
};

namespace pelt {

inline constexpr std::int64_t kUnitsPerPeriod = 1024;
inline constexpr Duration kPeriod{kUnitsPerPeriod * 1024};
inline constexpr std::int64_t kMaxSum = 47742; ///< sum of somebody who was always there (LOAD_AVG_MAX)
inline constexpr std::int64_t kFullCapacity = 1024;

/// x times y^periods, y^32 = 1/2, rounded down; x >= 0.
std::int64_t decay(std::int64_t x, std::int64_t periods);
/// What the sums are divided by: that of somebody always there, at this point of the period.
inline std::int64_t divider(const PeltAvg& a) { return kMaxSum - kUnitsPerPeriod + a.periodContrib; }

/// What was the case from the last update to this one.
struct Activity {
    std::int64_t load = 0;     ///< entity: 1 if on its queue; queue: s(sum of weights)
    std::int64_t runnable = 0; ///< tasks that want to run: of a task 0 or 1
    bool running = false;
};
/// What an entity did. A delayed one counts as queued, but not as runnable.
inline Activity entityActivity(bool onRq, std::int64_t runnable, bool running) {
    return {onRq ? 1 : 0, onRq ? runnable : 0, running};
}
/// What a queue did; `load` is the sum of full weights.
inline Activity queueActivity(std::int64_t load, std::int64_t runnable, bool running) {
    return {Weight{load}.scaled(), runnable, running};
}

/// The recurrence for whole units > 0; see update().
bool advance(PeltAvg& a, std::int64_t units, const Activity& did, std::int64_t factor);
/// Brings `a` up to `now`; true if a period ended, so that averages are fresh. `factor` turns loadSum into
/// loadAvg: s(weight) of an entity, 1 of a queue. A clock that went back only moves the mark.
inline bool update(PeltAvg& a, SimTime now, const Activity& did, std::int64_t factor) {
    const Duration passed = now - a.lastUpdate;
    if (passed.ns < 0) a.lastUpdate = now;
    const std::int64_t units = passed.ns >> 10;
    return units > 0 && advance(a, units, did, factor);
}
inline bool updateEntity(PeltAvg& a, SimTime now, const Activity& did, Weight w) {
    return update(a, now, did, w.scaled());
}
inline bool updateQueue(PeltAvg& a, SimTime now, const Activity& did) { return update(a, now, did, 1); }

/// A task never seen before counts with its full weight, a group with nothing. Detached.
PeltAvg newTask(Weight w);
PeltAvg newGroup();
/// Utilisation a new task is credited with: as much per weight as the queue's others, at most half of what
/// the CPU has left; exactly that half if nobody used the queue. Nothing if nothing is left.
void creditNewTask(PeltAvg& a, const PeltAvg& queue, Weight w, std::int64_t capacity = kFullCapacity);

/// The queue takes a detached entity's averages in; both must be up to date with the queue's clock. Returns
/// what the queue owes to the level above (propagate()).
std::int64_t attach(PeltAvg& queue, PeltAvg& entity, Weight w);
/// The queue loses the entity's averages at once (attach undone); the entity becomes detached.
std::int64_t detach(PeltAvg& queue, PeltAvg& entity, Weight w);

/// Averages of entities that left a queue whose lock they did not hold: taken off at its next update.
struct Removed {
    std::int64_t nr = 0, load = 0, runnable = 0, util = 0;
    bool operator==(const Removed&) const = default;
};
/// Notes an entity that has left; it becomes detached.
void leaveLater(Removed& removed, PeltAvg& entity);
/// Takes off everything noted, before the queue is updated. Returns what the queue owes to the level above.
std::int64_t settle(PeltAvg& queue, Removed& removed);

/// Carries attach, detach and settle of a group's queue `inner` on to the group's entity and the queue that
/// entity is a member of. `owed` is the sum of their returned values and becomes 0; `innerLoad` the sum of
/// full weights in `inner`. Call it after one of them happened, and only then: meanwhile the entity's
/// averages go their own way.
void propagate(const PeltAvg& inner, std::int64_t innerLoad, std::int64_t& owed, PeltAvg& entity, Weight w,
               PeltAvg& outer);

/// An attached entity's weight changes from `before` to `after`: its average and the queue's share of it.
void reweight(PeltAvg& queue, PeltAvg& entity, Weight before, Weight after);

} // namespace pelt
} // namespace rqs::sched
