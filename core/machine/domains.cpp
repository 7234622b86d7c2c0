// SPDX-License-Identifier: GPL-3.0-or-later
// Domain construction in the kernel's order: levels, spans, groups, imb_numa_nr, then removal of levels that
// decide nothing. Spans are computed once per unit (core, LLC, node ...), not once per CPU.
#include "core/machine/domains.h"

#include <algorithm>
#include <deque>
#include <map>

namespace rqs::machine {

struct DomainTable::Store {
    std::deque<CpuMask> masks; ///< deque: references stay valid while it grows
    std::deque<std::vector<DomainGroup>> rings;
    std::vector<Domain> domains;      ///< all CPUs one after another
    std::vector<std::uint32_t> begin; ///< per CPU, plus one past the end
    std::vector<DomainLevel> removed;
    std::vector<std::uint32_t> removedBegin;
};

namespace {

using MaskIndex = std::int32_t; ///< into Store::masks

struct Level {
    DomainLevel level;
    std::int32_t distance = 0;
    DomainFlags flags;
    std::vector<MaskIndex> mask; ///< per CPU; -1 offline
    std::vector<std::int32_t> ring,
        inRing; ///< non-overlap: per CPU, index of the shared ring and of its own group
};

constexpr DomainFlags kCommon{.balanceNewidle = true,
                              .balanceExec = true,
                              .balanceFork = true,
                              .wakeAffine = true,
                              .preferSibling = true};

/// Flags that mean nothing in a domain of one group: all but wake-affine.
DomainFlags withoutGroupFlags(DomainFlags f) { return {.wakeAffine = f.wakeAffine}; }
bool anyGroupFlag(const DomainFlags& f) { return !(withoutGroupFlags(f) == f); }
bool addsNothing(const DomainFlags& p, const DomainFlags& c) {
    const auto in = [](bool parent, bool child) { return !parent || child; };
    return in(p.shareCapacity, c.shareCapacity) && in(p.shareCache, c.shareCache) &&
           in(p.cluster, c.cluster) && in(p.numa, c.numa) && in(p.overlap, c.overlap) &&
           in(p.serialize, c.serialize) && in(p.balanceNewidle, c.balanceNewidle) &&
           in(p.balanceExec, c.balanceExec) && in(p.balanceFork, c.balanceFork) &&
           in(p.wakeAffine, c.wakeAffine) && in(p.preferSibling, c.preferSibling);
}

/// A group before its ring exists: its span and the level whose flags it copies (-1 none).
struct GroupPlan {
    MaskIndex mask;
    DomainFlags flags;
};

/// One domain of one CPU while the chain is being built and pruned.
struct Draft {
    std::size_t level;
    DomainFlags flags;
    std::int32_t weight = 0, groups = 0, imbNumaNr = 0;
    std::vector<GroupPlan> overlapGroups; ///< overlap levels only, local group first
};

class Builder {
public:
    Builder(const Topology& topology, const CpuMask& online, DomainTable::Store& store)
        : m_topo(topology), m_online(online), m_store(store), m_cpus(topology.cpuCount()),
          m_onlineCount(online.count()) {}

    void run() {
        makeLevels();
        for (auto& l : m_levels)
            if (!l.flags.overlap) makeRings(l);
        for (int c = 0; c < m_cpus; ++c) {
            m_store.begin.push_back(static_cast<std::uint32_t>(m_store.domains.size()));
            m_store.removedBegin.push_back(static_cast<std::uint32_t>(m_store.removed.size()));
            if (m_online.test(CpuId(c))) finish(CpuId(c), prune(chain(CpuId(c))));
        }
        m_store.begin.push_back(static_cast<std::uint32_t>(m_store.domains.size()));
        m_store.removedBegin.push_back(static_cast<std::uint32_t>(m_store.removed.size()));
    }

private:
    const CpuMask& mask(MaskIndex m) const { return m_store.masks[static_cast<std::size_t>(m)]; }
    std::int32_t weight(MaskIndex m) const { return m_weights[static_cast<std::size_t>(m)]; }
    MaskIndex addMask(CpuMask m) {
        m_weights.push_back(m.count());
        m_store.masks.push_back(std::move(m));
        return static_cast<MaskIndex>(m_store.masks.size() - 1);
    }

    /// A level whose spans are the classes of equal `unit(cpu)`.
    template<class F> void addLevel(DomainLevel level, DomainFlags flags, F&& unit) {
        Level l{.level = level, .distance = 0, .flags = flags, .mask = {}, .ring = {}, .inRing = {}};
        std::map<std::int32_t, CpuMask> spans;
        for (int c = 0; c < m_cpus; ++c)
            if (m_online.test(CpuId(c)))
                spans.try_emplace(unit(CpuId(c)), m_cpus).first->second.set(CpuId(c));
        std::map<std::int32_t, MaskIndex> ids;
        for (auto& [u, span] : spans) ids[u] = addMask(std::move(span));
        for (int c = 0; c < m_cpus; ++c)
            l.mask.push_back(m_online.test(CpuId(c)) ? ids.at(unit(CpuId(c))) : -1);
        m_levels.push_back(std::move(l));
    }

    void addNumaLevel(std::int32_t distance) {
        DomainFlags f = kCommon;
        f.preferSibling = false;
        f.numa = f.overlap = f.serialize = true;
        if (distance > m_topo.reclaimDistance()) f.balanceExec = f.balanceFork = f.wakeAffine = false;
        Level l{.level = DomainLevel::Numa,
                .distance = distance,
                .flags = f,
                .mask = {},
                .ring = {},
                .inRing = {}};
        std::vector<MaskIndex> ofNode;
        for (int a = 0; a < m_topo.nodeCount(); ++a) {
            CpuMask span(m_cpus);
            for (int b = 0; b < m_topo.nodeCount(); ++b)
                if (m_topo.nodeDistance(NodeId(a), NodeId(b)) <= distance)
                    for (const CpuId c : m_topo.nodeCpus(NodeId(b)))
                        if (m_online.test(c)) span.set(c);
            ofNode.push_back(addMask(std::move(span)));
        }
        for (int c = 0; c < m_cpus; ++c)
            l.mask.push_back(m_online.test(CpuId(c)) ? ofNode[m_topo.cpu(CpuId(c)).node.index()] : -1);
        m_levels.push_back(std::move(l));
    }

    bool hasOnline(NodeId n) const {
        const auto cpus = m_topo.nodeCpus(n);
        return std::any_of(cpus.begin(), cpus.end(), [&](CpuId c) { return m_online.test(c); });
    }

    void makeLevels() {
        DomainFlags smt = kCommon, cache = kCommon, cls = kCommon;
        smt.shareCapacity = smt.shareCache = true;
        cache.shareCache = true;
        cls.shareCache = cls.cluster = true;
        const bool x86 = m_topo.levels() == LevelScheme::X86;
        addLevel(DomainLevel::Smt, smt, [&](CpuId c) { return m_topo.cpu(c).core.v; });
        if (x86) {
            addLevel(DomainLevel::Cls, cls, [&](CpuId c) { return m_topo.cpu(c).cluster; });
            addLevel(DomainLevel::Mc, cache, [&](CpuId c) { return m_topo.cpu(c).llc.v; });
        } else {
            if (m_topo.levels() == LevelScheme::Power9)
                addLevel(DomainLevel::Cache, cache, [&](CpuId c) { return m_topo.cpu(c).cluster; });
            if (m_topo.coreGroup(CpuId(0)) >= 0)
                addLevel(DomainLevel::Mc, kCommon, [&](CpuId c) { return m_topo.coreGroup(c); });
        }
        // The kernel's package level spans the CPUs of the node, so a node of two packages is one domain.
        if (!x86 || !m_topo.nodesInSocket())
            addLevel(DomainLevel::Pkg, kCommon, [&](CpuId c) { return m_topo.cpu(c).node.v; });
        addLevel(DomainLevel::Node, kCommon, [&](CpuId c) { return m_topo.cpu(c).node.v; });
        std::vector<std::int32_t> distances; // only nodes with an online CPU count
        for (int a = 0; a < m_topo.nodeCount(); ++a)
            for (int b = 0; b < m_topo.nodeCount(); ++b)
                if (a != b && hasOnline(NodeId(a)) && hasOnline(NodeId(b)))
                    distances.push_back(m_topo.nodeDistance(NodeId(a), NodeId(b)));
        std::sort(distances.begin(), distances.end());
        distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
        for (const auto d : distances) addNumaLevel(d);
        for (int c = 0; c < m_cpus; ++c) m_single.push_back(m_online.test(CpuId(c)) ? single(CpuId(c)) : -1);
    }

    MaskIndex single(CpuId c) {
        const auto smt = m_levels.front().mask[c.index()];
        if (weight(smt) == 1) return smt;
        CpuMask m(m_cpus);
        m.set(c);
        return addMask(std::move(m));
    }

    std::size_t indexOf(const Level& l) const { return static_cast<std::size_t>(&l - m_levels.data()); }

    /// One ring per span. Every CPU of the span walks it from itself and relinks it, so the walk of the
    /// highest CPU is the one that stays; seen from any CPU it starts with that CPU's own group.
    void makeRings(Level& l) {
        const auto li = indexOf(l);
        const auto child = [&](CpuId c) {
            return li == 0 ? m_single[c.index()] : m_levels[li - 1].mask[c.index()];
        };
        l.ring.assign(l.mask.size(), -1);
        l.inRing.assign(l.mask.size(), -1);
        for (int top = m_cpus - 1; top >= 0; --top) {
            if (!m_online.test(CpuId(top)) || l.ring[static_cast<std::size_t>(top)] >= 0) continue;
            const auto ringId = static_cast<std::int32_t>(m_store.rings.size());
            auto& ring = m_store.rings.emplace_back();
            mask(l.mask[static_cast<std::size_t>(top)]).forEachWrap(top, [&](CpuId c) {
                if (l.ring[c.index()] >= 0) return true;
                const auto group = child(c);
                mask(group).forEachWrap(0, [&](CpuId member) {
                    l.ring[member.index()] = ringId;
                    l.inRing[member.index()] = static_cast<std::int32_t>(ring.size());
                    return true;
                });
                ring.push_back({mask(group), weight(group), {}});
                return true;
            });
        }
    }

    /// Number of levels the CPU has: the first whose span is the whole map is the last.
    std::size_t depth(CpuId c) const {
        for (std::size_t l = 0; l < m_levels.size(); ++l)
            if (weight(m_levels[l].mask[c.index()]) == m_onlineCount) return l + 1;
        return m_levels.size();
    }

    /// Distances are symmetric, so a CPU of the span that lacks this level is always covered by the local
    /// group.
    std::vector<GroupPlan> overlapGroups(CpuId owner, std::size_t li) const {
        std::vector<GroupPlan> groups;
        const CpuMask& span = mask(m_levels[li].mask[owner.index()]);
        CpuMask covered(m_cpus);
        span.forEachWrap(owner.v, [&](CpuId c) {
            if (covered.test(c)) return true;
            const auto at = [&](std::size_t l) { return m_levels[l].mask[c.index()]; };
            // The child span of c's own domain; where that reaches out of this domain, the next one below
            // that does not. (The kernel then skips levels as wide as their child: after such a descent there
            // is none.)
            auto level = li - 1;
            while (level > 0 && !mask(at(level)).subsetOf(span)) --level;
            groups.push_back({at(level), m_levels[level].flags});
            covered |= mask(at(level));
            return true;
        });
        return groups;
    }

    std::vector<Draft> chain(CpuId c) const {
        std::vector<Draft> drafts;
        const auto levels = depth(c);
        for (std::size_t l = 0; l < levels; ++l) {
            Draft d{.level = l,
                    .flags = m_levels[l].flags,
                    .weight = weight(m_levels[l].mask[c.index()]),
                    .groups = 0,
                    .imbNumaNr = 0,
                    .overlapGroups = {}};
            if (d.flags.overlap) {
                d.overlapGroups = overlapGroups(c, l);
                d.groups = static_cast<std::int32_t>(d.overlapGroups.size());
            } else {
                d.groups = static_cast<std::int32_t>(
                    m_store.rings[static_cast<std::size_t>(m_levels[l].ring[c.index()])].size());
            }
            drafts.push_back(std::move(d));
        }
        std::int32_t imb = 0, base = 1; // how many tasks may stay on one NUMA side before spreading
        for (std::size_t i = 0; i < drafts.size(); ++i) {
            auto& d = drafts[i];
            if (i > 0 && !d.flags.shareCache && drafts[i - 1].flags.shareCache) {
                const auto llcs = d.weight / drafts[i - 1].weight;
                imb = std::max(1, llcs == 1 ? d.weight / 8 : llcs);
                d.imbNumaNr = imb;
                const auto numa = std::find_if(drafts.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                               drafts.end(), [](const Draft& x) { return x.flags.numa; });
                base = numa != drafts.end() ? numa->weight : d.weight;
            } else {
                d.imbNumaNr = imb * std::max(1, d.weight / base);
            }
        }
        return drafts;
    }

    static bool degenerate(const Draft& d) {
        if (d.weight == 1) return true;
        if (d.groups > 1 && anyGroupFlag(d.flags)) return false;
        return !d.flags.wakeAffine;
    }
    /// The parent covers the same CPUs and brings no flag of its own.
    static bool redundant(const Draft& child, const Draft& parent) {
        if (child.weight != parent.weight) return false; // nested, so equal weight is equal span
        return addsNothing(parent.groups == 1 ? withoutGroupFlags(parent.flags) : parent.flags, child.flags);
    }

    std::vector<Draft> prune(std::vector<Draft> drafts) {
        for (std::size_t i = 0; i + 1 < drafts.size();) {
            auto& parent = drafts[i + 1];
            if (!degenerate(parent) && !redundant(drafts[i], parent)) {
                ++i;
                continue;
            }
            if (parent.flags.preferSibling) drafts[i].flags.preferSibling = true;
            m_store.removed.push_back(m_levels[parent.level].level);
            drafts.erase(drafts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            if (i + 1 < drafts.size() && !drafts[i + 1].overlapGroups.empty())
                drafts[i + 1].overlapGroups.front().flags = drafts[i].flags;
        }
        if (!drafts.empty() && degenerate(drafts.front())) {
            m_store.removed.push_back(m_levels[drafts.front().level].level);
            drafts.erase(drafts.begin());
            if (!drafts.empty())
                for (auto& g : drafts.front().overlapGroups) g.flags = {};
        }
        return drafts;
    }

    /// Rings of overlap domains depend on the owner; equal ones are kept once.
    const std::vector<DomainGroup>& internRing(const std::vector<GroupPlan>& plan) {
        std::vector<std::int32_t> key;
        for (const auto& g : plan) {
            key.push_back(g.mask);
            key.push_back((g.flags.shareCapacity ? 1 : 0) | (g.flags.shareCache ? 2 : 0) |
                          (g.flags.cluster ? 4 : 0) | (g.flags.numa ? 8 : 0) | (g.flags.wakeAffine ? 16 : 0) |
                          (g.flags.preferSibling ? 32 : 0) | (g.flags.balanceExec ? 64 : 0));
        }
        const auto [it, isNew] = m_overlapRings.try_emplace(std::move(key), m_store.rings.size());
        if (isNew) {
            auto& ring = m_store.rings.emplace_back();
            for (const auto& g : plan) ring.push_back({mask(g.mask), weight(g.mask), g.flags});
        }
        return m_store.rings[it->second];
    }

    GroupRing groupsOf(CpuId c, const Draft& d, const Draft* child) {
        if (d.flags.overlap) return {internRing(d.overlapGroups), 0};
        const auto& l = m_levels[d.level];
        auto& ring = m_store.rings[static_cast<std::size_t>(l.ring[c.index()])];
        const auto own = static_cast<std::size_t>(l.inRing[c.index()]);
        ring[own].flags = child ? child->flags : DomainFlags{};
        return {ring, own};
    }

    void finish(CpuId c, const std::vector<Draft>& drafts) {
        for (std::size_t i = 0; i < drafts.size(); ++i) {
            const auto& d = drafts[i];
            const auto& l = m_levels[d.level];
            const bool cores = d.flags.shareCapacity;
            m_store.domains.push_back(Domain{d.flags, l.level, l.distance, mask(l.mask[c.index()]),
                                             groupsOf(c, d, i > 0 ? &drafts[i - 1] : nullptr), d.weight,
                                             cores ? 110 : 117,
                                             cores                ? 0
                                             : d.flags.shareCache ? 1
                                             : d.flags.numa       ? 2
                                                                  : 1,
                                             d.imbNumaNr});
        }
    }

    const Topology& m_topo;
    const CpuMask& m_online;
    DomainTable::Store& m_store;
    int m_cpus, m_onlineCount;
    std::vector<Level> m_levels;
    std::vector<std::int32_t> m_weights; ///< per mask
    std::vector<MaskIndex> m_single;     ///< per CPU, the mask of that CPU alone
    std::map<std::vector<std::int32_t>, std::size_t> m_overlapRings;
};

} // namespace

const char* domainLevelName(DomainLevel level) {
    switch (level) {
    case DomainLevel::Smt: return "SMT";
    case DomainLevel::Cls: return "CLS";
    case DomainLevel::Cache: return "CACHE";
    case DomainLevel::Mc: return "MC";
    case DomainLevel::Pkg: return "PKG";
    case DomainLevel::Node: return "NODE";
    case DomainLevel::Numa: return "NUMA";
    }
    return "?";
}

std::span<const Domain> DomainTable::of(CpuId c) const {
    if (!m_store) return {};
    const auto b = m_store->begin[c.index()];
    return std::span(m_store->domains).subspan(b, m_store->begin[c.index() + 1] - b);
}

std::span<const DomainLevel> DomainTable::removed(CpuId c) const {
    if (!m_store) return {};
    const auto b = m_store->removedBegin[c.index()];
    return std::span(m_store->removed).subspan(b, m_store->removedBegin[c.index() + 1] - b);
}

Result<DomainTable> DomainTable::build(const Topology& topology, const CpuMask& online) {
    if (online.width() != topology.cpuCount())
        return Error{"domains",
                     "the online mask is for " + std::to_string(online.width()) + " CPUs of " +
                         std::to_string(topology.cpuCount()),
                     ""};
    if (online.empty()) return Error{"domains", "no CPU is online", "at least one stays online"};
    auto store = std::make_shared<Store>();
    Builder(topology, online, *store).run();
    DomainTable t;
    t.m_store = store;
    for (int c = 0; c < topology.cpuCount(); ++c) {
        const auto domains = t.of(CpuId(c));
        int llc = -1;
        for (std::size_t i = 0; i < domains.size() && domains[i].shareCache; ++i) llc = static_cast<int>(i);
        t.m_llcDomain.push_back(llc);
        t.m_llcSize.push_back(llc < 0 ? 1 : domains[static_cast<std::size_t>(llc)].weight);
        t.m_llcId.push_back(llc < 0 ? CpuId(c) : domains[static_cast<std::size_t>(llc)].span.first());
    }
    return t;
}

} // namespace rqs::machine
