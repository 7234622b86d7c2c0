// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/machine_tiles.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

MachineFaces::MachineFaces(double scale) : s(scale) {
    const double h = std::clamp(scale, 0.85, 1.2);
    number = Ink::face(10 * s, true);
    name = Ink::face(10.4 * s, true);
    chip = Ink::face(8.6 * s, false);
    tiny = Ink::face(8.8 * std::min(s, 1.25), false);
    core = Ink::face(9.4 * h, false);
    llc = Ink::face(12.5 * h, true);
    llcInfo = Ink::face(11 * h, false);
    socket = Ink::face(12 * h, true);
    shard = Ink::face(10.6 * h, false);
    heatNumber = Ink::face(8.5, false);
}

TilePainter::TilePainter(Ink& ink, const MachineScene& scene, const MachineFaces& faces)
    : m_ink(ink), m_scene(scene), m_f(faces), m_t(ink.theme()) {}

void TilePainter::cpu(std::size_t i) {
    const QRectF r = m_scene.layout->tiles[i];
    if (i >= m_scene.snapshot->cpus.size()) return;
    switch (m_scene.layout->detail) {
    case Detail::Full:
    case Detail::Chips: fullTile(i, r); break;
    case Detail::Ticks: tickTile(i, r); break;
    case Detail::Heat: heatCell(i, r); break;
    }
}

void TilePainter::outline(std::size_t i, const QRectF& r, double radius) {
    const CpuId id(i);
    const auto& lit = m_scene.candidates;
    if (std::find(lit.begin(), lit.end(), id) != lit.end())
        m_ink.box(r.adjusted(0.5, 0.5, -0.5, -0.5), radius, {}, m_t.color(Meaning::Accent, 0.6), 1.2);
    if (id == m_scene.chosen && id != m_scene.selected)
        m_ink.box(r.adjusted(-1, -1, 1, 1), radius + 1, {}, m_t.color(Meaning::Good), 2);
    if (id == m_scene.hovered && id != m_scene.selected)
        m_ink.box(r, radius, {}, m_t.color(Meaning::Muted), 1.2);
    if (id == m_scene.selected) {
        const double pen = m_scene.layout->detail == Detail::Heat ? 1.6 : 2.4;
        m_ink.box(r.adjusted(-1.5, -1.5, 1.5, 1.5), radius + 1, {}, m_t.color(Meaning::Accent), pen);
    }
    if (!m_scene.moveHeat.empty() && m_scene.moveHeat[i] > 0.04F) {
        const double v = std::min(1.0, static_cast<double>(m_scene.moveHeat[i]));
        const double h = m_scene.layout->detail == Detail::Heat ? 1.5 : 3;
        m_ink.bar(QRectF(r.x() + 2, r.bottom() - h - 1, (r.width() - 4) * v, h),
                  m_t.color(Meaning::Good, 0.9));
    }
}

void TilePainter::taskChip(const QRectF& r, TaskId t, const Ink::Face& f, bool delayed, bool ineligible) {
    const int role = m_scene.labels->roleOf(t);
    const QColor fill = m_t.role(role), tile = m_t.color(Meaning::Tile);
    const double radius = std::min(3.0, r.height() / 4);
    const QRectF in = r.adjusted(0.5, 0.5, -0.5, -0.5);
    QColor words = m_t.onRole(role);
    if (delayed) {
        m_ink.box(in, radius, tile, fill, 1.2);
        words = m_t.color(Meaning::Text);
    } else if (ineligible) {
        m_ink.box(in, radius, Theme::mix(fill, tile, 0.32), Theme::mix(fill, tile, 0.62), 1);
        words = m_t.color(Meaning::Text);
    } else {
        m_ink.box(in, radius, fill);
    }
    if (t.valid() && t.index() < m_scene.labels->number.size())
        m_ink.text(r, m_scene.labels->number[t.index()], f, words, Qt::AlignHCenter);
    if (t == m_scene.selectedTask && t.valid()) m_ink.box(r, radius, {}, m_t.color(Meaning::Text), 1.4);
}

void TilePainter::runningChip(const session::CpuView& c, const QRectF& r) {
    const double s = m_f.s;
    const QRectF words = r.adjusted(5 * s, 0, -4 * s, 0);
    if (c.spinning) {
        m_ink.box(r, 3, m_t.color(Meaning::Contention));
        const auto now = m_scene.snapshot->now;
        const QString text = u"spins "_s + durationText((now - c.spinSince).ns);
        const double used = m_ink.text(words, text, m_f.name, m_t.color(Meaning::OnContention));
        if (used <= 0) m_ink.text(words, u"spins"_s, m_f.name, m_t.color(Meaning::OnContention));
        return;
    }
    if (!c.running.valid()) { // a kernel path on a CPU whose current task is idle
        m_ink.box(r.adjusted(0.5, 0.5, -0.5, -0.5), 3, m_t.color(Meaning::Control), m_t.color(Meaning::Muted),
                  1);
        m_ink.text(words, modeText(c.mode), m_f.name, m_t.color(Meaning::Text));
        return;
    }
    const int role = m_scene.labels->roleOf(c.running);
    m_ink.box(r, 3, m_t.role(role));
    const QColor text = m_t.onRole(role);
    const double track = std::min(24 * s, r.width() * 0.27);
    const double used =
        m_ink.text(words, m_scene.labels->nameOf(c.running), m_f.name, text, Qt::AlignLeft, Fit::Elide);
    if (r.width() - used - 10 * s > track) { // progress in the slice; left out rather than under the name
        const QRectF bar(r.right() - 4 * s - track, r.bottom() - 5 * s, track, std::max(2.0, 2.5 * s));
        QColor faint = text, strong = text;
        faint.setAlphaF(0.16F);
        strong.setAlphaF(0.62F);
        m_ink.bar(bar, faint);
        m_ink.bar(QRectF(bar.topLeft(),
                         QSizeF(track * std::clamp<double>(c.sliceUsed, 0, 1000) / 1000, bar.height())),
                  strong);
    }
    if (c.running == m_scene.selectedTask) m_ink.box(r, 3, {}, m_t.color(Meaning::Text), 1.6);
}

void TilePainter::chipRow(const session::CpuView& c, QRectF area) {
    const double s = m_f.s, w = std::max(20.0, 21 * s), h = std::max(11.0, 14 * s), gap = 3 * s;
    const int perRow = std::max(0, static_cast<int>((area.width() + gap) / (w + gap)));
    const int rows = static_cast<int>((area.height() + gap) / (h + gap));
    const int waiting = std::max<int>(c.queued, c.nr + c.nrDelayed - (c.running.valid() ? 1 : 0));
    int room = perRow * rows;
    if (room <= 0 || waiting <= 0) {
        return;
    }
    const int shown = std::min<int>({c.queued, room, 8});
    const int chips = waiting > shown && shown == room ? shown - 1 : shown;
    for (int i = 0; i < chips; ++i) {
        const QRectF r(area.x() + (i % perRow) * (w + gap), area.y() + (i / perRow) * (h + gap), w, h);
        const auto bit = static_cast<unsigned>(1U << i);
        taskChip(r, c.queue[static_cast<std::size_t>(i)], m_f.chip, (c.delayedBits & bit) != 0,
                 (c.ineligibleBits & bit) != 0);
    }
    if (waiting > chips && chips < room) {
        const QRectF r(area.x() + (chips % perRow) * (w + gap), area.y() + (chips / perRow) * (h + gap), w,
                       h);
        m_ink.text(r, u"+%1"_s.arg(waiting - chips), m_f.chip, m_t.color(Meaning::Muted), Qt::AlignHCenter);
    }
}

void TilePainter::fullTile(std::size_t i, const QRectF& r) {
    const session::CpuView& c = m_scene.snapshot->cpus[i];
    const double s = m_f.s;
    const bool idle = !c.running.valid() && !c.spinning && c.mode == CpuMode::Idle;
    m_ink.box(r.adjusted(0.5, 0.5, -0.5, -0.5), 4, m_t.color(idle ? Meaning::IdleTile : Meaning::Tile),
              m_t.color(Meaning::Line));
    const double pad = 4 * s;
    const QRectF head(r.x() + pad + 2, r.y() + 1.5 * s, r.width() - 2 * pad - 4, 15 * s);
    const double numberWidth = m_ink.text(head, QString::number(i), m_f.number, m_t.color(Meaning::Muted));
    QRectF right = head.adjusted(numberWidth + 4, 0, 0, 0);
    if (idle)
        m_ink.text(right, u"idle"_s, m_f.tiny, m_t.color(Meaning::Muted), Qt::AlignRight);
    else if (c.nr > 0) {
        const QString nr =
            c.nrDelayed > 0 ? u"nr %1 (%2 delayed)"_s.arg(c.nr).arg(c.nrDelayed) : u"nr %1"_s.arg(c.nr);
        double used = m_ink.text(right, nr, m_f.tiny, m_t.color(Meaning::Muted), Qt::AlignRight);
        if (used <= 0)
            used =
                m_ink.text(right, u"nr %1"_s.arg(c.nr), m_f.tiny, m_t.color(Meaning::Muted), Qt::AlignRight);
        right.setRight(right.right() - used - 4);
    }
    if (c.needResched) {
        // The word when it fits, else N, the flag tracers print for need_resched.
        const QColor alert = m_t.color(Meaning::ContentionText);
        const QString word = m_ink.width(m_f.tiny, u"resched"_s) <= right.width() ? u"resched"_s : u"N"_s;
        m_ink.text(right, word, m_f.tiny, alert, Qt::AlignRight);
    }
    if (!idle) {
        const QRectF run(r.x() + pad, r.y() + 17 * s, r.width() - 2 * pad, 18 * s);
        runningChip(c, run);
        double y = run.bottom() + 3.5 * s;
        if (m_scene.layout->detail == Detail::Full) {
            QStringList facts{modeText(c.mode)};
            if (c.spinning && c.running.valid()) facts.prepend(m_scene.labels->nameOf(c.running));
            facts << magnitudeText(static_cast<double>(c.switches)) + u" switches"_s;
            m_ink.text(QRectF(run.x() + 1, y, run.width() - 2, 11 * s), facts.join(u" · "_s), m_f.tiny,
                       m_t.color(Meaning::Muted), Qt::AlignLeft, Fit::Elide);
            y += 14 * s;
        }
        chipRow(c, QRectF(run.x(), y, run.width(), r.bottom() - y - 3));
    } else if (c.nrDelayed > 0 || c.queued > 0) {
        const double y = r.y() + 18 * s;
        chipRow(c, QRectF(r.x() + pad, y, r.width() - 2 * pad, r.bottom() - y - 2));
    }
    outline(i, r, 4);
}

void TilePainter::tickTile(std::size_t i, const QRectF& r) {
    const session::CpuView& c = m_scene.snapshot->cpus[i];
    const bool busy = c.running.valid(), idle = !busy && !c.spinning && c.mode == CpuMode::Idle;
    m_ink.bar(r, m_t.color(idle ? Meaning::IdleTile : Meaning::Tile));
    const double band = std::clamp(r.height() * 0.56, std::min(r.height(), 10.0), 22.0);
    const QRectF head(r.x(), r.y(), r.width(), band);
    QColor ink = m_t.color(Meaning::Muted);
    if (c.spinning) {
        m_ink.bar(head, m_t.color(Meaning::Contention));
        ink = m_t.color(Meaning::OnContention);
    } else if (busy) {
        m_ink.bar(head, m_t.role(m_scene.labels->roleOf(c.running)));
        ink = m_t.onRole(m_scene.labels->roleOf(c.running));
    } else if (!idle) {
        m_ink.bar(head, m_t.color(Meaning::Line));
        ink = m_t.color(Meaning::Text);
    }
    if (band >= 9) {
        const QString id = QString::number(i);
        const QRectF words = head.adjusted(3, 0, -2, 0);
        const double used = m_ink.text(words, id, m_f.tiny, ink);
        const QRectF rest = words.adjusted(used + 4, 0, 0, 0);
        if (used > 0 && c.spinning)
            m_ink.text(rest, u"spins"_s, m_f.tiny, ink, Qt::AlignRight);
        else if (used > 0 && busy)
            m_ink.text(rest, m_scene.labels->nameOf(c.running), m_f.tiny, ink, Qt::AlignRight);
    }
    const int waiting = std::max<int>(c.queued, c.nr - (busy ? 1 : 0));
    const double room = r.height() - band;
    if (waiting > 0 && room >= 3) { // one tick per waiting task, in its role's colour, in pick order
        const double step = std::min(5.0, (r.width() - 4) / 9.0), h = std::min(room - 2, 8.0);
        const int fit = static_cast<int>((r.width() - 4) / std::max(1.5, step));
        for (int k = 0; k < std::min(waiting, fit); ++k) {
            const QColor tick = k < c.queued
                                    ? m_t.role(m_scene.labels->roleOf(c.queue[static_cast<std::size_t>(k)]))
                                    : m_t.color(Meaning::Muted);
            m_ink.bar(
                QRectF(r.x() + 2.5 + k * step, head.bottom() + (room - h) / 2, std::max(1.0, step - 1.6), h),
                tick);
        }
    }
    outline(i, r, 2);
}

QString heatName(HeatMeasure m) {
    switch (m) {
    case HeatMeasure::Queue: return u"waiting tasks"_s;
    case HeatMeasure::Busy: return u"busy"_s;
    case HeatMeasure::Spin: return u"lock wait"_s;
    case HeatMeasure::Switches: return u"switches"_s;
    }
    return {};
}

QString TilePainter::heatLegend(HeatMeasure m) {
    switch (m) {
    case HeatMeasure::Queue: return u"8+"_s;
    case HeatMeasure::Busy:
    case HeatMeasure::Spin: return u"100 %"_s;
    case HeatMeasure::Switches: return u"most"_s;
    }
    return {};
}

double TilePainter::heatValue(std::size_t i) const {
    const session::CpuView& c = m_scene.snapshot->cpus[i];
    if (m_scene.measure == HeatMeasure::Queue || m_scene.heat.size() <= i) {
        const int waiting = std::max<int>(c.queued, c.nr - (c.running.valid() ? 1 : 0));
        return std::min(1.0, waiting / 8.0);
    }
    return std::clamp<double>(m_scene.heat[i], 0, 1);
}

void TilePainter::heatCell(std::size_t i, const QRectF& r) {
    const session::CpuView& c = m_scene.snapshot->cpus[i];
    const bool idle = !c.running.valid() && !c.spinning;
    const double v = heatValue(i);
    QColor fill = m_t.color(Meaning::IdleTile);
    if (!idle || v > 0)
        fill = Theme::mix(m_t.color(Meaning::Accent), m_t.color(Meaning::Llc), 0.22 + 0.78 * v);
    m_ink.bar(r, fill);
    if (c.spinning) { // hatch as well as colour
        m_ink.bar(r, m_t.color(Meaning::Contention));
        QPainter& p = m_ink.painter();
        p.setPen(QPen(m_t.color(Meaning::OnContention), 1));
        p.drawLine(r.bottomLeft() + QPointF(1, -1), r.topRight() + QPointF(-1, 1));
    }
    if (r.width() >= 26 && r.height() >= 14) {
        const QColor ink = c.spinning ? m_t.color(Meaning::OnContention)
                           : v > 0.55 ? m_t.color(Meaning::OnAccent)
                                      : m_t.color(v > 0 || !idle ? Meaning::Text : Meaning::Muted);
        m_ink.text(QRectF(r.x() + 3, r.y() + 1, r.width() - 5, 12), QString::number(i), m_f.heatNumber, ink);
    }
    outline(i, r, 1);
}

void TilePainter::padlock(QPointF at, double z, const QColor& c, bool open) {
    QPainter& p = m_ink.painter();
    m_ink.box(QRectF(at.x(), at.y() + z * 0.44, z * 0.8, z * 0.56), 2, c);
    QPainterPath shackle;
    const double x0 = at.x() + z * 0.17, x1 = at.x() + z * 0.63, y = at.y() + z * 0.46;
    const double lift = open ? -z * 0.1 : 0;
    shackle.moveTo(x0, y);
    shackle.lineTo(x0, y - z * 0.18 + lift);
    shackle.cubicTo(x0, at.y() - z * 0.06 + lift, x1, at.y() - z * 0.06 + lift, x1, y - z * 0.18 + lift);
    if (!open) shackle.lineTo(x1, y);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(c, std::max(1.4, z * 0.11)));
    p.drawPath(shackle);
}

QString TilePainter::lockWords(const session::LockView& l) const {
    const QString who = l.holder.valid() ? QString::number(l.holder.v) : u"?"_s;
    if (l.handover) return u"handed to "_s + who;
    if (!l.held) return u"free"_s;
    return u"held by %1, %2"_s.arg(who, durationText((m_scene.snapshot->now - l.since).ns));
}

void TilePainter::shard(std::size_t index) {
    const session::ShardView& sh = m_scene.snapshot->shards[index];
    const QRectF r = m_scene.layout->shards[index];
    const bool taken = sh.lock.held || sh.lock.handover;
    const bool fought = sh.lock.waiters > 0 || !sh.lock.spinning.empty();
    const QColor lock = m_t.color(fought ? Meaning::Contention : taken ? Meaning::Good : Meaning::Muted);
    const Detail d = m_scene.layout->detail;
    const int length = std::max(sh.length, static_cast<std::int32_t>(sh.tasks.size()));
    if (d == Detail::Ticks || d == Detail::Heat) { // lock as a bar, queue length as ticks
        m_ink.bar(r, m_t.color(Meaning::Tile));
        m_ink.bar(QRectF(r.x(), r.y(), 5, r.height()), lock);
        const double room = r.width() - 10, step = std::min(5.0, room / std::max(1, length));
        const int shown = std::min(length, static_cast<int>(room / std::max(1.5, step)));
        double x = r.x() + 8;
        if (d == Detail::Ticks && r.height() >= 12)
            x += m_ink.text(QRectF(x, r.y(), room * 0.5, r.height()), u"shard %1"_s.arg(sh.indexInLlc),
                            m_f.tiny, m_t.color(Meaning::Muted)) +
                 6;
        for (int k = 0; k < shown && x + std::max(1.0, step - 1.2) < r.right() - 1; ++k, x += step) {
            const auto n = static_cast<std::size_t>(k);
            const QColor c = n < sh.tasks.size() ? m_t.role(m_scene.labels->roleOf(sh.tasks[n]))
                                                 : m_t.color(Meaning::Muted);
            m_ink.bar(QRectF(x, r.y() + r.height() * 0.25, std::max(1.0, step - 1.2), r.height() * 0.5), c);
        }
        return;
    }
    m_ink.box(r.adjusted(0.5, 0.5, -0.5, -0.5), 5, m_t.color(Meaning::Tile), m_t.color(Meaning::Line));
    const double mid = r.center().y();
    double x = r.x() + 9;
    x += m_ink.text(QRectF(x, r.y(), 56, r.height()), u"shard %1"_s.arg(sh.indexInLlc), m_f.shard,
                    m_t.color(Meaning::Text)) +
         9;
    padlock(QPointF(x, mid - 9), 17, lock, !taken);
    x += 21;
    // FIFO chips keep to the right part; the lock's words get what they need on the left.
    const double words = std::clamp(r.width() * 0.27, 106.0, 150.0);
    const bool crowd = !sh.lock.spinning.empty();
    const QRectF say(x, crowd ? r.y() + 2 : r.y(), words, crowd ? r.height() / 2 - 2 : r.height());
    m_ink.text(say, lockWords(sh.lock), m_f.tiny, m_t.color(Meaning::Muted), Qt::AlignLeft, Fit::Elide);
    if (crowd) {
        double px = x;
        const double ph = std::min(13.0, r.height() / 2 - 3), y = mid + 1;
        std::size_t shown = 0;
        for (const CpuId id : sh.lock.spinning) {
            const QString t = u"CPU %1"_s.arg(id.v);
            const double w = m_ink.width(m_f.tiny, t) + 7;
            if (px + w > x + words - (shown + 1 < sh.lock.spinning.size() ? 22 : 0)) break;
            m_ink.box(QRectF(px, y, w, ph), 3, m_t.color(Meaning::Contention));
            m_ink.text(QRectF(px, y, w, ph), t, m_f.tiny, m_t.color(Meaning::OnContention), Qt::AlignHCenter);
            px += w + 3;
            ++shown;
        }
        const int more = std::max(sh.lock.waiters, static_cast<std::int32_t>(sh.lock.spinning.size())) -
                         static_cast<int>(shown);
        if (more > 0)
            m_ink.text(QRectF(px, y, x + words - px, ph), u"+%1"_s.arg(more), m_f.tiny,
                       m_t.color(Meaning::ContentionText));
    }
    x += words + 6;
    const QString fifo = length > 0 ? u"FIFO %1"_s.arg(length) : u"empty"_s;
    const double fw = m_ink.text(QRectF(x, r.y(), r.right() - x - 7, r.height()), fifo, m_f.tiny,
                                 m_t.color(Meaning::Muted), Qt::AlignRight);
    const double end = r.right() - 7 - fw - 5, w = std::max(21.0, 22 * m_f.s), h = std::max(12.0, 15 * m_f.s);
    const int room = static_cast<int>((end - x + 3) / (w + 3));
    const int have = static_cast<int>(sh.tasks.size());
    const int shown = length > room ? std::min(have, std::max(0, room - 1)) : std::min(have, room);
    for (int k = 0; k < shown; ++k)
        taskChip(QRectF(x + k * (w + 3), mid - h / 2, w, h), sh.tasks[static_cast<std::size_t>(k)], m_f.chip,
                 false, false);
    if (length > shown && room > 0)
        m_ink.text(QRectF(x + shown * (w + 3), mid - h / 2, w, h), u"+%1"_s.arg(length - shown), m_f.chip,
                   m_t.color(Meaning::Muted), Qt::AlignHCenter);
}

} // namespace rqs::ui
