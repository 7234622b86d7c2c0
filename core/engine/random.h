// SPDX-License-Identifier: GPL-3.0-or-later
// Counter-based random streams: a draw is a pure function of (seed, who, purpose, counter), so that adding a
// draw in one place never shifts the draws of another, and a copied World continues identically.
#pragma once
#include <cstdint>

namespace rqs::engine {

/// What a stream is for; part of its key.
enum class Purpose : std::uint32_t { TickPhase = 1, StartOffset, CostJitter, Workload, Treap, AffinityPick };

/// splitmix64 finaliser (Steele, Lea, Flood 2014): full avalanche, exact on every platform.
constexpr std::uint64_t mix64(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}
constexpr std::uint64_t draw64(std::uint64_t seed, std::uint32_t who, Purpose p, std::uint64_t counter) {
    return mix64(mix64(mix64(seed) ^ (std::uint64_t{who} << 32 | static_cast<std::uint32_t>(p))) ^ counter);
}
/// Uniform integer in [0, n), n >= 1, without floating point.
constexpr std::uint64_t drawBelow(std::uint64_t seed, std::uint32_t who, Purpose p, std::uint64_t counter,
                                  std::uint64_t n) {
    const std::uint64_t hi = draw64(seed, who, p, counter) >> 32; // 32 bits are ample for n < 2^31
    return (hi * n) >> 32;
}

} // namespace rqs::engine
