// SPDX-License-Identifier: GPL-3.0-or-later
// Strong types for the three things that are all "64-bit nanoseconds" and must never be mixed:
// real durations, instants of simulated time, and virtual time of a runqueue.
#pragma once
#include <compare>
#include <cstdint>

namespace rqs {

/// Length of real (simulated) time in ns. Range: about +-292 years; arithmetic is plain, overflow is a bug.
struct Duration {
    std::int64_t ns = 0;
    constexpr auto operator<=>(const Duration&) const = default;
    constexpr Duration& operator+=(Duration o) { ns += o.ns; return *this; }
    constexpr Duration& operator-=(Duration o) { ns -= o.ns; return *this; }
};
constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
constexpr Duration operator-(Duration a) { return {-a.ns}; }
constexpr Duration operator*(Duration a, std::int64_t k) { return {a.ns * k}; }
constexpr Duration operator/(Duration a, std::int64_t k) { return {a.ns / k}; }

/// Instant of simulated time, ns since the start of the run. `SimTime::never()` sorts after every instant.
struct SimTime {
    std::int64_t ns = 0;
    constexpr auto operator<=>(const SimTime&) const = default;
    static constexpr SimTime never() { return {INT64_MAX}; }
};
constexpr SimTime operator+(SimTime t, Duration d) { return {t.ns + d.ns}; }
constexpr SimTime operator-(SimTime t, Duration d) { return {t.ns - d.ns}; }
constexpr Duration operator-(SimTime a, SimTime b) { return {a.ns - b.ns}; }

/// Difference of two virtual times (virtual ns), also lag (`vlag`).
struct VDelta {
    std::int64_t v = 0;
    constexpr auto operator<=>(const VDelta&) const = default;
};
constexpr VDelta operator+(VDelta a, VDelta b) {
    return {static_cast<std::int64_t>(static_cast<std::uint64_t>(a.v) + static_cast<std::uint64_t>(b.v))};
}
constexpr VDelta operator-(VDelta a, VDelta b) {
    return {static_cast<std::int64_t>(static_cast<std::uint64_t>(a.v) - static_cast<std::uint64_t>(b.v))};
}
constexpr VDelta operator-(VDelta a) { return VDelta{0} - a; }

/// Virtual time (`vruntime`, `deadline`): u64 that wraps, as in the kernel. Order two of them with
/// `before()`, never by value; equality is meaningful.
struct VTime {
    std::uint64_t v = 0;
    constexpr bool operator==(const VTime&) const = default;
};
constexpr VDelta operator-(VTime a, VTime b) { return {static_cast<std::int64_t>(a.v - b.v)}; }
constexpr VTime operator+(VTime a, VDelta d) { return {a.v + static_cast<std::uint64_t>(d.v)}; }
constexpr VTime operator-(VTime a, VDelta d) { return {a.v - static_cast<std::uint64_t>(d.v)}; }
constexpr bool before(VTime a, VTime b) { return (a - b).v < 0; }
constexpr VTime later(VTime a, VTime b) { return before(a, b) ? b : a; }
constexpr VTime earlier(VTime a, VTime b) { return before(b, a) ? b : a; }

/// Full-resolution load weight; nice 0 is 1024 << 10. Range [2, 2^28].
struct Weight {
    std::int64_t w = 0;
    constexpr auto operator<=>(const Weight&) const = default;
    /// `scale_load_down`: 0 stays 0, everything else is at least 2.
    constexpr std::int64_t scaled() const { return w == 0 ? 0 : (w >> 10 < 2 ? 2 : w >> 10); }
};
inline constexpr Weight kNice0Weight{1024 << 10};

namespace literals {
constexpr Duration operator""_ns(unsigned long long n) { return {static_cast<std::int64_t>(n)}; }
constexpr Duration operator""_us(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1000}; }
constexpr Duration operator""_ms(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1000000}; }
constexpr Duration operator""_s(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1000000000}; }
} // namespace literals

} // namespace rqs
