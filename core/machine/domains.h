// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduling domains and groups, built from the topology in the kernel's order (sched_init_domains /
// build_sched_domains, behavioural spec wakeup_balance 1.1-1.3).
#pragma once
#include "core/machine/topology.h"

#include <memory>

namespace rqs::machine {

enum class DomainLevel : std::uint8_t { Smt, Cls, Cache, Mc, Pkg, Node, Numa };
/// "SMT", "CLS", "CACHE", "MC", "PKG" (named DIE before 6.7), "NODE", "NUMA".
const char* domainLevelName(DomainLevel level);

/// What a domain may do; the kernel's SD_* bits by name. Groups carry a copy of the flags of the domain
/// below.
struct DomainFlags {
    bool shareCapacity = false, shareCache = false, cluster = false, numa = false, overlap = false,
         serialize = false;
    bool balanceNewidle = false, balanceExec = false, balanceFork = false, wakeAffine = false,
         preferSibling = false;
    bool operator==(const DomainFlags&) const = default;
};

struct DomainGroup {
    const CpuMask& span; ///< owned by the table
    std::int32_t weight = 0;
    DomainFlags flags; ///< of the child domain; all false in a base domain
};

/// Groups of a domain as its owner sees them: a ring that begins with the group holding the owner (local
/// group).
class GroupRing {
public:
    GroupRing() = default;
    GroupRing(std::span<const DomainGroup> ring, std::size_t first) : m_ring(ring), m_first(first) {}
    std::size_t size() const { return m_ring.size(); }
    const DomainGroup& operator[](std::size_t i) const { return m_ring[(m_first + i) % m_ring.size()]; }
    const DomainGroup& local() const { return m_ring[m_first]; }
    class Iterator {
    public:
        Iterator(const GroupRing* ring, std::size_t i) : m_r(ring), m_i(i) {}
        const DomainGroup& operator*() const { return (*m_r)[m_i]; }
        Iterator& operator++() {
            ++m_i;
            return *this;
        }
        bool operator==(const Iterator& o) const { return m_i == o.m_i; }

    private:
        const GroupRing* m_r;
        std::size_t m_i;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size()}; }

private:
    std::span<const DomainGroup> m_ring;
    std::size_t m_first = 0;
};

/// One (CPU, level) domain; lists are bottom-up. Masks and groups are shared by all CPUs of the span.
struct Domain : DomainFlags {
    DomainLevel level;
    std::int32_t numaDistance; ///< NUMA levels only, else 0
    const CpuMask& span;       ///< owned by the table
    GroupRing groups;          ///< the first one contains the owner (local group)
    std::int32_t weight;       ///< CPUs of the span; min_interval is this in ms, max_interval twice this
    std::int32_t imbalancePct, cacheNiceTries, imbNumaNr;
};

class DomainTable {
public:
    DomainTable() = default;
    /// Builds domains for the online CPUs. Error if there is none. (That non-overlap levels are partitions
    /// and nest is guaranteed by Topology::build.)
    static Result<DomainTable> build(const Topology& topology, const CpuMask& online);
    /// Domains of a CPU, base first; empty on a uniprocessor and on offline CPUs.
    std::span<const Domain> of(CpuId c) const;
    int llcSize(CpuId c) const { return m_llcSize[c.index()]; } ///< sd_llc_size; 1 if no domain shares cache
    CpuId llcId(CpuId c) const { return m_llcId[c.index()]; }   ///< sd_llc_id, lowest CPU of the LLC domain
    /// Index into of(c) of the highest domain that shares cache; -1 if none.
    int llcDomain(CpuId c) const { return m_llcDomain[c.index()]; }
    /// Names of the levels left out as degenerate on c, in the order of their removal.
    std::span<const DomainLevel> removed(CpuId c) const;

    struct Store; ///< domains, rings and masks; immutable, shared by copies of the table
private:
    std::shared_ptr<const Store> m_store;
    std::vector<std::int32_t> m_llcSize, m_llcDomain;
    std::vector<CpuId> m_llcId;
};

} // namespace rqs::machine
