// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot.h"

#include "ui/views/picture_file.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

double niceCeiling(double v) {
    if (!(v > 0)) return 1;
    const double base = std::pow(10, std::floor(std::log10(v)));
    for (const double k : {1.0, 1.2, 1.6, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
        if (v <= k * base * (1 + 1e-9)) return k * base;
    return 10 * base;
}

namespace {

/// Looks of one drawing: on screen or in a file.
struct Look {
    double px = 9.5;
    bool exported = false;
};

QFont plotFont(const Look& look, bool bold = false) {
    QFont f = Theme::font(Type::Tiny, bold);
    if (look.exported) f.setHintingPreference(QFont::PreferNoHinting);
    f.setPixelSize(static_cast<int>(std::lround(look.px)));
    return f;
}

QColor lineColor(const PlotLine& l, const Theme& t) {
    return l.role >= 0 ? t.role(l.role) : t.color(l.color);
}

void label(QCustomPlot& q, const QString& text, const QFont& font, const QColor& color, QPointF at,
           Qt::Alignment align, bool ratio) {
    auto* item = new QCPItemText(&q);
    item->setText(text);
    item->setFont(font);
    item->setColor(color);
    item->setPositionAlignment(align);
    item->setClipToAxisRect(false);
    item->position->setTypeX(ratio ? QCPItemPosition::ptAxisRectRatio : QCPItemPosition::ptPlotCoords);
    item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    item->position->setCoords(at);
}

double topOf(const PlotData& d) {
    if (d.yMax > 0) return d.yMax;
    double top = 0;
    for (const auto& l : d.lines)
        for (const double y : l.y) top = std::max(top, y);
    return niceCeiling(top * 1.04);
}

bool isEmpty(const PlotData& d) {
    return std::all_of(d.lines.begin(), d.lines.end(),
                       [&](const PlotLine& l) { return l.y.size() < (d.bars ? 1 : 2); });
}

void axes(QCustomPlot& q, const PlotData& d, const Theme& t, const Look& look) {
    const QColor muted = t.color(Meaning::Muted), line = t.color(Meaning::Line);
    q.xAxis->setRange(d.xMin, d.xMax > d.xMin ? d.xMax : d.xMin + 1);
    const double top = topOf(d);
    q.yAxis->setRange(0, top);
    for (QCPAxis* a : {q.xAxis, q.yAxis}) {
        a->setTickLabelFont(plotFont(look));
        a->setTickLabelColor(muted);
        a->setTickPen(Qt::NoPen);
        a->setSubTickPen(Qt::NoPen);
        a->setTickLabelPadding(4);
        a->grid()->setPen(QPen(line, 1));
        a->grid()->setZeroLinePen(Qt::NoPen);
    }
    q.xAxis->setBasePen(QPen(muted, 1));
    q.yAxis->setBasePen(Qt::NoPen);
    q.xAxis->grid()->setVisible(false);
    auto y = QSharedPointer<QCPAxisTickerText>::create();
    for (int i = 0; i <= 4; ++i) {
        const double v = top * i / 4;
        y->addTick(v, i % 2 == 0 && d.yText && !isEmpty(d) ? d.yText(v) : QString());
    }
    q.yAxis->setTicker(y);
    auto x = QSharedPointer<QCPAxisTickerText>::create();
    const QFontMetricsF fm(plotFont(look));
    const double perUnit =
        std::max(60.0, (look.exported ? 241 : q.width()) - 58.0) / (q.xAxis->range().size());
    double free = -1e9; // labels that would touch the one before are left out
    for (const auto& tick : d.xTicks) {
        const double w = fm.horizontalAdvance(tick.text), from = tick.at * perUnit - w / 2;
        if (from < free) continue;
        free = from + w + 7;
        x->addTick(tick.at, tick.text);
    }
    q.xAxis->setTicker(x);
}

void series(QCustomPlot& q, const PlotData& d, const Theme& t, const Look& look) {
    for (std::size_t i = 0; i < d.lines.size(); ++i) {
        const PlotLine& l = d.lines[i];
        const QColor c = lineColor(l, t);
        if (d.bars) {
            auto* bars = new QCPBars(q.xAxis, q.yAxis);
            bars->setPen(Qt::NoPen);
            bars->setBrush(c);
            bars->setAntialiased(false);
            bars->setWidth(0.82);
            bars->setData(l.x, l.y, true);
            continue;
        }
        QCPGraph* g = q.addGraph();
        g->setPen(QPen(c, 1));
        g->setAntialiased(true);
        g->setAdaptiveSampling(true);
        if (l.fill) g->setBrush(QColor(c.red(), c.green(), c.blue(), 36));
        g->setData(l.x, l.y, true);
    }
    // Names at the line ends, kept apart; a single unnamed line needs none.
    if (d.bars) return;
    const double top = q.yAxis->range().upper;
    std::vector<double> taken;
    for (const auto& l : d.lines) {
        if (l.name.isEmpty() || l.y.isEmpty()) continue;
        double peak = 0; // above everything its own words would cover
        for (qsizetype i = l.y.size() * 7 / 10; i < l.y.size(); ++i) peak = std::max(peak, l.y[i]);
        double r = std::max(0.1, 1 - peak / top - 0.015);
        for (int guard = 0; guard < 8; ++guard) {
            const auto near =
                std::find_if(taken.begin(), taken.end(), [r](double o) { return std::abs(o - r) < 0.13; });
            if (near == taken.end()) break;
            r = *near - 0.135;
            if (r < 0.1) r = *std::max_element(taken.begin(), taken.end()) + 0.15;
        }
        taken.push_back(r);
        const QColor base = lineColor(l, t), words = contrastRatio(base, t.color(Meaning::Panel)) >= 4.5
                                                         ? base
                                                         : Theme::mix(base, t.color(Meaning::Text), 0.45);
        label(q, l.name, plotFont(look, true), words, {1, r}, Qt::AlignRight | Qt::AlignBottom, true);
    }
}

void marks(QCustomPlot& q, const PlotData& d, const Theme& t, const Look& look) {
    double row = 0;
    for (const auto& m : d.marks) {
        if (m.x < d.xMin || m.x > d.xMax) continue;
        auto* line = new QCPItemStraightLine(&q);
        line->setPen(QPen(t.color(Meaning::Contention), 1, Qt::DashLine));
        line->point1->setCoords(m.x, 0);
        line->point2->setCoords(m.x, 1);
        const bool right = m.x > d.xMin + 0.6 * (d.xMax - d.xMin);
        label(q, right ? m.name + u" "_s : u" "_s + m.name, plotFont(look), t.color(Meaning::ContentionText),
              {m.x, row}, (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop, false);
        row += 0.12;
        if (row > 0.4) row = 0;
    }
}

void fill(QCustomPlot& q, const PlotData& d, const Theme& t, const Look& look) {
    q.clearPlottables();
    q.clearItems();
    q.setBackground(t.color(Meaning::Panel));
    q.axisRect()->setMinimumMargins(QMargins(8, look.exported ? 9 : 8, 10, 0));
    axes(q, d, t, look);
    q.yAxis->grid()->setVisible(!isEmpty(d));  // lines would strike the sentence through
    if (isEmpty(d)) {
        label(q, d.empty, plotFont(look), t.color(Meaning::Muted), {0.5, 0.5}, Qt::AlignCenter, true);
    } else {
        series(q, d, t, look);
        marks(q, d, t, look);
    }
    q.xAxis->setLabelFont(plotFont(look));
    q.xAxis->setLabelColor(t.color(Meaning::Muted));
    q.xAxis->setLabelPadding(2);
    q.xAxis->setLabel(d.below.isEmpty() ? u" "_s : d.below);
}

QByteArray csv(const PlotData& d) {
    QString out = u"# "_s + d.title + u"; "_s + d.footer + u"\n"_s + u"series,"_s + d.xName + u","_s +
                  d.yName + u"\n"_s;
    for (const auto& l : d.lines)
        for (qsizetype i = 0; i < l.x.size() && i < l.y.size(); ++i)
            out += u"%1,%2,%3\n"_s.arg(l.name.isEmpty() ? d.yName : l.name,
                                       QString::number(d.xValue ? d.xValue(l.x[i]) : l.x[i], 'g', 12),
                                       QString::number(l.y[i], 'g', 12));
    return out.toUtf8();
}

} // namespace

Plot::Plot(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_plot(std::make_unique<QCustomPlot>()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot.get());
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setPlottingHint(QCP::phFastPolylines);
    m_plot->setMinimumSize(100, 80);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
}

Plot::~Plot() { m_plot->setParent(nullptr); }

void Plot::setTheme(const Theme& theme) {
    m_theme = theme;
    setData(m_data);
}

void Plot::setData(PlotData data) {
    m_data = std::move(data);
    fill(*m_plot, m_data, m_theme, {});
    m_plot->xAxis->setLabel(fittingWords());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString Plot::fittingWords() const {
    const QFontMetricsF fm(plotFont({}));
    QStringList parts = m_data.below.split(u" · "_s);
    while (parts.size() > 1 && fm.horizontalAdvance(parts.join(u" · "_s)) > width() - 30) parts.removeLast();
    const QString s = fm.elidedText(parts.join(u" · "_s), Qt::ElideRight, std::max(40, width() - 30));
    return s.isEmpty() ? u" "_s : s;
}

void Plot::resizeEvent(QResizeEvent*) { setData(m_data); }

Status Plot::exportTo(const QString& path) const {
    if (path.endsWith(u".csv"_s, Qt::CaseInsensitive)) return writeBytes(path, csv(m_data));
    const Theme paper = Theme::light();
    // In points: 85 mm is 241 pt wide, so a font of 8 px comes out as 8 pt.
    constexpr int kWidth = 241, kHeight = 176, kFoot = 20;
    const Look look{8, true};
    return drawToFile(
        path, {QSizeF(kWidth, kHeight), 300.0 / 72, m_data.title}, [&](QPaintDevice& device, double scale) {
            QCustomPlot q;
            q.setPlottingHint(QCP::phFastPolylines, false);
            fill(q, m_data, paper, look);
            q.plotLayout()->insertRow(0);
            auto* title = new QCPTextElement(&q, m_data.title, plotFont(look, true));
            title->setTextColor(paper.color(Meaning::Text));
            title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
            title->setMargins(QMargins(6, 3, 4, 0));
            q.plotLayout()->addElement(0, 0, title);
            q.plotLayout()->setRowSpacing(0);
            QCPPainter p(&device);
            p.setMode(QCPPainter::pmVectorized); // in every format: else lines of width 1 become hairlines
            p.setMode(QCPPainter::pmNoCaching);
            p.scale(scale, scale);
            q.toPainter(&p, kWidth, kHeight - kFoot);
            p.setFont(plotFont({6, true}));
            p.setPen(paper.color(Meaning::Muted));
            p.drawText(QRectF(6, kHeight - kFoot, kWidth - 12, kFoot - 2),
                       Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, m_data.footer);
        });
}

void Plot::contextMenuEvent(QContextMenuEvent* e) {
    QMenu menu(this);
    menu.addAction(u"Export…"_s, this, &Plot::exportAsked);
    menu.exec(e->globalPos());
}

} // namespace rqs::ui
