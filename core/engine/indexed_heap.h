// SPDX-License-Identifier: GPL-3.0-or-later
// Pending-event set for a fixed number of slots (one per CPU, timer or message): at most one instant per
// slot, re-timable in place, total order (time, slot). No allocation after construction.
#pragma once
#include "core/base/units.h"

#include <cassert>
#include <cstdint>
#include <vector>

namespace rqs::engine {

class IndexedHeap {
public:
    IndexedHeap() = default;
    explicit IndexedHeap(std::size_t slots) : m_pos(slots, kAbsent) { m_heap.reserve(slots); }

    std::size_t slots() const { return m_pos.size(); }
    bool empty() const { return m_heap.empty(); }
    std::size_t size() const { return m_heap.size(); }
    bool contains(std::uint32_t slot) const { return m_pos[slot] != kAbsent; }
    SimTime timeOf(std::uint32_t slot) const { return contains(slot) ? m_heap[m_pos[slot]].time : SimTime::never(); }
    /// Earliest instant, or never().
    SimTime topTime() const { return m_heap.empty() ? SimTime::never() : m_heap.front().time; }
    /// Slot of the earliest instant; ties go to the smaller slot. Only when not empty.
    std::uint32_t topSlot() const { return m_heap.front().slot; }
    /// Adds a slot that was not there when the heap was made (a forked task's timer).
    void grow(std::size_t slots) { if (slots > m_pos.size()) m_pos.resize(slots, kAbsent); }

    /// Inserts or re-times.
    void set(std::uint32_t slot, SimTime t) {
        std::uint32_t i = m_pos[slot];
        if (i == kAbsent) {
            i = static_cast<std::uint32_t>(m_heap.size());
            m_heap.push_back({t, slot});
            m_pos[slot] = i;
            up(i);
            return;
        }
        const SimTime old = m_heap[i].time;
        m_heap[i].time = t;
        if (t < old) up(i);
        else if (old < t) down(i);
    }
    void clear(std::uint32_t slot) {
        const std::uint32_t i = m_pos[slot];
        if (i == kAbsent) return;
        m_pos[slot] = kAbsent;
        const Node last = m_heap.back();
        m_heap.pop_back();
        if (i == m_heap.size()) return;
        m_heap[i] = last;
        m_pos[last.slot] = i;
        up(i);
        down(m_pos[last.slot]);
    }

private:
    static constexpr std::uint32_t kAbsent = UINT32_MAX;
    struct Node { SimTime time; std::uint32_t slot; };
    static bool less(const Node& a, const Node& b) {
        return a.time < b.time || (a.time == b.time && a.slot < b.slot);
    }
    void up(std::uint32_t i) {
        const Node n = m_heap[i];
        while (i > 0) {
            const std::uint32_t p = (i - 1) / 4;
            if (!less(n, m_heap[p])) break;
            m_heap[i] = m_heap[p];
            m_pos[m_heap[i].slot] = i;
            i = p;
        }
        m_heap[i] = n;
        m_pos[n.slot] = i;
    }
    void down(std::uint32_t i) {
        const Node n = m_heap[i];
        const auto size = static_cast<std::uint32_t>(m_heap.size());
        for (;;) {
            const std::uint32_t first = i * 4 + 1;
            if (first >= size) break;
            std::uint32_t best = first;
            const std::uint32_t end = first + 4 < size ? first + 4 : size;
            for (std::uint32_t c = first + 1; c < end; ++c)
                if (less(m_heap[c], m_heap[best])) best = c;
            if (!less(m_heap[best], n)) break;
            m_heap[i] = m_heap[best];
            m_pos[m_heap[i].slot] = i;
            i = best;
        }
        m_heap[i] = n;
        m_pos[n.slot] = i;
    }
    std::vector<Node> m_heap;
    std::vector<std::uint32_t> m_pos;
};

} // namespace rqs::engine
