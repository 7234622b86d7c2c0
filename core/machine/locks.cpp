// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/locks.h"

#include <cassert>

namespace rqs::machine {

LockId LockTable::add(LockClass cls, std::int32_t instance) {
    SimLock l;
    l.cls = cls;
    l.instance = instance;
    m_locks.push_back(l);
    return LockId(m_locks.size() - 1);
}

bool LockTable::acquire(LockId id, CpuId cpu, CallSite site, SimTime now, RecordSink* sink) {
    SimLock& l = m_locks[id.index()];
    assert(l.owner != cpu && "spinlock taken twice by one CPU");
    const bool bounced = l.lastOwner != cpu;
    if (!l.owner) {
        l.owner = l.lastOwner = cpu;
        l.site = site;
        l.since = now;
        l.contended = false;
        if (sink)
            sink->on(now, LockRecord{LockPhase::Acquire, l.cls, site, {}, bounced, false, id, l.instance, cpu, {}, {}});
        return true;
    }
    assert(!wouldDeadlock(id, cpu));
    LockWaiter& w = m_waiters[cpu.index()];
    w = {id, {}, now, site, l.waiters == 0 && !l.handover};
    if (l.tail) m_waiters[l.tail.index()].next = cpu;
    else l.head = cpu;
    l.tail = cpu;
    ++l.waiters;
    if (sink)
        sink->on(now, LockRecord{LockPhase::Contend, l.cls, site, l.site, bounced, true, id, l.instance, cpu, {}, {}});
    return false;
}

Handover LockTable::release(LockId id, CpuId cpu, SimTime now, RecordSink* sink) {
    SimLock& l = m_locks[id.index()];
    assert(l.owner == cpu && !l.handover && "released by a CPU that does not hold it");
    if (sink)
        sink->on(now, LockRecord{LockPhase::Release, l.cls, l.site, {}, false, l.contended, id, l.instance, cpu, {},
                                 now - l.since});
    if (!l.head) {
        l.owner = {};
        return {};
    }
    const CpuId to = l.head;
    const LockWaiter& w = m_waiters[to.index()];
    l.head = w.next;
    if (!l.head) l.tail = {};
    --l.waiters;
    l.owner = to;
    l.handover = true;
    return {to, cpu, w.pending};
}

void LockTable::granted(LockId id, CpuId cpu, SimTime now, RecordSink* sink) {
    SimLock& l = m_locks[id.index()];
    LockWaiter& w = m_waiters[cpu.index()];
    assert(l.owner == cpu && l.handover && w.lock == id);
    const bool bounced = l.lastOwner != cpu;
    l.handover = false;
    l.lastOwner = cpu;
    l.site = w.site;
    l.since = now;
    l.contended = true;
    if (sink)
        sink->on(now, LockRecord{LockPhase::Acquire, l.cls, w.site, {}, bounced, true, id, l.instance, cpu,
                                 now - w.since, {}});
    w = {};
}

bool LockTable::wouldDeadlock(LockId id, CpuId cpu) const {
    CpuId at = lock(id).owner;
    for (std::size_t hops = 0; at && hops <= m_waiters.size(); ++hops) {
        if (at == cpu) return true;
        const LockId waitsFor = waiter(at).lock;
        if (!waitsFor || lock(waitsFor).owner == at) return false;
        at = lock(waitsFor).owner;
    }
    return false;
}

} // namespace rqs::machine
