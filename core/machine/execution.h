// SPDX-License-Identifier: GPL-3.0-or-later
// How a CPU executes: contexts on a small stack, work kept in ns*1024 so that re-timing conserves it exactly,
// and speed that depends on who else is busy.
#pragma once
#include "core/base/records.h"

#include <array>
#include <cassert>

namespace rqs::machine {

/// One activity on a CPU. What kind and pc mean is the dispatcher's business.
struct Context {
    std::uint8_t kind = 0, pc = 0;
    CpuMode mode = CpuMode::Kernel;  ///< of the present spend; IrqOff and Irq hold interrupts back
    std::uint8_t flags = 0;
    std::int32_t a = -1, b = -1, c = -1;
    std::int64_t remain = 0;         ///< work left, ns*1024; may end slightly negative and is carried over
    std::int64_t x = 0, y = 0;
};
static_assert(sizeof(Context) <= 48);

/// Kernel stack of one task (or of an idle task).
struct Stack {
    static constexpr std::size_t kDepth = 6;
    std::uint8_t depth = 0;  ///< first, so that it shares a cache line with the lowest context
    std::array<Context, kDepth> at{};
    Context& top() { return at[depth - 1u]; }
    const Context& top() const { return at[depth - 1u]; }
    void push(const Context& c) {
        assert(depth < kDepth);
        at[depth++] = c;
    }
    void pop() { --depth; }
};

enum class CpuState : std::uint8_t { Halted, Working, Spinning, Granting };

struct Cpu {
    std::int32_t stack = 0;          ///< index of the stack it executes
    CpuState state = CpuState::Halted;
    std::uint8_t pendingIrqs = 0;    ///< bits by Irq
    std::int32_t speed = 1024;       ///< of 1024
    SimTime since{};                 ///< start of the present stretch at this speed
    SimTime tickBase{};              ///< phase of this CPU's tick grid
    TaskId expiredHead, expiredTail; ///< sleepers whose timer fired, oldest first
    LockId spinLock;                 ///< Spinning, Granting
    std::array<Duration, 6> spent{}; ///< wall time by CpuMode
    std::uint64_t switches = 0;
};

/// Work done in `elapsed` at `speed`, in ns*1024.
constexpr std::int64_t workDone(Duration elapsed, std::int32_t speed) { return elapsed.ns * speed; }
/// Wall time until `remain` (ns*1024, > 0) is worked off at `speed`.
constexpr Duration timeFor(std::int64_t remain, std::int32_t speed) { return {(remain + speed - 1) / speed}; }

} // namespace rqs::machine
