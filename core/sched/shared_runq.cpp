// SPDX-License-Identifier: GPL-3.0-or-later
// Shard layout and the intrusive FIFO: a task is its own list node (Task::shard, shardPrev, shardNext).
#include "core/sched/shared_runq.h"

#include "core/sched/hierarchy.h"

#include <algorithm>

namespace rqs::sched {
namespace {

/// First shard of the LLC that owns `own`, and how many it has; an LLC's shards are contiguous.
struct Run {
    std::int32_t first, count;
};
Run runOf(const State& s, ShardId own) {
    const LlcId llc = s.shards[own.index()].llc;
    std::size_t lo = own.index(), hi = own.index() + 1;
    while (lo > 0 && s.shards[lo - 1].llc == llc) --lo;
    while (hi < s.shards.size() && s.shards[hi].llc == llc) ++hi;
    return {static_cast<std::int32_t>(lo), static_cast<std::int32_t>(hi - lo)};
}

void unlink(State& s, TaskId t) {
    Task& p = s.task(t);
    Shard& list = s.shards[p.shard.index()];
    (p.shardPrev ? s.task(p.shardPrev).shardNext : list.head) = p.shardNext;
    (p.shardNext ? s.task(p.shardNext).shardPrev : list.tail) = p.shardPrev;
    p.shard = {};
    p.shardPrev = p.shardNext = {};
    --list.length;
}

bool queued(const State& s, TaskId t) { return s.entity(t).onRq; }
bool running(const State& s, TaskId t) {
    const CpuId c = s.task(t).cpu;
    return c && (currTask(s, c) == t || s.rq(c).curr == t);
}

ShardFault faultOf(const State& s, TaskId t, ShardId in) {
    const Task& p = s.task(t);
    if (running(s, t)) return ShardFault::Running;
    if (!queued(s, t) || !p.cpu || p.nrAllowed == 1) return ShardFault::NotQueued;
    if (s.hw->topology.cpu(p.cpu).llc != s.shards[in.index()].llc) return ShardFault::WrongLlc;
    if (s.shardOfCpu[p.cpu.index()] != in) return ShardFault::WrongShard;
    return ShardFault::None;
}

} // namespace

void layOutShards(State& s) {
    const machine::Topology& topology = s.hw->topology;
    const std::int64_t size = std::max<std::int64_t>(1, s.kernel.tunables.shared_runq_shard_size);
    s.shards.clear();
    s.shardOfCpu.assign(static_cast<std::size_t>(topology.cpuCount()), ShardId{});
    for (std::int32_t l = 0; l < topology.llcCount(); ++l) {
        const auto cpus = topology.llcCpus(LlcId(l));
        const auto weight = static_cast<std::int64_t>(cpus.size());
        const auto n = static_cast<std::int32_t>((weight + size - 1) / size);
        const auto first = static_cast<std::int32_t>(s.shards.size());
        for (std::int32_t i = 0; i < n; ++i) {
            Shard shard;
            shard.llc = LlcId(l);
            s.shards.push_back(shard);
        }
        for (CpuId c : cpus) s.shardOfCpu[c.index()] = ShardId(first + (c.v >> 1) % n);
    }
    for (Task& t : s.tasks) {
        t.shard = {};
        t.shardPrev = t.shardNext = {};
    }
}

bool wantsShard(const State& s, TaskId t) { return s.on(Feature::SHARED_RUNQ) && s.task(t).nrAllowed != 1; }

bool wantsErase(const State& s, TaskId t) { return s.on(Feature::SHARED_RUNQ) && s.task(t).shard.valid(); }

bool shardPush(State& s, TaskId t, CpuId c) {
    Task& p = s.task(t);
    if (p.shard) return false;
    const ShardId id = s.shardOfCpu[c.index()];
    Shard& list = s.shards[id.index()];
    p.shard = id;
    p.shardPrev = list.tail;
    p.shardNext = {};
    (list.tail ? s.task(list.tail).shardNext : list.head) = t;
    list.tail = t;
    ++list.length;
    return true;
}

void shardErase(State& s, TaskId t) {
    if (s.task(t).shard) unlink(s, t);
}

bool shardEmpty(const State& s, ShardId shard) { return !s.shards[shard.index()].head; }

TaskId shardPop(State& s, ShardId shard, CpuId c) {
    const TaskId head = s.shards[shard.index()].head;
    if (!head || !s.allowedOn(head, c)) return {};
    unlink(s, head);
    return head;
}

std::int32_t drainShard(State& s, ShardId shard) {
    const std::int32_t n = s.shards[shard.index()].length;
    while (const TaskId head = s.shards[shard.index()].head) unlink(s, head);
    return n;
}

int shardCountOf(const State& s, CpuId c) { return runOf(s, s.shardOfCpu[c.index()]).count; }

ShardId pullOrder(const State& s, CpuId c, int i) {
    const ShardId own = s.shardOfCpu[c.index()];
    const Run run = runOf(s, own);
    return ShardId(run.first + (own.v - run.first + i) % run.count);
}

const char* shardFaultText(ShardFault f) {
    switch (f) {
    case ShardFault::None: return "consistent";
    case ShardFault::BrokenList: return "list links, length or shard id disagree";
    case ShardFault::Running: return "a running task is linked in a shard";
    case ShardFault::NotQueued: return "a linked task is not queued or pinned to one CPU";
    case ShardFault::WrongShard: return "a task is linked in a shard that is not its queue's";
    case ShardFault::WrongLlc: return "a task is linked in a shard of another LLC";
    case ShardFault::Missing: return "a queued task is in no shard";
    }
    return "?";
}

ShardCheck checkShards(const State& s, bool missingAllowed) {
    std::size_t linked = 0;
    for (std::size_t i = 0; i < s.shards.size(); ++i) {
        const ShardId id{i};
        const Shard& list = s.shards[i];
        TaskId before;
        std::int32_t length = 0;
        for (TaskId t = list.head; t; t = s.task(t).shardNext) {
            const Task& p = s.task(t);
            if (p.shard != id || p.shardPrev != before || ++length > list.length)
                return {ShardFault::BrokenList, t, id};
            if (const ShardFault f = faultOf(s, t, id); f != ShardFault::None) return {f, t, id};
            before = t;
        }
        if (length != list.length || list.tail != before) return {ShardFault::BrokenList, before, id};
        linked += static_cast<std::size_t>(length);
    }
    std::size_t claimed = 0;
    for (std::size_t i = 0; i < s.tasks.size(); ++i) {
        const TaskId t{i};
        const Task& p = s.tasks[i];
        if (p.shard)
            ++claimed;
        else if (!missingAllowed && p.nrAllowed != 1 && queued(s, t) && !running(s, t))
            return {ShardFault::Missing, t, {}};
    }
    if (claimed != linked) return {ShardFault::BrokenList, {}, {}};
    return {};
}

} // namespace rqs::sched
