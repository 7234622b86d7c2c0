// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/channels.h"

#include <algorithm>
#include <bit>

namespace rqs::workload {

namespace {

using Phase = State::Phase;
using Pipe = State::Pipe;
using Socket = State::Socket;
using Futex = State::Futex;
using WaitList = State::WaitList;

constexpr std::int64_t kBufferOverhead = 256; // struct sk_buff, rounded up to a cache line
constexpr std::int64_t kHeadOverhead = 320;   // struct skb_shared_info behind the linear part
constexpr std::int64_t kMaxPaged = 32'768;    // page fragments of one buffer

constexpr std::int64_t roundUp(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

/// Each buffer of at least 1 byte is charged at least this much.
constexpr std::int64_t kMinCharge = 768;
constexpr std::int32_t kMaxQueued = static_cast<std::int32_t>(kUnixSendBuffer / kMinCharge + 1);

Pipe& pipeOf(State& s, std::int32_t o) {
    return s.pipes[static_cast<std::size_t>(s.objects[static_cast<std::size_t>(o)].index)];
}
Socket& socketOf(State& s, std::int32_t o) {
    return s.sockets[static_cast<std::size_t>(s.objects[static_cast<std::size_t>(o)].index)];
}
Futex& futexOf(State& s, std::int32_t o) {
    return s.futexes[static_cast<std::size_t>(s.objects[static_cast<std::size_t>(o)].index)];
}

WaitList& listOf(State& s, std::int32_t object, bool writer) {
    switch (s.objects[static_cast<std::size_t>(object)].kind) {
    case ObjectKind::Pipe: return writer ? pipeOf(s, object).writers : pipeOf(s, object).readers;
    case ObjectKind::UnixSocket: return writer ? socketOf(s, object).writers : socketOf(s, object).readers;
    case ObjectKind::Futex: break;
    }
    return futexOf(s, object).waiters;
}

/// Takes the first waiter off the list and owes it a wakeup. False if nobody waits.
bool selectOne(State& s, TaskId waker, WaitList& list) {
    const TaskId t = list.head;
    if (!t) return false;
    leaveWait(s, t);
    State::TaskProg& p = s.tasks[t.index()];
    p.phase = Phase::Selected;
    if (p.inWakeList) return true;
    p.inWakeList = true;
    p.nextWake = {};
    TaskId& tail = s.tasks[waker.index()].wakeTail;
    if (tail)
        s.tasks[tail.index()].nextWake = t;
    else
        s.wakeHead[waker.index()] = t;
    tail = t;
    return true;
}

void selectAll(State& s, TaskId waker, WaitList& list) {
    while (selectOne(s, waker, list)) {
    }
}

void pushPage(Pipe& pipe, std::int64_t n) {
    pipe.len[static_cast<std::size_t>((pipe.first + pipe.used) % kPipePages)] = static_cast<std::int32_t>(n);
    ++pipe.used;
    pipe.lastEnd = static_cast<std::int32_t>(n);
    pipe.bytes += n;
}

std::int64_t frontSize(const State& s, const Socket& k) {
    return k.unit > 0 ? k.unit : s.ring[static_cast<std::size_t>(k.ringBase + k.ringFirst)];
}
void pushBuffer(State& s, Socket& k, std::int64_t n) {
    if (k.unit == 0)
        s.ring[static_cast<std::size_t>(k.ringBase + (k.ringFirst + k.messages) % kMaxQueued)] =
            static_cast<std::int32_t>(n);
    ++k.messages;
    k.queued += n;
    k.charge += unixCharge(n, s.pageSize);
}
void popBuffer(Socket& k) {
    --k.messages;
    k.headRead = 0;
    if (k.unit == 0) k.ringFirst = (k.ringFirst + 1) % kMaxQueued;
}

} // namespace

std::int64_t unixChunk(std::int64_t pageSize) { return pageSize - kHeadOverhead + kMaxPaged; }

std::int64_t unixCharge(std::int64_t n, std::int64_t pageSize) {
    // A short message is one head without pages; this is the common case and needs no division.
    if (n > 0 && n <= pageSize - kHeadOverhead)
        return kBufferOverhead +
               static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(roundUp(n, 64) + kHeadOverhead)));
    std::int64_t sum = 0;
    for (const std::int64_t chunk = unixChunk(pageSize); n > 0; n -= std::min(n, chunk)) {
        const std::int64_t size = std::min(n, chunk);
        const std::int64_t over = std::max<std::int64_t>(0, size - (pageSize - kHeadOverhead));
        const std::int64_t paged = std::min(size, roundUp(over, pageSize));
        const std::int64_t head = roundUp(size - paged, 64) + kHeadOverhead;
        sum += kBufferOverhead + static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(head))) +
               roundUp(paged, pageSize);
    }
    return sum;
}

void enterWait(State& s, TaskId t, std::int32_t object, bool writer) {
    WaitList& list = listOf(s, object, writer);
    State::TaskProg& p = s.tasks[t.index()];
    p.phase = Phase::Waiting;
    p.waitObject = object;
    p.writer = writer;
    p.nextWaiter = {};
    p.prevWaiter = list.tail;
    if (list.tail)
        s.tasks[list.tail.index()].nextWaiter = t;
    else
        list.head = t;
    list.tail = t;
    ++list.count;
}

void leaveWait(State& s, TaskId t) {
    State::TaskProg& p = s.tasks[t.index()];
    WaitList& list = listOf(s, p.waitObject, p.writer);
    if (p.prevWaiter)
        s.tasks[p.prevWaiter.index()].nextWaiter = p.nextWaiter;
    else
        list.head = p.nextWaiter;
    if (p.nextWaiter)
        s.tasks[p.nextWaiter.index()].prevWaiter = p.prevWaiter;
    else
        list.tail = p.prevWaiter;
    p.nextWaiter = p.prevWaiter = {};
    p.waitObject = -1;
    --list.count;
}

bool pipeWrite(State& s, TaskId t, const Op& op, bool slept) {
    Pipe& pipe = pipeOf(s, op.object);
    std::int64_t& moved = s.tasks[t.index()].progress;
    const bool wasEmpty = pipe.used == 0;
    const std::int64_t small = op.amount % s.pageSize; // only this part may join the newest page
    if (!slept && !wasEmpty && small > 0 && pipe.lastEnd + small <= s.pageSize) {
        pipe.len[static_cast<std::size_t>((pipe.first + pipe.used - 1) % kPipePages)] +=
            static_cast<std::int32_t>(small);
        pipe.lastEnd += static_cast<std::int32_t>(small);
        pipe.bytes += small;
        moved += small;
    }
    while (moved < op.amount && pipe.used < kPipePages) {
        const std::int64_t n = std::min<std::int64_t>(op.amount - moved, s.pageSize);
        pushPage(pipe, n);
        moved += n;
    }
    if (wasEmpty) selectOne(s, t, pipe.readers);
    if (moved < op.amount) {
        enterWait(s, t, op.object, true);
        return false;
    }
    if (slept && pipe.used < kPipePages) selectOne(s, t, pipe.writers);
    return true;
}

bool pipeRead(State& s, TaskId t, const Op& op, bool slept) {
    Pipe& pipe = pipeOf(s, op.object);
    std::int64_t& moved = s.tasks[t.index()].progress;
    const bool wasFull = pipe.used == kPipePages;
    while (moved < op.amount && pipe.used > 0) {
        std::int32_t& len = pipe.len[static_cast<std::size_t>(pipe.first)];
        const auto n = static_cast<std::int32_t>(std::min<std::int64_t>(op.amount - moved, len));
        len -= n;
        pipe.bytes -= n;
        moved += n;
        if (len > 0) break;
        pipe.first = (pipe.first + 1) % kPipePages;
        --pipe.used;
    }
    // Also while the oldest page is only half read: that writer finds no free page and sleeps again.
    if (wasFull) selectOne(s, t, pipe.writers);
    if (moved < op.amount) {
        enterWait(s, t, op.object, false);
        return false;
    }
    if (slept && pipe.used > 0) selectOne(s, t, pipe.readers);
    return true;
}

bool unixSend(State& s, TaskId t, const Op& op) {
    Socket& k = socketOf(s, op.object);
    std::int64_t& moved = s.tasks[t.index()].progress;
    const std::int64_t before = moved;
    while (moved < op.amount && k.charge < kUnixSendBuffer) {
        const std::int64_t n = std::min(op.amount - moved, unixChunk(s.pageSize));
        pushBuffer(s, k, n);
        moved += n;
    }
    if (moved > before) selectAll(s, t, k.readers);
    if (moved == op.amount) return true;
    enterWait(s, t, op.object, true);
    return false;
}

bool unixRecv(State& s, TaskId t, const Op& op) {
    Socket& k = socketOf(s, op.object);
    std::int64_t& moved = s.tasks[t.index()].progress;
    while (moved < op.amount && k.messages > 0) {
        const std::int64_t size = frontSize(s, k);
        const std::int64_t n = std::min(op.amount - moved, size - k.headRead);
        k.headRead += static_cast<std::int32_t>(n);
        k.queued -= n;
        moved += n;
        if (k.headRead < size) break;
        popBuffer(k);
        k.charge -= unixCharge(size, s.pageSize);
        if (k.charge * 4 <= kUnixSendBuffer) selectAll(s, t, k.writers);
    }
    if (moved == op.amount) return true;
    enterWait(s, t, op.object, false);
    return false;
}

bool futexWait(State& s, TaskId t, const Op& op, bool handed) {
    Futex& f = futexOf(s, op.object);
    if (handed) return true;
    if (f.tokens > 0) {
        --f.tokens;
        return true;
    }
    enterWait(s, t, op.object, false);
    return false;
}

void futexWake(State& s, TaskId t, const Op& op) {
    Futex& f = futexOf(s, op.object);
    if (op.amount < 0) return selectAll(s, t, f.waiters);
    std::int64_t left = op.amount;
    while (left > 0 && selectOne(s, t, f.waiters)) --left;
    f.tokens += left;
}

void passOn(State& s, TaskId t, const Op& op) {
    if (op.kind != OpKind::PipeWrite && op.kind != OpKind::PipeRead) return;
    Pipe& pipe = pipeOf(s, op.object);
    if (op.kind == OpKind::PipeWrite && pipe.used < kPipePages) selectOne(s, t, pipe.writers);
    if (op.kind == OpKind::PipeRead && pipe.used > 0) selectOne(s, t, pipe.readers);
}

} // namespace rqs::workload
