// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/program.h"

#include <cstddef>

namespace rqs::workload {

namespace {

bool takesTime(OpKind k) { return k != OpKind::LoopBegin && k != OpKind::LoopEnd && k != OpKind::Done; }

/// Kind of object an operation needs.
bool wantsObject(OpKind k, ObjectKind& kind) {
    switch (k) {
    case OpKind::PipeWrite:
    case OpKind::PipeRead: kind = ObjectKind::Pipe; return true;
    case OpKind::UnixSend:
    case OpKind::UnixRecv: kind = ObjectKind::UnixSocket; return true;
    case OpKind::FutexWait:
    case OpKind::FutexWake: kind = ObjectKind::Futex; return true;
    default: return false;
    }
}

struct Range {
    std::int64_t min, max;
    const char* name;
};
Range amountRange(OpKind k) {
    switch (k) {
    case OpKind::Compute:
    case OpKind::CpuBurn: return {1, kMaxNs, "time"};
    case OpKind::TimerWait: return {1, kMaxNs, "period"};
    case OpKind::Syscall:
    case OpKind::Sleep: return {0, kMaxNs, "time"};
    case OpKind::PipeWrite:
    case OpKind::PipeRead:
    case OpKind::UnixSend:
    case OpKind::UnixRecv: return {1, kMaxBytes, "size"};
    case OpKind::FutexWake: return {-1, kMaxBytes, "number of tasks to wake"};
    case OpKind::LoopBegin: return {-1, kMaxNs, "loop count"};
    case OpKind::Done: return {0, kMaxNs, "number of units"};
    default: return {INT64_MIN, INT64_MAX, ""};
    }
}

Status checkOp(const Op& op, const Workload& w, const std::string& where) {
    if (op.kind > OpKind::Done) return Error{where, "unknown operation", ""};
    const Range r = amountRange(op.kind);
    if (op.amount < r.min || op.amount > r.max)
        return Error{where, std::string(r.name) + " " + std::to_string(op.amount) + " is out of range",
                     std::to_string(r.min) + " to " + std::to_string(r.max)};
    if ((op.kind == OpKind::Sleep || op.kind == OpKind::TimerWait) && (op.amount2 < 0 || op.amount2 > kMaxNs))
        return Error{where, "timer slack " + std::to_string(op.amount2) + " is out of range", "0 or more ns"};
    if (ObjectKind kind{}; wantsObject(op.kind, kind)) {
        if (op.object < 0 || static_cast<std::size_t>(op.object) >= w.objects.size())
            return Error{where, "names object " + std::to_string(op.object) + ", which does not exist", ""};
        if (w.objects[static_cast<std::size_t>(op.object)].kind != kind)
            return Error{where, "object " + std::to_string(op.object) + " is of another kind", ""};
    }
    if (op.kind == OpKind::Fork) {
        if (op.object < 0 || static_cast<std::size_t>(op.object) >= w.tasks.size())
            return Error{where, "forks task " + std::to_string(op.object) + ", which does not exist", ""};
        if (!w.tasks[static_cast<std::size_t>(op.object)].startsByFork)
            return Error{where, "forks task " + std::to_string(op.object) + ", which starts by itself", ""};
    }
    return Ok{};
}

Status checkCode(const Code& code, const Workload& w) {
    struct Level {
        bool skipped, takes;
        std::string where;
    };
    std::vector<Level> open;
    for (std::size_t i = 0; i < code.ops.size(); ++i) {
        const Op& op = code.ops[i];
        const std::string where = "program \"" + code.name + "\", operation " + std::to_string(i + 1);
        if (Status s = checkOp(op, w, where); !s) return s;
        if (takesTime(op.kind) && !open.empty()) open.back().takes = true;
        if (op.kind == OpKind::LoopBegin) {
            if (open.size() == static_cast<std::size_t>(kMaxLoopDepth))
                return Error{where, "loops are nested too deep",
                             "at most " + std::to_string(kMaxLoopDepth) + " levels"};
            open.push_back({op.amount == 0, false, where});
        } else if (op.kind == OpKind::LoopEnd) {
            if (open.empty()) return Error{where, "ends a loop that was not begun", ""};
            const Level inner = open.back();
            open.pop_back();
            if (!inner.skipped && !inner.takes)
                return Error{inner.where, "the loop contains nothing that takes time",
                             "put a run, syscall or sleep into it"};
            if (!inner.skipped && !open.empty()) open.back().takes = true;
        }
    }
    if (!open.empty()) return Error{open.back().where, "the loop is not ended", ""};
    return Ok{};
}

Status checkTask(const TaskSpec& t, std::size_t index, const Workload& w) {
    const std::string where = "task " + std::to_string(index) + " (" + t.comm + ")";
    if (t.comm.empty() || t.comm.size() > 15) return Error{where, "a task's name has 1 to 15 characters", ""};
    if (t.nice < -20 || t.nice > 19)
        return Error{where, "nice " + std::to_string(t.nice) + " is out of range", "-20 to 19"};
    if (t.policy < 0 || t.policy > 2) return Error{where, "unknown policy", "other, batch or idle"};
    if (t.sliceNs < 0 || t.sliceNs > kMaxNs) return Error{where, "slice is out of range", "0 or more ns"};
    if (t.startNs < 0 || t.startNs > kMaxNs)
        return Error{where, "start time is out of range", "0 or more ns"};
    if (t.mm < 0) return Error{where, "negative address space", ""};
    if (t.code < 0 || static_cast<std::size_t>(t.code) >= w.codes.size())
        return Error{where, "has no program", ""};
    for (const std::int32_t c : t.cpus)
        if (c < 0) return Error{where, "negative CPU number", ""};
    return Ok{};
}

} // namespace

Status validate(const Workload& w) {
    if (w.tasks.empty()) return Error{"workload", "has no task", ""};
    if (w.tasks.size() > kMaxTasks)
        return Error{"workload", std::to_string(w.tasks.size()) + " tasks are too many",
                     "the limit is " + std::to_string(kMaxTasks)};
    std::size_t ops = 0;
    for (const Code& c : w.codes) ops += c.ops.size();
    if (ops > kMaxOps)
        return Error{"workload", std::to_string(ops) + " operations are too many",
                     "the limit is " + std::to_string(kMaxOps)};
    for (std::size_t i = 0; i < w.tasks.size(); ++i)
        if (Status s = checkTask(w.tasks[i], i, w); !s) return s;
    for (const ObjectSpec& o : w.objects)
        if (o.kind > ObjectKind::Futex || o.a < 0)
            return Error{"workload", "unknown kind of object, or a negative token count", ""};
    for (const Code& c : w.codes)
        if (Status s = checkCode(c, w); !s) return s;
    return Ok{};
}

Code compile(const Code& code) {
    Code out = code;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < out.ops.size(); ++i) {
        if (out.ops[i].kind == OpKind::LoopBegin) open.push_back(i);
        if (out.ops[i].kind != OpKind::LoopEnd) continue;
        out.ops[i].amount2 = static_cast<std::int64_t>(open.back()) + 1;
        out.ops[open.back()].amount2 = static_cast<std::int64_t>(i) + 1;
        open.pop_back();
    }
    return out;
}

void settle(const Code& code, State::TaskProg& p) {
    while (static_cast<std::size_t>(p.pc) < code.ops.size()) {
        const Op& op = code.ops[static_cast<std::size_t>(p.pc)];
        switch (op.kind) {
        case OpKind::LoopBegin:
            if (op.amount == 0) {
                p.pc = static_cast<std::int32_t>(op.amount2);
            } else {
                p.loop[p.depth++] = op.amount;
                ++p.pc;
            }
            break;
        case OpKind::LoopEnd: {
            std::int64_t& left = p.loop[p.depth - 1];
            if (left < 0 || --left > 0) {
                p.pc = static_cast<std::int32_t>(op.amount2);
            } else {
                --p.depth;
                ++p.pc;
            }
            break;
        }
        case OpKind::Done:
            p.done += op.amount;
            ++p.pc;
            break;
        default: return;
        }
    }
}

} // namespace rqs::workload
