// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/words.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr QChar kThin(0x2009);

/// Groups digits by three from the left of a fraction.
QString groupFraction(const QString& digits) {
    QString out;
    for (qsizetype i = 0; i < digits.size(); ++i) {
        if (i > 0 && i % 3 == 0) out += kThin;
        out += digits[i];
    }
    return out;
}
QString significant(double v, int digits) {
    if (v == 0) return u"0"_s;
    const int whole = static_cast<int>(std::floor(std::log10(std::abs(v)))) + 1;
    return QString::number(v, 'f', std::clamp(digits - whole, 0, 6));
}
/// The same without zeros that say nothing: for numbers that stand still.
QString trimmed(double v, int digits) {
    QString s = significant(v, digits);
    if (!s.contains(u'.')) return s;
    while (s.endsWith(u'0')) s.chop(1);
    if (s.endsWith(u'.')) s.chop(1);
    return s;
}
} // namespace

QString qs(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

QString countText(std::int64_t n) {
    const QString d = QString::number(n < 0 ? -n : n);
    QString out;
    for (qsizetype i = 0; i < d.size(); ++i) {
        if (i > 0 && (d.size() - i) % 3 == 0) out += kThin;
        out += d[i];
    }
    return n < 0 ? u"−"_s + out : out;
}

QString timeText(SimTime t) {
    const std::int64_t ns = t.ns;
    if (ns >= 10'000'000'000)
        return countText(ns / 1'000'000'000) + u'.' +
               groupFraction(QString::number(ns / 1000 % 1'000'000).rightJustified(6, u'0')) + u" s"_s;
    return countText(ns / 1'000'000) + u'.' +
           groupFraction(QString::number(ns % 1'000'000).rightJustified(6, u'0')) + u" ms"_s;
}

QString durationText(std::int64_t ns) {
    if (ns < 0) return u"−"_s + durationText(-ns);
    const double a = static_cast<double>(ns);
    if (ns != 0 && ns % 1'000'000'000 == 0) return countText(ns / 1'000'000'000) + u" s"_s;
    if (ns != 0 && ns % 1'000'000 == 0 && a < 1e9) return QString::number(ns / 1'000'000) + u" ms"_s;
    if (a < 100) return QString::number(ns) + u" ns"_s;
    if (a < 999'500) return significant(static_cast<double>(ns) / 1e3, a < 10'000 ? 2 : 3) + u" µs"_s;
    if (a < 999'500'000) return significant(static_cast<double>(ns) / 1e6, 3) + u" ms"_s;
    return significant(static_cast<double>(ns) / 1e9, 3) + u" s"_s;
}

QString magnitudeText(double v) {
    const double a = std::abs(v);
    if (a >= 1e9) return trimmed(v / 1e9, 3) + u" G"_s;
    if (a >= 1e6) return trimmed(v / 1e6, 3) + u" M"_s;
    if (a >= 1e4) return trimmed(v / 1e3, 3) + u" k"_s;
    if (a >= 100 || v == std::floor(v)) return countText(std::llround(v));
    return significant(v, 2);
}

QString bytesText(std::int64_t b) {
    if (b >= std::int64_t{1} << 30)
        return significant(static_cast<double>(b) / double(1 << 30), 3) + u" GB"_s;
    if (b >= 10 << 20) return QString::number(b >> 20) + u" MB"_s;
    return significant(static_cast<double>(b) / double(1 << 20), 2) + u" MB"_s;
}

QString moveText(const session::Move& m) {
    if (m.kind == session::Move::Kind::LockHandover) return u"lock"_s;
    QString why;
    switch (m.reason) {
    case MoveReason::Wakeup: why = u"wake"_s; break;
    case MoveReason::Fork: why = u"fork"_s; break;
    case MoveReason::Newidle: why = u"newidle"_s; break;
    case MoveReason::SharedRunqPull: why = u"pull"_s; break;
    case MoveReason::Affinity: why = u"affinity"_s; break;
    case MoveReason::Hotplug: why = u"hotplug"_s; break;
    case MoveReason::Count: break;
    }
    switch (m.distance) {
    case Distance::Self:
    case Distance::Count: return why;
    case Distance::Smt: return why + u", same core"_s;
    case Distance::Llc: return why + u", same LLC"_s;
    case Distance::Socket: return why + u", cross LLC"_s;
    case Distance::Remote: return why + u", cross socket"_s;
    }
    return why;
}

QString modeText(CpuMode m) {
    switch (m) {
    case CpuMode::Idle: return u"idle"_s;
    case CpuMode::User: return u"user"_s;
    case CpuMode::Kernel: return u"kernel"_s;
    case CpuMode::IrqOff: return u"irqs off"_s;
    case CpuMode::Spin: return u"spinning"_s;
    case CpuMode::Irq: return u"interrupt"_s;
    }
    return {};
}

TaskLabels TaskLabels::of(const session::RunInfo& run) {
    TaskLabels out;
    out.name.reserve(run.tasks.size());
    for (const auto& t : run.tasks) {
        const QString number = QString::number(t.number);
        const QString role = qs(t.role.empty() ? std::string_view(t.comm) : std::string_view(t.role));
        out.name.push_back(role.isEmpty() ? number : role + u' ' + number);
        out.number.push_back(number);
        out.role.push_back(t.roleIndex);
    }
    return out;
}

QString featureName(sched::Feature f) { return qs(sched::info(f).name); }

QString titleText(const session::RunInfo& run) {
    QStringList parts;
    for (const QString& p : {qs(run.title), qs(run.machineTitle.empty() ? run.machineId : run.machineTitle),
                             run.kernelId.empty() ? QString() : u"kernel "_s + qs(run.kernelId)})
        if (!p.isEmpty()) parts << p;
    return parts.join(u" · "_s);
}

QString footerText(const session::Snapshot& s) {
    if (!s.run) return {};
    QStringList parts{qs(s.run->scenarioId.empty() ? s.run->title : s.run->scenarioId)};
    parts << qs(s.run->machineId) << u"kernel "_s + qs(s.run->kernelId) << u"seed %1"_s.arg(s.run->seed);
    for (const auto& f : s.features)
        if (f.available &&
            (f.feature == sched::Feature::SHARED_RUNQ || f.feature == sched::Feature::SIS_SYNC ||
             f.feature == sched::Feature::DELAY_DEQUEUE))
            parts << featureName(f.feature) + (f.on ? u" on"_s : u" off"_s);
    parts << timeText(s.now);
    for (const auto& n : s.run->notes) parts << qs(n);
    return parts.join(u" · "_s);
}

} // namespace rqs::ui
