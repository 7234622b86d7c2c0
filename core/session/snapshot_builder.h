// SPDX-License-Identifier: GPL-3.0-or-later
// World -> Snapshot. Reads only; the World never knows it was looked at.
#pragma once
#include "core/session/session.h"
#include "core/session/snapshot.h"

namespace rqs::session {

std::shared_ptr<const RunInfo> makeRunInfo(const Session& session);
/// Fills everything that follows from the session alone (not moves, decision, speed, message).
Snapshot makeSnapshot(const Session& session, std::shared_ptr<const RunInfo> info, CpuId selected);

/// Collects what views animate and explain: moves (at most 256 kept) and the last decision.
class MoveLog final : public RecordSink {
public:
    bool explain = false;  ///< build decisions too
    void on(SimTime t, const Record& r) override;
    bool wantsDecisions() const override { return explain; }
    void onDecision(SimTime t, const Decision& d) override;
    void clear();
    const std::vector<Move>& moves() const { return m_moves; }
    const std::optional<Decision>& decision() const { return m_decision; }
    SimTime decisionTime() const { return m_decisionTime; }
    void setTopology(const machine::Topology* t) { m_topology = t; }

private:
    void add(const Move& m);
    std::vector<Move> m_moves;
    std::size_t m_oldest = 0;
    std::optional<Decision> m_decision;
    SimTime m_decisionTime;
    const machine::Topology* m_topology = nullptr;
};

} // namespace rqs::session
