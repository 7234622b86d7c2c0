// SPDX-License-Identifier: GPL-3.0-or-later
// Which numbers each plot shows and in what unit: snapshot -> PlotData, without any widget.
#pragma once
#include "core/session/snapshot.h"
#include "ui/plots/plot.h"

namespace rqs::ui {

PlotData throughputPlot(const session::Snapshot& s);
PlotData latencyPlot(const session::Snapshot& s);
PlotData lockWaitPlot(const session::Snapshot& s);
PlotData runnablePlot(const session::Snapshot& s);

} // namespace rqs::ui
