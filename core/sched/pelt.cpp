// SPDX-License-Identifier: GPL-3.0-or-later
// PELT arithmetic. The decay table is computed at compile time, so no floating point is involved.
#include "core/sched/pelt.h"

#include <algorithm>
#include <array>

namespace rqs::sched::pelt {
namespace {

constexpr int kHalfLife = 32; ///< periods
constexpr std::int64_t kForgotten = std::int64_t{kHalfLife} * 63;
/// Every average is at least this much per unit of its sum (PELT_MIN_DIVIDER).
constexpr std::int64_t kLeastDivider = kMaxSum - kUnitsPerPeriod;

constexpr std::uint64_t multiplyShift(std::uint64_t a, std::uint64_t b, int shift) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{a} * b >> shift);
}

/// Square root of x / 2^63, times 2^63, rounded down.
constexpr std::uint64_t squareRoot(std::uint64_t x) {
    __extension__ using Wide = unsigned __int128;
    std::uint64_t root = 0;
    for (int bit = 63; bit >= 0; --bit) {
        const std::uint64_t candidate = root | std::uint64_t{1} << bit;
        if (Wide{candidate} * candidate <= Wide{x} << 63) root = candidate;
    }
    return root;
}

/// floor(2^32 * y^n), and one less where the published table has one less.
constexpr std::array<std::uint32_t, kHalfLife> decayTable() {
    // y^16, y^8, y^4, y^2, y^1 in 1/2^63: square roots of 1/2 one after the other.
    std::array<std::uint64_t, 5> root{};
    std::uint64_t last = std::uint64_t{1} << 62;
    for (std::uint64_t& r : root) r = last = squareRoot(last);
    // Set for n = 1-8, 10-15, 18, 21, 22, 24, 27.
    constexpr std::uint32_t kOneLess = 0x0964FDFE;
    std::array<std::uint32_t, kHalfLife> out{UINT32_MAX};
    for (unsigned n = 1; n < kHalfLife; ++n) {
        std::uint64_t x = std::uint64_t{1} << 63;
        for (unsigned bit = 0; bit < 5; ++bit)
            if (n >> bit & 1) x = multiplyShift(x, root[4 - bit], 63);
        out[n] = static_cast<std::uint32_t>((x >> 31) - (kOneLess >> n & 1));
    }
    return out;
}
constexpr auto kDecay = decayTable();

/// Units of `periods` (> 0) ended periods, decayed to now: the rest of the first, the full ones between, and
/// `rest` of the one that has begun.
std::int64_t decayedUnits(std::int64_t periods, std::int64_t before, std::int64_t rest) {
    return decay(kUnitsPerPeriod - before, periods) + (kMaxSum - decay(kMaxSum, periods) - kUnitsPerPeriod) +
           rest;
}

void subtract(std::int64_t& from, std::int64_t x) { from = std::max<std::int64_t>(0, from - x); }

/// A sum that is too small for its average would let the average drop too far at the next update.
void keepInStep(std::int64_t& sum, std::int64_t avg) { sum = std::max(sum, avg * kLeastDivider); }

void addLoad(PeltAvg& queue, const PeltAvg& entity, Weight w) {
    queue.loadAvg += entity.loadAvg;
    queue.loadSum += w.scaled() * entity.loadSum;
}
void subtractLoad(PeltAvg& queue, const PeltAvg& entity, Weight w) {
    subtract(queue.loadAvg, entity.loadAvg);
    subtract(queue.loadSum, w.scaled() * entity.loadSum);
    keepInStep(queue.loadSum, queue.loadAvg);
}

/// One of utilisation and runnable: the entity becomes a copy of its queue, and the level above sees the
/// difference.
void follow(std::int64_t PeltAvg::*avg, std::int64_t PeltAvg::*sum, const PeltAvg& inner, PeltAvg& entity,
            PeltAvg& outer) {
    const std::int64_t by = inner.*avg - entity.*avg;
    if (by == 0) return;
    const std::int64_t before = entity.*sum;
    entity.*avg = inner.*avg;
    entity.*sum = entity.*avg * divider(outer);
    subtract(outer.*avg, -by);
    subtract(outer.*sum, before - entity.*sum);
    keepInStep(outer.*sum, outer.*avg);
}

/// Load of the group's entity, without weight, once its queue has changed by `owed`.
std::int64_t loadAfter(const PeltAvg& inner, std::int64_t innerLoad, std::int64_t owed, const PeltAvg& entity,
                       std::int64_t most) {
    if (owed >= 0) return std::min(owed + entity.loadSum, most);
    // Who left takes part of the time with it; all who stay are taken to be equally runnable.
    const std::int64_t weight = Weight{innerLoad}.scaled();
    return std::min(entity.loadSum, weight ? inner.loadSum / weight : 0);
}

} // namespace

std::int64_t decay(std::int64_t x, std::int64_t periods) {
    if (periods > kForgotten) return 0;
    const auto n = static_cast<unsigned>(periods);
    const std::uint64_t halved = static_cast<std::uint64_t>(x) >> (n / kHalfLife);
    return static_cast<std::int64_t>(multiplyShift(halved, kDecay[n % kHalfLife], 32));
}

bool advance(PeltAvg& a, std::int64_t units, const Activity& did, std::int64_t factor) {
    a.lastUpdate = a.lastUpdate + Duration{units * 1024};
    const std::int64_t reached = a.periodContrib + units;
    const std::int64_t periods = reached / kUnitsPerPeriod, rest = reached % kUnitsPerPeriod;
    std::int64_t contribution = units;
    if (periods > 0) {
        a.loadSum = decay(a.loadSum, periods);
        a.runnableSum = decay(a.runnableSum, periods);
        a.utilSum = decay(a.utilSum, periods);
        if (did.load) contribution = decayedUnits(periods, a.periodContrib, rest);
    }
    a.periodContrib = static_cast<std::int32_t>(rest);
    if (did.load) {
        a.loadSum += did.load * contribution;
        a.runnableSum += did.runnable * contribution * kFullCapacity;
        if (did.running) a.utilSum += contribution * kFullCapacity;
    }
    if (periods == 0) return false;
    a.loadAvg = factor * a.loadSum / divider(a);
    a.runnableAvg = a.runnableSum / divider(a);
    a.utilAvg = a.utilSum / divider(a);
    return true;
}

PeltAvg newTask(Weight w) {
    PeltAvg a = newGroup();
    a.loadAvg = w.scaled();
    return a;
}

PeltAvg newGroup() {
    PeltAvg a;
    a.lastUpdate = PeltAvg::kDetached;
    return a;
}

void creditNewTask(PeltAvg& a, const PeltAvg& queue, Weight w, std::int64_t capacity) {
    const std::int64_t most = (capacity - queue.utilAvg) / 2;
    if (most > 0)
        a.utilAvg = queue.utilAvg ? std::min(most, queue.utilAvg * w.scaled() / (queue.loadAvg + 1)) : most;
    a.runnableAvg = a.utilAvg;
}

std::int64_t attach(PeltAvg& queue, PeltAvg& entity, Weight w) {
    const std::int64_t by = divider(queue);
    entity.lastUpdate = queue.lastUpdate;
    entity.periodContrib = queue.periodContrib;
    entity.utilSum = entity.utilAvg * by;
    entity.runnableSum = entity.runnableAvg * by;
    const std::int64_t load = entity.loadAvg * by;
    entity.loadSum = w.scaled() < load ? load / w.scaled() : 1;
    addLoad(queue, entity, w);
    queue.utilAvg += entity.utilAvg;
    queue.utilSum += entity.utilSum;
    queue.runnableAvg += entity.runnableAvg;
    queue.runnableSum += entity.runnableSum;
    return entity.loadSum;
}

std::int64_t detach(PeltAvg& queue, PeltAvg& entity, Weight w) {
    subtractLoad(queue, entity, w);
    subtract(queue.utilAvg, entity.utilAvg);
    subtract(queue.utilSum, entity.utilSum);
    keepInStep(queue.utilSum, queue.utilAvg);
    subtract(queue.runnableAvg, entity.runnableAvg);
    subtract(queue.runnableSum, entity.runnableSum);
    keepInStep(queue.runnableSum, queue.runnableAvg);
    entity.lastUpdate = PeltAvg::kDetached;
    return -entity.loadSum;
}

void leaveLater(Removed& removed, PeltAvg& entity) {
    ++removed.nr;
    removed.load += entity.loadAvg;
    removed.runnable += entity.runnableAvg;
    removed.util += entity.utilAvg;
    entity.lastUpdate = PeltAvg::kDetached;
}

std::int64_t settle(PeltAvg& queue, Removed& removed) {
    if (removed.nr == 0) return 0;
    const std::int64_t by = divider(queue);
    const auto take = [by](std::int64_t& avg, std::int64_t& sum, std::int64_t x) {
        subtract(avg, x);
        subtract(sum, x * by);
        keepInStep(sum, avg);
    };
    take(queue.loadAvg, queue.loadSum, removed.load);
    take(queue.runnableAvg, queue.runnableSum, removed.runnable);
    take(queue.utilAvg, queue.utilSum, removed.util);
    const std::int64_t owed = -(removed.runnable * by / kFullCapacity);
    removed = {};
    return owed;
}

void propagate(const PeltAvg& inner, std::int64_t innerLoad, std::int64_t& owed, PeltAvg& entity, Weight w,
               PeltAvg& outer) {
    follow(&PeltAvg::utilAvg, &PeltAvg::utilSum, inner, entity, outer);
    follow(&PeltAvg::runnableAvg, &PeltAvg::runnableSum, inner, entity, outer);
    if (owed == 0) return;
    const std::int64_t by = divider(outer);
    // Whoever ran was runnable.
    const std::int64_t sum =
        std::max(loadAfter(inner, innerLoad, owed, entity, by), entity.utilSum / kFullCapacity);
    owed = 0;
    const std::int64_t avg = w.scaled() * sum / by;
    if (avg == entity.loadAvg) return;
    subtract(outer.loadAvg, entity.loadAvg - avg);
    subtract(outer.loadSum, w.scaled() * (entity.loadSum - sum));
    keepInStep(outer.loadSum, outer.loadAvg);
    entity.loadAvg = avg;
    entity.loadSum = sum;
}

void reweight(PeltAvg& queue, PeltAvg& entity, Weight before, Weight after) {
    subtractLoad(queue, entity, before);
    entity.loadAvg = after.scaled() * entity.loadSum / divider(entity);
    addLoad(queue, entity, after);
}

} // namespace rqs::sched::pelt
