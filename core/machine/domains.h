// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduling domains and groups, built from the topology in the kernel's order (sched_init_domains /
// build_sched_domains, behavioural spec wakeup_balance 1.1-1.3).
#pragma once
#include "core/machine/topology.h"

namespace rqs::machine {

enum class DomainLevel : std::uint8_t { Smt, Cls, Cache, Mc, Pkg, Node, Numa };

struct DomainGroup { CpuMask span; };

/// One (CPU, level) domain; lists are bottom-up. Flags and tuning as wakeup_balance 1.1/1.2.
struct Domain {
    DomainLevel level{};
    std::int32_t numaDistance = 0;  ///< NUMA levels only
    CpuMask span;
    std::vector<DomainGroup> groups; ///< the first one contains the owner (local group)
    std::int32_t weight = 0;
    bool shareCapacity = false, shareCache = false, numa = false, overlap = false, serialize = false;
    bool wakeAffine = true, preferSibling = true, balanceExec = true, balanceFork = true;
    std::int32_t imbalancePct = 117, cacheNiceTries = 1, imbNumaNr = 0;
};

class DomainTable {
public:
    /// Builds domains for the online CPUs. Error if a non-overlap level is not a partition.
    static Result<DomainTable> build(const Topology& topology, const CpuMask& online);
    /// Domains of a CPU, base first; empty on a uniprocessor.
    std::span<const Domain> of(CpuId c) const { return m_perCpu[c.index()]; }
    int llcSize(CpuId c) const { return m_llcSize[c.index()]; }   ///< sd_llc_size
    CpuId llcId(CpuId c) const { return m_llcId[c.index()]; }     ///< sd_llc_id, lowest CPU of the LLC domain
    /// Index into of(c) of the highest domain that shares cache; -1 if none.
    int llcDomain(CpuId c) const { return m_llcDomain[c.index()]; }

private:
    std::vector<std::vector<Domain>> m_perCpu;
    std::vector<std::int32_t> m_llcSize, m_llcDomain;
    std::vector<CpuId> m_llcId;
};

} // namespace rqs::machine
