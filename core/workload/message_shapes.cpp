// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmarks that are nothing but messages: ping-pong, schbench pairs, hackbench.
#include "core/workload/generators.h"

namespace rqs::workload {

namespace {

Op op(OpKind kind, std::int32_t object = -1, std::int64_t amount = 0, std::int64_t amount2 = 0) {
    return {kind, object, amount, amount2};
}
Op forever() { return op(OpKind::LoopBegin, -1, -1); }
Op repeat(std::int64_t n) { return op(OpKind::LoopBegin, -1, n); }
Op end() { return op(OpKind::LoopEnd); }
Op done() { return op(OpKind::Done, -1, 1); }

std::int32_t addObject(Workload& w, ObjectKind kind) {
    w.objects.push_back({kind, 0});
    return static_cast<std::int32_t>(w.objects.size()) - 1;
}
std::int32_t addCode(Workload& w, std::string name, std::vector<Op> ops) {
    w.codes.push_back({std::move(name), std::move(ops)});
    return static_cast<std::int32_t>(w.codes.size()) - 1;
}
TaskSpec& addTask(Workload& w, std::string comm, std::string role, std::int32_t code, std::int32_t mm) {
    TaskSpec t;
    t.comm = std::move(comm);
    t.role = std::move(role);
    t.code = code;
    t.mm = mm;
    w.tasks.push_back(std::move(t));
    return w.tasks.back();
}
std::string text(std::int64_t n) { return std::to_string(n); }

} // namespace

Workload pingpongPairs(const PairShape& shape) {
    Workload w;
    w.unit = "round trips";
    const ObjectKind kind = shape.socket ? ObjectKind::UnixSocket : ObjectKind::Pipe;
    const OpKind write = shape.socket ? OpKind::UnixSend : OpKind::PipeWrite;
    const OpKind read = shape.socket ? OpKind::UnixRecv : OpKind::PipeRead;
    for (std::int64_t i = 0; i < shape.pairs; ++i) {
        const std::int32_t there = addObject(w, kind), back = addObject(w, kind);
        std::vector<Op> ping{forever()}, pong{forever(), op(read, there, 1)};
        if (shape.burnNs > 0) {
            ping.push_back(op(OpKind::Compute, -1, shape.burnNs));
            pong.push_back(op(OpKind::Compute, -1, shape.burnNs));
        }
        ping.insert(ping.end(), {op(write, there, 1), op(read, back, 1), done()});
        if (shape.pauseNs > 0) ping.push_back(op(OpKind::Sleep, -1, shape.pauseNs, shape.pauseSlackNs));
        ping.push_back(end());
        pong.insert(pong.end(), {op(write, back, 1), end()});
        const auto mm = static_cast<std::int32_t>(shape.threads ? i : 2 * i);
        const std::int32_t a = addCode(w, "ping" + text(i), std::move(ping)),
                           b = addCode(w, "pong" + text(i), std::move(pong));
        addTask(w, "ping" + text(i), "ping", a, mm).cpus = shape.cpus;
        addTask(w, "pong" + text(i), "pong", b, shape.threads ? mm : mm + 1).cpus = shape.cpus;
    }
    return w;
}

Workload schbenchPairs(const FutexPairShape& shape) {
    Workload w;
    w.unit = "transfers";
    for (std::int64_t i = 0; i < shape.pairs; ++i) {
        const std::int32_t post = addObject(w, ObjectKind::Futex), reply = addObject(w, ObjectKind::Futex);
        const Op fill = op(OpKind::Compute, -1, shape.memsetNs);
        const std::int32_t msg =
            addCode(w, "msg" + text(i),
                    {forever(), op(OpKind::FutexWait, post), fill, op(OpKind::FutexWake, reply, 1), end()});
        const std::int32_t wrk = addCode(
            w, "wrk" + text(i),
            {forever(), fill, op(OpKind::FutexWake, post, 1), op(OpKind::FutexWait, reply), done(), end()});
        addTask(w, "msg" + text(i), "msg", msg, 0);
        addTask(w, "wrk" + text(i), "wrk", wrk, 0);
    }
    return w;
}

Workload hackbench(const HackbenchShape& shape) {
    Workload w;
    w.unit = "messages";
    const ObjectKind kind = shape.pipes ? ObjectKind::Pipe : ObjectKind::UnixSocket;
    const OpKind write = shape.pipes ? OpKind::PipeWrite : OpKind::UnixSend;
    const OpKind read = shape.pipes ? OpKind::PipeRead : OpKind::UnixRecv;
    const std::int32_t ready = shape.mainTask ? addObject(w, ObjectKind::Futex) : -1;
    const std::int32_t go = shape.mainTask ? addObject(w, ObjectKind::Futex) : -1;
    const auto started = [&](std::vector<Op> body) {
        if (shape.mainTask)
            body.insert(body.begin(), {op(OpKind::FutexWake, ready, 1), op(OpKind::FutexWait, go)});
        return body;
    };
    const auto mm = [&] { return shape.threads ? 0 : static_cast<std::int32_t>(w.tasks.size()) + 1; };
    for (std::int64_t g = 0; g < shape.groups; ++g) {
        std::vector<Op> send{repeat(shape.loops)};
        for (std::int64_t f = 0; f < shape.fds; ++f) {
            const std::int32_t channel = addObject(w, kind);
            send.push_back(op(write, channel, shape.bytes));
            const std::string name = "rcv" + text(g) + "." + text(f);
            const std::int32_t code = addCode(
                w, name,
                started({repeat(shape.fds * shape.loops), op(read, channel, shape.bytes), done(), end()}));
            addTask(w, name, "rcv", code, mm());
        }
        send.push_back(end());
        const std::int32_t code = addCode(w, "snd" + text(g), started(std::move(send)));
        for (std::int64_t f = 0; f < shape.fds; ++f)
            addTask(w, "snd" + text(g) + "." + text(f), "snd", code, mm());
    }
    if (shape.mainTask) {
        const auto children = static_cast<std::int64_t>(w.tasks.size());
        const std::int32_t code = addCode(
            w, "main",
            {repeat(children), op(OpKind::FutexWait, ready), end(), op(OpKind::FutexWake, go, children)});
        addTask(w, "hackbench", "main", code, 0);
    }
    return w;
}

} // namespace rqs::workload
