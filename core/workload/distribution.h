// SPDX-License-Identifier: GPL-3.0-or-later
// Random durations without floating point: inverse cumulative distributions as integer tables, so that a draw
// is the same on every machine. Fixed point: 65536 = 1.
#pragma once
#include "core/engine/random.h"

#include <array>
#include <cstdint>

namespace rqs::workload {

inline constexpr std::int64_t kFixedOne = 65'536;

/// Entry i = -ln(1 - (i + 1/2) / 1024): the exponential distribution of mean 1 at the middle of each 1/1024.
extern const std::array<std::int64_t, 1024> kExponential;
/// Entry i = standard normal quantile of (i + 1/2) / 256.
extern const std::array<std::int64_t, 256> kNormal;

/// e^(x / 65536), for x / 65536 in [-11, 21]; clamped beyond.
std::int64_t expFixed(std::int64_t x);

/// One draw with uniform random bits; mean 0 to 10^15 ns. The largest is 7.6 times the mean.
std::int64_t exponentialNs(std::int64_t meanNs, std::uint64_t bits);
/// median * e^(sigma * z), sigma in thousandths, 0 to 3000. The extremes are z = +-2.89; never over 10^15 ns.
std::int64_t lognormalNs(std::int64_t medianNs, std::int64_t sigmaMilli, std::uint64_t bits);

/// The bits of draw number `counter` of a task.
constexpr std::uint64_t workloadBits(std::uint64_t seed, std::uint32_t task, std::uint64_t counter) {
    return engine::draw64(seed, task, engine::Purpose::Workload, counter);
}

} // namespace rqs::workload
