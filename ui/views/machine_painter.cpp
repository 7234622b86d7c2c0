// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/machine_painter.h"

#include "ui/views/machine_tiles.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {

struct GroupCounts {
    int runnable = 0, idle = 0;
};

class Picture {
public:
    Picture(Ink& ink, const MachineScene& scene)
        : m_ink(ink), m_scene(scene), m_f(scene.layout->scale), m_t(ink.theme()) {}

    void paint() {
        const MachineLayout& l = *m_scene.layout;
        if (m_scene.background) m_ink.bar(QRectF(QPointF(0, 0), l.size), m_t.color(Meaning::Background));
        countLlcs();
        for (const GroupBox& b : l.boxes)
            if (shown(b.rect)) group(b);
        TilePainter tiles(m_ink, m_scene, m_f);
        for (std::size_t i = 0; i < l.tiles.size(); ++i)
            if (shown(l.tiles[i])) tiles.cpu(i);
        for (std::size_t i = 0; i < l.shardTitles.size(); ++i)
            if (!l.shardTitles[i].isNull() && shown(l.shardTitles[i]))
                m_ink.text(l.shardTitles[i], u"shared_runq shards"_s,
                           Ink::face(10.5 * std::clamp(m_f.s, 0.9, 1.15), true), m_t.color(Meaning::Muted));
        for (std::size_t i = 0; i < l.shards.size() && i < m_scene.snapshot->shards.size(); ++i)
            if (!l.shards[i].isNull() && shown(l.shards[i])) tiles.shard(i);
        if (l.detail == Detail::Heat && m_scene.moves.size() > 8) {
            bundles();
        } else {
            for (const MoveMark& m : m_scene.moves) move(m);
            for (const MoveMark& m : m_scene.moves)
                if (m.label) moveLabel(m);
        }
        footer();
    }

private:
    bool shown(const QRectF& r) const { return m_scene.visible.isNull() || m_scene.visible.intersects(r); }

    void countLlcs() {
        const auto& s = *m_scene.snapshot;
        for (std::size_t i = 0; i < s.cpus.size() && i < s.run->cpus.size(); ++i) {
            const auto llc = s.run->cpus[i].llc.index();
            if (m_counts.size() <= llc) m_counts.resize(llc + 1);
            m_counts[llc].runnable += s.cpus[i].nr;
            if (!s.cpus[i].running.valid() && s.cpus[i].mode == CpuMode::Idle) ++m_counts[llc].idle;
        }
    }

    void group(const GroupBox& b) {
        const QRectF r = b.rect.adjusted(0.5, 0.5, -0.5, -0.5);
        const QColor line = m_t.color(Meaning::Line);
        switch (b.kind) {
        case BoxKind::Socket: {
            m_ink.box(r, 8, m_t.color(Meaning::Socket), line);
            QString title = u"Socket %1"_s.arg(b.id);
            if (!m_scene.snapshot->run->machineTitle.empty() && m_scene.snapshot->run->sockets <= 1)
                title += u" — "_s + qs(m_scene.snapshot->run->machineTitle);
            m_ink.text(b.header, title, m_f.socket, m_t.color(Meaning::Muted), Qt::AlignLeft, Fit::Elide);
            break;
        }
        case BoxKind::Node:
            m_ink.box(r, 7, Theme::mix(m_t.color(Meaning::Socket), m_t.color(Meaning::Llc), 0.5), line);
            m_ink.text(b.header, u"node %1"_s.arg(b.id), m_f.llcInfo, m_t.color(Meaning::Muted));
            break;
        case BoxKind::Llc: llc(b, r); break;
        case BoxKind::Cluster:
            m_ink.frame(r, 6, m_t.color(Meaning::Llc), Theme::mix(line, m_t.color(Meaning::Llc), 0.8));
            break;
        case BoxKind::Core:
            if (b.cpus < 2 || m_scene.layout->detail == Detail::Heat) break;
            if (m_scene.layout->detail == Detail::Ticks) {
                m_ink.bar(r, Theme::mix(line, m_t.color(Meaning::Llc), 0.45));
                break;
            }
            m_ink.frame(r, 6, m_t.color(Meaning::Llc), line);
            if (!b.header.isNull())
                m_ink.text(b.header, u"core %1"_s.arg(b.id), m_f.core, m_t.color(Meaning::Muted));
            break;
        }
    }

    void llc(const GroupBox& b, const QRectF& r) {
        m_ink.box(r, 7, m_t.color(Meaning::Llc), m_t.color(Meaning::Line));
        const auto i = static_cast<std::size_t>(b.id);
        const GroupCounts n = i < m_counts.size() ? m_counts[i] : GroupCounts{};
        const bool small = m_scene.layout->detail >= Detail::Ticks;
        const Ink::Face head = small ? Ink::face(10.5, true) : m_f.llc,
                        info = small ? Ink::face(9.5, false) : m_f.llcInfo;
        const double used = m_ink.text(b.header, u"LLC %1"_s.arg(b.id), head, m_t.color(Meaning::Text));
        const QRectF rest = b.header.adjusted(used + 7, 0, 0, 0);
        const QString counts = u"runnable %1 · idle %2"_s.arg(n.runnable).arg(n.idle);
        const QString tries[] = {(b.cpus == 1 ? u"1 CPU · "_s : u"%1 CPUs · "_s.arg(b.cpus)) + counts, counts,
                                 u"%1 run, %2 idle"_s.arg(n.runnable).arg(n.idle),
                                 u"%1 run"_s.arg(n.runnable)};
        for (const QString& t : tries)
            if (m_ink.text(rest, t, info, m_t.color(Meaning::Muted)) > 0) break;
    }

    QColor moveColor(const session::Move& m) const {
        if (m.kind == session::Move::Kind::LockHandover) return m_t.color(Meaning::Contention);
        if (m.kind == session::Move::Kind::Wake) return m_t.color(Meaning::Muted);
        switch (m.distance) {
        case Distance::Socket: return m_t.color(Meaning::CrossLlcMove);
        case Distance::Remote: return m_t.color(Meaning::CrossSocketMove);
        default: return m_t.color(Meaning::SameLlcMove);
        }
    }
    double moveWidth(const session::Move& m) const {
        if (m.kind != session::Move::Kind::Migrate) return 1.4;
        return m_bundle + (m.distance == Distance::Remote ? 3.2 : m.distance == Distance::Socket ? 2.6 : 1.8);
    }

    bool ends(const session::Move& m, QPointF& a, QPointF& b) const {
        const auto& tiles = m_scene.layout->tiles;
        if (!m.from.valid() || !m.to.valid() || m.from == m.to) return false;
        if (m.from.index() >= tiles.size() || m.to.index() >= tiles.size()) return false;
        a = tiles[m.from.index()].center();
        b = tiles[m.to.index()].center();
        return true;
    }
    /// Control point: the curve bows upwards (or sideways when the way is steep), never through both tiles.
    static QPointF control(QPointF a, QPointF b) {
        const QPointF d = b - a;
        const double len = std::hypot(d.x(), d.y());
        if (std::abs(d.x()) < 0.25 * len) return (a + b) / 2 + QPointF(std::min(60.0, len * 0.3), 0);
        return (a + b) / 2 - QPointF(0, std::min(110.0, 18 + len * 0.24));
    }

    void move(const MoveMark& m) {
        QPointF a, b;
        if (!ends(m.move, a, b)) return;
        QPainter& p = m_ink.painter();
        QColor c = moveColor(m.move);
        c.setAlphaF(static_cast<float>(std::clamp(m.fade, 0.0, 1.0)));
        const QPointF k = control(a, b);
        const double t = std::clamp(m.progress, 0.0, 1.0);
        QPainterPath path(a); // the first t of the curve: de Casteljau
        const QPointF k1 = a + (k - a) * t, e = k1 + ((k + (b - k) * t) - k1) * t;
        path.quadTo(k1, e);
        QPen pen(c, moveWidth(m.move),
                 m.move.kind == session::Move::Kind::Migrate ? Qt::SolidLine : Qt::DashLine);
        pen.setCapStyle(Qt::RoundCap);
        if (m.move.kind != session::Move::Kind::Migrate) pen.setDashPattern({2.5, 2.5});
        p.setRenderHint(QPainter::Antialiasing);
        p.setBrush(Qt::NoBrush);
        if (m.move.kind ==
            session::Move::Kind::Migrate) { // a halo keeps the line apart from chips of its colour
            QPen halo(m_t.color(Meaning::Panel, 0.75 * m.fade), moveWidth(m.move) + 2.5);
            halo.setCapStyle(Qt::RoundCap);
            p.setPen(halo);
            p.drawPath(path);
        }
        p.setPen(pen);
        p.drawPath(path);
        arrowHead(e, e - k1, c, m.move.kind == session::Move::Kind::Migrate ? 7 : 5);
    }
    /// Many moves on a large machine: one line per pair of LLCs, as thick as moves are many.
    void bundles() {
        const auto& cpus = m_scene.snapshot->run->cpus;
        std::map<std::pair<int, int>, std::pair<int, MoveMark>> pairs;
        for (const MoveMark& m : m_scene.moves) {
            if (m.move.kind != session::Move::Kind::Migrate || m.move.from.index() >= cpus.size() ||
                m.move.to.index() >= cpus.size())
                continue;
            auto& b = pairs[{cpus[m.move.from.index()].llc.v, cpus[m.move.to.index()].llc.v}];
            if (b.first++ == 0 || m.fade > b.second.fade) b.second = m;
        }
        for (const auto& [llcs, b] : pairs) {
            if (llcs.first == llcs.second) continue; // inside an LLC the cells' own heat tells
            m_bundle = 1.5 * std::log2(b.first);
            move(b.second);
        }
        m_bundle = 0;
    }
    void arrowHead(QPointF tip, QPointF dir, const QColor& c, double size) {
        const double len = std::hypot(dir.x(), dir.y());
        if (len < 1e-6) return;
        const QPointF u = dir / len, n(-u.y(), u.x());
        QPainter& p = m_ink.painter();
        p.setPen(QPen(m_t.color(Meaning::Panel, c.alphaF()), 1));
        p.setBrush(c);
        p.drawPolygon(QPolygonF{tip + u * size * 0.4, tip - u * size + n * size * 0.62,
                                tip - u * size - n * size * 0.62});
    }

    void moveLabel(const MoveMark& m) {
        QPointF a, b;
        if (!ends(m.move, a, b) || m.move.kind != session::Move::Kind::Migrate || m.progress < 0.5) return;
        const Ink::Face f = Ink::face(9.5, false);
        const QString words = moveText(m.move);
        const double w = m_ink.width(f, words) + 14, h = 16;
        const QPointF mid = a * 0.25 + control(a, b) * 0.5 + b * 0.25;
        QRectF r(mid.x() - w / 2, mid.y() - h / 2, w, h);
        const QRectF area(QPointF(2, 2), m_scene.layout->size - QSizeF(4, 4));
        r.moveLeft(std::clamp(r.left(), area.left(), std::max(area.left(), area.right() - w)));
        r.moveTop(std::clamp(r.top(), area.top(), std::max(area.top(), area.bottom() - h)));
        for (const QRectF& other : m_labels)
            if (other.intersects(r)) return;
        m_labels.push_back(r);
        m_ink.box(r, h / 2, m_t.color(Meaning::Panel), moveColor(m.move), 1.2);
        m_ink.text(r, words, f, m_t.color(Meaning::Text), Qt::AlignHCenter, Fit::Drop, true);
    }

    void footer() {
        QRectF r = m_scene.layout->footer;
        if (r.isNull()) return;
        const Ink::Face f = Ink::face(9.5, false);
        const QColor muted = m_t.color(Meaning::Muted);
        if (m_scene.layout->detail == Detail::Heat) { // scale of the cells, at the right end
            const QString top = TilePainter::heatLegend(m_scene.measure),
                          what = heatName(m_scene.measure) + u" 0"_s;
            const double tw = m_ink.width(f, top), ww = m_ink.width(f, what), total = tw + ww + 86;
            if (total < r.width() * 0.5) {
                QRectF k(r.right() - total, r.y(), total, r.height());
                m_ink.text(k, what, f, muted);
                for (int i = 0; i < 8; ++i)
                    m_ink.bar(
                        QRectF(k.x() + ww + 6 + i * 9, k.center().y() - 4, 8, 8),
                        Theme::mix(m_t.color(Meaning::Accent), m_t.color(Meaning::Llc), 0.22 + 0.78 * i / 7));
                m_ink.text(k, top, f, muted, Qt::AlignRight);
                r.setRight(k.left() - 12);
            }
        }
        m_ink.text(r, m_scene.footer, f, muted, Qt::AlignLeft, Fit::Elide);
    }

    Ink& m_ink;
    const MachineScene& m_scene;
    MachineFaces m_f;
    const Theme& m_t;
    std::vector<GroupCounts> m_counts;
    std::vector<QRectF> m_labels;
    double m_bundle = 0; ///< extra width of a line that stands for several moves
};

} // namespace

void paintMachine(QPainter& painter, const MachineScene& scene, const Theme& theme) {
    if (!scene.snapshot || !scene.layout || !scene.labels || !scene.snapshot->run) return;
    TextCache own;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, scene.layout->detail <= Detail::Chips);
    painter.setRenderHint(QPainter::TextAntialiasing);
    Ink ink(painter, theme, scene.cache ? *scene.cache : own, scene.log);
    Picture(ink, scene).paint();
    painter.restore();
}

} // namespace rqs::ui
