// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated queued spinlocks: strict FIFO, hand-over by distance, every event reported in lock_stat's terms.
// The table knows who holds and who waits; how long a hand-over takes is the caller's to schedule.
#pragma once
#include "core/base/records.h"

#include <vector>

namespace rqs::machine {

struct SimLock {
    LockClass cls{};
    std::int32_t instance = 0;  ///< CPU of a runqueue, task of a pi lock, shard index
    CpuId owner;                ///< holder, or the CPU the lock is travelling to
    CpuId lastOwner;            ///< last acquirer, for bounces
    CpuId head, tail;           ///< waiters, FIFO
    std::int32_t waiters = 0;
    bool handover = false;      ///< owner was chosen but does not run with it yet
    bool contended = false;     ///< the present hold had to wait
    CallSite site{};            ///< where the present holder acquired it
    SimTime since{};            ///< start of the present hold
};

/// A CPU waits for at most one lock.
struct LockWaiter {
    LockId lock;
    CpuId next;
    SimTime since{};
    CallSite site{};
    bool pending = false;       ///< arrived as the only waiter: spins on the lock word, not on an MCS node
};

struct Handover { CpuId to; CpuId from; bool pending = false; };

class LockTable {
public:
    LockTable() = default;
    explicit LockTable(int cpus) : m_waiters(static_cast<std::size_t>(cpus)) {}
    LockId add(LockClass cls, std::int32_t instance);

    /// True: owned from now on (`cost distance` = from lastOwner before the call). False: the CPU waits.
    bool acquire(LockId l, CpuId cpu, CallSite site, SimTime now, RecordSink* sink);
    /// Gives the lock up; `to` is none if nobody waits, else it owns the lock once granted() is called.
    Handover release(LockId l, CpuId cpu, SimTime now, RecordSink* sink);
    /// The hand-over to `cpu` has arrived.
    void granted(LockId l, CpuId cpu, SimTime now, RecordSink* sink);

    const SimLock& lock(LockId l) const { return m_locks[l.index()]; }
    const LockWaiter& waiter(CpuId c) const { return m_waiters[c.index()]; }
    std::size_t size() const { return m_locks.size(); }
    /// Waiters of a lock in queue order.
    template<class F>
    void forEachWaiter(LockId l, F&& f) const {
        for (CpuId c = lock(l).head; c; c = waiter(c).next) f(c);
    }
    /// Would waiting for `l` close a cycle owner -> lock -> owner ...? (dev builds)
    bool wouldDeadlock(LockId l, CpuId cpu) const;

private:
    std::vector<SimLock> m_locks;
    std::vector<LockWaiter> m_waiters;
};

} // namespace rqs::machine
