// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/machine_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

MachineView::MachineView(Selection* selection, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_theme(theme) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(u"Machine"_s);
    m_clock.start();
    m_frames.setInterval(16);
    connect(&m_frames, &QTimer::timeout, this, [this] {
        if (!moving()) m_frames.stop();
        update();
    });
    connect(m_selection, &Selection::changed, this, [this] { update(); });
}

void MachineView::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void MachineView::setReduceMotion(bool on) {
    m_reduceMotion = on;
    m_trail.setReduceMotion(on);
}

/// CPUs light up one after the other, in the order the kernel tests them.
int MachineView::candidatesShown() const {
    constexpr double kPerCandidateMs = 45;
    return m_reduceMotion ? 1000 : static_cast<int>((nowMs() - m_decidedAt) / kPerCandidateMs) + 1;
}

bool MachineView::moving() const {
    const bool lighting = m_snapshot && !m_snapshot->running && m_snapshot->decision &&
                          candidatesShown() <= m_snapshot->decision->count + 1;
    return lighting || m_trail.active(nowMs());
}

void MachineView::setMeasure(HeatMeasure m) {
    m_measure = m;
    updateHeat();
    update();
}

void MachineView::setSnapshot(std::shared_ptr<const session::Snapshot> s) {
    if (s && s->decision && (!m_snapshot || s->step != m_snapshot->step)) m_decidedAt = nowMs();
    const bool otherRun = !m_snapshot || !s || m_snapshot->run != s->run;
    std::vector<int> shape;
    if (s)
        for (const auto& sh : s->shards) shape.push_back(sh.llc.v);
    m_snapshot = std::move(s);
    if (otherRun && m_snapshot && m_snapshot->run) {
        m_labels = TaskLabels::of(*m_snapshot->run);
        m_trail.reset(m_snapshot->cpus.size());
        m_before.clear();
        m_heat.clear();
        m_zoom = 1;
        m_pan = {};
        m_hovered = {};
    }
    if (otherRun || shape != m_shardShape) {
        m_shardShape = std::move(shape);
        relayout();
    }
    if (m_snapshot) {
        m_trail.add(m_snapshot->moves, nowMs(), !m_snapshot->running);
        updateHeat();
        if (moving() && !m_frames.isActive()) m_frames.start();
    }
    if (!m_frames.isActive()) update(); // else the next frame shows it: never more frames than a screen has
}

void MachineView::updateHeat() {
    if (!m_snapshot || m_measure == HeatMeasure::Queue) {
        m_heat.clear();
        return;
    }
    const auto& now = m_snapshot->numbers.cpus;
    const double span = static_cast<double>((m_snapshot->now - m_beforeAt).ns);
    if (m_before.size() == now.size() && span > 0) {
        m_heat.assign(now.size(), 0);
        double top = 1e-9;
        for (std::size_t i = 0; i < now.size(); ++i) {
            double v = 0;
            if (m_measure == HeatMeasure::Busy)
                v = static_cast<double>((now[i].busy - m_before[i].busy).ns) / span;
            else if (m_measure == HeatMeasure::Spin)
                v = static_cast<double>((now[i].spin - m_before[i].spin).ns) / span;
            else
                v = static_cast<double>(now[i].switches) - static_cast<double>(m_before[i].switches);
            m_heat[i] = static_cast<float>(std::max(0.0, v));
            top = std::max(top, v);
        }
        if (m_measure == HeatMeasure::Switches)
            for (float& h : m_heat) h = static_cast<float>(h / top);
    }
    if (span != 0 || m_before.size() != now.size()) {
        m_before = now;
        m_beforeAt = m_snapshot->now;
    }
}

void MachineView::relayout() {
    if (!m_snapshot || !m_snapshot->run) {
        m_layout = {};
        return;
    }
    const QSizeF area = QSizeF(width() - 16, height() - 8) * m_zoom;
    const auto cpus = static_cast<double>(m_snapshot->run->cpus.size());
    LayoutRequest r{area, static_cast<int>(std::ceil(cpus / (m_zoom * m_zoom))), true};
    m_layout = layoutMachine(*m_snapshot->run, m_snapshot->shards, r);
    clampPan();
}

void MachineView::clampPan() {
    const double mx = std::max(0.0, m_layout.size.width() - (width() - 16)),
                 my = std::max(0.0, m_layout.size.height() - (height() - 8));
    m_pan.setX(std::round(std::clamp(m_pan.x(), 0.0, mx))); // whole pixels keep frames crisp
    m_pan.setY(std::round(std::clamp(m_pan.y(), 0.0, my)));
}

MachineScene MachineView::scene() const {
    MachineScene s;
    s.snapshot = m_snapshot.get();
    s.layout = &m_layout;
    s.labels = &m_labels;
    s.selected = m_selection->cpu();
    s.selectedTask = m_selection->task();
    s.hovered = m_hovered;
    s.measure = m_measure;
    s.heat = m_heat;
    s.footer = footerText(*m_snapshot);
    s.cache = &m_cache;
    const double now = nowMs();
    s.moves = m_trail.marks(now);
    if (m_trail.style() != MotionStyle::Animate) s.moveHeat = m_trail.heat(now);
    if (!m_snapshot->running && m_snapshot->decision &&
        m_snapshot->decision->question == Question::WhichCpu) {
        const Decision& d = *m_snapshot->decision;
        const int shown = candidatesShown();
        for (int i = 0; i < std::min(d.count, shown); ++i) {
            const CpuId c(d.candidates[static_cast<std::size_t>(i)].who);
            if (c.valid()) s.candidates.push_back(c);
        }
        if (shown >= d.count) s.chosen = CpuId(d.outcome);
    }
    return s;
}

void MachineView::paintEmpty(QPainter& p) {
    p.fillRect(rect(), m_theme.color(Meaning::Background));
    p.setFont(Theme::font(Type::Title, true));
    p.setPen(m_theme.color(Meaning::Text));
    const QRectF r = QRectF(rect()).adjusted(20, 0, -20, -14);
    p.drawText(r, Qt::AlignCenter, u"No run is open"_s);
    p.setFont(Theme::font(Type::Body));
    p.setPen(m_theme.color(Meaning::Muted));
    p.drawText(r.translated(0, 26), Qt::AlignCenter,
               u"Choose a scenario at the left, or open a file with Ctrl+O."_s);
}

void MachineView::paintEvent(QPaintEvent*) {
    QPainter p(this);
    if (!m_snapshot || !m_snapshot->run) {
        paintEmpty(p);
        return;
    }
    p.fillRect(rect(), m_theme.color(Meaning::Background));
    MachineScene s = scene();
    s.background = false;
    s.visible = QRectF(m_pan, QSizeF(size()));
    if (m_zoom > 1.001) s.footer.clear();
    p.translate(QPointF(8, 8) - m_pan);
    paintMachine(p, s, m_theme);
    const double now = nowMs();
    m_painted.push_back(now);
    while (!m_painted.empty() && m_painted.front() < now - 1000) m_painted.pop_front();
}

int MachineView::framesPerSecond() const {
    const double now = nowMs();
    return static_cast<int>(
        std::count_if(m_painted.begin(), m_painted.end(), [now](double t) { return t > now - 1000; }));
}

void MachineView::paintWhole(QPainter& painter, const QSizeF& size, const Theme& theme) const {
    if (!m_snapshot || !m_snapshot->run) return;
    const MachineLayout whole = layoutMachine(*m_snapshot->run, m_snapshot->shards, {size, 0, true});
    MachineScene s = scene();
    s.layout = &whole;
    s.hovered = {};
    s.cache = nullptr;
    paintMachine(painter, s, theme);
}

void MachineView::resizeEvent(QResizeEvent*) { relayout(); }

void MachineView::zoomBy(double factor, QPointF around) {
    const double next = std::clamp(m_zoom * factor, 1.0, 16.0);
    if (next == m_zoom || m_layout.size.isEmpty()) return;
    const QPointF at = toMachine(around - QPointF(8, 8));
    const QPointF share(at.x() / m_layout.size.width(), at.y() / m_layout.size.height());
    m_zoom = next;
    relayout();
    m_pan = QPointF(share.x() * m_layout.size.width(), share.y() * m_layout.size.height()) -
            (around - QPointF(8, 8));
    clampPan();
    update();
}

void MachineView::resetZoom() {
    m_zoom = 1;
    m_pan = {};
    relayout();
    update();
}

void MachineView::wheelEvent(QWheelEvent* e) {
    zoomBy(std::exp2(e->angleDelta().y() / 360.0), e->position());
    e->accept();
}

TaskId MachineView::taskAt(CpuId cpu, QPointF p) const {
    if (!cpu.valid() || m_layout.detail > Detail::Chips) return {};
    const auto& c = m_snapshot->cpus[cpu.index()];
    const QRectF r = m_layout.tiles[cpu.index()];
    const double y = (p.y() - r.y()) / m_layout.scale;
    return y > 16 && y < 36 ? c.running : TaskId();
}

void MachineView::mousePressEvent(QMouseEvent* e) {
    if (e->button() == Qt::RightButton && m_snapshot) {
        Q_EMIT contextAsked(e->globalPosition().toPoint(),
                            m_layout.cpuAt(toMachine(e->position() - QPointF(8, 8))));
        return;
    }
    m_panning = true;
    m_moved = false;
    m_grab = e->position();
}

void MachineView::mouseMoveEvent(QMouseEvent* e) {
    if (m_panning && (e->buttons() & Qt::LeftButton)) {
        const QPointF d = e->position() - m_grab;
        if (m_moved || d.manhattanLength() > 4) {
            m_moved = true;
            m_pan -= d;
            m_grab = e->position();
            clampPan();
            update();
        }
        return;
    }
    const CpuId at = m_layout.cpuAt(toMachine(e->position() - QPointF(8, 8)));
    if (at != m_hovered) {
        m_hovered = at;
        update();
    }
    const QString tip = tipAt(e->position());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(e->globalPosition().toPoint() + QPoint(12, 12), tip, this);
}

void MachineView::mouseReleaseEvent(QMouseEvent* e) {
    if (m_panning && !m_moved && e->button() == Qt::LeftButton && m_snapshot) {
        const QPointF p = toMachine(e->position() - QPointF(8, 8));
        const CpuId cpu = m_layout.cpuAt(p);
        const int shard = cpu.valid() ? -1 : m_layout.shardAt(p);
        m_selection->select(cpu, cpu.valid() ? taskAt(cpu, p) : TaskId(), shard);
    }
    m_panning = false;
}

/// Into the machine and out again.
void MachineView::mouseDoubleClickEvent(QMouseEvent* e) {
    if (m_zoom > 1.01)
        resetZoom();
    else
        zoomBy(4, e->position());
}

void MachineView::keyPressEvent(QKeyEvent* e) {
    if (!m_snapshot || m_snapshot->cpus.empty()) return QWidget::keyPressEvent(e);
    const int n = static_cast<int>(m_snapshot->cpus.size());
    const int at = m_selection->cpu().v;
    switch (e->key()) {
    case Qt::Key_Down:
    case Qt::Key_J: m_selection->select(CpuId((at + 1) % n)); break;
    case Qt::Key_Up:
    case Qt::Key_K: m_selection->select(CpuId((at + n - 1 + (at < 0 ? 1 : 0)) % n)); break;
    case Qt::Key_Escape: m_selection->clear(); break;
    case Qt::Key_Plus: zoomBy(1.5, rect().center()); break;
    case Qt::Key_Minus: zoomBy(1 / 1.5, rect().center()); break;
    case Qt::Key_0: resetZoom(); break;
    default: QWidget::keyPressEvent(e);
    }
}

void MachineView::leaveEvent(QEvent*) {
    m_hovered = {};
    update();
}

bool MachineView::event(QEvent* e) {
    if (e->type() == QEvent::ToolTip) return true; // shown on move, without the usual delay
    return QWidget::event(e);
}

QString MachineView::tipAt(QPointF pos) const {
    if (!m_snapshot || !m_snapshot->run) return {};
    const QPointF p = toMachine(pos - QPointF(8, 8));
    if (const CpuId cpu = m_layout.cpuAt(p); cpu.valid() && cpu.index() < m_snapshot->cpus.size()) {
        const auto& c = m_snapshot->cpus[cpu.index()];
        QStringList lines{u"<b>CPU %1</b> · %2"_s.arg(cpu.v).arg(modeText(c.mode))};
        if (c.running.valid())
            lines
                << u"runs %1, %2 % of its slice used"_s.arg(m_labels.nameOf(c.running)).arg(c.sliceUsed / 10);
        if (c.spinning)
            lines << u"spins on %1 for %2"_s.arg(qs(lockClassName(c.spinClass)).toHtmlEscaped(),
                                                 durationText((m_snapshot->now - c.spinSince).ns));
        QStringList waiting;
        for (int i = 0; i < c.queued; ++i) {
            QString n = m_labels.nameOf(c.queue[static_cast<std::size_t>(i)]);
            if (c.delayedBits >> i & 1)
                n += u" (delayed)"_s;
            else if (c.ineligibleBits >> i & 1)
                n += u" (not eligible)"_s;
            waiting << n;
        }
        lines << (waiting.isEmpty() ? u"no task waits here"_s
                                    : u"waiting, in pick order: "_s + waiting.join(u", "_s));
        lines << u"nr_running %1 · %2 switches"_s.arg(c.nr).arg(
            countText(static_cast<std::int64_t>(c.switches)));
        return lines.join(u"<br>"_s);
    }
    if (const int i = m_layout.shardAt(p);
        i >= 0 && static_cast<std::size_t>(i) < m_snapshot->shards.size()) {
        const auto& s = m_snapshot->shards[static_cast<std::size_t>(i)];
        QStringList lines{u"<b>LLC %1, shard %2</b> · %3 tasks, first in first out"_s.arg(s.llc.v)
                              .arg(s.indexInLlc)
                              .arg(s.length)};
        lines << (s.lock.held ? u"&amp;shard-&gt;lock held by CPU %1 for %2"_s.arg(s.lock.holder.v)
                                    .arg(durationText((m_snapshot->now - s.lock.since).ns))
                              : u"&amp;shard-&gt;lock is free"_s);
        if (s.lock.waiters > 0) lines << u"%1 CPUs spin for it"_s.arg(s.lock.waiters);
        return lines.join(u"<br>"_s);
    }
    return {};
}

} // namespace rqs::ui
