// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cpu_table_panel.h"
#include "ui/panels/features_panel.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/library_panel.h"
#include "ui/panels/plot_panel.h"
#include "ui/panels/tunables_panel.h"
#include "ui/panels/why_panel.h"
#include "ui/plots/metric_plots.h"

namespace rqs::ui {

namespace {
template<class P> Panel* make(const PanelContext& c) { return new P(c); }
Panel* throughput(const PanelContext& c) { return new PlotPanel("throughput", throughputPlot, c); }
Panel* latency(const PanelContext& c) { return new PlotPanel("latency", latencyPlot, c); }
Panel* lockWait(const PanelContext& c) { return new PlotPanel("lock-wait", lockWaitPlot, c); }
Panel* runnable(const PanelContext& c) { return new PlotPanel("runnable", runnablePlot, c); }

constexpr PanelInfo kPanels[] = {
    {"library", "Scenarios", PanelPlace::Left, true, make<LibraryPanel>},
    {"features", "Features", PanelPlace::RightTop, true, make<FeaturesPanel>},
    {"tunables", "Tunables", PanelPlace::RightTop, true, make<TunablesPanel>},
    {"why", "Why", PanelPlace::RightBottom, true, make<WhyPanel>},
    {"inspector", "Inspector", PanelPlace::RightBottom, true, make<InspectorPanel>},
    {"cpus", "CPUs", PanelPlace::RightBottom, true, make<CpuTablePanel>},
    {"throughput", "Throughput", PanelPlace::Bottom, true, throughput},
    {"latency", "Wakeup latency", PanelPlace::Bottom, true, latency},
    {"lock-wait", "Lock wait", PanelPlace::Bottom, true, lockWait},
    {"runnable", "Waiting and idle", PanelPlace::Bottom, true, runnable},
};
} // namespace

std::span<const PanelInfo> panelRegistry() { return kPanels; }

} // namespace rqs::ui
