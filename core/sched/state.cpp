// SPDX-License-Identifier: GPL-3.0-or-later
// Making an empty machine and adding tasks to it.
#include "core/sched/state.h"

#include "core/sched/queue.h"
#include "core/sched/shared_runq.h"

#include <algorithm>

namespace rqs::sched {
namespace {

/// What sched_setattr accepts as a request.
constexpr Duration kMinSlice{100000}, kMaxSlice{100000000};

} // namespace

State makeState(std::shared_ptr<const machine::Hardware> hw, KernelConfig kernel) {
    State s;
    s.hw = std::move(hw);
    s.kernel = kernel;
    const int cpus = s.hw->topology.cpuCount();
    s.rqs.resize(static_cast<std::size_t>(cpus));
    for (int c = 0; c < cpus; ++c) {
        const std::size_t domains = s.hw->domains.of(CpuId(c)).size();
        s.rq(CpuId(c)).maxNewidleCost.resize(domains);
        s.rq(CpuId(c)).lastDecay.resize(domains);
    }
    s.masks.push_back(CpuMask::all(cpus));
    s.hasIdleCores.assign(static_cast<std::size_t>(s.hw->topology.llcCount()), 0);
    layOutShards(s);
    return s;
}

MaskId internMask(State& s, const CpuMask& m) {
    const auto it = std::find(s.masks.begin(), s.masks.end(), m);
    const auto index = static_cast<std::size_t>(it - s.masks.begin());
    if (it == s.masks.end()) s.masks.push_back(m);
    return MaskId(index);
}

TaskId addTask(State& s, int nice, TaskPolicy policy, MaskId allowed, int mm, Duration slice) {
    const TaskId id(s.tasks.size());
    Task t;
    t.policy = policy;
    t.nice = static_cast<std::int8_t>(std::clamp(nice, kMinNice, kMaxNice));
    t.allowed = allowed;
    t.nrAllowed = s.masks[allowed.index()].count();
    t.mm = mm;
    Entity e;
    const Load load = policy == TaskPolicy::Idle ? loadOfIdlePolicy() : loadOfNice(nice);
    setWeight(s, e, load);
    e.idlePolicy = policy == TaskPolicy::Idle;
    e.customSlice = slice.ns != 0 && s.kernel.preset->customSlice;
    e.slice =
        e.customSlice ? std::clamp(slice, kMinSlice, kMaxSlice) : Duration{s.kernel.tunables.base_slice_ns};
    s.tasks.push_back(t);
    s.entities.push_back(e);
    return id;
}

} // namespace rqs::sched
