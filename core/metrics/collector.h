// SPDX-License-Identifier: GPL-3.0-or-later
// The sink that turns records into the numbers people know: throughput, wakeup latency, switches, migrations
// by distance, idle while others wait, lock_stat, per-CPU and per-task time. A copyable value: its copy is a
// checkpoint, so that after a seek all numbers equal those of a fresh run to that point.
#pragma once
#include "core/base/records.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rqs::metrics {

/// log2 histogram of durations with 4 sub-buckets per octave (relative bucket width <= 25 %); mergeable.
class Histogram {
public:
    static constexpr int kBuckets = 256;
    void add(Duration d);
    std::uint64_t count() const { return m_count; }
    std::uint64_t bucketCount(int i) const { return m_buckets[static_cast<std::size_t>(i)]; }
    /// Lower edge of bucket i in ns.
    static std::int64_t lowerEdge(int i);
    static int bucketOf(Duration d);
    Duration max() const { return m_max; }
    Duration total() const { return m_total; }
    /// q in permille (500 = median): largest value of the bucket that holds it, at most max(); 0 when empty.
    Duration quantile(int permille) const;
    void merge(const Histogram& o);
    bool operator==(const Histogram&) const = default;

private:
    std::array<std::uint64_t, kBuckets> m_buckets{};
    std::uint64_t m_count = 0;
    Duration m_total, m_max;
};

/// Sums over equal time bins that double their width when the run outgrows `capacity` bins.
class TimeSeries {
public:
    explicit TimeSeries(Duration bin = {100000}, int capacity = 512);
    void add(SimTime t, std::int64_t amount);
    /// Adds `amount` per ns spread over [from, to).
    void addSpan(SimTime from, SimTime to, std::int64_t amountPerNs);
    Duration bin() const { return m_bin; }
    const std::vector<std::int64_t>& sums() const { return m_sums; }
    bool operator==(const TimeSeries& o) const { return m_bin == o.m_bin && m_sums == o.m_sums; }

private:
    /// Index of the bin of t, which exists afterwards. Times before 0 count as 0.
    std::size_t fit(SimTime t);
    Duration m_bin;
    int m_capacity;
    std::vector<std::int64_t> m_sums;
    std::size_t m_lastBin = 0;                ///< bin of the previous add: saves a division for most records
    std::int64_t m_lastStart = 0;             ///< ns
};

/// One row of /proc/lock_stat, in ns; columns under their names there. A wait counts when it ends and only if
/// it took time, a hold when it ends; so con-bounces may be ahead of contentions by the waits in flight.
/// min = smallest non-zero value. All call sites are counted; the kernel keeps the first 4 of each list.
struct LockStatRow {
    static constexpr std::size_t kPoints = 4;
    std::uint64_t conBounces = 0, contentions = 0, acqBounces = 0, acquisitions = 0;
    Duration waitMin, waitMax, waitTotal, holdMin, holdMax, holdTotal;
    std::array<std::uint64_t, static_cast<std::size_t>(CallSite::Count)> waitSites{}, holderSites{};
    std::array<CallSite, kPoints> waitOrder{}, holderOrder{};   ///< first sites seen, in that order
    std::uint8_t waitPoints = 0, holderPoints = 0;              ///< entries used
    void contend(const LockRecord& r);
    void acquire(const LockRecord& r);
    void release(const LockRecord& r);
    bool operator==(const LockStatRow&) const = default;
};

/// One line of the turbostat-like table. Records tell when a task is current and when a lock wait ended, not
/// user from kernel mode: `busy` and `idle` are exact and add up to the time after warm-up, `user` and `kernel`
/// stay 0 = unknown. `spin` counts waits for locks when they end, in interrupts of an idle CPU too.
struct CpuCounters {
    Duration user, kernel, idle, spin, busy;
    std::uint64_t switches = 0, migrationsIn = 0, wakeups = 0, ticks = 0;  ///< wakeups: tasks placed here
    bool operator==(const CpuCounters&) const = default;
};
struct TaskCounters {
    Duration run, wait;                       ///< on CPU; runnable but not running
    std::uint64_t switches = 0, migrations = 0, wakeups = 0;
    SimTime since{};                          ///< start of the present state
    SimTime wokenAt{};                        ///< time of the wakeup that began it, if `woken`
    enum class State : std::uint8_t { Sleeping, Runnable, Running } state = State::Sleeping;
    bool woken = false;                       ///< the present Runnable period began with a wakeup
    CpuId cpu;
    bool operator==(const TaskCounters&) const = default;
};

/// All numbers of one run so far. Plain values: compare with ==. Series cover the whole run, warm-up included;
/// anomalies count from the start, because one is news whenever it happens.
struct Numbers {
    SimTime now{};
    SimTime warmup{};                         ///< totals and rates below exclude what ended before this
    std::int64_t ops = 0;                     ///< workload units done since warm-up
    std::uint64_t switches = 0, wakeups = 0, enqueues = 0, anomalies = 0;
    std::array<std::uint64_t, static_cast<std::size_t>(Distance::Count)> migrations{};
    std::array<std::uint64_t, static_cast<std::size_t>(MoveReason::Count)> migrationsByReason{};
    Histogram wakeupLatency;                  ///< runnable by wakeup -> running (sched delay)
    Histogram slice;                          ///< time on CPU per switch-in
    TimeSeries throughput, runnable, idle, idleWhileWaiting;  ///< ops; ns-weighted counts
    std::array<TimeSeries, static_cast<std::size_t>(LockClass::Count)> lockWait;  ///< ns of waiting by class
    Duration idleWhileWaitingTotal;           ///< CPU time idle while some task waited on another queue
    std::array<LockStatRow, static_cast<std::size_t>(LockClass::Count)> locks{};
    std::vector<CpuCounters> cpus;
    std::vector<TaskCounters> tasks;
    struct Mark { SimTime t; std::uint8_t feature = 0; std::int32_t value = 0; bool operator==(const Mark&) const = default; };
    std::vector<Mark> flips;                  ///< feature flips, for dashed marks in plots
    bool operator==(const Numbers&) const = default;
};

/// The sink. `finish(now)` closes open intervals up to `now` in a copy, so that looking changes nothing.
class Collector final : public RecordSink {
public:
    Collector() = default;
    Collector(int cpus, int tasks, SimTime warmup);
    void on(SimTime t, const Record& r) override;
    /// Numbers as of `now`, open intervals included.
    Numbers finish(SimTime now) const;

private:
    void handle(SimTime t, const SwitchRecord& r);
    void handle(SimTime t, const WakeRecord& r);
    void handle(SimTime t, const MigrateRecord& r);
    void handle(SimTime t, const EnqueueRecord& r);
    void handle(SimTime t, const DequeueRecord& r);
    void handle(SimTime t, const TickRecord& r);
    void handle(SimTime t, const LockRecord& r);
    void handle(SimTime t, const FeatureRecord& r);
    void handle(SimTime t, const OpRecord& r);
    void handle(SimTime t, const AnomalyRecord& r);
    void handle(SimTime t, const ForkRecord& r);
    template<class R> void handle(SimTime, const R&) {}

    /// Integrates the two counts up to t; call before either changes.
    void advance(SimTime t);
    void flush();
    void makeRunnable(TaskCounters& task, SimTime t);
    bool counted(SimTime t) const { return t >= m_n.warmup; }
    /// Part of [from, to) after the warm-up.
    Duration countedPart(SimTime from, SimTime to) const;
    TaskCounters& task(TaskId t);
    CpuCounters& cpu(CpuId c);
    void growCpus(std::size_t count);

    Numbers m_n;
    std::int32_t m_runnableWaiting = 0, m_idleCpus = 0;
    std::vector<TaskId> m_running;            ///< per CPU
    std::vector<SimTime> m_cpuSince;
    // Integrals since m_pendingFrom, not yet in the series: flushed at bin edges only.
    SimTime m_advanced{}, m_pendingFrom{}, m_pendingUntil{};
    std::int64_t m_pendingRunnable = 0, m_pendingIdle = 0, m_pendingIdleWaiting = 0;
};

} // namespace rqs::metrics
