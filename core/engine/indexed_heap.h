// SPDX-License-Identifier: GPL-3.0-or-later
// Pending-event set for a fixed number of slots (one per CPU, timer or message): at most one instant per
// slot, re-timable in place, total order (time, slot). No allocation after construction.
//
// It is a winner tree: a complete binary tree over the slots in which each node holds the smaller of its two
// children. Time and slot share one 64-bit key, so that a re-time is one compare and one select per level and
// never mispredicts. The price: instants lie below 2^(64 - slot bits) ns (52 days for 4,096 slots, 39 hours for
// 100,000); later ones count as that limit, which no run reaches.
#pragma once
#include "core/base/units.h"

#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

namespace rqs::engine {

class IndexedHeap {
public:
    IndexedHeap() = default;
    explicit IndexedHeap(std::size_t slots) { resize(slots); }

    std::size_t slots() const { return m_slots; }
    bool empty() const { return topKey() == kAbsent; }
    std::size_t size() const { return m_size; }
    bool contains(std::uint32_t slot) const { return m_keys[m_leaves + slot] != kAbsent; }
    SimTime timeOf(std::uint32_t slot) const { return timeIn(m_keys[m_leaves + slot]); }
    /// Earliest instant, or never().
    SimTime topTime() const { return timeIn(topKey()); }
    /// Slot of the earliest instant; ties go to the smaller slot. Only when not empty.
    std::uint32_t topSlot() const { return static_cast<std::uint32_t>(topKey() & ((std::uint64_t{1} << m_bits) - 1)); }
    /// Adds slots that were not there when the set was made; what is pending stays.
    void grow(std::size_t slots) {
        if (slots <= m_slots) return;
        IndexedHeap larger(slots);
        for (std::uint32_t s = 0; s < m_slots; ++s)
            if (contains(s)) larger.set(s, timeOf(s));
        *this = std::move(larger);
    }

    /// Inserts or re-times. t >= 0.
    void set(std::uint32_t slot, SimTime t) {
        assert(t.ns >= 0);
        m_size += contains(slot) ? 0 : 1;
        const std::uint64_t limit = (std::uint64_t{1} << (64 - m_bits)) - 2;
        const std::uint64_t time = static_cast<std::uint64_t>(t.ns) < limit ? static_cast<std::uint64_t>(t.ns) : limit;
        replay(slot, time << m_bits | slot);
    }
    void clear(std::uint32_t slot) {
        if (!contains(slot)) return;
        --m_size;
        replay(slot, kAbsent);
    }

private:
    static constexpr std::uint64_t kAbsent = UINT64_MAX;
    std::uint64_t topKey() const { return m_leaves ? m_keys[1] : kAbsent; }
    SimTime timeIn(std::uint64_t key) const {
        return key == kAbsent ? SimTime::never() : SimTime{static_cast<std::int64_t>(key >> m_bits)};
    }
    void resize(std::size_t slots) {
        m_slots = slots;
        m_leaves = std::bit_ceil(slots < 2 ? std::size_t{2} : slots);
        m_bits = static_cast<int>(std::bit_width(m_leaves - 1));
        m_keys.assign(2 * m_leaves, kAbsent);
    }
    /// Writes a leaf and the winners above it.
    void replay(std::uint32_t slot, std::uint64_t key) {
        std::size_t i = m_leaves + slot;
        std::uint64_t* const keys = m_keys.data();
        keys[i] = key;
        for (; i > 1; i >>= 1) {
            const std::uint64_t other = keys[i ^ 1];
            key = other < key ? other : key;
            keys[i >> 1] = key;
        }
    }
    std::vector<std::uint64_t> m_keys;  ///< [1] root, leaves from m_leaves
    std::size_t m_slots = 0, m_leaves = 0, m_size = 0;
    int m_bits = 1;
};

} // namespace rqs::engine
