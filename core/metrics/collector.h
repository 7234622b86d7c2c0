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
    /// q in permille (500 = median): upper edge of the bucket that holds it, at most max().
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
    bool operator==(const TimeSeries&) const = default;

private:
    void fit(SimTime t);
    Duration m_bin;
    int m_capacity;
    std::vector<std::int64_t> m_sums;
};

/// One row of /proc/lock_stat, in ns; columns under their names there.
struct LockStatRow {
    std::uint64_t conBounces = 0, contentions = 0, acqBounces = 0, acquisitions = 0;
    Duration waitMin, waitMax, waitTotal, holdMin, holdMax, holdTotal;
    std::array<std::uint64_t, static_cast<std::size_t>(CallSite::Count)> waitSites{}, holderSites{};
    void contend(const LockRecord& r);
    void acquire(const LockRecord& r);
    void release(const LockRecord& r);
    bool operator==(const LockStatRow&) const = default;
};

/// One line of the turbostat-like table.
struct CpuCounters {
    Duration user, kernel, idle, spin;       ///< spin: waiting for locks
    std::uint64_t switches = 0, migrationsIn = 0, wakeups = 0, ticks = 0;
    bool operator==(const CpuCounters&) const = default;
};
struct TaskCounters {
    Duration run, wait;                       ///< on CPU; runnable but not running
    std::uint64_t switches = 0, migrations = 0, wakeups = 0;
    SimTime since{};                          ///< start of the present state
    enum class State : std::uint8_t { Sleeping, Runnable, Running } state = State::Sleeping;
    bool woken = false;                       ///< the present Runnable period began with a wakeup
    CpuId cpu;
    bool operator==(const TaskCounters&) const = default;
};

/// All numbers of one run so far. Plain values: compare with ==.
struct Numbers {
    SimTime now{};
    SimTime warmup{};                         ///< totals and rates below exclude what ended before this
    std::int64_t ops = 0;                     ///< workload units done since warm-up
    std::uint64_t switches = 0, wakeups = 0, enqueues = 0, anomalies = 0;
    std::array<std::uint64_t, static_cast<std::size_t>(Distance::Count)> migrations{};
    std::array<std::uint64_t, static_cast<std::size_t>(MoveReason::Count)> migrationsByReason{};
    Histogram wakeupLatency;                  ///< runnable by wakeup -> running (sched delay)
    Histogram slice;                          ///< time on CPU per switch-in
    TimeSeries throughput, lockWait, runnable, idle, idleWhileWaiting;
                                              ///< ops; ns of waiting; ns-weighted counts
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
    void advance(SimTime t);
    Numbers m_n;
    std::int32_t m_runnableWaiting = 0, m_idleCpus = 0;
    std::vector<TaskId> m_running;            ///< per CPU
    std::vector<SimTime> m_cpuSince;
};

} // namespace rqs::metrics
