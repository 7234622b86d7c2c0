// SPDX-License-Identifier: GPL-3.0-or-later
// A against B in step: the first difference found in stretches is the one a complete record shows, and watching
// changes nothing.
#include "core/session/compare.h"
#include "core/session/record_hash.h"
#include "core/session/run_to_end.h"
#include "support.h"

#include <map>
#include <tuple>

using namespace rqs;
using namespace rqs::session;
using namespace rqs::session::test;

namespace {

/// Everything one run decided and recorded.
class Everything final : public RecordSink {
public:
    struct Made { SimTime t; std::int32_t outcome; };
    using Key = std::tuple<TaskId, CpuId, Question>;
    void on(SimTime t, const Record& r) override { records.emplace_back(t, recordHash(t, r)); }
    bool wantsDecisions() const override { return true; }
    void onDecision(SimTime t, const Decision& d) override {
        decisions[{d.task, d.task ? CpuId{} : d.cpu, d.question}].push_back({t, d.outcome});
    }
    std::map<Key, std::vector<Made>> decisions;
    std::vector<std::pair<SimTime, std::uint64_t>> records;
};

const std::string kVariants = R"(,"variants":[{"name":"A"},{"name":"B","features":{"SHARED_RUNQ":"on"}}])";

scenario::RunSetup setup(const std::string& variant, std::uint64_t seed = 1) { return setupFrom(parse(smallHackbench(kVariants)), variant, seed); }

} // namespace

TEST(CompareDecisions, FirstDifferenceIsTheEarliestOfAll) {
    Everything a, b;
    runToEnd(setup("A"), &a);
    runToEnd(setup("B"), &b);
    // By brute force over the whole runs.
    SimTime decision = SimTime::never();
    for (const auto& [key, madeA] : a.decisions) {
        const auto it = b.decisions.find(key);
        if (it == b.decisions.end()) continue;
        for (std::size_t i = 0; i < madeA.size() && i < it->second.size(); ++i)
            if (madeA[i].outcome != it->second[i].outcome) decision = std::min(decision, std::max(madeA[i].t, it->second[i].t));
    }
    SimTime divergence = SimTime::never();
    for (std::size_t i = 0; i < a.records.size() && i < b.records.size() && divergence == SimTime::never(); ++i)
        if (a.records[i] != b.records[i]) divergence = std::min(a.records[i].first, b.records[i].first);
    ASSERT_NE(decision, SimTime::never());

    const auto first = firstDifference(setup("A"), setup("B"));
    ASSERT_TRUE(first);
    ASSERT_TRUE(first->decision);
    EXPECT_EQ(std::max(first->decision->timeA, first->decision->timeB), decision);
    EXPECT_NE(first->decision->outcomeA, first->decision->outcomeB);
    EXPECT_FALSE(first->decision->functionA.empty());
    ASSERT_TRUE(first->divergence);
    EXPECT_EQ(*first->divergence, divergence);
}

TEST(CompareDecisions, EqualRunsDoNotDiffer) {
    const auto first = firstDifference(setup("A"), setup("A"));
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->decision);
    EXPECT_FALSE(first->divergence);
}

TEST(CompareDecisions, AnotherSeedParts) {
    const auto first = firstDifference(setup("A", 1), setup("A", 2));
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->divergence);
}

TEST(RunToEnd, WatchingChangesNothing) {
    Everything sink;
    const RunResult watched = runToEnd(setup("B"), &sink), alone = runToEnd(setup("B"));
    EXPECT_EQ(watched.fingerprint, alone.fingerprint);
    EXPECT_EQ(watched.steps, alone.steps);
    EXPECT_EQ(watched.numbers, alone.numbers);
    EXPECT_GT(sink.records.size(), 1000u);
    EXPECT_EQ(alone.simTime, SimTime{10'000'000});
    EXPECT_EQ(alone.tasks.size(), 80u);
}

TEST(RecordHash, EveryFieldCounts) {
    const SimTime t{5};
    const LockRecord base{LockPhase::Acquire, LockClass::Rq, CallSite::Schedule, CallSite::Schedule, false, false, LockId(1), 2, CpuId(3),
                          Duration{4}, Duration{5}};
    const auto hash = [&](auto change) {
        LockRecord r = base;
        change(r);
        return recordHash(t, r);
    };
    const std::uint64_t same = hash([](LockRecord&) {});
    EXPECT_EQ(same, recordHash(t, base));
    EXPECT_NE(same, recordHash(SimTime{6}, base));
    EXPECT_NE(same, hash([](LockRecord& r) { r.phase = LockPhase::Release; }));
    EXPECT_NE(same, hash([](LockRecord& r) { r.holderSite = CallSite::TryToWakeUp; }));
    EXPECT_NE(same, hash([](LockRecord& r) { r.bounced = true; }));
    EXPECT_NE(same, hash([](LockRecord& r) { r.contended = true; }));
    EXPECT_NE(same, hash([](LockRecord& r) { r.cpu = CpuId(4); }));
    EXPECT_NE(same, hash([](LockRecord& r) { r.wait = Duration{5}; }));
    EXPECT_NE(same, hash([](LockRecord& r) { r.hold = Duration{4}; }));
    EXPECT_NE(recordHash(t, IdleRecord{CpuId(1), true}), recordHash(t, TickRecord{CpuId(1), true})) << "equal fields, other kind";
}
