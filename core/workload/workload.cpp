// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/workload.h"

#include "core/workload/channels.h"
#include "core/workload/program.h"

#include <algorithm>

namespace rqs::workload {

namespace {

using Phase = State::Phase;
using TaskProg = State::TaskProg;

constexpr std::size_t kRing =
    static_cast<std::size_t>(kUnixSendBuffer / 768 + 1); // buffers a socket can hold

const Code& codeOf(const State& s, const TaskProg& p) { return (*s.codes)[static_cast<std::size_t>(p.code)]; }

/// The operation the task is in; nullptr at the end of its program.
const Op* current(const State& s, const TaskProg& p) {
    const Code& code = codeOf(s, p);
    return static_cast<std::size_t>(p.pc) < code.ops.size() ? &code.ops[static_cast<std::size_t>(p.pc)]
                                                            : nullptr;
}

void advance(const State& s, TaskProg& p) {
    p.phase = Phase::Fresh;
    p.progress = 0;
    ++p.pc;
    settle(codeOf(s, p), p);
}

void addObject(State& s, const Workload& w, std::int32_t id) {
    const ObjectSpec& spec = w.objects[static_cast<std::size_t>(id)];
    switch (spec.kind) {
    case ObjectKind::Pipe:
        s.objects.push_back({spec.kind, static_cast<std::int32_t>(s.pipes.size())});
        s.pipes.emplace_back();
        break;
    case ObjectKind::UnixSocket:
        s.objects.push_back({spec.kind, static_cast<std::int32_t>(s.sockets.size())});
        s.sockets.emplace_back();
        break;
    case ObjectKind::Futex:
        s.objects.push_back({spec.kind, static_cast<std::int32_t>(s.futexes.size())});
        s.futexes.emplace_back().tokens = spec.a;
        break;
    }
}

/// A socket on which every write has the same size needs no list of sizes.
void sizeSockets(State& s) {
    std::vector<std::int64_t> unit(s.sockets.size(), 0); // 0 unused, -1 mixed
    for (const Code& code : *s.codes)
        for (const Op& op : code.ops) {
            if (op.kind != OpKind::UnixSend) continue;
            std::int64_t& u =
                unit[static_cast<std::size_t>(s.objects[static_cast<std::size_t>(op.object)].index)];
            u = (u == 0 || u == op.amount) && op.amount <= unixChunk(s.pageSize) ? op.amount : -1;
        }
    for (std::size_t i = 0; i < unit.size(); ++i) {
        if (unit[i] > 0) {
            s.sockets[i].unit = static_cast<std::int32_t>(unit[i]);
        } else if (unit[i] < 0) {
            s.sockets[i].ringBase = static_cast<std::int32_t>(s.ring.size());
            s.ring.resize(s.ring.size() + kRing);
        }
    }
}

std::int32_t futexWakes(const State& s, const Op& op) {
    const State::Futex& f =
        s.futexes[static_cast<std::size_t>(s.objects[static_cast<std::size_t>(op.object)].index)];
    return op.amount < 0 ? f.waiters.count
                         : static_cast<std::int32_t>(std::min<std::int64_t>(op.amount, f.waiters.count));
}

} // namespace

State makeState(const Workload& w, int pageSize) {
    State s;
    s.pageSize = pageSize > 0 ? pageSize : 4096;
    auto codes = std::make_shared<std::vector<Code>>();
    s.tasks.resize(w.tasks.size());
    s.wakeHead.resize(w.tasks.size());
    if (!validate(w)) {
        codes->push_back({"invalid", {}});
        s.codes = std::move(codes);
        return s;
    }
    for (const Code& c : w.codes) codes->push_back(compile(c));
    s.codes = std::move(codes);
    for (std::size_t i = 0; i < w.objects.size(); ++i) addObject(s, w, static_cast<std::int32_t>(i));
    sizeSockets(s);
    for (std::size_t i = 0; i < w.tasks.size(); ++i) {
        s.tasks[i].code = w.tasks[i].code;
        settle(codeOf(s, s.tasks[i]), s.tasks[i]);
    }
    return s;
}

Begin begin(State& s, TaskId t, SimTime now) {
    TaskProg& p = s.tasks[t.index()];
    if (p.timerNext < 0) p.timerNext = now.ns;
    if (p.phase == Phase::Asleep && now.ns >= p.progress) advance(s, p);
    const Op* op = current(s, p);
    Begin b;
    b.kind = Begin::Kind::Kernel;
    b.resumed = p.phase != Phase::Fresh;
    if (!op) {
        b.kind = Begin::Kind::Exit;
        b.op = OpKind::Exit;
        return b;
    }
    b.op = op->kind;
    switch (op->kind) {
    case OpKind::Compute:
    case OpKind::CpuBurn:
        b.kind = Begin::Kind::User;
        b.ns = op->amount;
        break;
    case OpKind::SpinUser:
        b.kind = Begin::Kind::User;
        b.ns = kForeverNs;
        break;
    case OpKind::Syscall: b.ns = op->amount; break;
    case OpKind::PipeWrite:
    case OpKind::PipeRead:
    case OpKind::UnixSend:
    case OpKind::UnixRecv: b.bytes = op->amount - p.progress; break;
    case OpKind::FutexWake: b.wakes = futexWakes(s, *op); break;
    case OpKind::Exit: b.kind = Begin::Kind::Exit; break;
    default: break;
    }
    return b;
}

Effect finish(State& s, TaskId t, SimTime now) {
    TaskProg& p = s.tasks[t.index()];
    Effect e;
    const Op* at = current(s, p);
    if (!at) {
        e.kind = Effect::Kind::Exit;
        e.done = p.done;
        p.done = 0;
        return e;
    }
    const Op op = *at;
    const bool handed = p.phase == Phase::Selected;
    const bool slept = handed || p.phase == Phase::Waiting;
    if (p.phase == Phase::Waiting) leaveWait(s, t); // woken by something else: look again as after any wakeup
    bool complete = true;
    switch (op.kind) {
    case OpKind::PipeWrite: complete = pipeWrite(s, t, op, slept); break;
    case OpKind::PipeRead: complete = pipeRead(s, t, op, slept); break;
    case OpKind::UnixSend: complete = unixSend(s, t, op); break;
    case OpKind::UnixRecv: complete = unixRecv(s, t, op); break;
    case OpKind::FutexWait: complete = futexWait(s, t, op, handed); break;
    case OpKind::FutexWake: futexWake(s, t, op); break;
    case OpKind::Sleep:
        if (p.phase != Phase::Asleep) p.progress = now.ns + op.amount + op.amount2;
        p.phase = Phase::Asleep;
        e.kind = Effect::Kind::SleepUntil;
        e.until = {p.progress};
        break;
    case OpKind::TimerWait:
        if (p.phase != Phase::Asleep) {
            p.timerNext += op.amount;
            if (p.timerNext <= now.ns) break; // overrun: the grid stays, this instant has passed
            p.progress = p.timerNext + op.amount2;
        }
        p.phase = Phase::Asleep;
        e.kind = Effect::Kind::SleepUntil;
        e.until = {p.progress};
        break;
    case OpKind::Yield: e.kind = Effect::Kind::Yield; break;
    case OpKind::Fork: {
        TaskProg& child = s.tasks[static_cast<std::size_t>(op.object)];
        if (!child.forked) {
            child.forked = true;
            e.kind = Effect::Kind::Fork;
            e.child = TaskId(op.object);
        }
        break;
    }
    case OpKind::Exit: e.kind = Effect::Kind::Exit; break;
    default: break;
    }
    if (!complete)
        e.kind = Effect::Kind::Block;
    else if (op.kind != OpKind::SpinUser && op.kind != OpKind::Exit && e.kind != Effect::Kind::SleepUntil)
        advance(s, p);
    e.done = p.done;
    p.done = 0;
    e.wakes = s.wakeHead[t.index()].valid();
    e.sync = e.wakes && op.kind != OpKind::FutexWake;
    return e;
}

TaskId popWake(State& s, TaskId waker) {
    TaskId& head = s.wakeHead[waker.index()];
    const TaskId t = head;
    if (!t) return t;
    TaskProg& woken = s.tasks[t.index()];
    head = woken.nextWake;
    if (!head) s.tasks[waker.index()].wakeTail = {};
    woken.nextWake = {};
    woken.inWakeList = false;
    return t;
}

bool forget(State& s, TaskId t) {
    TaskProg& p = s.tasks[t.index()];
    const Op* op = current(s, p);
    if (p.phase == Phase::Waiting) leaveWait(s, t);
    if (p.phase == Phase::Selected && op) passOn(s, t, *op);
    p.phase = Phase::Fresh;
    p.progress = 0;
    p.depth = 0;
    p.pc = static_cast<std::int32_t>(codeOf(s, p).ops.size());
    return s.wakeHead[t.index()].valid();
}

} // namespace rqs::workload
