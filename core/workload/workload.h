// SPDX-License-Identifier: GPL-3.0-or-later
// What tasks want to do: immutable programs, and the state of pipes, sockets, futexes and timers they share.
// Time is not passed here. The dispatcher alternates: begin() says how long the next operation keeps the CPU,
// finish() applies its effect when that time is over. Both are O(1) and allocate nothing.
#pragma once
#include "core/base/ids.h"
#include "core/base/units.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace rqs::workload {

/// Operations; wake and block rules: preempt_workloads 3.1. Costs are the machine's, looked up by the dispatcher.
enum class OpKind : std::uint8_t {
    Compute,     ///< amount = ns of user work at full speed
    SpinUser,    ///< forever in user mode (a hog)
    Syscall,     ///< amount = ns in the kernel (0: the empty syscall's cost)
    PipeWrite, PipeRead,  ///< object, amount = bytes; repeats the call until all are moved, as hackbench does
    UnixSend, UnixRecv,   ///< the same on one direction of a stream socket pair
    FutexWait,   ///< object; consumes a pending token if there is one, else blocks
    FutexWake,   ///< object, amount = units to hand out: to waiters in queue order, the rest become tokens;
                 ///< -1 = wake everybody and leave no token
    Sleep,       ///< amount = ns, relative; the timer fires at the end of its slack (amount2 ns; 50 us by default)
    TimerWait,   ///< amount = period; absolute grid from the instant the task first ran; amount2 = slack in ns
    CpuBurn,     ///< amount = ns of CPU time (lab "cpu:NS"); same as Compute on an unshared thread
    Yield,
    Fork,        ///< object = index of the task to start; a second time it does nothing
    Exit,
    LoopBegin,   ///< amount = count (-1 forever); takes no time; at most kMaxLoopDepth inside each other
    LoopEnd,     ///< takes no time
    Done         ///< counts `amount` workload units when the operation before it ends (after a Sleep or TimerWait:
                 ///< when the next one ends); takes no time
};
inline constexpr std::int32_t kMaxLoopDepth = 4;
inline constexpr std::int64_t kDefaultSlackNs = 50'000;   ///< timer slack of normal tasks
inline constexpr std::int64_t kForeverNs = 1'000'000'000'000'000;  ///< one SpinUser burst: 11 days

struct Op {
    OpKind kind{};
    std::int32_t object = -1;
    std::int64_t amount = 0, amount2 = 0;
    bool operator==(const Op&) const = default;
};

/// Immutable program shared by any number of tasks. A task that reaches the end exits.
struct Code {
    std::string name;
    std::vector<Op> ops;
    bool operator==(const Code&) const = default;
};

/// One task as a workload asks for it.
struct TaskSpec {
    std::string comm;          ///< <= 15 characters
    std::string role;          ///< colour group in the picture: "snd", "rcv", "hog", ...
    std::int32_t nice = 0;
    std::int32_t policy = 0;   ///< sched::TaskPolicy as integer (workload does not see sched)
    std::int64_t sliceNs = 0;  ///< custom slice, 0 = default
    std::vector<std::int32_t> cpus;  ///< affinity; empty = all
    std::string group;         ///< path of its task group; empty = root
    std::int32_t session = 0;  ///< terminal session: what autogroup makes groups of; 0 = none
    std::int32_t mm = 0;       ///< address space
    std::int32_t code = 0;     ///< index into Workload::codes
    std::int64_t startNs = 0;  ///< released at this time (+ the seed's offset unless exactStart)
    bool exactStart = false;
    bool startsByFork = false; ///< exists but sleeps until a Fork op names it
    bool operator==(const TaskSpec&) const = default;
};
enum class ObjectKind : std::uint8_t { Pipe, UnixSocket, Futex };
/// Futex: a = tokens at the start. A pipe has 16 pages of the machine's size; a socket is one direction.
struct ObjectSpec {
    ObjectKind kind{};
    std::int64_t a = 0;
    bool operator==(const ObjectSpec&) const = default;
};

/// A task group, as in a cgroup file system.
struct GroupSpec {
    std::string path;            ///< "/a/b"
    std::int64_t shares = 1024;  ///< cpu.shares, 1024 = nice 0
    bool implied = false;        ///< nobody declared it: it is above one that was declared
    bool operator==(const GroupSpec&) const = default;
};

/// A whole workload: values only; made by generators and by scenario files. Check with validate() in program.h.
struct Workload {
    std::vector<Code> codes;
    std::vector<TaskSpec> tasks;
    std::vector<ObjectSpec> objects;
    std::vector<GroupSpec> groups;  ///< parents before children; see groups.h
    std::string unit;          ///< of throughput: "messages", "loops", ...
    bool lowerIsBetter = false;
    bool operator==(const Workload&) const = default;
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
    bool wakes = false;        ///< popWake() has tasks to wake; may come with Block (a writer that fills a pipe)
    bool sync = false;         ///< WF_SYNC for these wakeups
    std::int64_t done = 0;     ///< workload units completed
};

inline constexpr std::int32_t kPipePages = 16;
inline constexpr std::int64_t kUnixSendBuffer = 212'992;  ///< net.core.wmem_default

/// Copyable run-time state.
struct State {
    /// Tasks that sleep in an operation, first come first, linked through TaskProg.
    struct WaitList {
        TaskId head, tail;
        std::int32_t count = 0;
    };
    enum class Phase : std::uint8_t {
        Fresh,     ///< the current operation has not slept yet
        Waiting,   ///< is in a wait list
        Selected,  ///< a wakeup took it off the wait list; it must look again
        Asleep     ///< timed sleep until `progress`
    };
    struct TaskProg {
        std::int32_t code = 0, pc = 0, depth = 0;
        Phase phase = Phase::Fresh;
        bool writer = false;         ///< which wait list of waitObject
        bool inWakeList = false;
        bool forked = false;         ///< a Fork named it
        std::int64_t loop[kMaxLoopDepth]{};
        std::int64_t timerNext = -1; ///< last instant of the timer grid; -1 before the task first ran
        std::int64_t progress = 0;   ///< bytes the current operation has moved, or when its sleep ends
        std::int64_t done = 0;       ///< units completed but not yet reported
        std::int32_t waitObject = -1;
        TaskId nextWaiter, prevWaiter;
        TaskId nextWake;             ///< in the list of its waker
        TaskId wakeTail;             ///< end of the list that starts at wakeHead[task]
    };
    /// 16 pages in a ring; `len` = unread bytes of each.
    struct Pipe {
        std::array<std::int32_t, kPipePages> len{};
        std::int32_t first = 0, used = 0;
        std::int32_t lastEnd = 0;    ///< where the next small write would be merged into the newest page
        std::int64_t bytes = 0;
        WaitList readers, writers;
    };
    /// Queue of buffers. All of one size: `unit`; else each buffer's size is in State::ring.
    struct Socket {
        std::int64_t queued = 0, charge = 0;
        std::int32_t messages = 0, headRead = 0;
        std::int32_t unit = 0, ringBase = 0, ringFirst = 0;
        WaitList readers, writers;
    };
    struct Futex {
        std::int64_t tokens = 0;
        WaitList waiters;
    };
    struct Object {
        ObjectKind kind{};
        std::int32_t index = 0;
    };
    std::shared_ptr<const std::vector<Code>> codes;  ///< compiled: LoopBegin/LoopEnd carry their target in amount2
    std::vector<TaskProg> tasks;
    std::vector<Object> objects;
    std::vector<Pipe> pipes;
    std::vector<Socket> sockets;
    std::vector<Futex> futexes;
    std::vector<TaskId> wakeHead;     ///< per task: wakeups its last operation owes, in order
    std::vector<std::int32_t> ring;   ///< sizes of queued buffers, for sockets whose messages differ in size
    std::int32_t pageSize = 4096;
};

/// State at the start. A workload that validate() refuses gives programs that exit at once, never a crash.
State makeState(const Workload& w, int pageSize);
/// Next operation of a task that runs.
Begin begin(State& s, TaskId t, SimTime now);
/// The time begin() asked for is over. After Block the task sleeps; when it runs again begin() is asked anew.
Effect finish(State& s, TaskId t, SimTime now);
/// Next task to wake on behalf of `waker`; none when all are done.
TaskId popWake(State& s, TaskId waker);
/// Ends a killed task's program and takes it out of every wait list. True if popWake(t) now has a task to wake:
/// an exclusive wakeup the dead task can no longer use is passed on.
bool forget(State& s, TaskId t);

} // namespace rqs::workload
