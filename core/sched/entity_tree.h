// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of a queue's waiting entities: a treap over entity indices, ordered by one key with newcomers
// behind their equals, each node knowing the smallest vruntime below it. Links live in Entity, so nothing is
// allocated; parent links make every operation a loop. Expected depth is logarithmic: priorities are hashes.
#pragma once
#include "core/engine/random.h"
#include "core/sched/state.h"

namespace rqs::sched {

/// Read access. Key: &Entity::deadline (EEVDF) or &Entity::vruntime (CFS).
template<VTime Entity::*Key> class EntityTreeView {
public:
    EntityTreeView(const std::vector<Entity>& entities, std::int32_t root)
        : m_e(entities.data()), m_root(root) {}

    std::int32_t first() const { return m_root < 0 ? -1 : leftmost(m_root); }
    /// In-order successor, or -1.
    std::int32_t next(std::int32_t i) const {
        if (m_e[i].right >= 0) return leftmost(m_e[i].right);
        std::int32_t p = m_e[i].parent;
        while (p >= 0 && m_e[p].right == i) {
            i = p;
            p = m_e[p].parent;
        }
        return p;
    }
    /// First entity in key order whose vruntime satisfies `eligible`, which must hold for every vruntime
    /// before one it holds for; -1 if none.
    template<class F> std::int32_t firstEligible(F&& eligible) const {
        std::int32_t i = m_root;
        while (i >= 0) {
            const Entity& e = m_e[i];
            if (e.left >= 0 && eligible(m_e[e.left].minVruntime))
                i = e.left;
            else if (eligible(e.vruntime))
                return i;
            else
                i = e.right;
        }
        return -1;
    }

private:
    const Entity* m_e;
    std::int32_t m_root;

    std::int32_t leftmost(std::int32_t i) const {
        while (m_e[i].left >= 0) i = m_e[i].left;
        return i;
    }
};

/// Write access: a handle, make one where it is needed. Key and vruntime of a node must not change while it
/// is in the tree.
template<VTime Entity::*Key> class EntityTree {
public:
    EntityTree(std::vector<Entity>& entities, std::int32_t& root) : m_e(entities.data()), m_root(root) {}

    /// `newestFirst` puts a newcomer before its equals instead of behind them.
    void insert(std::int32_t i, std::uint64_t sequence, bool newestFirst = false) {
        Entity& e = m_e[i];
        e.sequence = sequence;
        e.priority =
            static_cast<std::uint32_t>(engine::mix64(static_cast<std::uint64_t>(i) << 40 ^ sequence));
        e.left = e.right = -1;
        e.minVruntime = e.vruntime;
        std::int32_t parent = -1, *link = &m_root;
        while (*link >= 0) {
            parent = *link;
            Entity& p = m_e[parent];
            p.minVruntime = earlier(p.minVruntime, e.vruntime);
            const bool goLeft = newestFirst ? !before(p.*Key, e.*Key) : before(e.*Key, p.*Key);
            link = goLeft ? &p.left : &p.right;
        }
        *link = i;
        e.parent = parent;
        while (e.parent >= 0 && m_e[e.parent].priority < e.priority) rotateUp(i);
    }

    void erase(std::int32_t i) {
        Entity& e = m_e[i];
        while (e.left >= 0 && e.right >= 0)
            rotateUp(m_e[e.left].priority > m_e[e.right].priority ? e.left : e.right);
        const std::int32_t child = e.left >= 0 ? e.left : e.right;
        if (child >= 0) m_e[child].parent = e.parent;
        replace(e.parent, i, child);
        for (std::int32_t p = e.parent; p >= 0; p = m_e[p].parent) {
            const VTime old = m_e[p].minVruntime;
            pull(p);
            if (m_e[p].minVruntime == old) break;
        }
        e.left = e.right = e.parent = -1;
    }

private:
    Entity* m_e;
    std::int32_t& m_root;

    void pull(std::int32_t i) {
        Entity& e = m_e[i];
        VTime least = e.vruntime;
        if (e.left >= 0) least = earlier(least, m_e[e.left].minVruntime);
        if (e.right >= 0) least = earlier(least, m_e[e.right].minVruntime);
        e.minVruntime = least;
    }
    void replace(std::int32_t parent, std::int32_t was, std::int32_t is) {
        if (parent < 0)
            m_root = is;
        else
            (m_e[parent].left == was ? m_e[parent].left : m_e[parent].right) = is;
    }
    /// `i` takes its parent's place, the parent becomes its child.
    void rotateUp(std::int32_t i) {
        Entity& e = m_e[i];
        const std::int32_t parent = e.parent;
        Entity& p = m_e[parent];
        std::int32_t& inner = p.left == i ? e.right : e.left;
        (p.left == i ? p.left : p.right) = inner;
        if (inner >= 0) m_e[inner].parent = parent;
        inner = parent;
        e.parent = p.parent;
        replace(p.parent, parent, i);
        p.parent = i;
        e.minVruntime = p.minVruntime;
        pull(parent);
    }
};

} // namespace rqs::sched
