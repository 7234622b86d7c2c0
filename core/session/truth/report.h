// SPDX-License-Identifier: GPL-3.0-or-later
// What `truth` finds out about one recorded case, as values, and how it is written down.
#pragma once
#include "core/base/json_writer.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rqs::session::truth {

enum class Kind : std::uint8_t {
    Pick,  ///< which task runs next (also: which delayed one is dropped), its vruntime and deadline to the ns
    Keep,  ///< schedule() that left the running task running
    Place, ///< vruntime and deadline given on joining the queue
    Lag,   ///< vlag stored on leaving it
    Delay, ///< a sleeper left behind (DELAY_DEQUEUE) or not
    Preempt, ///< a wakeup asks for a switch or not
    Tick,    ///< a tick asks for a switch or not
    Select,  ///< which CPU a wakeup goes to
    Count
};
inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::Count);
std::string_view kindName(Kind k);

struct KindCount {
    std::int64_t agree = 0, differ = 0, notJudged = 0;
    std::int64_t judged() const { return agree + differ; }
};

/// Decision replay of one case.
struct ReplayResult {
    std::array<KindCount, kKinds> counts{};
    std::vector<std::string> differences; ///< the first few: time, kind, task, ours against theirs
    KindCount& operator[](Kind k) { return counts[static_cast<std::size_t>(k)]; }
    const KindCount& operator[](Kind k) const { return counts[static_cast<std::size_t>(k)]; }
    std::int64_t differ() const;
};

/// One figure of a free run beside the recorded one.
struct Figure {
    std::string name;
    double recorded = 0, simulated = 0;
    double tolerance = 0; ///< |recorded - simulated| allowed; 0 = shown, not judged
    bool ok() const;
};
struct FreeRun {
    std::vector<Figure> figures;
    std::vector<std::string> notes;
};

struct CaseReport {
    std::string name;
    std::optional<ReplayResult> replay; ///< none: the case has no trace of single decisions
    std::optional<FreeRun> freeRun;     ///< none: the workload line cannot be simulated (see notes)
    std::vector<std::string> notes;     ///< why something is missing
    /// No difference in the replay and every judged figure of the free run within its tolerance.
    bool ok() const;
};

/// The file written by `truth --json`.
std::string reportsJson(std::span<const CaseReport> cases);
/// A table for people, one case a line, differences below it.
std::string reportsText(std::span<const CaseReport> cases);

} // namespace rqs::session::truth
