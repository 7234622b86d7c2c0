// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sim/world.h"

#include "core/sched/group_shares.h"
#include "core/sched/groups.h"
#include "core/sched/wakeup.h"
#include "core/sim/exec.h"
#include "core/workload/groups.h"

#include <map>
#include <string_view>

namespace rqs::sim {

namespace {

using engine::Purpose;
using machine::Context;

Context context(Path kind, std::uint8_t pc) {
    Context ctx;
    ctx.kind = static_cast<std::uint8_t>(kind);
    ctx.pc = pc;
    return ctx;
}

void addLocks(World& w) {
    const auto cpus = static_cast<std::int32_t>(w.cpus.size());
    w.locks = machine::LockTable(cpus);
    for (std::int32_t c = 0; c < cpus; ++c) w.rqLock.push_back(w.locks.add(LockClass::Rq, c));
    // Shards are numbered over the machine; there are at most as many as CPUs (shard size 1).
    for (std::int32_t s = 0; s < cpus; ++s) w.shardLock.push_back(w.locks.add(LockClass::Shard, s));
    for (std::size_t t = 0; t < w.tasks.size(); ++t)
        w.piLock.push_back(w.locks.add(LockClass::Pi, static_cast<std::int32_t>(t)));
}

void addTask(World& w, const workload::TaskSpec& spec) {
    const int cpus = w.cpuCount();
    MaskId mask(0);
    if (!spec.cpus.empty()) {
        CpuMask m(cpus);
        for (const std::int32_t c : spec.cpus) m.set(CpuId(c));
        mask = sched::internMask(w.sched, m);
    }
    const TaskId t = sched::addTask(w.sched, spec.nice, static_cast<sched::TaskPolicy>(spec.policy), mask, spec.mm,
                                    {spec.sliceNs});
    TaskExec te;
    te.exactStart = spec.exactStart;
    te.releaseAt = {spec.startNs};
    const auto who = static_cast<std::uint32_t>(t.v);
    if (!spec.exactStart) te.releaseAt.ns += static_cast<std::int64_t>(
        engine::drawBelow(w.seed, who, Purpose::StartOffset, 0, 50001));
    w.tasks.push_back(te);
    // Released by a timer on some allowed CPU; fork placement then chooses.
    const CpuMask& allowed = w.sched.masks[mask.index()];
    const CpuId home = allowed.next(t.v % cpus);
    w.sched.task(t).cpu = home ? home : allowed.first();
    w.sched.task(t).state = sched::TaskState::New;
    machine::Stack stack;
    stack.push(context(Path::Program, 0));
    stack.push(context(Path::Schedule, kScheduleTail));
    w.stacks.push_back(stack);
}

void addGroups(World& w, const workload::Workload& workload) {
    std::map<std::string_view, GroupId> ids;
    for (const workload::GroupSpec& g : workload.groups) {
        const auto parent = ids.find(workload::parentPath(g.path));
        ids[g.path] = sched::addGroup(w.sched, parent == ids.end() ? GroupId(0) : parent->second,
                                      sched::sharesOfCpuShares(g.shares));
    }
    for (std::size_t t = 0; t < workload.tasks.size(); ++t)
        if (const auto g = ids.find(workload.tasks[t].group); g != ids.end()) w.sched.tasks[t].group = g->second;
    sched::layOutGroups(w.sched);
}

} // namespace

World makeWorld(std::shared_ptr<const machine::Hardware> hw, sched::KernelConfig kernel,
                const workload::Workload& workload, std::uint64_t seed) {
    World w;
    w.hw = hw;
    w.seed = seed;
    w.costs = machine::jittered(hw->costs, seed);
    const auto cpus = static_cast<std::size_t>(hw->topology.cpuCount());
    w.sched = sched::makeState(hw, kernel);
    w.work = workload::makeState(workload, hw->pageSize);
    w.cpus.resize(cpus);
    w.busyThreads.assign(static_cast<std::size_t>(hw->topology.coreCount()), 0);
    const auto tick = static_cast<std::uint64_t>(w.sched.kernel.tunables.tick().ns);
    for (std::size_t c = 0; c < cpus; ++c) {
        w.cpus[c].stack = static_cast<std::int32_t>(c);
        w.cpus[c].tickBase = {static_cast<std::int64_t>(
            engine::drawBelow(seed, static_cast<std::uint32_t>(c), Purpose::TickPhase, 0, tick))};
        machine::Stack idle;
        idle.push(context(Path::Idle, kIdleHalted));
        w.stacks.push_back(idle);
        sched::noteIdle(w.sched, CpuId(c));
    }
    for (const workload::TaskSpec& spec : workload.tasks) addTask(w, spec);
    addGroups(w, workload);
    addLocks(w);
    w.completions = engine::IndexedHeap(cpus);
    w.timers = engine::IndexedHeap(cpus + w.tasks.size());
    w.messages = engine::IndexedHeap(cpus);
    for (std::size_t t = 0; t < workload.tasks.size(); ++t) {
        if (workload.tasks[t].startsByFork) continue;
        ++w.aliveTasks;
        w.timers.set(static_cast<std::uint32_t>(cpus + t), w.tasks[t].releaseAt);
    }
    return w;
}

} // namespace rqs::sim
