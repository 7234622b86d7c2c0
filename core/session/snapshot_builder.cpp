// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/snapshot_builder.h"

#include "core/sched/fair.h"
#include "core/sched/hierarchy.h"
#include "core/sched/shared_runq.h"

#include <algorithm>

namespace rqs::session {

namespace {

constexpr int kChips = 8, kShardChips = 24, kSpinners = 16;
constexpr std::size_t kMoves = 256;

LockView lockView(const sim::World& w, LockId id) {
    const machine::SimLock& l = w.locks.lock(id);
    LockView v;
    v.held = l.owner.valid() && !l.handover;
    v.handover = l.handover;
    v.holder = l.owner;
    v.since = l.since;
    v.waiters = l.waiters;
    if (l.waiters > 0)
        w.locks.forEachWaiter(id, [&](CpuId c) {
            if (static_cast<int>(v.spinning.size()) < kSpinners) v.spinning.push_back(c);
        });
    return v;
}

CpuMode modeOf(const sim::World& w, CpuId c) {
    const machine::Cpu& cpu = w.cpus[c.index()];
    switch (cpu.state) {
    case machine::CpuState::Halted: return CpuMode::Idle;
    case machine::CpuState::Spinning: case machine::CpuState::Granting: return CpuMode::Spin;
    case machine::CpuState::Working: break;
    }
    return w.stacks[static_cast<std::size_t>(cpu.stack)].top().mode;
}

bool eligibleNow(const sim::World& w, TaskId t, VTime average) {
    const bool eevdf = w.sched.kernel.preset && w.sched.kernel.preset->policy == sched::Policy::Eevdf;
    return !eevdf || (average - w.sched.entity(t).vruntime).v >= 0;
}

CpuView cpuView(const sim::World& w, CpuId c) {
    const sched::Rq& rq = w.sched.rq(c);
    const machine::Cpu& cpu = w.cpus[c.index()];
    CpuView v;
    v.running = rq.curr;
    v.mode = modeOf(w, c);
    v.needResched = rq.needResched;
    v.nr = rq.nrRunning();
    v.nrDelayed = rq.nrDelayed();
    v.switches = cpu.switches;
    if (cpu.spinLock) {
        const machine::SimLock& l = w.locks.lock(cpu.spinLock);
        v.spinning = true;
        v.spinClass = l.cls;
        v.spinInstance = l.instance;
        v.spinSince = w.locks.waiter(c).since;
    }
    if (rq.curr) {
        const sched::Entity& e = w.sched.entity(rq.curr);
        const Duration ran = e.sumExec - e.prevSumExec + (sched::currTask(w.sched, c) == rq.curr ? w.now - e.execStart : Duration{});
        if (e.slice.ns > 0) v.sliceUsed = static_cast<std::int16_t>(std::clamp<std::int64_t>(ran.ns * 1000 / e.slice.ns, 0, 1000));
    }
    if (rq.nrRunning() > 0) {
        const int n = sched::queuedInPickOrder(w.sched, c, v.queue.data(), kChips);
        v.queued = static_cast<std::uint8_t>(n);
        for (int i = 0; i < n; ++i) {
            const TaskId t = v.queue[static_cast<std::size_t>(i)];
            if (w.sched.entity(t).delayed) v.delayedBits = static_cast<std::uint8_t>(v.delayedBits | 1u << i);
            if (!eligibleNow(w, t, sched::avgVruntimeAround(w.sched, t, c))) v.ineligibleBits = static_cast<std::uint8_t>(v.ineligibleBits | 1u << i);
        }
    }
    v.rqLock = lockView(w, w.rqLock[c.index()]);
    return v;
}

std::vector<EntityView> queueOf(const sim::World& w, CpuId c) {
    std::vector<EntityView> out;
    auto add = [&](TaskId t, bool running) {
        const sched::Entity& e = w.sched.entity(t);
        const VTime average = sched::avgVruntimeAround(w.sched, t, c);
        EntityView v;
        v.task = t;
        v.vruntime = static_cast<std::int64_t>(e.vruntime.v);
        v.deadline = static_cast<std::int64_t>(e.deadline.v);
        v.lag = (average - e.vruntime).v;
        v.slice = e.slice.ns;
        v.running = running;
        v.delayed = e.delayed;
        v.eligible = eligibleNow(w, t, average);
        out.push_back(v);
    };
    if (const TaskId curr = sched::currTask(w.sched, c)) add(curr, true);
    std::vector<TaskId> queued(200);
    const int n = sched::queuedInPickOrder(w.sched, c, queued.data(), static_cast<int>(queued.size()));
    for (int i = 0; i < n; ++i) add(queued[static_cast<std::size_t>(i)], false);
    return out;
}

std::string featureReason(const sim::World& w, const sched::FeatureInfo& f, bool exists) {
    if (!exists) return "not in " + std::string(w.sched.kernel.preset ? w.sched.kernel.preset->id : "this kernel");
    if (!f.built) return "not built yet";
    if (!f.runtime) return "fixed for a run";
    return {};
}

} // namespace

std::shared_ptr<const RunInfo> makeRunInfo(const Session& session) {
    const scenario::RunSetup& s = session.setup();
    const machine::Topology& topo = s.hardware->topology;
    auto info = std::make_shared<RunInfo>();
    info->scenarioId = s.scenarioId;
    info->title = s.title;
    info->machineId = s.hardware->id;
    info->machineTitle = s.hardware->title;
    info->kernelId = s.kernel.preset ? std::string(s.kernel.preset->id) : std::string{};
    info->variant = s.variant;
    info->unit = s.workload.unit;
    info->notes = s.notes;
    info->llcs = topo.llcCount();
    info->nodes = topo.nodeCount();
    info->sockets = topo.socketCount();
    info->mhzBase = s.hardware->mhzBase;
    info->seed = s.seed;
    info->end = session.end();
    info->warmup = SimTime{} + s.warmup;
    for (int c = 0; c < topo.cpuCount(); ++c) {
        const machine::CpuInfo& cpu = topo.cpu(CpuId(c));
        info->cpus.push_back({cpu.core, cpu.llc, cpu.node, topo.osNode(cpu.node), cpu.socket, cpu.thread, cpu.cluster});
    }
    std::vector<std::int32_t> perRole;
    for (std::size_t t = 0; t < s.workload.tasks.size(); ++t) {
        const workload::TaskSpec& spec = s.workload.tasks[t];
        const std::string role = spec.role.empty() ? "task" : spec.role;
        auto it = std::find(info->roles.begin(), info->roles.end(), role);
        if (it == info->roles.end()) {
            info->roles.push_back(role);
            perRole.push_back(0);
            it = info->roles.end() - 1;
        }
        const auto index = static_cast<std::size_t>(it - info->roles.begin());
        info->tasks.push_back({spec.comm, role, static_cast<std::int32_t>(index), perRole[index]++, spec.nice,
                               static_cast<std::int32_t>(t) + 1000});
    }
    info->footer = info->scenarioId + " \xC2\xB7 " + info->machineId + " \xC2\xB7 kernel " + info->kernelId +
                   " \xC2\xB7 variant " + info->variant + " \xC2\xB7 seed " + std::to_string(info->seed);
    return info;
}

Snapshot makeSnapshot(const Session& session, std::shared_ptr<const RunInfo> info, CpuId selected) {
    const sim::World& w = session.world();
    Snapshot s;
    s.run = std::move(info);
    s.now = session.now();
    s.step = session.stepCount();
    s.knownSteps = session.knownSteps();
    s.knownUntil = session.knownUntil();
    s.finished = session.finished();
    s.branch = session.branch();
    s.fingerprint = session.fingerprint();
    s.cpus.reserve(w.cpus.size());
    std::int32_t idle = 0;
    for (std::size_t c = 0; c < w.cpus.size(); ++c) {
        s.cpus.push_back(cpuView(w, CpuId(c)));
        const CpuView& v = s.cpus.back();
        if (!v.running && v.nr == 0) ++idle;
        const TaskId curr = sched::currTask(w.sched, CpuId(c));
        const std::int32_t members = w.sched.rqs[c].nrRunning() - w.sched.rqs[c].nrDelayed();
        s.waiting += std::max(0, members - (curr && w.sched.entity(curr).onRq ? 1 : 0));
    }
    s.idleWhileWaiting = s.waiting > 0 ? std::min(idle, s.waiting) : 0;
    if (w.sched.on(sched::Feature::SHARED_RUNQ)) {
        std::vector<std::int32_t> perLlc(static_cast<std::size_t>(w.hw->topology.llcCount()));
        for (std::size_t i = 0; i < w.sched.shards.size(); ++i) {
            const sched::Shard& shard = w.sched.shards[i];
            ShardView v;
            v.llc = shard.llc;
            v.indexInLlc = perLlc[shard.llc.index()]++;
            v.length = shard.length;
            for (TaskId t = shard.head; t && static_cast<int>(v.tasks.size()) < kShardChips; t = w.sched.task(t).shardNext)
                v.tasks.push_back(t);
            v.lock = lockView(w, w.shardLock[i]);
            s.shards.push_back(std::move(v));
        }
    }
    for (std::size_t f = 0; f < sched::kFeatures; ++f) {
        const auto feature = static_cast<sched::Feature>(f);
        const sched::FeatureInfo& fi = sched::info(feature);
        const bool exists = w.sched.kernel.preset && sched::has(w.sched.kernel.preset->exists, feature);
        FeatureView v;
        v.feature = feature;
        v.on = w.sched.on(feature);
        v.reason = featureReason(w, fi, exists);
        v.available = v.reason.empty();
        s.features.push_back(v);
    }
    const auto tunables = sched::tunableTable();
    for (std::size_t i = 0; i < tunables.size(); ++i)
        s.tunables.push_back({static_cast<std::int32_t>(i), w.sched.kernel.tunables.*tunables[i].field});
    s.preemption = std::string(sched::preemptionName(w.sched.kernel.preemption));
    s.nextTime = w.nextTime();
    if (!w.completions.empty() && w.completions.topTime() == s.nextTime)
        s.nextCpu = CpuId(static_cast<std::int32_t>(w.completions.topSlot()));
    s.numbers = session.numbers();
    if (selected && selected.index() < w.cpus.size()) {
        s.selectedCpu = selected;
        s.selectedQueue = queueOf(w, selected);
    }
    s.memoryUsed = session.memoryUsed();
    s.memoryBudget = session.memoryBudget();
    return s;
}

void MoveLog::on(SimTime t, const Record& r) {
    if (const auto* wake = std::get_if<WakeRecord>(&r)) {
        Move m{Move::Kind::Wake, t, wake->task, wake->wakerCpu, wake->target, MoveReason::Wakeup, Distance::Self};
        if (m_topology) m.distance = m_topology->distance(wake->wakerCpu, wake->target);
        add(m);
    } else if (const auto* move = std::get_if<MigrateRecord>(&r)) {
        add({Move::Kind::Migrate, t, move->task, move->from, move->to, move->reason, move->distance});
    } else if (const auto* lock = std::get_if<LockRecord>(&r)) {
        if (lock->phase == LockPhase::Acquire && lock->contended)
            add({Move::Kind::LockHandover, t, {}, {}, lock->cpu, MoveReason::Wakeup, Distance::Self});
    }
}

void MoveLog::onDecision(SimTime t, const Decision& d) {
    m_decision = d;
    m_decisionTime = t;
}

void MoveLog::add(const Move& m) {
    if (m_moves.size() < kMoves) {
        m_moves.push_back(m);
        return;
    }
    m_moves[m_oldest] = m;
    m_oldest = (m_oldest + 1) % kMoves;
}

void MoveLog::clear() {
    m_moves.clear();
    m_oldest = 0;
}

} // namespace rqs::session
