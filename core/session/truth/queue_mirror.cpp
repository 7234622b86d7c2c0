// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the model of the recorded guest and keeps pids and tasks together.
#include "core/session/truth/queue_mirror.h"

#include "core/sched/eevdf.h"
#include "core/session/truth/guest.h"

#include <algorithm>

namespace rqs::session::truth {
namespace {

constexpr int kGuestCpus = 2, kGuestHz = 250;

/// Two CPUs of one socket, a core each, one cache: the guest of families b, c, g and k61.
Result<std::shared_ptr<const machine::Hardware>> guestHardware() {
    machine::TopologySpec spec;
    for (int i = 0; i < kGuestCpus; ++i)
        spec.cpus.push_back({CpuId(i), CoreId(i), LlcId(0), NodeId(0), i, 0, 0});
    spec.osNode = {0};
    auto hw = std::make_shared<machine::Hardware>();
    hw->id = "gt-smp2";
    auto topology = machine::Topology::build(std::move(spec));
    if (!topology) return topology.error();
    hw->topology = std::move(*topology);
    auto domains = machine::DomainTable::build(hw->topology, CpuMask::all(kGuestCpus));
    if (!domains) return domains.error();
    hw->domains = std::move(*domains);
    hw->speedModel = machine::SpeedModel::SharedStream;
    hw->hz = kGuestHz;
    return std::shared_ptr<const machine::Hardware>(std::move(hw));
}

Result<sched::KernelConfig> guestKernel(const Case& c) {
    const auto found = guestPreset(c);
    if (!found) return found.error();
    const sched::KernelPreset* preset = *found;
    if (preset->policy != sched::Policy::Eevdf)
        return Error{(c.folder / "cmd").string(), "the replay covers EEVDF kernels only", ""};
    auto kernel = sched::makeKernel(*preset, kGuestCpus, kGuestHz);
    for (const auto& [name, on] : c.features)
        if (const auto f = sched::featureByName(name); f && sched::has(preset->exists, *f))
            kernel.features.set(static_cast<std::size_t>(*f), on);
    kernel.tunables.base_slice_ns = c.knob("base_slice_ns", kernel.tunables.base_slice_ns);
    return kernel;
}

sched::TaskPolicy policyOf(std::string_view name) {
    if (name == "batch") return sched::TaskPolicy::Batch;
    return name == "idle" ? sched::TaskPolicy::Idle : sched::TaskPolicy::Normal;
}

} // namespace

Result<QueueMirror> QueueMirror::make(const Case& c, CpuId cpu, const sched::RuleOverrides& rules) {
    auto hw = guestHardware();
    if (!hw) return hw.error();
    auto kernel = guestKernel(c);
    if (!kernel) return kernel.error();
    QueueMirror m;
    m.state = sched::makeState(std::move(*hw), std::move(*kernel));
    m.state.rules = rules;
    m.cpu = cpu;
    m.m_case = &c;
    return m;
}

TaskId QueueMirror::find(std::int32_t pid) const {
    const auto t = m_tasks.find(pid);
    return t == m_tasks.end() ? TaskId{} : t->second;
}

TaskId QueueMirror::get(std::int32_t pid, std::int32_t prio) {
    if (const TaskId known = find(pid)) return known;
    int nice = std::clamp(prio - 120, -20, 19);
    auto policy = sched::TaskPolicy::Normal;
    Duration slice{0};
    for (const CaseTask& t : m_case->tasks)
        if (t.pid == pid) {
            nice = t.nice;
            policy = policyOf(t.policy);
            slice = Duration{t.sliceNs};
        }
    const TaskId t = sched::addTask(state, nice, policy, MaskId(0), pid, slice);
    state.task(t).cpu = cpu;
    m_tasks.emplace(pid, t);
    m_pids.push_back(pid);
    return t;
}

std::string QueueMirror::nameOf(std::int32_t pid) const {
    if (pid == 0) return "idle";
    for (const CaseTask& t : m_case->tasks)
        if (t.pid == pid) return t.name + "-" + std::to_string(pid);
    return "pid " + std::to_string(pid);
}

std::string QueueMirror::nameOf(TaskId t) const { return nameOf(pidOf(t)); }

TaskId QueueMirror::running() const {
    const auto current = state.rq(cpu).cfs.curr;
    return current < 0 ? TaskId{} : TaskId(current);
}

void QueueMirror::takeOver(TaskId t, std::uint64_t vruntime, std::uint64_t deadline) {
    if (!queued(t)) sched::enqueueTask(state, cpu, t, sched::EnqueueKind::Restore, now);
    sched::eevdf::relocate(state, rq().cfs, t.v, VTime{vruntime}, VTime{deadline});
}

void QueueMirror::remove(TaskId t) {
    entity(t).delayed = false;
    sched::dequeueTask(state, cpu, t, sched::DequeueKind::Migrate, now);
    entity(t).relDeadline = false;
}

void QueueMirror::switchTo(TaskId t) {
    const TaskId previous = running();
    if (previous == t) return;
    if (previous) {
        sched::putPrev(state, cpu, now);
        state.task(previous).onCpu = false;
    }
    rq().curr = t;
    if (!t) return;
    sched::setNext(state, cpu, t, now);
    state.task(t).onCpu = true;
}

} // namespace rqs::session::truth
