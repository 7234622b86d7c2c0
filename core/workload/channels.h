// SPDX-License-Identifier: GPL-3.0-or-later
// One call on a pipe, a socket or a futex: what moves, who is selected to be woken, whether the caller
// sleeps. Rules: preempt_workloads 3.1. Selected tasks are appended to the caller's wake list.
#pragma once
#include "core/workload/workload.h"

namespace rqs::workload {

/// Memory charged to the sender for one stream-socket write of n bytes (n >= 1): per buffer of at most
/// head + 32 KiB, where head = page - 320,
///   256 (buffer descriptor) + smallest power of two >= roundUp(linear, 64) + 320 + roundUp(rest, page),
/// linear = what does not fit into whole pages. 100 bytes: 256 + 512 = 768.
std::int64_t unixCharge(std::int64_t n, std::int64_t pageSize);
/// Largest buffer one write is cut into.
std::int64_t unixChunk(std::int64_t pageSize);

/// Joins the tail of the object's read (or write) wait list.
void enterWait(State& s, TaskId t, std::int32_t object, bool writer);
/// Leaves the wait list it is in.
void leaveWait(State& s, TaskId t);

/// Each returns true if the operation is complete, false if the caller sleeps. `slept`: it has just slept in
/// it.
bool pipeWrite(State& s, TaskId t, const Op& op, bool slept);
bool pipeRead(State& s, TaskId t, const Op& op, bool slept);
bool unixSend(State& s, TaskId t, const Op& op);
bool unixRecv(State& s, TaskId t, const Op& op);
/// `handed`: a waker chose this task, the unit is its own.
bool futexWait(State& s, TaskId t, const Op& op, bool handed);
void futexWake(State& s, TaskId t, const Op& op);

/// The exclusive pipe wakeup that selected `t` goes to the next one who can use it.
void passOn(State& s, TaskId t, const Op& op);

} // namespace rqs::workload
