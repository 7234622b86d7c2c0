// SPDX-License-Identifier: GPL-3.0-or-later
// Counting rules of lock_stat and the text of /proc/lock_stat, by the worked examples of the model documents.
#include "core/metrics/lock_stat_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

using namespace rqs;
using namespace rqs::metrics;
using testing::HasSubstr;
using testing::Not;

namespace {

LockRecord record(LockPhase phase, CallSite site = CallSite::Schedule,
                  CallSite holder = CallSite::TryToWakeUp) {
    LockRecord r;
    r.phase = phase;
    r.cls = LockClass::Shard;
    r.site = site;
    r.holderSite = holder;
    return r;
}
void contended(LockStatRow& row, std::int64_t wait, std::int64_t hold,
               CallSite site = CallSite::EnqueueEntity, CallSite holder = CallSite::DequeueEntity) {
    LockRecord c = record(LockPhase::Contend, site, holder);
    c.bounced = true;
    row.contend(c);
    LockRecord a = record(LockPhase::Acquire, site);
    a.bounced = a.contended = true;
    a.wait = {wait};
    row.acquire(a);
    LockRecord r = record(LockPhase::Release, site);
    r.contended = true;
    r.hold = {hold};
    row.release(r);
}
void quiet(LockStatRow& row, std::int64_t hold) {
    row.acquire(record(LockPhase::Acquire));
    LockRecord r = record(LockPhase::Release);
    r.hold = {hold};
    row.release(r);
}

/// LOCK-1 of the model document: A uncontended, B waits 260, C waits 610, each holds 300.
LockStatRow lock1() {
    LockStatRow row;
    quiet(row, 300);
    contended(row, 260, 300);
    contended(row, 610, 300);
    return row;
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

} // namespace

TEST(LockStat, LOCK_1_counters) {
    const LockStatRow row = lock1();
    EXPECT_EQ(row.acquisitions, 3u);
    EXPECT_EQ(row.contentions, 2u);
    EXPECT_EQ(row.conBounces, 2u);
    EXPECT_EQ(row.acqBounces, 2u);
    EXPECT_EQ(row.waitMin.ns, 260);
    EXPECT_EQ(row.waitMax.ns, 610);
    EXPECT_EQ(row.waitTotal.ns, 870);
    EXPECT_EQ(row.holdMin.ns, 300);
    EXPECT_EQ(row.holdMax.ns, 300);
    EXPECT_EQ(row.holdTotal.ns, 900);
}

TEST(LockStat, WaitWithoutLengthIsNoContentionAndMinSkipsZero) {
    LockStatRow row;
    contended(row, 0, 0);
    EXPECT_EQ(row.contentions, 0u);
    EXPECT_EQ(row.acquisitions, 1u);
    contended(row, 40, 25);
    contended(row, 90, 70);
    EXPECT_EQ(row.contentions, 2u);
    EXPECT_EQ(row.waitMin.ns, 40);
    EXPECT_EQ(row.holdMin.ns, 25);
}

TEST(LockStat, LS_INV_1_and_LS_INV_2_with_up_to_four_sites) {
    LockStatRow row;
    const CallSite sites[] = {CallSite::EnqueueEntity, CallSite::DequeueEntity, CallSite::SharedRunqPop,
                              CallSite::Schedule};
    for (int i = 0; i < 200; ++i) {
        if (i % 3 == 0)
            quiet(row, 10 + i);
        else
            contended(row, 5 + i, 10 + i, sites[i % 4], sites[(i / 3) % 4]);
        ASSERT_LE(row.acqBounces, row.acquisitions);
        ASSERT_LE(row.conBounces, row.contentions);
        ASSERT_LE(row.contentions, row.acquisitions);
    }
    std::uint64_t waiters = 0, holders = 0;
    for (std::size_t i = 0; i < row.waitPoints; ++i)
        waiters += row.waitSites[static_cast<std::size_t>(row.waitOrder[i])];
    for (std::size_t i = 0; i < row.holderPoints; ++i)
        holders += row.holderSites[static_cast<std::size_t>(row.holderOrder[i])];
    EXPECT_EQ(row.waitPoints, 4);
    EXPECT_EQ(waiters, row.contentions);
    EXPECT_EQ(holders, row.contentions);
}

TEST(LockStat, FMT_2_row) {
    const std::string expected = "                            &shard->lock:             2              2     "
                                 "      0.26           0.61          "
                                 " 0.87           0.44              2              3           0.30          "
                                 " 0.30           0.90           0.30";
    const std::string line = lockStatLine("&shard->lock", lock1());
    EXPECT_EQ(line.size(), 220u);
    EXPECT_EQ(line, expected);
}

TEST(LockStat, FMT_3_times) {
    EXPECT_EQ(lockStatTime({0}), "0.00");
    EXPECT_EQ(lockStatTime({260}), "0.26");
    EXPECT_EQ(lockStatTime({435}), "0.44");
    EXPECT_EQ(lockStatTime({995}), "1.00");
    EXPECT_EQ(lockStatTime({1250954097250}), "1250954097.25");
}

TEST(LockStat, NamesAreCutTo37Characters) {
    const std::string name(50, 'n');
    EXPECT_EQ(lockStatLine(name, lock1()).substr(0, 42), "   " + std::string(37, 'n') + ": ");
}

TEST(LockStat, LOCK_2_uncontended_class_prints_one_row_only) {
    std::array<LockStatRow, static_cast<std::size_t>(LockClass::Count)> rows{};
    for (int i = 0; i < 10; ++i) quiet(rows[static_cast<std::size_t>(LockClass::Pi)], 100);
    const auto text = lines(lockStatText(rows));
    ASSERT_EQ(text.size(), 6u);
    EXPECT_EQ(text[0], "lock_stat version 0.4");
    EXPECT_EQ(text[1], std::string(221, '-'));
    EXPECT_EQ(text[2].size(), 220u);
    EXPECT_THAT(text[2], HasSubstr("class name    con-bounces    contentions   waittime-min"));
    EXPECT_EQ(text[3], text[1]);
    EXPECT_EQ(text[4], "");
    EXPECT_EQ(text[5], lockStatLine("&p->pi_lock", rows[static_cast<std::size_t>(LockClass::Pi)]));
}

TEST(LockStat, MostContendedFirstWithFourSitesEach) {
    std::array<LockStatRow, static_cast<std::size_t>(LockClass::Count)> rows{};
    contended(rows[static_cast<std::size_t>(LockClass::Rq)], 10, 10);
    LockStatRow& shard = rows[static_cast<std::size_t>(LockClass::Shard)];
    contended(shard, 10, 10, CallSite::SharedRunqPop, CallSite::EnqueueEntity);
    contended(shard, 10, 10, CallSite::EnqueueEntity, CallSite::EnqueueEntity);
    contended(shard, 10, 10, CallSite::EnqueueEntity, CallSite::EnqueueEntity);
    contended(shard, 10, 10, CallSite::DequeueEntity, CallSite::EnqueueEntity);
    contended(shard, 10, 10, CallSite::Schedule, CallSite::EnqueueEntity);
    contended(shard, 10, 10, CallSite::TryToWakeUp, CallSite::EnqueueEntity);
    const std::string text = lockStatText(rows);
    const auto all = lines(text);
    EXPECT_EQ(all[5], lockStatLine("&shard->lock", shard));
    EXPECT_EQ(all[6], std::string(28, ' ') + std::string(12, '-'));
    EXPECT_EQ(all[7], std::string(28, ' ') + "&shard->lock" + std::string(14, ' ') + "1" +
                          std::string(10, ' ') + "[<000000000000000b>] shared_runq_pop_task+0x0/0x0");
    EXPECT_THAT(all[8], HasSubstr(" 2 "));
    EXPECT_THAT(all[8], HasSubstr("__enqueue_entity"));
    EXPECT_THAT(all[9], HasSubstr("__dequeue_entity"));
    EXPECT_THAT(all[10], HasSubstr("__schedule"));
    EXPECT_EQ(all[11], all[6]); // the fifth site is dropped, the holders follow
    EXPECT_THAT(all[12], HasSubstr(" 6 "));
    EXPECT_EQ(all[13], "");
    EXPECT_EQ(all[14], std::string(221, '.'));
    EXPECT_EQ(all[15], "");
    EXPECT_EQ(all[16], lockStatLine("&rq->__lock", rows[static_cast<std::size_t>(LockClass::Rq)]));
    EXPECT_THAT(text, Not(HasSubstr("try_to_wake_up")));
    EXPECT_THAT(text, Not(HasSubstr("pi_lock")));
}
