// SPDX-License-Identifier: GPL-3.0-or-later
// Small machines for tests of core/sched: the shapes of the model documents, empty states on them, and ways
// to put tasks on CPUs without going through the fair class.
#pragma once
#include "core/machine/shape.h"
#include "core/sched/state.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string_view>

namespace rqs {
inline void PrintTo(CpuId c, std::ostream* out) { *out << "CPU " << c.v; }
inline void PrintTo(TaskId t, std::ostream* out) { *out << "task " << t.v; }
inline void PrintTo(ShardId s, std::ostream* out) { *out << "shard " << s.v; }
} // namespace rqs

namespace rqs::sched::test {

/// `sockets` x `llcs` (per socket) x `cores` (per LLC) x `threads`.
inline machine::Shape shape(int sockets, int llcs, int cores, int threads,
                            machine::Numbering numbering = machine::Numbering::AllFirstThreads) {
    machine::Shape s;
    s.sockets = sockets;
    s.llcsPerNode = {llcs};
    s.coresPerLlc = cores;
    s.threads = threads;
    s.numbering = numbering;
    if (sockets == 2) s.distances = {{10, 32}, {32, 10}};
    return s;
}
inline machine::Shape ryzen7950x() { return shape(1, 2, 8, 2); } ///< siblings c, c+16
inline machine::Shape skylake36() { return shape(1, 1, 18, 2); } ///< siblings c, c+18; one LLC
inline machine::Shape milan72() { return shape(1, 6, 6, 2); }    ///< 6 LLCs of 12, siblings c, c+36
inline machine::Shape zen3Two64() { return shape(2, 8, 8, 2); }  ///< siblings c, c+128
inline machine::Shape toyBoxA() { return shape(1, 2, 4, 2); }    ///< LLC0 = 0-3,8-11, LLC1 = 4-7,12-15
inline machine::Shape fourCores() { return shape(1, 1, 4, 1); }  ///< no SMT
inline machine::Shape iceLakeInterleaved() { return shape(2, 1, 32, 2, machine::Numbering::Interleaved); }
inline machine::Shape power9() { ///< 2 x 16 cores SMT4, L2 (the LLC) per core pair, siblings adjacent
    machine::Shape s = shape(2, 8, 2, 4, machine::Numbering::Adjacent);
    s.levels = machine::LevelScheme::Power9;
    return s;
}

inline std::shared_ptr<const machine::Hardware> hardware(const machine::Shape& shape) {
    auto spec = machine::expand(shape);
    if (!spec) throw std::runtime_error(spec.error().text());
    auto topology = machine::Topology::build(std::move(spec).value());
    if (!topology) throw std::runtime_error(topology.error().text());
    machine::Hardware hw;
    hw.id = "toy";
    hw.topology = std::move(topology).value();
    auto domains = machine::DomainTable::build(hw.topology, CpuMask::all(hw.topology.cpuCount()));
    if (!domains) throw std::runtime_error(domains.error().text());
    hw.domains = std::move(domains).value();
    return std::make_shared<const machine::Hardware>(std::move(hw));
}

/// Empty machine under a kernel preset (default: the base of the SHARED_RUNQ figures), features at its
/// defaults.
inline State emptyState(const machine::Shape& shape, std::string_view kernel = "6.5-tip-88c56cf") {
    auto hw = hardware(shape);
    const KernelPreset* preset = kernelById(kernel);
    if (!preset) throw std::runtime_error("no such kernel preset");
    const int cpus = hw->topology.cpuCount();
    return makeState(std::move(hw), makeKernel(*preset, cpus, 250));
}

inline void turn(State& s, Feature f, bool on) { s.kernel.features.set(static_cast<std::size_t>(f), on); }

inline TaskId newTask(State& s) { return addTask(s, 0, TaskPolicy::Normal, MaskId(0), 0, {}); }
inline TaskId newTask(State& s, std::initializer_list<int> cpus) {
    CpuMask m(s.hw->topology.cpuCount());
    for (int c : cpus) m.set(CpuId(c));
    return addTask(s, 0, TaskPolicy::Normal, internMask(s, m), 0, {});
}

/// `t` last ran on `c` and sleeps.
inline void putToSleep(State& s, TaskId t, int c) {
    s.task(t).cpu = s.task(t).recentUsedCpu = CpuId(c);
    s.task(t).state = TaskState::Sleeping;
}
/// `t` runs on `c`. Queue members are set by hand: the tree is a chain, good enough for code that only walks
/// it.
inline void runOn(State& s, TaskId t, int c) {
    Rq& q = s.rq(CpuId(c));
    q.curr = t;
    q.cfs.curr = t.v;
    ++q.cfs.nr;
    q.cfs.nrIdle += s.task(t).policy == TaskPolicy::Idle ? 1 : 0;
    s.entity(t).onRq = true;
    s.task(t).onCpu = true;
    s.task(t).cpu = CpuId(c);
    s.task(t).state = TaskState::Running;
}
inline TaskId busy(State& s, int c) {
    const TaskId t = newTask(s);
    runOn(s, t, c);
    return t;
}
inline void busy(State& s, std::initializer_list<int> cpus) {
    for (int c : cpus) busy(s, c);
}
/// `t` waits on `c`.
inline void queueOn(State& s, TaskId t, int c, SimTime ranUntil = {}) {
    Rq& q = s.rq(CpuId(c));
    Entity& e = s.entity(t);
    e.onRq = true;
    e.execStart = ranUntil;
    e.sequence = q.cfs.nextSequence++;
    e.left = -1;
    e.right = q.cfs.root;
    q.cfs.root = t.v;
    ++q.cfs.nr;
    q.cfs.nrIdle += s.task(t).policy == TaskPolicy::Idle ? 1 : 0;
    s.task(t).cpu = CpuId(c);
    s.task(t).state = TaskState::Running;
}

} // namespace rqs::sched::test
