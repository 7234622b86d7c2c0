// SPDX-License-Identifier: GPL-3.0-or-later
// Runs two setups in step, a short stretch at a time, and pairs their decisions by (task or CPU, question,
// ordinal). A pair counts from the moment its second half is made, so that a stretch that shows a difference
// shows the first one.
#include "core/session/compare.h"

#include "core/session/record_hash.h"
#include "core/session/session.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <tuple>

namespace rqs::session {
namespace {

constexpr Duration kStretch{100000};

struct Made { SimTime time; CpuId cpu; std::int32_t outcome; const char* function; };
using Key = std::tuple<TaskId, CpuId, Question>;  ///< CPU only where no task is concerned

/// Keeps what one stretch of one run decided and recorded.
class Trail final : public RecordSink {
public:
    void on(SimTime t, const Record& r) override { records.emplace_back(t, recordHash(t, r)); }
    bool wantsDecisions() const override { return true; }
    void onDecision(SimTime t, const Decision& d) override {
        decisions.emplace_back(Key{d.task, d.task ? CpuId{} : d.cpu, d.question}, Made{t, d.cpu, d.outcome, d.function});
    }
    std::vector<std::pair<Key, Made>> decisions;
    std::vector<std::pair<SimTime, std::uint64_t>> records;
};

/// Decisions of one key that wait for their partner. At most one of the two queues is not empty.
struct Lane {
    std::deque<Made> a, b;
    std::uint64_t paired = 0;
};

struct Side {
    Session session;
    Trail trail;
    std::deque<std::pair<SimTime, std::uint64_t>> records;  ///< not compared yet
};

SimTime later(SimTime a, SimTime b) { return a < b ? b : a; }

void pairUp(const Key& key, Lane& lane, std::optional<DecisionDifference>& first) {
    while (!lane.a.empty() && !lane.b.empty()) {
        const Made a = lane.a.front(), b = lane.b.front();
        lane.a.pop_front();
        lane.b.pop_front();
        const std::uint64_t ordinal = lane.paired++;
        if (a.outcome == b.outcome) continue;
        if (first && !(later(a.time, b.time) < later(first->timeA, first->timeB))) continue;
        first = DecisionDifference{std::get<Question>(key), std::get<TaskId>(key), a.cpu, b.cpu, ordinal, a.time, b.time,
                                   a.outcome, b.outcome, a.function, b.function};
    }
}

class Pairing {
public:
    void add(const Trail& a, const Trail& b) {
        for (const auto& [key, made] : a.decisions) m_lanes[key].a.push_back(made);
        for (const auto& [key, made] : b.decisions) m_lanes[key].b.push_back(made);
        for (auto& [key, lane] : m_lanes) pairUp(key, lane, first);
    }
    std::optional<DecisionDifference> first;

private:
    std::map<Key, Lane> m_lanes;
};

/// First moment at which the two record streams differ, as far as both are known up to `until`.
std::optional<SimTime> divergence(Side& a, Side& b) {
    a.records.insert(a.records.end(), a.trail.records.begin(), a.trail.records.end());
    b.records.insert(b.records.end(), b.trail.records.begin(), b.trail.records.end());
    while (!a.records.empty() && !b.records.empty()) {
        if (a.records.front() != b.records.front()) return std::min(a.records.front().first, b.records.front().first);
        a.records.pop_front();
        b.records.pop_front();
    }
    // Both ran to the same instant: what is left over on one side has no partner.
    if (!a.records.empty()) return a.records.front().first;
    if (!b.records.empty()) return b.records.front().first;
    return {};
}

} // namespace

Result<FirstDifference> firstDifference(const scenario::RunSetup& setupA, const scenario::RunSetup& setupB) {
    constexpr std::int64_t kNoPast = 1;
    Side a{Session(setupA), {}, {}}, b{Session(setupB), {}, {}};
    for (Side* s : {&a, &b}) {
        s->session.setMemoryBudget(kNoPast);
        s->session.setObserver(&s->trail);
    }
    const SimTime end = std::min(a.session.end(), b.session.end());
    FirstDifference out;
    Pairing pairing;
    for (SimTime t{}; t < end && !(pairing.first && out.divergence);) {
        t = std::min(t + kStretch, end);
        for (Side* s : {&a, &b}) {
            s->trail.decisions.clear();
            s->trail.records.clear();
            s->session.runUntil(t);
        }
        if (!pairing.first) pairing.add(a.trail, b.trail);
        if (!out.divergence) out.divergence = divergence(a, b);
    }
    out.decision = std::move(pairing.first);
    return out;
}

std::string outcomeText(Question q, std::int32_t outcome) {
    switch (q) {
    case Question::WhichCpu: return outcome < 0 ? "no CPU" : fmt::format("CPU {}", outcome);
    case Question::WhoRuns: return outcome < 0 ? "nobody (idle)" : fmt::format("task {}", outcome);
    case Question::Pull: return outcome < 0 ? "nothing" : fmt::format("task {}", outcome);
    case Question::Balance: return outcome < 0 ? "nothing" : fmt::format("CPU {}", outcome);
    case Question::Preempt: case Question::SliceEnd: case Question::LeaveQueue: return outcome == 0 ? "no" : "yes";
    case Question::Placement: break;
    }
    return std::to_string(outcome);
}

} // namespace rqs::session
