// SPDX-License-Identifier: GPL-3.0-or-later
// Named workloads with arguments: what a scenario's "generator" and "args" mean. Shapes of the published
// benchmarks: preempt_workloads 3.2.
#pragma once
#include "core/base/result.h"
#include "core/workload/workload.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace rqs::workload {

struct ArgumentInfo {
    std::string_view name;
    std::string_view value; ///< what may stand there, and the default
    std::string_view meaning;
};
struct GeneratorInfo {
    std::string_view name;
    std::string_view meaning;
    std::span<const ArgumentInfo> arguments;
};
/// All generators, in the order of lists and menus.
std::span<const GeneratorInfo> generators();
/// nullptr if there is none of that name.
const GeneratorInfo* generatorByName(std::string_view name);

/// The workload `name` makes of `args`. Errors: `where` = the argument at fault, or "generator" for an
/// unknown name, or "".
Result<Workload> generate(const std::string& name, const std::map<std::string, std::string>& args);

/// Every CPU that a task names exists on a machine with `cpus` CPUs.
Status fitsMachine(const Workload& w, int cpus);

/// Pairs of processes that pass one byte to and fro through two pipes; per task [burn] write read, the other
/// one read [burn] write. Done counts round trips.
struct PairShape {
    std::int64_t pairs = 1;
    std::int64_t burnNs = 0;  ///< user work before each write
    std::int64_t pauseNs = 0; ///< sleep of the first task after each round trip
    std::int64_t pauseSlackNs = kDefaultSlackNs;
    bool socket = false;            ///< stream sockets instead of pipes
    bool threads = false;           ///< both of a pair in one address space
    std::vector<std::int32_t> cpus; ///< affinity of all; empty = everywhere
};
Workload pingpongPairs(const PairShape& shape);

/// Message threads with one worker each that wake each other through futexes; all of one process. Done counts
/// transfers, one per turn of a worker.
struct FutexPairShape {
    std::int64_t pairs = 1;
    std::int64_t memsetNs = 32; ///< time to fill one message, on both sides
};
Workload schbenchPairs(const FutexPairShape& shape);

/// Per group `fds` receivers, then `fds` senders; each sender writes to each receiver of its group in turn,
/// `loops` times; each receiver has one pipe or socket and reads fds x loops messages. Done counts messages
/// received. Nothing is modelled of the set-up: without `mainTask` all are released together at time 0; with
/// it each reports ready and waits, and an additional task releases all when the last one is ready.
struct HackbenchShape {
    std::int64_t groups = 10, fds = 20, loops = 100, bytes = 100;
    bool threads = false; ///< one address space
    bool pipes = false;   ///< pipes instead of stream sockets
    bool mainTask = false;
};
Workload hackbench(const HackbenchShape& shape);

} // namespace rqs::workload
