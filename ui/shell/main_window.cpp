// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "core/base/version.h"
#include "ui/panels/plot_panel.h"
#include "ui/shell/save_dialog.h"
#include "ui/views/machine_export.h"

#include <QApplication>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>
#include <QToolBar>
#include <QVBoxLayout>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

MainWindow::MainWindow(SessionController* session, const WindowOptions& options)
    : m_session(session), m_theme(options.dark ? Theme::dark() : Theme::light()), m_actions(*this),
      m_transport(new TransportBar(session, m_actions, m_theme)),
      m_machine(new MachineView(&m_selection, m_theme)), m_notice(new QFrame), m_noticeText(new QLabel),
      m_status(*statusBar()) {
    setWindowTitle(u"runqscope"_s);
    resize(options.size);
    auto* bar = addToolBar(u"Transport"_s);
    bar->setObjectName(u"transport"_s);
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setContentsMargins(0, 0, 0, 0);
    bar->layout()->setContentsMargins(0, 0, 0, 0);
    bar->addWidget(m_transport);

    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_notice->setProperty("notice", true);
    auto* row = new QHBoxLayout(m_notice);
    m_noticeText->setWordWrap(true);
    m_noticeText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(m_noticeText, 1);
    auto* close = new QToolButton;
    close->setText(u"Dismiss"_s);
    row->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QToolButton::clicked, m_notice, &QWidget::hide);
    m_notice->hide();
    column->addWidget(m_notice);
    column->addWidget(m_machine, 1);
    setCentralWidget(middle);

    m_docks = new PanelDocks(*this, {session, &m_selection, m_theme});
    connectActions();
    m_machine->setReduceMotion(options.reduceMotion);
    m_actions["reduce-motion"]->setChecked(options.reduceMotion);
    setDark(options.dark);
    chooseMeasure(HeatMeasure::Queue, "heat-queue");
    m_machine->setFocus();
    if (options.restoreLayout) restoreState(QSettings().value(u"layout"_s).toByteArray());
}

void MainWindow::connectActions() {
    connect(m_session, &SessionController::snapshotReady, this, [this] { onSnapshot(); });
    connect(m_session, &SessionController::failed, this, &MainWindow::showError);
    connect(m_session, &SessionController::opened, this, [this] {
        m_notice->hide();
        m_selection.clear();
    });
    connect(m_docks, &PanelDocks::helpAsked, this, &MainWindow::showHelp);
    connect(m_docks, &PanelDocks::noticed, this, [this](const QString& t) { m_status.say(t); });
    connect(m_machine, &MachineView::contextAsked, this, &MainWindow::contextMenu);
    m_actions.on("open", [this] { openFile(); });
    m_actions.on("save-as", [this] { saveAs(); });
    m_actions.on("export-machine", [this] { exportMachine(); });
    m_actions.on("export-plots", [this] { exportPlots(); });
    m_actions.on("quit", [this] { this->close(); });
    m_actions.on("zoom-in", [this] { m_machine->zoomBy(1.5, m_machine->rect().center()); });
    m_actions.on("zoom-out", [this] { m_machine->zoomBy(1 / 1.5, m_machine->rect().center()); });
    m_actions.on("zoom-all", [this] { m_machine->resetZoom(); });
    m_actions.on("heat-queue", [this] { chooseMeasure(HeatMeasure::Queue, "heat-queue"); });
    m_actions.on("heat-busy", [this] { chooseMeasure(HeatMeasure::Busy, "heat-busy"); });
    m_actions.on("heat-spin", [this] { chooseMeasure(HeatMeasure::Spin, "heat-spin"); });
    m_actions.on("heat-switches", [this] { chooseMeasure(HeatMeasure::Switches, "heat-switches"); });
    m_actions.onToggle("dark", [this](bool on) { setDark(on); });
    m_actions.onToggle("reduce-motion", [this](bool on) { m_machine->setReduceMotion(on); });
    m_actions.on("default-layout", [this] { m_docks->placeDefault(); });
    m_actions.on("help", [this] { showHelp(u"machine"_s); });
    for (const char* page : {"model-limits", "provenance", "shortcuts"})
        m_actions.on(page, [this, page] { showHelp(QString::fromLatin1(page)); });
    m_actions.on("about", [this] {
        QMessageBox::about(
            this, u"About runqscope"_s,
            u"<b>runqscope %1</b><p>See the Linux CPU scheduler decide.<p>GPL-3.0-or-later. Drawn with Qt %2 and QCustomPlot."_s
                .arg(QString::fromLatin1(kVersion), QString::fromLatin1(qVersion())));
    });
    QMenu* panels = m_actions.menu("View")->addMenu(u"Panels"_s);
    for (QAction* a : m_docks->toggles()) panels->addAction(a);
}

void MainWindow::onSnapshot() {
    const auto& s = m_session->snapshot();
    m_machine->setSnapshot(s);
    m_transport->refresh(*s);
    m_docks->refresh(*s);
    m_status.refresh(*s, m_machine->framesPerSecond());
}

void MainWindow::setDark(bool on) {
    m_theme = on ? Theme::dark() : Theme::light();
    m_theme.apply(*qApp);
    m_actions["dark"]->setChecked(on);
    m_transport->setTheme(m_theme);
    m_machine->setTheme(m_theme);
    m_docks->setTheme(m_theme, m_session->snapshot().get());
    if (m_help) m_help->setTheme(m_theme);
}

void MainWindow::chooseMeasure(HeatMeasure m, const char* action) {
    m_machine->setMeasure(m);
    for (const char* a : {"heat-queue", "heat-busy", "heat-spin", "heat-switches"})
        m_actions[a]->setChecked(qstrcmp(a, action) == 0);
}

void MainWindow::showError(const QString& text) {
    m_noticeText->setText(
        u"<b>Not done.</b> "_s + text.toHtmlEscaped() +
        (m_session->snapshot() ? u"<br>The running session was left as it is."_s : QString()));
    m_notice->show();
}

void MainWindow::openFile() {
    const QString path = QFileDialog::getOpenFileName(this, u"Open scenario file"_s, QString(),
                                                      u"Scenario (*.json);;All files (*)"_s);
    if (!path.isEmpty()) m_session->open(path);
}

void MainWindow::saveAs() {
    const auto* s = m_session->scenario();
    if (!s) return showError(u"There is no scenario to save: open one first."_s);
    SaveDialog dialog(*s, m_session->folders(), this);
    if (dialog.exec() == QDialog::Accepted) m_session->open(dialog.savedFolder());
}

void MainWindow::exportMachine() {
    if (!m_machine->snapshot()) return showError(u"There is no machine to export: open a scenario first."_s);
    const QString path = QFileDialog::getSaveFileName(this, u"Export machine picture"_s, u"machine.pdf"_s,
                                                      pictureFilter(false));
    if (path.isEmpty()) return;
    const Status done = exportMachinePicture(*m_machine, path);
    m_status.say(done ? u"Wrote "_s + path : QString::fromStdString(done.error().text()));
}

void MainWindow::exportPlots() {
    const QString folder = QFileDialog::getExistingDirectory(this, u"Export all plots into a folder"_s);
    if (folder.isEmpty()) return;
    for (const PanelInfo& info : panelRegistry()) {
        const auto* p = qobject_cast<PlotPanel*>(m_docks->panel(QString::fromLatin1(info.id)));
        if (!p) continue;
        for (const QString& suffix : {u".pdf"_s, u".csv"_s})
            if (const Status done = p->plot()->exportTo(folder + u'/' + p->id() + suffix); !done)
                return showError(QString::fromStdString(done.error().text()));
    }
    m_status.say(u"Wrote the plots to "_s + folder);
}

void MainWindow::showHelp(const QString& page) {
    if (!m_help) m_help = new HelpWindow(m_theme, this);
    const auto& s = m_session->snapshot();
    if (s && s->run)
        m_help->setMachineFile(QString::fromStdString(m_session->folders().resources + "/machines/" +
                                                      s->run->machineId + ".json"));
    m_help->openPage(page);
}

void MainWindow::contextMenu(const QPoint& at, CpuId cpu) {
    QMenu menu(this);
    if (cpu.valid()) {
        const auto& c = m_machine->snapshot()->cpus[cpu.index()];
        menu.addAction(u"Select CPU %1"_s.arg(cpu.v), this, [this, cpu] { m_selection.select(cpu); });
        if (c.running.valid()) {
            const TaskId t = c.running;
            const QString name = TaskLabels::of(*m_machine->snapshot()->run).nameOf(t);
            menu.addAction(u"Select "_s + name, this, [this, cpu, t] { m_selection.select(cpu, t); });
            menu.addAction(u"Kill "_s + name, this,
                           [this, t] { m_session->post(session::command::Apply{sim::KillTask{t}}); });
        }
        menu.addSeparator();
    }
    for (const char* a : {"zoom-all", "export-machine"}) menu.addAction(m_actions[a]);
    menu.exec(at);
}

void MainWindow::closeEvent(QCloseEvent* e) {
    QSettings().setValue(u"layout"_s, saveState());
    QSettings().setValue(u"dark"_s, m_theme.isDark());
    QMainWindow::closeEvent(e);
}

} // namespace rqs::ui
