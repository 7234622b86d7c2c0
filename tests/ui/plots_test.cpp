// SPDX-License-Identifier: GPL-3.0-or-later
// Plots say what the numbers say, and their files are valid: PNG, SVG and PDF of a paper column's width, CSV.
#include "tests/ui/support/fake_snapshot.h"
#include "ui/plots/metric_plots.h"

#include <QFile>
#include <QImage>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::ui;

namespace {
QByteArray contents(const QString& path) {
    QFile f(path);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
}
std::vector<PlotData> allPlots(const session::Snapshot& s) {
    return {throughputPlot(s), latencyPlot(s), lockWaitPlot(s), runnablePlot(s)};
}
} // namespace

TEST(Plots, ThroughputIsARate) {
    session::Snapshot s;
    s.now = {1'000'000};
    s.numbers.now = s.now;
    for (int i = 0; i < 10; ++i) s.numbers.throughput.add({i * 100'000 + 1}, 50);
    const PlotData d = throughputPlot(s);
    ASSERT_EQ(d.lines.front().y.size(), 10);
    for (const double y : d.lines.front().y) EXPECT_NEAR(y, 500'000, 1e-6);
    EXPECT_NEAR(d.lines.front().x.front(), 0.05, 1e-9);
}

TEST(Plots, AShortLastBinIsNotARate) {
    session::Snapshot s;
    s.now = {110'000};
    s.numbers.throughput.add({50'000}, 10);
    s.numbers.throughput.add({105'000}, 10);
    EXPECT_EQ(throughputPlot(s).lines.front().y.size(), 1);
}

TEST(Plots, LatencyBinsCountEveryWakeup) {
    session::Snapshot s;
    for (const std::int64_t ns : {300, 600, 700, 1100, 5000, 5001}) s.numbers.wakeupLatency.add({ns});
    const PlotData d = latencyPlot(s);
    double sum = 0;
    for (const double y : d.lines.front().y) sum += y;
    EXPECT_EQ(sum, 6);
    for (qsizetype i = 0; i < d.lines.front().x.size(); ++i)
        if (d.xValue(d.lines.front().x[i]) == 512) {
            EXPECT_EQ(d.lines.front().y[i], 2);
        }
}

TEST(Plots, LockWaitIsAShareOfAllCpuTime) {
    session::Snapshot s;
    s.cpus.resize(4);
    s.now = {100'000};
    EXPECT_TRUE(lockWaitPlot(s).lines.empty());
    s.numbers.lockWait[static_cast<std::size_t>(LockClass::Shard)].add({50'000}, 40'000); // 40 of 4 x 100 us
    const PlotData d = lockWaitPlot(s);
    ASSERT_EQ(d.lines.size(), 1U) << "a class that never waited has no line";
    EXPECT_EQ(d.lines.front().name.toStdString(), "&shard->lock");
    EXPECT_NEAR(d.lines.front().y.front(), 10, 1e-9);
}

TEST(Plots, FlipsAreMarkedWithTheirName) {
    const auto s = test::fakeSnapshot(test::ryzen7950x());
    ASSERT_EQ(throughputPlot(*s).marks.size(), 1U);
    EXPECT_EQ(throughputPlot(*s).marks.front().name.toStdString(), "SHARED_RUNQ on");
    EXPECT_NEAR(throughputPlot(*s).marks.front().x, 8, 1e-9);
}

TEST(Plots, TimeAxisHasTwoToFiveLabels) {
    session::Snapshot s;
    for (const std::int64_t us : {1, 7, 20, 999, 1500, 20'000, 60'000, 250'000, 3'000'000}) {
        s.now = {us * 1000};
        const auto d = throughputPlot(s);
        EXPECT_GE(d.xTicks.size(), 3U) << us;
        EXPECT_LE(d.xTicks.size(), 6U) << us;
    }
}

TEST(Plots, NiceCeilings) {
    EXPECT_NEAR(niceCeiling(25.6), 30, 1e-9);
    EXPECT_NEAR(niceCeiling(1.0), 1, 1e-9);
    EXPECT_NEAR(niceCeiling(0.07), 0.08, 1e-9);
    EXPECT_EQ(niceCeiling(0), 1);
}

TEST(Plots, ExportsAreValidFilesOfAColumnsWidth) {
    QTemporaryDir dir;
    const auto s = test::fakeSnapshot(test::ryzen7950x());
    int n = 0;
    for (const PlotData& d : allPlots(*s)) {
        Plot plot(Theme::dark());
        plot.setData(d);
        const QString base = dir.filePath(QString::number(n++));
        for (const char* suffix : {".png", ".svg", ".pdf", ".csv"})
            ASSERT_TRUE(plot.exportTo(base + QLatin1String(suffix)));
        const QImage png(base + QStringLiteral(".png"));
        EXPECT_NEAR(png.width() / 300.0 * 25.4, 85, 0.5);
        QSvgRenderer svg(base + QStringLiteral(".svg"));
        ASSERT_TRUE(svg.isValid());
        EXPECT_EQ(svg.viewBox(), QRect(0, 0, 241, 176));
        const QByteArray text = contents(base + QStringLiteral(".svg"));
        EXPECT_TRUE(text.contains("width=\"85.0")) << text.left(300).toStdString();
        EXPECT_TRUE(text.contains("font-size=\"8\""));
        EXPECT_TRUE(text.contains("seed 1")) << "the footer is in the picture";
        const QByteArray pdf = contents(base + QStringLiteral(".pdf"));
        EXPECT_TRUE(pdf.startsWith("%PDF-") && pdf.trimmed().endsWith("%%EOF"));
        EXPECT_TRUE(pdf.contains("/MediaBox [0 0 241")) << "page is not one column wide";
        const QByteArray csv = contents(base + QStringLiteral(".csv"));
        EXPECT_GT(csv.count('\n'), 5);
        EXPECT_EQ(csv.count('\n') - 2, [&] {
            qsizetype rows = 0;
            for (const auto& l : d.lines) rows += l.x.size();
            return rows;
        }());
    }
}

TEST(Plots, AnUnwritablePathIsAnError) {
    Plot plot(Theme::light());
    plot.setData(throughputPlot(*test::fakeSnapshot(test::ryzen7950x())));
    for (const char* path :
         {"/nonexistent/x.svg", "/nonexistent/x.csv", "/nonexistent/x.pdf", "/nonexistent/x.png"}) {
        const Status done = plot.exportTo(QString::fromLatin1(path));
        ASSERT_FALSE(done) << path;
        EXPECT_EQ(done.error().where, path);
    }
    EXPECT_FALSE(plot.exportTo(QStringLiteral("/tmp/x.bmp")));
}
