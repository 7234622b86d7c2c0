// SPDX-License-Identifier: GPL-3.0-or-later
// Nice levels as load weights, and real time as virtual time: the kernel's 32-bit reciprocal arithmetic,
// exact.
#pragma once
#include "core/base/units.h"

namespace rqs::sched {

inline constexpr int kMinNice = -20, kMaxNice = 19;

/// A weight with its stored reciprocal (load_weight).
struct Load {
    Weight weight = kNice0Weight;
    std::uint32_t inverse = 4194304;
};
/// Table values; nice outside [-20, 19] is clamped.
Load loadOfNice(int nice);
/// SCHED_IDLE tasks weigh 3.
Load loadOfIdlePolicy();
/// Reciprocal of a weight that is not in the tables: floor((2^32 - 1) / s(w)), all ones for weight 0.
std::uint32_t inverseOf(Weight w);

/// delta * weight / load (__calc_delta): reciprocal, normalised so that the factor fits 32 bits, shifted
/// right.
std::int64_t calcDelta(Duration delta, Weight weight, std::uint32_t inverse);
/// In place of a reciprocal: divide by the full weight instead (WeightsInV::Full).
inline constexpr std::uint32_t kNoInverse = 0;
/// delta * nice-0 weight / weight, rounded down.
std::int64_t calcDeltaFull(Duration delta, Weight weight);
/// Real ns -> virtual ns of an entity of that load (calc_delta_fair).
inline VDelta calcDeltaFair(Duration delta, Weight weight, std::uint32_t inverse) {
    if (weight == kNice0Weight) return {delta.ns};
    if (inverse == kNoInverse) return {calcDeltaFull(delta, weight)};
    return {calcDelta(delta, kNice0Weight, inverse)};
}
inline VDelta calcDeltaFair(Duration delta, const Load& load) {
    return calcDeltaFair(delta, load.weight, load.inverse);
}

/// Products of lags and weights wrap as in the kernel's s64.
constexpr std::int64_t wrapMul(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrapAdd(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrapSub(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// 1 + floor(log2(min(cpus, 8))): how much a machine stretches the unit slices (tunable_scaling = log).
int scalingFactor(int cpus);

} // namespace rqs::sched
