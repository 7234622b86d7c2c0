// SPDX-License-Identifier: GPL-3.0-or-later
// Time bins of one width that doubles when the run outgrows the capacity; sums are conserved exactly.
#include "core/metrics/collector.h"

#include <algorithm>

namespace rqs::metrics {

TimeSeries::TimeSeries(Duration bin, int capacity)
    : m_bin{std::max<std::int64_t>(bin.ns, 1)}, m_capacity(std::max(capacity, 2)) {}

std::size_t TimeSeries::fit(SimTime t) {
    const std::int64_t ns = std::max<std::int64_t>(t.ns, 0);
    if (ns >= m_lastStart && ns - m_lastStart < m_bin.ns && m_lastBin < m_sums.size()) return m_lastBin;
    std::int64_t i = ns / m_bin.ns;
    while (i >= m_capacity) {
        const std::size_t n = m_sums.size();
        for (std::size_t k = 0; k < n; k += 2) m_sums[k / 2] = m_sums[k] + (k + 1 < n ? m_sums[k + 1] : 0);
        m_sums.resize((n + 1) / 2);
        m_bin = m_bin * 2;
        i /= 2;
    }
    m_lastBin = static_cast<std::size_t>(i);
    m_lastStart = i * m_bin.ns;
    if (m_lastBin >= m_sums.size()) m_sums.resize(m_lastBin + 1);
    return m_lastBin;
}

void TimeSeries::add(SimTime t, std::int64_t amount) { m_sums[fit(t)] += amount; }

void TimeSeries::addSpan(SimTime from, SimTime to, std::int64_t amountPerNs) {
    SimTime at{std::max<std::int64_t>(from.ns, 0)};
    if (to <= at) return;
    fit(to - Duration{1}); // widens the bins first, so that every part below lands in its final bin
    while (at < to) {
        const std::size_t i = fit(at);
        const SimTime end = std::min(to, SimTime{m_lastStart} + m_bin);
        m_sums[i] += (end - at).ns * amountPerNs;
        at = end;
    }
}

} // namespace rqs::metrics
