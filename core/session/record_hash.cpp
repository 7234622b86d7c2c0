// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes the fields one by one: padding bytes are not contents.
#include "core/session/record_hash.h"

#include "core/engine/fingerprint.h"

namespace rqs::session {
namespace {

class Fields {
public:
    template<class... T>
    void operator()(const T&... values) { (add(values), ...); }
    std::uint64_t value() const { return m_print.value(); }

private:
    template<class Tag> void add(Id<Tag> id) { m_print.add(static_cast<std::uint64_t>(id.v)); }
    void add(Duration d) { m_print.add(static_cast<std::uint64_t>(d.ns)); }
    void add(SimTime t) { m_print.add(static_cast<std::uint64_t>(t.ns)); }
    template<class T>
        requires std::is_enum_v<T> || std::is_integral_v<T>
    void add(T v) { m_print.add(static_cast<std::uint64_t>(v)); }
    engine::Fingerprint m_print;
};

void fields(Fields& f, const SwitchRecord& r) { f(r.cpu, r.prev, r.next, r.prevState); }
void fields(Fields& f, const WakeRecord& r) { f(r.task, r.waker, r.wakerCpu, r.prevCpu, r.target, r.sync, r.requeued); }
void fields(Fields& f, const MigrateRecord& r) { f(r.task, r.from, r.to, r.reason, r.distance); }
void fields(Fields& f, const EnqueueRecord& r) { f(r.task, r.cpu, r.nrRunning); }
void fields(Fields& f, const DequeueRecord& r) { f(r.task, r.cpu, r.nrRunning, r.sleep, r.delayed); }
void fields(Fields& f, const TickRecord& r) { f(r.cpu, r.resched); }
void fields(Fields& f, const ReschedRecord& r) { f(r.cpu, r.running, r.remote); }
void fields(Fields& f, const LockRecord& r) {
    f(r.phase, r.cls, r.site, r.holderSite, r.bounced, r.contended, r.lock, r.instance, r.cpu, r.wait, r.hold);
}
void fields(Fields& f, const ShardRecord& r) { f(r.op, r.shard, r.task, r.cpu); }
void fields(Fields& f, const BalanceRecord& r) { f(r.cpu, r.busiest, r.level, r.imbalance, r.moved, r.newidle, r.cost); }
void fields(Fields& f, const InputRecord& r) { f(r.index); }
void fields(Fields& f, const FeatureRecord& r) { f(r.feature, r.value); }
void fields(Fields& f, const OpRecord& r) { f(r.task, r.amount); }
void fields(Fields& f, const IdleRecord& r) { f(r.cpu, r.enter); }
void fields(Fields& f, const AnomalyRecord& r) { f(r.kind, r.cpu, r.task, r.detail); }
void fields(Fields& f, const ForkRecord& r) { f(r.parent, r.child, r.cpu); }

} // namespace

std::uint64_t recordHash(SimTime t, const Record& r) {
    Fields f;
    f(t, r.index());
    std::visit([&](const auto& record) { fields(f, record); }, r);
    return f.value();
}

} // namespace rqs::session
