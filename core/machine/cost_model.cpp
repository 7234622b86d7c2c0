// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the costs and the seed's jitter on them.
#include "core/machine/cost_model.h"

#include "core/engine/random.h"

namespace rqs::machine {
namespace {
constexpr std::array<std::string_view, kCosts> kNames{"ctx_switch_same",
                                                      "ctx_switch_other",
                                                      "ctx_switch_locked",
                                                      "enqueue_locked",
                                                      "wake_base",
                                                      "wake_scan_per_cpu",
                                                      "rq_stat_read",
                                                      "shard_hold",
                                                      "tick",
                                                      "irq_entry",
                                                      "ipi_send",
                                                      "ipi_delivery",
                                                      "idle_exit",
                                                      "syscall_empty",
                                                      "pipe_write",
                                                      "pipe_read",
                                                      "unix_send",
                                                      "unix_recv",
                                                      "copy_per_kib",
                                                      "futex_wait",
                                                      "futex_wake",
                                                      "futex_wake_per_task",
                                                      "sleep_call",
                                                      "yield_call",
                                                      "fork",
                                                      "clone_thread",
                                                      "exit",
                                                      "set_affinity",
                                                      "line_smt",
                                                      "line_llc",
                                                      "line_socket",
                                                      "line_remote",
                                                      "refill_llc",
                                                      "refill_socket",
                                                      "refill_remote"};
static_assert(!kNames.back().empty());

constexpr std::int64_t kOne = 1024;
constexpr std::int64_t kSpread = 31; ///< 3 % of 1024, rounded up
} // namespace

std::string_view costName(Cost c) {
    const auto i = static_cast<std::size_t>(c);
    return i < kCosts ? kNames[i] : "?";
}

std::string_view provenanceName(Provenance p) {
    switch (p) {
    case Provenance::Measured: return "measured";
    case Provenance::Published: return "published";
    case Provenance::Derived: return "derived";
    case Provenance::Assumed: return "assumed";
    }
    return "?";
}

CostTable jittered(const CostSheet& sheet, std::uint64_t seed) {
    CostTable table;
    for (std::size_t i = 0; i < kCosts; ++i) {
        const auto draw = engine::drawBelow(seed, static_cast<std::uint32_t>(i), engine::Purpose::CostJitter,
                                            0, 2 * kSpread + 1);
        const std::int64_t factor = kOne - kSpread + static_cast<std::int64_t>(draw);
        table.ns[i] = (sheet.entries[i].ns * factor + kOne / 2) / kOne; // nearest; 0 stays 0
    }
    return table;
}

} // namespace rqs::machine
