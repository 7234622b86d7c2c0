// SPDX-License-Identifier: GPL-3.0-or-later
// Bucket arithmetic of the log2 histogram: values below 8 ns have a bucket each, above that four per octave.
#include "core/metrics/collector.h"

#include <algorithm>
#include <bit>

namespace rqs::metrics {

int Histogram::bucketOf(Duration d) {
    if (d.ns < 4) return static_cast<int>(std::max<std::int64_t>(d.ns, 0));
    const auto v = static_cast<std::uint64_t>(d.ns);
    const int octave = 63 - std::countl_zero(v);
    return (octave - 1) * 4 + static_cast<int>(v >> (octave - 2) & 3);
}

std::int64_t Histogram::lowerEdge(int i) {
    if (i < 4) return std::max(i, 0);
    const int octave = i / 4 + 1;
    if (octave > 62) return INT64_MAX; // buckets no int64 value falls into
    return std::int64_t{4 + i % 4} << (octave - 2);
}

void Histogram::add(Duration d) {
    ++m_buckets[static_cast<std::size_t>(bucketOf(d))];
    ++m_count;
    m_total += d;
    m_max = std::max(m_max, d);
}

Duration Histogram::quantile(int permille) const {
    if (m_count == 0) return {0};
    const auto q = static_cast<std::uint64_t>(std::clamp(permille, 0, 1000));
    const std::uint64_t rank = std::max<std::uint64_t>(1, (m_count * q + 999) / 1000);
    std::uint64_t seen = 0;
    for (int i = 0; i < kBuckets; ++i) {
        seen += m_buckets[static_cast<std::size_t>(i)];
        if (seen >= rank) return std::min(Duration{lowerEdge(i + 1) - 1}, m_max);
    }
    return m_max;
}

void Histogram::merge(const Histogram& o) {
    for (std::size_t i = 0; i < m_buckets.size(); ++i) m_buckets[i] += o.m_buckets[i];
    m_count += o.m_count;
    m_total += o.m_total;
    m_max = std::max(m_max, o.m_max);
}

} // namespace rqs::metrics
