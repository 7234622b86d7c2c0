// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/metric_plots.h"

#include "ui/views/words.h"

#include <algorithm>
#include <cmath>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {

/// Time axis in ms with three labels, marks for feature flips, footer.
void timeAxis(PlotData& d, const session::Snapshot& s) {
    const double end = std::max(static_cast<double>(s.now.ns) / 1e6, 1e-3);
    d.xName = u"time_ms"_s;
    d.xMax = end;
    const bool seconds = end >= 10'000;
    double step =
        std::pow(10, std::floor(std::log10(end))); // largest of 1, 2, 5 · 10^n with two labels or more
    for (const double k : {5.0, 2.0, 1.0, 0.5, 0.2})
        if (end * 0.94 >= 2 * k * step) {
            step *= k;
            break;
        }
    d.xTicks = {{0, u"0"_s}};
    for (double t = step; t < end * 0.94; t += step)
        d.xTicks.push_back(
            {t, seconds ? QString::number(t / 1000) + u" s"_s : QString::number(t) + u" ms"_s});
    for (const auto& f : s.numbers.flips)
        d.marks.push_back(
            {static_cast<double>(f.t.ns) / 1e6,
             featureName(static_cast<sched::Feature>(f.feature)) + (f.value ? u" on"_s : u" off"_s)});
    d.footer = footerText(s);
    d.empty = u"Nothing yet: run or step on."_s;
}

/// Bins as points at their centres, each divided by `perBin`; the last bin is only as long as it has run.
PlotLine lineOf(const metrics::TimeSeries& t, SimTime now, double factor) {
    PlotLine l;
    const double bin = static_cast<double>(t.bin().ns);
    const auto& sums = t.sums();
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double from = static_cast<double>(i) * bin;
        const double width = std::min(bin, static_cast<double>(now.ns) - from);
        if (width < bin * 0.5 && i > 0) break; // too short to be a rate
        if (width <= 0) break;
        l.x.push_back((from + width / 2) / 1e6);
        l.y.push_back(static_cast<double>(sums[i]) * factor / width);
    }
    return l;
}

QString percent(double v) { return v == 0 ? u"0 %"_s : QString::number(v, 'f', v < 10 ? 1 : 0) + u" %"_s; }

/// Lower edge of a log2 bin as bcc's runqlat and turbostat users know it: 512 ns, 1 µs, 2 µs, ...
QString binText(std::size_t octave) {
    const auto ns = std::int64_t{1} << octave;
    if (ns < 1000) return QString::number(ns) + u" ns"_s;
    if (ns < 1'000'000) return QString::number((ns + 500) / 1000) + u" µs"_s;
    return ns < 1'000'000'000 ? QString::number((ns + 500'000) / 1'000'000) + u" ms"_s : durationText(ns);
}

} // namespace

PlotData throughputPlot(const session::Snapshot& s) {
    PlotData d;
    const QString unit = s.run && !s.run->unit.empty() ? qs(s.run->unit) : u"operations"_s;
    d.title = u"Throughput — "_s + unit + u"/s"_s;
    d.yName = unit + u"_per_s"_s;
    timeAxis(d, s);
    d.empty = u"No "_s + unit + u" done yet."_s;
    d.lines.push_back(lineOf(s.numbers.throughput, s.now, 1e9));
    d.yText = magnitudeText;
    const double measured = static_cast<double>((s.numbers.now - s.numbers.warmup).ns);
    if (measured > 0 && s.numbers.now > s.numbers.warmup)
        d.below = u"mean %1/s · without %2 warm-up"_s.arg(
            magnitudeText(static_cast<double>(s.numbers.ops) * 1e9 / measured),
            durationText(s.numbers.warmup.ns));
    return d;
}

PlotData latencyPlot(const session::Snapshot& s) {
    PlotData d;
    d.title = u"Wakeup latency — log2 bins"_s;
    d.xName = u"from_ns"_s;
    d.yName = u"wakeups"_s;
    d.footer = footerText(s);
    d.bars = true;
    d.xValue = [](double octave) { return std::exp2(octave); };
    d.empty = s.now < s.numbers.warmup
                  ? u"Counts after the warm-up of %1."_s.arg(durationText(s.numbers.warmup.ns))
                  : u"No wakeup has been measured yet."_s;
    const auto& h = s.numbers.wakeupLatency;
    if (h.count() == 0) return d;
    // Sub-buckets of one octave are added up: log2 users know these bins.
    std::vector<double> octave(64, 0);
    for (int i = 0; i < metrics::Histogram::kBuckets; ++i) {
        if (h.bucketCount(i) == 0) continue;
        const auto edge = std::max<std::int64_t>(1, metrics::Histogram::lowerEdge(i));
        octave[static_cast<std::size_t>(std::floor(std::log2(static_cast<double>(edge)) + 1e-9))] +=
            static_cast<double>(h.bucketCount(i));
    }
    std::size_t first = 0, last = 63;
    while (first < 63 && octave[first] == 0) ++first;
    while (last > first && octave[last] == 0) --last;
    first = first > 0 ? first - 1 : 0;
    last = std::min<std::size_t>(63, last + 1);
    PlotLine bars;
    for (std::size_t i = first; i <= last; ++i) {
        bars.x.push_back(static_cast<double>(i));
        bars.y.push_back(octave[i]);
    }
    d.lines.push_back(bars);
    d.xMin = static_cast<double>(first) - 0.6;
    d.xMax = static_cast<double>(last) + 0.6;
    const std::size_t every = std::max<std::size_t>(1, (last - first + 3) / 4);
    for (std::size_t i = first; i <= last; i += every)
        d.xTicks.push_back({static_cast<double>(i), binText(i)});
    if (*std::max_element(octave.begin(), octave.end()) < 2) d.yMax = 2; // counts are whole
    d.yText = magnitudeText;
    d.below = u"p50 %1 · p99 %2 · max %3"_s.arg(durationText(h.quantile(500).ns),
                                                durationText(h.quantile(990).ns), durationText(h.max().ns));
    return d;
}

PlotData lockWaitPlot(const session::Snapshot& s) {
    PlotData d;
    d.title = u"Lock wait — % of CPU time"_s;
    d.yName = u"lock_wait_percent"_s;
    timeAxis(d, s);
    d.empty = u"No lock has been waited for yet."_s;
    const double cpus = std::max<double>(1, static_cast<double>(s.cpus.size()));
    for (std::size_t i = 0; i < s.numbers.lockWait.size(); ++i) {
        const metrics::TimeSeries& waits = s.numbers.lockWait[i];
        if (std::all_of(waits.sums().begin(), waits.sums().end(), [](std::int64_t ns) { return ns == 0; })) continue;
        const auto lockClass = static_cast<LockClass>(i);
        PlotLine l = lineOf(waits, s.now, 100 / cpus);
        // One colour per class, always: the shard lock is the contention people came to see.
        l.color = lockClass == LockClass::Shard ? Meaning::Contention : Meaning::Muted;
        if (lockClass == LockClass::Rq) l.role = 3;
        l.name = qs(lockClassName(lockClass));
        d.lines.push_back(l);
    }
    d.yText = percent;
    const double span = static_cast<double>((s.numbers.now - s.numbers.warmup).ns) * cpus;
    std::vector<std::pair<double, QString>> classes;
    for (std::size_t i = 0; span > 0 && i < s.numbers.locks.size(); ++i) {
        const double v = static_cast<double>(s.numbers.locks[i].waitTotal.ns) * 100 / span;
        if (s.numbers.locks[i].acquisitions > 0)
            classes.emplace_back(-v, qs(lockClassName(static_cast<LockClass>(i))) + u' ' + percent(v));
    }
    std::sort(classes.begin(), classes.end());
    QStringList parts;
    for (const auto& c : classes) parts << c.second;
    d.below = parts.join(u" · "_s);
    return d;
}

PlotData runnablePlot(const session::Snapshot& s) {
    PlotData d;
    d.title = u"Waiting and idle — mean count"_s;
    d.yName = u"count"_s;
    timeAxis(d, s);
    PlotLine waiting = lineOf(s.numbers.runnable, s.now, 1), idle = lineOf(s.numbers.idle, s.now, 1);
    waiting.name = u"waiting tasks"_s;
    idle.name = u"idle CPUs"_s;
    idle.color = Meaning::Good;
    d.lines = {waiting, idle};
    d.yText = magnitudeText;
    const double total = static_cast<double>((s.numbers.now - s.numbers.warmup).ns) *
                         static_cast<double>(std::max<std::size_t>(1, s.cpus.size()));
    if (total > 0)
        d.below = u"idle while tasks wait: %1"_s.arg(
            percent(static_cast<double>(s.numbers.idleWhileWaitingTotal.ns) * 100 / total));
    return d;
}

} // namespace rqs::ui
