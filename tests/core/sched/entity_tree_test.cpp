// SPDX-License-Identifier: GPL-3.0-or-later
// The treap against a sorted list: order, ties, subtree minimum, search, depth.
#include "core/sched/entity_tree.h"
#include "tests/core/sched/support/one_queue.h"

#include <algorithm>

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

using Tree = EntityTree<&Entity::deadline>;
using View = EntityTreeView<&Entity::deadline>;

std::vector<std::int32_t> inOrder(const std::vector<Entity>& e, std::int32_t root) {
    std::vector<std::int32_t> out;
    const View view(e, root);
    for (std::int32_t i = view.first(); i >= 0; i = view.next(i)) out.push_back(i);
    return out;
}

/// Checks links and minima of a whole tree; returns its depth.
int check(const std::vector<Entity>& e, std::int32_t root) {
    int deepest = 0;
    for (std::int32_t i : inOrder(e, root)) {
        const Entity& x = e[static_cast<std::size_t>(i)];
        VTime least = x.vruntime;
        for (std::int32_t child : {x.left, x.right}) {
            if (child < 0) continue;
            const Entity& y = e[static_cast<std::size_t>(child)];
            EXPECT_EQ(y.parent, i);
            EXPECT_LE(y.priority, x.priority);
            least = earlier(least, y.minVruntime);
        }
        EXPECT_EQ(x.minVruntime, least);
        int depth = 1;
        for (std::int32_t p = x.parent; p >= 0; p = e[static_cast<std::size_t>(p)].parent) ++depth;
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

} // namespace

TEST(EntityTree, random_inserts_and_erases_match_a_sorted_list) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Dice dice(seed);
        // Half of the runs cross the wrap of u64.
        const std::uint64_t base = seed % 2 ? UINT64_MAX - 40 : 1000;
        std::vector<Entity> e(60);
        std::vector<std::int32_t> expected;
        std::int32_t root = -1;
        std::uint64_t sequence = 1;
        for (int step = 0; step < 200; ++step) {
            const auto i = static_cast<std::int32_t>(dice.below(60));
            Entity& x = e[static_cast<std::size_t>(i)];
            const auto at = std::find(expected.begin(), expected.end(), i);
            if (at != expected.end()) {
                Tree(e, root).erase(i);
                expected.erase(at);
            } else {
                x.deadline = VTime{base + static_cast<std::uint64_t>(dice.below(80))};
                x.vruntime = VTime{base + static_cast<std::uint64_t>(dice.below(80))};
                Tree(e, root).insert(i, sequence++);
                const auto behind = std::find_if(expected.begin(), expected.end(), [&](std::int32_t o) {
                    return before(x.deadline, e[static_cast<std::size_t>(o)].deadline);
                });
                expected.insert(behind, i);
            }
            ASSERT_EQ(inOrder(e, root), expected);
        }
        check(e, root);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(EntityTree, newcomers_go_behind_their_equals_unless_told_otherwise) {
    std::vector<Entity> e(4);
    std::int32_t root = -1;
    for (std::int32_t i : {2, 0, 1}) Tree(e, root).insert(i, static_cast<std::uint64_t>(i));
    EXPECT_EQ(inOrder(e, root), (std::vector<std::int32_t>{2, 0, 1}));
    Tree(e, root).insert(3, 9, true);
    EXPECT_EQ(inOrder(e, root), (std::vector<std::int32_t>{3, 2, 0, 1}));
}

TEST(EntityTree, twenty_thousand_in_order_stay_shallow_and_searchable) {
    constexpr std::int32_t n = 20000;
    std::vector<Entity> e(n);
    std::int32_t root = -1;
    for (std::int32_t i = 0; i < n; ++i) {
        e[static_cast<std::size_t>(i)].deadline = VTime{static_cast<std::uint64_t>(i)};
        e[static_cast<std::size_t>(i)].vruntime = VTime{static_cast<std::uint64_t>(n - i)};
        Tree(e, root).insert(i, static_cast<std::uint64_t>(i));
    }
    EXPECT_LT(check(e, root), 64) << "2 log2(n) is 29";
    const View view(e, root);
    for (std::int32_t limit : {0, 1, 2, 500, n - 1, n}) {
        const auto ok = [&](VTime v) { return v.v <= static_cast<std::uint64_t>(limit); };
        EXPECT_EQ(view.firstEligible(ok), limit == 0 ? -1 : n - limit);
    }
    for (std::int32_t i = 0; i < n; i += 2) Tree(e, root).erase(i);
    EXPECT_EQ(inOrder(e, root).size(), static_cast<std::size_t>(n / 2));
    check(e, root);
    for (std::int32_t i = 1; i < n; i += 2) Tree(e, root).erase(i);
    EXPECT_EQ(root, -1);
}
