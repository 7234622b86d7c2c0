// SPDX-License-Identifier: GPL-3.0-or-later
// A live plot as a panel: a function from snapshot to PlotData and the chart that shows it.
#pragma once
#include "ui/panels/panel.h"
#include "ui/plots/plot.h"

namespace rqs::ui {

class PlotPanel : public Panel {
    Q_OBJECT
public:
    using Source = PlotData (*)(const session::Snapshot&);
    PlotPanel(const char* id, Source source, const PanelContext& context);
    void refresh(const session::Snapshot& s) override;
    void setTheme(const Theme& theme) override { m_plot->setTheme(theme); }
    int everyMs() const override { return 120; }
    Plot* plot() const { return m_plot; }
    /// Asks for a file and writes the chart.
    void exportPlot();

private:
    Source m_source;
    Plot* m_plot;
};

} // namespace rqs::ui
