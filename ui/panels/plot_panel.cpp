// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/plot_panel.h"

#include "ui/views/picture_file.h"

#include <QFileDialog>
#include <QVBoxLayout>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
/// The picture of no run: gives the plot its title and its words for "nothing yet".
const session::Snapshot& nothing() {
    static const session::Snapshot empty;
    return empty;
}
} // namespace

PlotPanel::PlotPanel(const char* id, Source source, const PanelContext& context)
    : Panel(QString::fromLatin1(id), source(nothing()).title), m_source(source),
      m_plot(new Plot(context.theme)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 4);
    layout->addWidget(m_plot);
    m_plot->setData(source(nothing()));
    connect(m_plot, &Plot::exportAsked, this, &PlotPanel::exportPlot);
}

void PlotPanel::refresh(const session::Snapshot& s) {
    PlotData d = m_source(s);
    setHeading(d.title);
    m_plot->setData(std::move(d));
}

void PlotPanel::exportPlot() {
    QString filter;
    QString path = QFileDialog::getSaveFileName(this, u"Export the plot"_s, id() + u".pdf"_s,
                                                pictureFilter(true), &filter);
    if (path.isEmpty()) return;
    const Status done = m_plot->exportTo(path);
    Q_EMIT noticed(done ? u"Wrote "_s + path : QString::fromStdString(done.error().text()));
}

} // namespace rqs::ui
