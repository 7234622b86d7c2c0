// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/distribution.h"

#include "core/workload/program.h"

#include <algorithm>

namespace rqs::workload {

namespace {

constexpr std::int64_t kLn2 = 45'426;          // ln 2 * 65536
constexpr std::int64_t kLn2Fine = 744'261'118; // ln 2 * 2^30

/// -ln(n / d) * 65536 for 0 < n <= d < 2^16. The binary logarithm of d / n bit by bit: squaring doubles it.
constexpr std::int64_t minusLn(std::uint64_t n, std::uint64_t d) {
    std::int64_t log2 = 0; // * 2^24
    while (n * 2 <= d) {
        n *= 2;
        log2 += std::int64_t{1} << 24;
    }
    std::uint64_t x = (d << 31) / n; // in [1, 2), * 2^31
    for (int bit = 23; bit >= 0; --bit) {
        x = (x * x) >> 31;
        if (x < std::uint64_t{1} << 32) continue;
        x >>= 1;
        log2 += std::int64_t{1} << bit;
    }
    return (log2 * (kLn2Fine >> 8)) >> 30; // 2^24 * 2^22 -> 2^16
}

constexpr std::array<std::int64_t, 1024> makeExponential() {
    std::array<std::int64_t, 1024> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = minusLn(2 * table.size() - 2 * i - 1, 2 * table.size());
    return table;
}

// clang-format off
/// Upper half of the normal quantiles; the lower one mirrors it.
constexpr std::array<std::int64_t, 128> kUpperNormal{
    321, 963, 1604, 2246, 2889, 3531, 4174, 4817, 5461, 6105, 6750, 7395,
    8041, 8688, 9336, 9985, 10634, 11285, 11937, 12590, 13244, 13900, 14557, 15215,
    15875, 16537, 17200, 17865, 18532, 19201, 19872, 20545, 21220, 21898, 22577, 23259,
    23944, 24631, 25321, 26014, 26710, 27409, 28111, 28816, 29525, 30237, 30952, 31671,
    32394, 33122, 33853, 34588, 35328, 36072, 36821, 37575, 38334, 39098, 39868, 40642,
    41423, 42210, 43002, 43801, 44607, 45419, 46239, 47066, 47900, 48742, 49592, 50451,
    51318, 52195, 53081, 53977, 54883, 55799, 56727, 57666, 58617, 59581, 60557, 61548,
    62552, 63572, 64607, 65659, 66727, 67814, 68920, 70045, 71192, 72361, 73554, 74771,
    76015, 77286, 78588, 79921, 81288, 82691, 84134, 85618, 87148, 88727, 90358, 92048,
    93802, 95625, 97526, 99512, 101594, 103784, 106096, 108549, 111164, 113968, 116999, 120303,
    123944, 128013, 132646, 138055, 144610, 153042, 165184, 189113,
};
// clang-format on

constexpr std::array<std::int64_t, 256> makeNormal() {
    std::array<std::int64_t, 256> table{};
    for (std::size_t i = 0; i < 128; ++i) {
        table[128 + i] = kUpperNormal[i];
        table[127 - i] = -kUpperNormal[i];
    }
    return table;
}

/// n * factor / 65536 without overflow for n <= 10^15 and factor <= 2^29.
constexpr std::int64_t scaled(std::int64_t n, std::int64_t factor) {
    return n / kFixedOne * factor + n % kFixedOne * factor / kFixedOne;
}

} // namespace

constexpr std::array<std::int64_t, 1024> kExponential = makeExponential();
constexpr std::array<std::int64_t, 256> kNormal = makeNormal();

std::int64_t expFixed(std::int64_t x) {
    x = std::clamp(x, -11 * kFixedOne, 21 * kFixedOne);
    std::int64_t whole = x / kLn2; // e^x = 2^whole * e^rest, 0 <= rest < ln 2
    if (x % kLn2 < 0) --whole;
    const std::int64_t rest = (x - whole * kLn2) << 14; // * 2^30
    std::int64_t term = std::int64_t{1} << 30, sum = term;
    for (int k = 1; k <= 12; ++k) { // the power series; 0.7^12 / 12! is below 2^-30
        term = ((term * rest) >> 30) / k;
        sum += term;
    }
    const std::int64_t shift = 14 - whole;
    return shift >= 0 ? sum >> shift : sum << -shift;
}

std::int64_t exponentialNs(std::int64_t meanNs, std::uint64_t bits) {
    return scaled(std::clamp<std::int64_t>(meanNs, 0, kMaxNs), kExponential[bits >> 54]);
}

std::int64_t lognormalNs(std::int64_t medianNs, std::int64_t sigmaMilli, std::uint64_t bits) {
    const std::int64_t sigma = std::clamp<std::int64_t>(sigmaMilli, 0, 3000);
    const std::int64_t factor = expFixed(sigma * kNormal[bits >> 56] / 1000);
    return std::min(scaled(std::clamp<std::int64_t>(medianNs, 0, kMaxNs), factor), kMaxNs);
}

} // namespace rqs::workload
