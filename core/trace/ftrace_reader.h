// SPDX-License-Identifier: GPL-3.0-or-later
// Splits one line of ftrace's text format ("comm-pid [cpu] flags sec.ns: event: fields") into views on it.
// Tokenizer only: what an event means is decided by whoever reads it.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace rqs::trace {

/// The five columns of ftrace's latency format.
struct FtraceFlags {
    char irqsOff = '.', needResched = '.', context = '.', preemptDepth = '.', migrateDisable = '.';
    /// TIF_NEED_RESCHED was set when the event was written ('N' with, 'n' without the preempt-count bit).
    bool resched() const { return needResched == 'N'; }
    bool hardIrq() const { return context == 'h' || context == 'H'; }
    bool softIrq() const { return context == 's' || context == 'H'; }
};

struct FtraceLine {
    std::string_view comm, event, fields;
    std::int32_t pid = -1, cpu = -1;
    FtraceFlags flags;
    std::int64_t timeNs = 0;
    /// Text after `key=`, up to the next space; nullopt if the line has no such field.
    std::optional<std::string_view> text(std::string_view key) const;
    /// Same as a number: decimal with sign, or hexadecimal after "0x"; values above 2^63 keep their bits.
    std::optional<std::int64_t> number(std::string_view key) const;
};

/// nullopt for header lines, blank lines, and anything else that is not an event.
std::optional<FtraceLine> readFtraceLine(std::string_view line);

} // namespace rqs::trace
