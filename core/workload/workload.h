// SPDX-License-Identifier: GPL-3.0-or-later
// What tasks want to do: immutable programs, and the state of pipes, sockets, futexes and timers they share.
// Time is not passed here. The dispatcher alternates: begin() says how long the next operation keeps the CPU,
// finish() applies its effect when that time is over. Both are O(1) and allocate nothing.
#pragma once
#include "core/base/ids.h"
#include "core/base/units.h"

#include <memory>
#include <string>
#include <vector>

namespace rqs::workload {

/// Operations; wake and block rules: preempt_workloads 3.1. Costs are the machine's, looked up by the dispatcher.
enum class OpKind : std::uint8_t {
    Compute,     ///< amount = ns of user work at full speed
    SpinUser,    ///< forever in user mode (a hog)
    Syscall,     ///< amount = ns in the kernel (0: the empty syscall's cost)
    PipeWrite, PipeRead, UnixSend, UnixRecv,  ///< object, amount = bytes
    FutexWait,   ///< object; consumes a pending token if there is one, else blocks
    FutexWake,   ///< object, amount = how many
    Sleep,       ///< amount = ns, relative; wake in [t, t + 50 us] timer slack = amount2
    TimerWait,   ///< amount = period; absolute grid from the first use
    CpuBurn,     ///< amount = ns of CPU time (lab "cpu:NS"); same as Compute on an unshared thread
    Yield,
    Fork,        ///< object = index of the task to start
    Exit,
    LoopBegin,   ///< amount = count (-1 forever); takes no time
    LoopEnd,     ///< takes no time
    Done         ///< counts `amount` workload units; takes no time
};

struct Op {
    OpKind kind{};
    std::int32_t object = -1;
    std::int64_t amount = 0, amount2 = 0;
};

/// Immutable program shared by any number of tasks.
struct Code {
    std::string name;
    std::vector<Op> ops;
};

/// One task as a workload asks for it.
struct TaskSpec {
    std::string comm;          ///< <= 15 characters
    std::string role;          ///< colour group in the picture: "snd", "rcv", "hog", ...
    std::int32_t nice = 0;
    std::int32_t policy = 0;   ///< sched::TaskPolicy as integer (workload does not see sched)
    std::int64_t sliceNs = 0;  ///< custom slice, 0 = default
    std::vector<std::int32_t> cpus;  ///< affinity; empty = all
    std::int32_t mm = 0;       ///< address space
    std::int32_t code = 0;     ///< index into Workload::codes
    std::int64_t startNs = 0;  ///< released at this time (+ the seed's offset unless exactStart)
    bool exactStart = false;
    bool startsByFork = false; ///< exists but sleeps until a Fork op names it
};
enum class ObjectKind : std::uint8_t { Pipe, UnixSocket, Futex };
struct ObjectSpec { ObjectKind kind{}; std::int64_t a = 0; };  ///< pipe: capacity in pages is a machine matter

/// A whole workload: values only; made by generators and by scenario files.
struct Workload {
    std::vector<Code> codes;
    std::vector<TaskSpec> tasks;
    std::vector<ObjectSpec> objects;
    std::string unit;          ///< of throughput: "messages", "loops", ...
    bool lowerIsBetter = false;
};

/// What the CPU does next for a task.
struct Begin {
    enum class Kind : std::uint8_t { User, Kernel, Exit } kind{};
    OpKind op{};               ///< the dispatcher looks the cost of a Kernel op up by this
    std::int64_t ns = 0;       ///< User: work; Kernel: explicit extra ns
    std::int64_t bytes = 0;    ///< payload copied
    std::int32_t wakes = 0;    ///< FutexWake: tasks that will be woken (cost per task)
    bool resumed = false;      ///< continuing an operation after having slept in it: entry cost was paid
};

/// What the operation did.
struct Effect {
    enum class Kind : std::uint8_t { Continue, Block, SleepUntil, Yield, Exit, Fork } kind = Kind::Continue;
    SimTime until{};           ///< SleepUntil
    TaskId child;              ///< Fork
    bool wakes = false;        ///< popWake() has tasks to wake
    bool sync = false;         ///< WF_SYNC for these wakeups
    std::int64_t done = 0;     ///< workload units completed
};

/// Copyable run-time state.
struct State {
    struct TaskProg { std::int32_t code = 0, pc = 0; std::int32_t depth = 0; std::int64_t loop[4]{}; std::int64_t timerNext = -1; std::uint8_t phase = 0; TaskId nextWaiter, nextWake; std::int32_t waitObject = -1; };
    struct Pipe { std::int64_t bytes = 0, slots = 0, slotBytes = 0; TaskId readHead, readTail, writeHead, writeTail; };
    struct Socket { std::int64_t queued = 0, charge = 0; TaskId readHead, readTail, writeHead, writeTail; };
    struct Futex { std::int64_t tokens = 0; TaskId head, tail; };
    struct Object { ObjectKind kind{}; std::int32_t index = 0; };
    std::shared_ptr<const std::vector<Code>> codes;
    std::vector<TaskProg> tasks;
    std::vector<Object> objects;
    std::vector<Pipe> pipes;
    std::vector<Socket> sockets;
    std::vector<Futex> futexes;
    std::vector<TaskId> wakeHead;   ///< per task: wakeups its last operation owes, in order
    std::int32_t pageSize = 4096;
};

State makeState(const Workload& w, int pageSize);
/// Next operation of a task that runs.
Begin begin(State& s, TaskId t, SimTime now);
/// The time begin() asked for is over. After Block the task sleeps; when it runs again begin() is asked anew.
Effect finish(State& s, TaskId t, SimTime now);
/// Next task to wake on behalf of `waker`; none when all are done.
TaskId popWake(State& s, TaskId waker);
/// Takes a killed task out of every wait list.
void forget(State& s, TaskId t);

} // namespace rqs::workload
