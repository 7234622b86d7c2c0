// SPDX-License-Identifier: GPL-3.0-or-later
// The window: machine in the middle, panels of the registry around it, transport above, status below.
#pragma once
#include "ui/bridge/session_controller.h"
#include "ui/shell/actions.h"
#include "ui/shell/help_window.h"
#include "ui/shell/panel_docks.h"
#include "ui/shell/status_line.h"
#include "ui/shell/transport_bar.h"
#include "ui/views/machine_view.h"

#include <QMainWindow>

namespace rqs::ui {

struct WindowOptions {
    bool dark = false;
    bool reduceMotion = false;
    bool restoreLayout = true;
    QSize size{1600, 900};
};

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(SessionController* session, const WindowOptions& options);
    MachineView* machine() const { return m_machine; }
    PanelDocks* docks() const { return m_docks; }
    void setDark(bool on);

protected:
    void closeEvent(QCloseEvent*) override;

private:
    void connectActions();
    void onSnapshot();
    void openFile();
    void saveAs();
    void exportMachine();
    void exportPlots();
    void showHelp(const QString& page);
    void showError(const QString& text);
    void contextMenu(const QPoint& at, CpuId cpu);
    void chooseMeasure(HeatMeasure m, const char* action);

    SessionController* m_session;
    Selection m_selection;
    Theme m_theme;
    Actions m_actions;
    TransportBar* m_transport;
    MachineView* m_machine;
    QFrame* m_notice;
    QLabel* m_noticeText;
    PanelDocks* m_docks;
    StatusLine m_status;
    HelpWindow* m_help = nullptr;
};

} // namespace rqs::ui
