// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel's two tables of 40 numbers (facts) and its reciprocal multiplication.
#include "core/sched/weights.h"

#include <algorithm>
#include <array>
#include <bit>

namespace rqs::sched {
namespace {

constexpr std::array<std::int32_t, 40> kWeight = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
    172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};
constexpr std::array<std::uint32_t, 40> kInverse = {
    48388,    59856,    76040,    92818,    118348,   147320,    184698,    229616,    287308,    360437,
    449829,   563644,   704093,   875809,   1099582,  1376151,   1717300,   2157191,   2708050,   3363326,
    4194304,  5237765,  6557202,  8165337,  10153587, 12820798,  15790321,  19976592,  24970740,  31350126,
    39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153};
constexpr Load kIdlePolicy{{3 << 10}, 1431655765};

} // namespace

Load loadOfNice(int nice) {
    const auto i = static_cast<std::size_t>(std::clamp(nice, kMinNice, kMaxNice) - kMinNice);
    return {{std::int64_t{kWeight[i]} << 10}, kInverse[i]};
}

Load loadOfIdlePolicy() { return kIdlePolicy; }

std::uint32_t inverseOf(Weight w) {
    const std::int64_t s = w.scaled();
    if (s == 0) return UINT32_MAX;
    if (s >= std::int64_t{UINT32_MAX}) return 1;
    return static_cast<std::uint32_t>(UINT32_MAX / s);
}

std::int64_t calcDelta(Duration delta, Weight weight, std::uint32_t inverse) {
    __extension__ using Wide = unsigned __int128;
    int shift = 32;
    const auto normalise = [&shift](std::uint64_t x) {
        const int excess = static_cast<int>(std::bit_width(x >> 32));
        shift -= excess;
        return x >> excess;
    };
    std::uint64_t factor = normalise(static_cast<std::uint64_t>(weight.scaled()));
    factor = normalise(factor * inverse);
    return static_cast<std::int64_t>(
        static_cast<std::uint64_t>(Wide{static_cast<std::uint64_t>(delta.ns)} * factor >> shift));
}

std::int64_t calcDeltaFull(Duration delta, Weight weight) {
    __extension__ using Wide = __int128;
    return static_cast<std::int64_t>(Wide{delta.ns} * kNice0Weight.w / std::max<std::int64_t>(weight.w, 1));
}

int scalingFactor(int cpus) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(std::clamp(cpus, 1, 8))));
}

} // namespace rqs::sched
