// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/panel_docks.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
/// A heading that may be cut rather than widen its dock.
class Heading : public QLabel {
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter p(this);
        p.setPen(palette().color(QPalette::WindowText));
        p.drawText(rect(), Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideRight, width()));
    }
};
} // namespace

PanelDocks::PanelDocks(QMainWindow& window, const PanelContext& context)
    : QObject(&window), m_window(window) {
    m_clock.start();
    window.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks |
                          QMainWindow::AllowNestedDocks);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const auto corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner})
        window.setCorner(corner, Qt::LeftDockWidgetArea);
    for (const auto corner : {Qt::TopRightCorner, Qt::BottomRightCorner})
        window.setCorner(corner, Qt::RightDockWidgetArea);
    for (const PanelInfo& info : panelRegistry()) {
        Panel* p = info.make(context);
        auto* dock = new QDockWidget(QString::fromUtf8(info.tab), &window);
        dock->setObjectName(QString::fromLatin1(info.id));
        dock->setWidget(p);
        dock->setTitleBarWidget(titleBar(p, dock));
        connect(p, &Panel::noticed, this, &PanelDocks::noticed);
        connect(dock, &QDockWidget::visibilityChanged, this, [this, i = m_panels.size()](bool on) {
            if (on) m_last[i] = -100000; // due at once
        });
        m_panels.push_back(p);
        m_docks.push_back(dock);
        m_last.push_back(-100000);
    }
    placeDefault();
}

QWidget* PanelDocks::titleBar(Panel* panel, QDockWidget* dock) {
    auto* bar = new QWidget(dock);
    bar->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(14, 7, 6, 3);
    row->setSpacing(2);
    auto* name = new Heading(panel->heading());
    name->setFont(Theme::font(Type::Title, true));
    row->addWidget(name, 1);
    auto* help = new QToolButton;
    help->setText(u"?"_s);
    help->setProperty("flat", true);
    help->setToolTip(u"What is this?"_s);
    help->setAccessibleName(u"Help on "_s + panel->heading());
    help->setFixedSize(20, 20);
    row->addWidget(help);
    connect(panel, &Panel::headingChanged, name, &QLabel::setText);
    connect(help, &QToolButton::clicked, this, [this, panel] { Q_EMIT helpAsked(panel->id()); });
    return bar;
}

void PanelDocks::placeDefault() {
    const auto infos = panelRegistry();
    QDockWidget* first[4] = {};
    QDockWidget* previous = nullptr;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        QDockWidget* d = m_docks[i];
        const auto place = static_cast<std::size_t>(infos[i].place);
        d->setFloating(false);
        switch (infos[i].place) {
        case PanelPlace::Left: m_window.addDockWidget(Qt::LeftDockWidgetArea, d); break;
        case PanelPlace::RightTop:
            m_window.addDockWidget(Qt::RightDockWidgetArea, d);
            if (first[place]) m_window.tabifyDockWidget(first[place], d);
            break;
        case PanelPlace::RightBottom:
            if (!first[place])
                m_window.addDockWidget(Qt::RightDockWidgetArea, d);
            else
                m_window.tabifyDockWidget(first[place], d);
            break;
        case PanelPlace::Bottom:
            m_window.addDockWidget(Qt::BottomDockWidgetArea, d, Qt::Horizontal);
            if (previous) m_window.splitDockWidget(previous, d, Qt::Horizontal);
            previous = d;
            break;
        }
        if (!first[place]) first[place] = d;
        d->setVisible(infos[i].shown);
    }
    for (const std::size_t place : {std::size_t{1}, std::size_t{2}})
        if (first[place]) first[place]->raise();
    const bool narrow = m_window.width() < 1500;
    QDockWidget* left = first[0];
    QList<QDockWidget*> sides{left, first[1]};
    m_window.resizeDocks(sides, {narrow ? 215 : 240, narrow ? 262 : 300}, Qt::Horizontal);
    m_window.resizeDocks({first[1], first[2]}, {42, 58}, Qt::Vertical);
    QList<QDockWidget*> bottom;
    QList<int> widths, heights;
    for (std::size_t i = 0; i < infos.size(); ++i)
        if (infos[i].place == PanelPlace::Bottom) {
            bottom << m_docks[i];
            widths << 100;
            heights << (m_window.height() < 850 ? 168 : 205);
        }
    m_window.resizeDocks(bottom, widths, Qt::Horizontal);
    m_window.resizeDocks(bottom, heights, Qt::Vertical);
}

void PanelDocks::refresh(const session::Snapshot& s) {
    const qint64 now = m_clock.elapsed();
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        if (m_panels[i]->visibleRegion().isEmpty()) continue;
        if (s.running && now - m_last[i] < m_panels[i]->everyMs()) continue;
        m_last[i] = now;
        m_panels[i]->refresh(s);
    }
}

void PanelDocks::setTheme(const Theme& theme, const session::Snapshot* s) {
    for (Panel* p : m_panels) {
        p->setTheme(theme);
        if (s) p->refresh(*s);
    }
}

Panel* PanelDocks::panel(const QString& id) const {
    for (Panel* p : m_panels)
        if (p->id() == id) return p;
    return nullptr;
}

QList<QAction*> PanelDocks::toggles() const {
    QList<QAction*> out;
    for (QDockWidget* d : m_docks) out << d->toggleViewAction();
    return out;
}

} // namespace rqs::ui
