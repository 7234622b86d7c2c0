// SPDX-License-Identifier: GPL-3.0-or-later
// Every enumerator has its own words, records are plain data, and a decision cuts long walks and says so.
#include "core/base/records.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

using namespace rqs;

namespace {
template<class E>
void everyNameIsItsOwn(const char* (*name)(E), int count) {
    std::set<std::string> seen;
    for (int i = 0; i < count; ++i) {
        const std::string n = name(static_cast<E>(i));
        EXPECT_NE(n, "?") << i;
        EXPECT_FALSE(n.empty()) << i;
        EXPECT_TRUE(seen.insert(n).second) << n << " twice";
    }
    EXPECT_STREQ(name(static_cast<E>(count)), "?") << "a value outside the enum must not read past the table";
    EXPECT_STREQ(name(static_cast<E>(255)), "?");
}
template<class... R>
constexpr bool trivial(std::variant<R...>*) {
    return (std::is_trivially_copyable_v<R> && ...);
}
} // namespace

TEST(Records, EveryEnumeratorHasItsOwnName) {
    everyNameIsItsOwn(lockClassName, static_cast<int>(LockClass::Count));
    everyNameIsItsOwn(callSiteName, static_cast<int>(CallSite::Count));
    everyNameIsItsOwn(distanceName, static_cast<int>(Distance::Count));
    everyNameIsItsOwn(moveReasonName, static_cast<int>(MoveReason::Count));
    everyNameIsItsOwn(anomalyName, static_cast<int>(AnomalyKind::Count));
    everyNameIsItsOwn(questionText, static_cast<int>(Question::Balance) + 1);
    everyNameIsItsOwn(testText, static_cast<int>(rqs::Test::Count));
}

TEST(Records, LockClassesCarryTheKernelsNames) {
    EXPECT_STREQ(lockClassName(LockClass::Rq), "&rq->__lock");
    EXPECT_STREQ(lockClassName(LockClass::Pi), "&p->pi_lock");
    EXPECT_STREQ(lockClassName(LockClass::Shard), "&shard->lock");
}

TEST(Records, ArePlainData) {
    EXPECT_TRUE(trivial(static_cast<Record*>(nullptr)));
    EXPECT_TRUE(std::is_trivially_copyable_v<Decision>);
}

TEST(Records, DecisionCountsWhatItLeavesOut) {
    Decision d;
    const int kept = static_cast<int>(d.candidates.size());
    for (int i = 0; i < kept + 6; ++i) d.add(i, rqs::Test::ScanIdle, i >= kept, i, 2 * i);
    EXPECT_EQ(d.count, kept);
    EXPECT_EQ(d.omitted, 6);
    EXPECT_EQ(d.candidates.back().who, kept - 1);
    EXPECT_EQ(d.candidates.back().b, 2 * (kept - 1));
    EXPECT_FALSE(d.candidates.back().passed);
}
