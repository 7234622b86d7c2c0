// SPDX-License-Identifier: GPL-3.0-or-later
// One chart: lines or bars, direct labels, dashed marks, a line of words under the axis, export. The only
// place that includes QCustomPlot. Replots are queued; pens stay 1 px wide (wider ones are hundreds of times
// slower).
#pragma once
#include "ui/shell/theme.h"

#include <QVector>
#include <QWidget>

#include "core/base/result.h"

#include <functional>
#include <memory>

class QCustomPlot;

namespace rqs::ui {

struct PlotLine {
    QString name;
    QVector<double> x, y;
    Meaning color = Meaning::Accent;
    int role = -1;
    bool fill = false;
};
struct PlotMark {
    double x = 0;
    QString name;
};
struct PlotTick {
    double at = 0;
    QString text;
};

/// Everything a chart shows, as a value; CSV and pictures are made from the same.
struct PlotData {
    QString title;        ///< "Throughput — messages/s"
    QString xName, yName; ///< column heads of the CSV, with unit
    std::vector<PlotLine> lines;
    bool bars = false; ///< first line drawn as bars
    std::vector<PlotMark> marks;
    std::vector<PlotTick> xTicks;         ///< if given, instead of automatic ones
    double xMin = 0, xMax = 1, yMax = 0;  ///< yMax 0 = from the data
    std::function<QString(double)> yText; ///< axis numbers with their unit
    std::function<double(double)> xValue; ///< place on the axis -> number in the CSV; empty = the same
    QString below;  ///< percentiles, totals; parts joined by " · ", the last dropped first
    QString footer; ///< scenario, seed, features, time: in exports
    QString empty;  ///< shown when there is nothing to draw
};

class Plot : public QWidget {
    Q_OBJECT
public:
    explicit Plot(const Theme& theme, QWidget* parent = nullptr);
    ~Plot() override;
    void setTheme(const Theme& theme);
    void setData(PlotData data);
    const PlotData& data() const { return m_data; }
    /// By suffix: png, svg, pdf (85 mm wide, 8 pt) or csv.
    Status exportTo(const QString& path) const;
    QSize sizeHint() const override { return {320, 190}; }
    QSize minimumSizeHint() const override { return {150, 120}; }

Q_SIGNALS:
    void exportAsked();

protected:
    void resizeEvent(QResizeEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;

private:
    QString fittingWords() const;
    Theme m_theme;
    PlotData m_data;
    std::unique_ptr<QCustomPlot> m_plot;
};

/// Smallest round number (1, 1.2, 1.6, 2, 3, 4, 5, 6 or 8 times a power of ten) that is at least `v`.
double niceCeiling(double v);

} // namespace rqs::ui
