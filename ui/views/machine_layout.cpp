// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/machine_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rqs::ui {
namespace {

/// Frame metrics of one nesting level, px.
struct Chrome {
    double pad = 0, head = 0, gap = 0;
};

struct Style {
    Chrome machine, socket, node, llc, cluster, core, thread; ///< gap = between the level's children
    double tileW, tileH;                                      ///< at scale 1
    double minScale, maxScale;
    double shardRow, shardGap, shardTitle, shardWidth;
};

/// How generous a layout is with height: Wide gives shard queues long rows, Compact saves frames and rows so
/// that chips survive in a small window.
enum class Room : std::uint8_t { Wide, Normal, Compact };

Style styleOf(Detail d, bool smt, Room room) {
    Style s{};
    const bool compact = room == Room::Compact;
    const double coreHead = smt && !compact ? 16 : 0;
    switch (d) {
    case Detail::Full:
        s = {{0, 0, 10}, {12, 26, 10}, {8, 22, 8}, {10, 26, 8}, {4, 0, 6}, {smt ? 5.0 : 0, coreHead, 4},
             {},         150,          92,         0.62,        1.5,       38,
             8,          26,           260};
        break;
    case Detail::Chips:
        s = {{0, 0, 10}, {10, 26, 8}, {7, 20, 7}, {9, 24, 6}, {4, 0, 5}, {smt ? 4.0 : 0, coreHead, 4},
             {},         102,         62,         0.62,       1.5,       34,
             6,          22,          290};
        if (room == Room::Wide) {
            s.minScale = 0.95;
            s.shardWidth = 420;
        }
        if (compact) {
            s.socket = {6, 22, 5};
            s.llc = {5, 20, 4};
            s.core = {smt ? 2.0 : 0, 0, 2};
            s.minScale = 0.58;
            s.shardRow = 26;
            s.shardGap = 3;
            s.shardTitle = 17;
            s.shardWidth = 230;
        }
        break;
    case Detail::Ticks:
        s = {{0, 0, 8}, {8, 22, 7}, {6, 18, 6}, {6, 18, 4}, {2, 0, 3}, {smt ? 2.0 : 0, 0, 2}, {}, 34, 20, 0.4,
             2.2,       15,         3,          0,          120};
        break;
    case Detail::Heat:
        s = {{0, 0, 8}, {7, 22, 6}, {5, 18, 5}, {5, 17, 3}, {0, 0, 3}, {0, 0, 1}, {}, 16,
             12,        0.2,        3,          7,          2,         0,         60};
        break;
    }
    return s;
}

struct Node {
    BoxKind kind{};
    std::int32_t id = 0;
    std::int32_t cpus = 0;
    std::vector<int> kids;
    CpuId cpu;
    bool leaf = false;
    int shards = 0;
};

/// Containment tree; single-child levels that say nothing (one node per socket, no clusters) are left out.
struct Tree {
    std::vector<Node> nodes;
    std::vector<int> roots;
    bool smt = false, hasNodes = false, hasClusters = false;
};

Tree buildTree(const session::RunInfo& run, const std::vector<int>& shardsPerLlc) {
    Tree t;
    std::map<std::int32_t, std::map<std::int32_t, int>> nodesOfSocket, clusters, coresOfCluster;
    std::map<std::int32_t, int> threads;
    for (const auto& c : run.cpus) {
        nodesOfSocket[c.socket][c.node.v] = 1;
        if (c.cluster >= 0) {
            clusters[c.llc.v][c.cluster] = 1;
            coresOfCluster[c.cluster][c.core.v] = 1;
        }
        if (++threads[c.core.v] > 1) t.smt = true;
    }
    for (const auto& [s, n] : nodesOfSocket) t.hasNodes = t.hasNodes || n.size() > 1;
    // A cluster says something when an LLC has several and one holds several cores.
    bool several = false, wide = false;
    for (const auto& [l, n] : clusters) several = several || n.size() > 1;
    for (const auto& [c, n] : coresOfCluster) wide = wide || n.size() > 1;
    t.hasClusters = several && wide;
    std::map<std::pair<int, std::int32_t>, int> index[5];
    const auto child = [&](int parent, BoxKind kind, std::int32_t id) {
        auto& slot = index[static_cast<std::size_t>(kind)];
        const auto [it, fresh] = slot.try_emplace({parent, id}, static_cast<int>(t.nodes.size()));
        if (fresh) {
            t.nodes.push_back({kind, id, 0, {}, {}, false, 0});
            if (parent < 0)
                t.roots.push_back(it->second);
            else
                t.nodes[static_cast<std::size_t>(parent)].kids.push_back(it->second);
        }
        ++t.nodes[static_cast<std::size_t>(it->second)].cpus;
        return it->second;
    };
    for (std::size_t i = 0; i < run.cpus.size(); ++i) {
        const auto& c = run.cpus[i];
        int at = child(-1, BoxKind::Socket, c.socket);
        if (t.hasNodes) at = child(at, BoxKind::Node, c.node.v);
        at = child(at, BoxKind::Llc, c.llc.v);
        const auto llc = c.llc.index();
        t.nodes[static_cast<std::size_t>(at)].shards = llc < shardsPerLlc.size() ? shardsPerLlc[llc] : 0;
        if (t.hasClusters) at = child(at, BoxKind::Cluster, c.cluster);
        at = child(at, BoxKind::Core, c.core.v);
        t.nodes[static_cast<std::size_t>(at)].kids.push_back(static_cast<int>(t.nodes.size()));
        t.nodes.push_back({BoxKind::Core, 0, 1, {}, CpuId(i), true, 0});
    }
    return t;
}

/// Kinds from the outside in, with the largest number of children any box of that kind has.
struct Level {
    BoxKind kind{};
    Chrome chrome;
    int kids = 1;
    int shards = 0;
};

class Fitter {
public:
    Fitter(std::vector<Level> levels, const Style& style) : m_levels(std::move(levels)), m_style(style) {
        m_best.assign(m_levels.size(), 1);
    }
    /// Best scale over all column choices; fills columns().
    double fit(double w, double h) {
        std::vector<int> trial(m_levels.size(), 1);
        m_scale = -1;
        descend(0, w, h, trial);
        return m_scale;
    }
    const std::vector<int>& columns() const { return m_best; }
    static std::vector<int> columnChoices(int n) {
        std::vector<int> out;
        for (int c = 1; c <= n; ++c) {
            const int rows = (n + c - 1) / c;
            if (c > 1 && (n + c - 2) / (c - 1) == rows) continue; // same rows with fewer columns exists
            out.push_back(c);
        }
        return out;
    }
    /// Height of the shard block below the cores of one LLC.
    static double shardBlock(const Style& s, int shards, double innerWidth) {
        if (shards <= 0) return 0;
        const int rows =
            (shards + shardColumns(s, shards, innerWidth) - 1) / shardColumns(s, shards, innerWidth);
        return s.shardTitle + rows * s.shardRow + (rows - 1) * s.shardGap +
               (s.shardTitle > 0 ? 0 : s.shardGap + 2);
    }
    static int shardColumns(const Style& s, int shards, double innerWidth) {
        return std::clamp(static_cast<int>((innerWidth + s.shardGap) / (s.shardWidth + s.shardGap)), 1,
                          shards);
    }

private:
    void descend(std::size_t at, double w, double h, std::vector<int>& trial) {
        if (w <= 0 || h <= 0) return;
        if (at == m_levels.size()) {
            const double s = std::min(w / m_style.tileW, h / m_style.tileH);
            // A tile may be wider or higher than its ideal shape; prefer shapes near it.
            const double stretch = std::max(w / m_style.tileW, h / m_style.tileH) / s;
            double score = std::min(s, m_style.maxScale) - 0.02 * std::min(stretch, 4.0);
            score -= 0.35 * m_holes;              // a full grid rather than one with gaps
            if (trial.back() == 1) score += 0.14; // threads of a core below each other, as people draw them
            if (m_llcWidth < 66) score -= 0.5;    // too narrow for its own name
            if (score > m_score || m_scale < 0) {
                m_score = score;
                m_scale = s;
                m_best = trial;
            }
            return;
        }
        const Level& l = m_levels[at];
        const double iw = w - 2 * l.chrome.pad;
        double ih = h - l.chrome.head - l.chrome.pad - (l.chrome.head > 0 ? 0 : l.chrome.pad);
        if (l.kind == BoxKind::Llc && at > 0) {
            m_llcWidth = iw;
            ih -= shardBlock(m_style, l.shards, iw);
        }
        for (const int c : columnChoices(l.kids)) {
            const int rows = (l.kids + c - 1) / c;
            trial[at] = c;
            const double holes = 1 - static_cast<double>(l.kids) / (c * rows);
            m_holes += holes;
            descend(at + 1, (iw - (c - 1) * l.chrome.gap) / c, (ih - (rows - 1) * l.chrome.gap) / rows,
                    trial);
            m_holes -= holes;
        }
    }
    std::vector<Level> m_levels;
    const Style& m_style;
    std::vector<int> m_best;
    double m_scale = -1, m_score = -1e9, m_llcWidth = 1e9, m_holes = 0;
};

class Placer {
public:
    Placer(const Tree& tree, const Style& style, const std::map<BoxKind, Level>& levels,
           const std::map<BoxKind, int>& columns, const std::map<BoxKind, QSizeF>& sizes, MachineLayout& out)
        : m_tree(tree), m_style(style), m_levels(levels), m_columns(columns), m_sizes(sizes), m_out(out) {}

    void place(int index, QRectF rect, int parent) {
        const Node& n = m_tree.nodes[static_cast<std::size_t>(index)];
        if (n.leaf) {
            m_out.tiles[n.cpu.index()] = rect;
            return;
        }
        const Level& l = m_levels.at(n.kind);
        int box = parent;
        GroupBox g{n.kind, n.id, n.cpus, parent, rect, {}};
        if (l.chrome.head > 0)
            g.header = QRectF(rect.x() + l.chrome.pad + 2, rect.y() + 2, rect.width() - 2 * l.chrome.pad - 4,
                              l.chrome.head - 3);
        box = static_cast<int>(m_out.boxes.size());
        m_out.boxes.push_back(g);
        const double top = l.chrome.head > 0 ? l.chrome.head : l.chrome.pad;
        const QRectF in(rect.x() + l.chrome.pad, rect.y() + top, rect.width() - 2 * l.chrome.pad,
                        rect.height() - top - l.chrome.pad);
        const QSizeF kid = m_sizes.at(n.kind);
        const int cols = std::max(1, m_columns.at(n.kind));
        double bottom = in.y();
        for (std::size_t i = 0; i < n.kids.size(); ++i) {
            const int col = static_cast<int>(i) % cols, row = static_cast<int>(i) / cols;
            const QRectF r(in.x() + col * (kid.width() + l.chrome.gap),
                           in.y() + row * (kid.height() + l.chrome.gap), kid.width(), kid.height());
            bottom = std::max(bottom, r.bottom());
            place(n.kids[i], r, box);
        }
        if (n.kind == BoxKind::Llc && n.shards > 0) placeShards(n.id, n.shards, in, bottom);
    }

    std::vector<std::vector<int>> shardIndex; ///< by LLC

private:
    void placeShards(std::int32_t llc, int shards, const QRectF& in, double top) {
        const auto l = static_cast<std::size_t>(llc);
        if (m_style.shardTitle > 0)
            m_out.shardTitles[l] = QRectF(in.x() + 2, top + 3, in.width() - 4, m_style.shardTitle - 5);
        const double y0 = top + (m_style.shardTitle > 0 ? m_style.shardTitle : m_style.shardGap + 2);
        const int cols = Fitter::shardColumns(m_style, shards, in.width());
        const double w = (in.width() - (cols - 1) * m_style.shardGap) / cols;
        for (int i = 0; i < shards; ++i) {
            const QRectF r(in.x() + (i % cols) * (w + m_style.shardGap),
                           y0 + (i / cols) * (m_style.shardRow + m_style.shardGap), w, m_style.shardRow);
            m_out.shards[static_cast<std::size_t>(shardIndex[l][static_cast<std::size_t>(i)])] = r;
        }
    }
    const Tree& m_tree;
    const Style& m_style;
    const std::map<BoxKind, Level>& m_levels;
    const std::map<BoxKind, int>& m_columns;
    const std::map<BoxKind, QSizeF>& m_sizes;
    MachineLayout& m_out;
};

std::vector<Level> levelsOf(const Tree& t, const Style& s) {
    std::map<BoxKind, Level> seen;
    const Level defaults[] = {{BoxKind::Socket, s.socket, 1, 0},
                              {BoxKind::Node, s.node, 1, 0},
                              {BoxKind::Llc, s.llc, 1, 0},
                              {BoxKind::Cluster, s.cluster, 1, 0},
                              {BoxKind::Core, s.core, 1, 0}};
    for (const Node& n : t.nodes) {
        if (n.leaf) continue;
        auto [it, fresh] = seen.try_emplace(n.kind, defaults[static_cast<std::size_t>(n.kind)]);
        it->second.kids = std::max(it->second.kids, static_cast<int>(n.kids.size()));
        it->second.shards = std::max(it->second.shards, n.shards);
    }
    std::vector<Level> out;
    for (const auto& [k, l] : seen) out.push_back(l);
    return out;
}

bool tryLayout(const Tree& tree, Detail detail, Room room, const QSizeF& area, double footer,
               const std::vector<std::vector<int>>& shardIndex, std::size_t shardCount, MachineLayout& out) {
    const Style style = styleOf(detail, tree.smt, room);
    std::vector<Level> levels = levelsOf(tree, style);
    Level machine{BoxKind::Socket, style.machine, static_cast<int>(tree.roots.size()), 0};
    std::vector<Level> all{machine};
    all.front().kind = BoxKind::Core; // only its grid matters
    all.insert(all.end(), levels.begin(), levels.end());
    Fitter fitter(all, style);
    const double h = area.height() - footer;
    const double raw = fitter.fit(area.width(), h);
    if (raw < style.minScale && detail != Detail::Heat) return false;
    // Sizes from the leaf outwards; a tile never grows beyond its largest useful size.
    std::vector<QSizeF> avail(all.size() + 1);
    avail[0] = QSizeF(area.width(), h);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Chrome& c = all[i].chrome;
        const int cols = fitter.columns()[i], rows = (all[i].kids + cols - 1) / cols;
        const double iw = avail[i].width() - 2 * c.pad;
        double ih = avail[i].height() - c.head - c.pad - (c.head > 0 ? 0 : c.pad);
        if (i > 0 && all[i].kind == BoxKind::Llc) ih -= Fitter::shardBlock(style, all[i].shards, iw);
        avail[i + 1] = QSizeF((iw - (cols - 1) * c.gap) / cols, (ih - (rows - 1) * c.gap) / rows);
    }
    QSizeF leaf = avail.back();
    if (leaf.width() <= 0.5 || leaf.height() <= 0.5)
        leaf = QSizeF(std::max(0.5, leaf.width()), std::max(0.5, leaf.height()));
    const double scale =
        std::clamp(std::min(leaf.width() / style.tileW, leaf.height() / style.tileH), 0.2, style.maxScale);
    leaf.setWidth(std::min(leaf.width(), style.tileW * style.maxScale * 1.5));
    leaf.setHeight(std::min(leaf.height(), style.tileH * style.maxScale * 1.5));
    std::map<BoxKind, Level> byKind;
    std::map<BoxKind, int> columns;
    std::map<BoxKind, QSizeF> kidSize;
    QSizeF inner = leaf, rootBox;
    double slack = 0;
    for (std::size_t i = all.size(); i-- > 0;) {
        const Chrome& c = all[i].chrome;
        const int cols = fitter.columns()[i], rows = (all[i].kids + cols - 1) / cols;
        if (i > 0) {
            byKind[all[i].kind] = all[i];
            columns[all[i].kind] = cols;
            kidSize[all[i].kind] = inner;
        }
        const QSizeF kid = inner;
        double w = cols * kid.width() + (cols - 1) * c.gap + 2 * c.pad;
        double bh = rows * kid.height() + (rows - 1) * c.gap + c.head + c.pad + (c.head > 0 ? 0 : c.pad);
        if (i > 0 && all[i].kind == BoxKind::Llc) {
            w = std::max(w, std::min(style.shardWidth + 2 * c.pad, avail[i].width()));
            bh += Fitter::shardBlock(style, all[i].shards, w - 2 * c.pad);
        }
        if (i > 0 && all[i].kind == BoxKind::Socket) w = std::max(w, std::min(230.0, avail[i].width()));
        if (i == 0) {
            rootBox = kid;
            slack = area.width() - w;
            inner = QSizeF(w, bh);
        } else
            inner = QSizeF(w, bh);
    }
    out = {};
    out.detail = detail;
    out.scale = scale;
    out.size = area;
    std::size_t cpus = 0;
    for (const Node& n : tree.nodes) cpus += n.leaf ? 1 : 0;
    out.tiles.resize(cpus);
    out.shards.resize(shardCount);
    out.shardTitles.resize(shardIndex.size());
    const int cols = fitter.columns()[0];
    const double x0 = std::max(0.0, slack / 2),
                 y0 = std::max(0.0, (h - inner.height()) / 2 * (inner.height() < h * 0.75 ? 1 : 0));
    Placer placer(tree, style, byKind, columns, kidSize, out);
    placer.shardIndex = shardIndex;
    for (std::size_t i = 0; i < tree.roots.size(); ++i) {
        const double x = x0 + (static_cast<int>(i) % cols) * (rootBox.width() + style.machine.gap);
        const double y = y0 + (static_cast<int>(i) / cols) * (rootBox.height() + style.machine.gap);
        placer.place(tree.roots[i], QRectF(QPointF(x, y), rootBox), -1);
    }
    if (footer > 0) out.footer = QRectF(2, area.height() - footer + 3, area.width() - 4, footer - 3);
    return true;
}

} // namespace

Detail detailFor(int cpus) {
    if (cpus <= 16) return Detail::Full;
    if (cpus <= 64) return Detail::Chips;
    if (cpus <= 256) return Detail::Ticks;
    return Detail::Heat;
}

MachineLayout layoutMachine(const session::RunInfo& run, const std::vector<session::ShardView>& shards,
                            const LayoutRequest& request) {
    MachineLayout out;
    out.size = request.size;
    if (run.cpus.empty() || request.size.width() < 20 || request.size.height() < 20) return out;
    std::vector<std::vector<int>> shardIndex;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const auto l = shards[i].llc.index();
        if (shards[i].llc.valid() && l >= shardIndex.size()) shardIndex.resize(l + 1);
        if (shards[i].llc.valid()) shardIndex[l].push_back(static_cast<int>(i));
    }
    std::int32_t maxLlc = 0;
    for (const auto& c : run.cpus) maxLlc = std::max(maxLlc, c.llc.v);
    if (shardIndex.size() <= static_cast<std::size_t>(maxLlc))
        shardIndex.resize(static_cast<std::size_t>(maxLlc) + 1);
    std::vector<int> perLlc;
    for (const auto& s : shardIndex) perLlc.push_back(static_cast<int>(s.size()));
    const Tree tree = buildTree(run, perLlc);
    const int visible = request.cpusOnScreen > 0 ? request.cpusOnScreen : static_cast<int>(run.cpus.size());
    const double footer = request.footer ? 20 : 0;
    for (auto d = static_cast<int>(detailFor(visible)); d <= static_cast<int>(Detail::Heat); ++d) {
        const auto detail = static_cast<Detail>(d);
        const auto fits = [&](Room room) {
            return tryLayout(tree, detail, room, request.size, footer, shardIndex, shards.size(), out);
        };
        if (detail == Detail::Chips && !shards.empty() && fits(Room::Wide)) return out;
        if (fits(Room::Normal) || (detail == Detail::Chips && fits(Room::Compact))) return out;
    }
    return out;
}

CpuId MachineLayout::cpuAt(QPointF p) const {
    for (std::size_t i = 0; i < tiles.size(); ++i)
        if (tiles[i].contains(p)) return CpuId(i);
    return {};
}
int MachineLayout::shardAt(QPointF p) const {
    for (std::size_t i = 0; i < shards.size(); ++i)
        if (shards[i].contains(p)) return static_cast<int>(i);
    return -1;
}
int MachineLayout::llcAt(QPointF p) const {
    for (const GroupBox& b : boxes)
        if (b.kind == BoxKind::Llc && b.rect.contains(p)) return b.id;
    return -1;
}

} // namespace rqs::ui
