// SPDX-License-Identifier: GPL-3.0-or-later
// Contract of the pending-event set, and a stress run against a sorted shadow copy.
#include "core/engine/indexed_heap.h"
#include "core/engine/random.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace rqs;
using engine::IndexedHeap;

namespace {
std::vector<std::uint32_t> drain(IndexedHeap heap) {
    std::vector<std::uint32_t> order;
    while (!heap.empty()) {
        order.push_back(heap.topSlot());
        heap.clear(heap.topSlot());
    }
    return order;
}
} // namespace

TEST(IndexedHeap, EmptyHasNoTime) {
    IndexedHeap h(4);
    EXPECT_TRUE(h.empty());
    EXPECT_EQ(h.size(), 0u);
    EXPECT_EQ(h.slots(), 4u);
    EXPECT_EQ(h.topTime(), SimTime::never());
    EXPECT_EQ(h.timeOf(2), SimTime::never());
    h.clear(2); // clearing what is not there changes nothing
    EXPECT_TRUE(h.empty());
}

TEST(IndexedHeap, TiesGoToTheSmallerSlotWhateverTheInsertionOrder) {
    const std::vector<std::uint32_t> want{0, 1, 2, 3, 4, 5, 6, 7};
    for (std::uint32_t start = 0; start < 8; ++start) {
        IndexedHeap h(8);
        for (std::uint32_t i = 0; i < 8; ++i) h.set((start + i * 3) % 8, SimTime{100});
        EXPECT_EQ(drain(h), want) << "started at " << start;
    }
}

TEST(IndexedHeap, RetimesInPlace) {
    IndexedHeap h(3);
    h.set(0, SimTime{10});
    h.set(1, SimTime{20});
    h.set(2, SimTime{30});
    h.set(0, SimTime{40});
    EXPECT_EQ(h.topSlot(), 1u);
    h.set(2, SimTime{5});
    EXPECT_EQ(h.topSlot(), 2u);
    EXPECT_EQ(h.topTime(), SimTime{5});
    EXPECT_EQ(h.timeOf(0), SimTime{40});
    EXPECT_EQ(h.size(), 3u);
    EXPECT_EQ(drain(h), (std::vector<std::uint32_t>{2, 1, 0}));
}

TEST(IndexedHeap, ARetimeToTheSameInstantKeepsTheOrder) {
    IndexedHeap h(3);
    for (std::uint32_t s : {2u, 1u, 0u}) h.set(s, SimTime{7});
    h.set(0, SimTime{7});
    h.set(2, SimTime{7});
    EXPECT_EQ(drain(h), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(IndexedHeap, GrowKeepsWhatIsPending) {
    IndexedHeap h(2);
    h.set(1, SimTime{9});
    h.grow(5);
    EXPECT_EQ(h.slots(), 5u);
    EXPECT_FALSE(h.contains(4));
    h.set(4, SimTime{3});
    EXPECT_EQ(drain(h), (std::vector<std::uint32_t>{4, 1}));
    h.grow(1); // never shrinks
    EXPECT_EQ(h.slots(), 5u);
}

TEST(IndexedHeap, ACopyIsACheckpoint) {
    IndexedHeap h(4);
    for (std::uint32_t s = 0; s < 4; ++s) h.set(s, SimTime{100 - s});
    const IndexedHeap saved = h;
    h.clear(3);
    h.set(0, SimTime{1});
    EXPECT_EQ(drain(saved), (std::vector<std::uint32_t>{3, 2, 1, 0}));
    EXPECT_EQ(drain(h), (std::vector<std::uint32_t>{0, 2, 1}));
}

TEST(IndexedHeap, StressAgainstASortedShadow) {
    for (const std::uint32_t slots : {1u, 2u, 5u, 32u, 300u}) {
        IndexedHeap h(slots);
        std::map<std::uint32_t, std::int64_t> times;
        std::set<std::pair<std::int64_t, std::uint32_t>> shadow;
        const auto forget = [&](std::uint32_t s) {
            if (const auto it = times.find(s); it != times.end()) {
                shadow.erase({it->second, s});
                times.erase(it);
            }
        };
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const auto draw = [&](std::uint64_t n, std::uint32_t what) {
                return engine::drawBelow(slots, what, engine::Purpose::Workload, i, n);
            };
            const auto slot = static_cast<std::uint32_t>(draw(slots, 1));
            if (draw(4, 2) == 0) {
                h.clear(slot);
                forget(slot);
            } else {
                // A narrow range of instants makes ties common.
                const auto t = static_cast<std::int64_t>(draw(50, 3));
                h.set(slot, SimTime{t});
                forget(slot);
                times[slot] = t;
                shadow.insert({t, slot});
            }
            ASSERT_EQ(h.size(), shadow.size());
            ASSERT_EQ(h.contains(slot), times.count(slot) == 1);
            if (shadow.empty()) {
                ASSERT_EQ(h.topTime(), SimTime::never());
                continue;
            }
            ASSERT_EQ(h.topTime().ns, shadow.begin()->first) << "slots " << slots << " operation " << i;
            ASSERT_EQ(h.topSlot(), shadow.begin()->second) << "slots " << slots << " operation " << i;
        }
        std::vector<std::uint32_t> want;
        for (const auto& [t, s] : shadow) want.push_back(s);
        EXPECT_EQ(drain(h), want);
    }
}
