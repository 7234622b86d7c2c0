// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything of the machine picture goes: pure geometry from the facts of a run and a size. Groups nest
// socket > NUMA node (when a socket has several) > LLC > cluster (when present) > core > thread; each level
// is a grid whose column counts are chosen together so that the threads' tiles come out as large as possible.
#pragma once
#include "core/session/snapshot.h"

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace rqs::ui {

/// What a thread's tile can show (level of detail).
enum class Detail : std::uint8_t { Full, Chips, Ticks, Heat };

enum class BoxKind : std::uint8_t { Socket, Node, Llc, Cluster, Core };

/// A group drawn as a frame with an optional header line.
struct GroupBox {
    BoxKind kind{};
    std::int32_t id = 0;      ///< socket, node, LLC, cluster or core number
    std::int32_t cpus = 0;    ///< threads inside
    std::int32_t parent = -1; ///< index of the enclosing box, -1 at the top
    QRectF rect, header;      ///< header is null when the level has no label
};

struct MachineLayout {
    Detail detail = Detail::Chips;
    double scale = 1; ///< of text and chips; 1 = a tile of 102 x 64
    QSizeF size;
    std::vector<GroupBox> boxes;     ///< outer before inner
    std::vector<QRectF> tiles;       ///< by CPU
    std::vector<QRectF> shards;      ///< by index in Snapshot::shards; null if not drawn
    std::vector<QRectF> shardTitles; ///< by LLC; null if it has no shards
    QRectF footer;                   ///< line for scenario, seed, features, time
    /// CPU whose tile contains `p`, or none.
    CpuId cpuAt(QPointF p) const;
    int shardAt(QPointF p) const;
    int llcAt(QPointF p) const;
};

struct LayoutRequest {
    QSizeF size;
    int cpusOnScreen = 0; ///< 0 = all; smaller when zoomed in
    bool footer = true;
};

/// The level the table of the design asks for; layout may go one lower when tiles come out too small.
Detail detailFor(int cpusOnScreen);

/// `shards` may be empty. Never fails: an empty run gives an empty layout.
MachineLayout layoutMachine(const session::RunInfo& run, const std::vector<session::ShardView>& shards,
                            const LayoutRequest& request);

} // namespace rqs::ui
