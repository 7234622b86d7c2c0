// SPDX-License-Identifier: GPL-3.0-or-later
// A set of CPUs of one machine, with the two walks the scheduler needs: upward, and upward with wrap.
#pragma once
#include "core/base/ids.h"

#include <bit>
#include <vector>

namespace rqs {

class CpuMask {
public:
    CpuMask() = default;
    explicit CpuMask(int cpuCount) : m_words(static_cast<std::size_t>((cpuCount + 63) / 64)), m_cpus(cpuCount) {}
    static CpuMask all(int cpuCount) {
        CpuMask m(cpuCount);
        for (int c = 0; c < cpuCount; ++c) m.set(CpuId(c));
        return m;
    }
    /// Number of CPUs of the machine (not of the set).
    int width() const { return m_cpus; }
    void set(CpuId c) { m_words[c.index() >> 6] |= bit(c); }
    void clear(CpuId c) { m_words[c.index() >> 6] &= ~bit(c); }
    bool test(CpuId c) const { return (m_words[c.index() >> 6] & bit(c)) != 0; }
    int count() const {
        int n = 0;
        for (auto w : m_words) n += std::popcount(w);
        return n;
    }
    bool empty() const { return count() == 0; }
    /// First member >= from, or none.
    CpuId next(int from) const {
        if (from < 0) from = 0;
        for (std::size_t i = static_cast<std::size_t>(from) >> 6; i < m_words.size(); ++i) {
            auto w = m_words[i];
            if (i == static_cast<std::size_t>(from) >> 6) w &= ~std::uint64_t{0} << (from & 63);
            if (w) return CpuId(static_cast<std::int32_t>(i * 64) + std::countr_zero(w));
        }
        return {};
    }
    CpuId first() const { return next(0); }
    /// Visits members from `start` upward with wrap; stops when f returns false (`for_each_cpu_wrap`).
    template<class F>
    void forEachWrap(int start, F&& f) const {
        for (CpuId c = next(start); c; c = next(c.v + 1))
            if (!f(c)) return;
        for (CpuId c = first(); c && c.v < start; c = next(c.v + 1))
            if (!f(c)) return;
    }
    bool operator==(const CpuMask&) const = default;
    CpuMask& operator&=(const CpuMask& o) {
        for (std::size_t i = 0; i < m_words.size(); ++i) m_words[i] &= i < o.m_words.size() ? o.m_words[i] : 0;
        return *this;
    }
    CpuMask& operator|=(const CpuMask& o) {
        for (std::size_t i = 0; i < m_words.size() && i < o.m_words.size(); ++i) m_words[i] |= o.m_words[i];
        return *this;
    }
    bool intersects(const CpuMask& o) const {
        for (std::size_t i = 0; i < m_words.size() && i < o.m_words.size(); ++i)
            if (m_words[i] & o.m_words[i]) return true;
        return false;
    }
    bool subsetOf(const CpuMask& o) const {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            if (m_words[i] & ~(i < o.m_words.size() ? o.m_words[i] : 0)) return false;
        return true;
    }

private:
    static std::uint64_t bit(CpuId c) { return std::uint64_t{1} << (c.v & 63); }
    std::vector<std::uint64_t> m_words;
    int m_cpus = 0;
};

} // namespace rqs
