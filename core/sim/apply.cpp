// SPDX-License-Identifier: GPL-3.0-or-later
// User inputs, applied between two steps. They change state at one instant; work they cause (a task that must
// leave its CPU) goes through the ordinary kernel paths afterwards.
#include "core/sched/hierarchy.h"
#include "core/sched/shared_runq.h"
#include "core/sim/dispatch.h"
#include "core/sim/exec.h"

namespace rqs::sim {

namespace {

/// Asks the CPU to reschedule at its next opportunity, as an interrupt from outside.
void kick(World& w, CpuId c, RecordSink* sink) {
    Exec x{w, sink, nullptr};
    x.resched(c, CpuId{});
}

/// Makes a task that sleeps run its program again now (wakes it through the timer path).
void wakeSoon(World& w, TaskId t) { w.timers.set(static_cast<std::uint32_t>(w.cpuCount() + t.v), w.now); }

Status applyOne(World& w, const SetFeature& i, RecordSink* sink) {
    const sched::FeatureInfo& f = sched::info(i.feature);
    const bool was = w.sched.on(i.feature);
    Status s = sched::setFeature(w.sched.kernel, f.name, i.on ? "on" : "off");
    if (!s) return s;
    // Switching off drains the shards; switching on starts with empty ones.
    if (i.feature == sched::Feature::SHARED_RUNQ && was != i.on) sched::layOutShards(w.sched);
    if (sink) sink->on(w.now, FeatureRecord{static_cast<std::uint8_t>(i.feature), i.on ? 1 : 0});
    return s;
}

Status applyOne(World& w, const SetTunable& i, RecordSink*) {
    const auto table = sched::tunableTable();
    if (i.index < 0 || static_cast<std::size_t>(i.index) >= table.size()) return Error{"", "no such tunable", ""};
    const sched::TunableInfo& info = table[static_cast<std::size_t>(i.index)];
    if (!info.runtime) return Error{std::string(info.name), "cannot change while the machine runs", "set it in the scenario"};
    Status s = sched::setTunable(w.sched.kernel.tunables, info.name, i.value);
    if (!s) return s;
    sched::tunablesChanged(w.sched);
    if (info.field == &sched::Tunables::shared_runq_shard_size) sched::layOutShards(w.sched);
    return s;
}

Status applyOne(World& w, const SetPreemption& i, RecordSink*) {
    w.sched.kernel.preemption = i.model;
    return Ok{};
}

Status checkTask(const World& w, TaskId t) {
    if (t.v >= 0 && t.index() < w.tasks.size()) return Ok{};
    return Error{"", "no task " + std::to_string(t.v), "tasks are numbered 0 to " + std::to_string(w.tasks.size() - 1)};
}

Status applyOne(World& w, const SetNice& i, RecordSink*) {
    if (Status s = checkTask(w, i.task); !s) return s;
    if (i.nice < -20 || i.nice > 19) return Error{"nice", std::to_string(i.nice) + " is out of range", "-20 to 19"};
    const CpuId c = w.sched.task(i.task).cpu;
    const bool queued = w.sched.entity(i.task).onRq;
    const bool running = queued && sched::currTask(w.sched, c) == i.task;
    if (queued) sched::dequeueTask(w.sched, c, i.task, sched::DequeueKind::Save, w.now);
    if (running) sched::putPrev(w.sched, c, w.now);
    sched::setNice(w.sched, i.task, i.nice);
    if (queued) sched::enqueueTask(w.sched, c, i.task, sched::EnqueueKind::Restore, w.now);
    if (running) sched::setNext(w.sched, c, i.task, w.now);
    return Ok{};
}

Status applyOne(World& w, const KillTask& i, RecordSink* sink) {
    if (Status s = checkTask(w, i.task); !s) return s;
    TaskExec& te = w.tasks[i.task.index()];
    const sched::Task& task = w.sched.task(i.task);
    if (te.killed || task.state == sched::TaskState::Dead) return Error{"kill", "the task has already ended", ""};
    te.killed = true;
    if (task.state == sched::TaskState::Sleeping) {
        wakeSoon(w, i.task);
    } else if (task.onCpu) {
        kick(w, task.cpu, sink);
    }
    return Ok{};
}

Status applyOne(World& w, const SetAffinity& i, RecordSink* sink) {
    if (Status s = checkTask(w, i.task); !s) return s;
    if (i.cpus.width() != w.cpuCount() || i.cpus.empty()) return Error{"affinity", "no CPU of this machine in the list", ""};
    sched::Task& task = w.sched.task(i.task);
    task.allowed = sched::internMask(w.sched, i.cpus);
    task.nrAllowed = i.cpus.count();
    if (!w.sched.entity(i.task).onRq || i.cpus.test(task.cpu)) return Ok{};
    if (task.onCpu) {
        kick(w, task.cpu, sink);  // __schedule() makes it leave
        return Ok{};
    }
    if (task.shard) sched::shardErase(w.sched, i.task);
    sched::dequeueTask(w.sched, task.cpu, i.task, sched::DequeueKind::Save, w.now);
    task.state = sched::TaskState::Sleeping;
    wakeSoon(w, i.task);
    return Ok{};
}

} // namespace

Status apply(World& w, const Input& input, RecordSink* sink) {
    w.fingerprint.add(input.index() + 1);
    return std::visit([&](const auto& i) { return applyOne(w, i, sink); }, input);
}

} // namespace rqs::sim
