// SPDX-License-Identifier: GPL-3.0-or-later
// The panels of the registry as docks: default places, tabs, refresh of what is visible, themes.
#pragma once
#include "ui/panels/panel.h"

#include <QDockWidget>
#include <QElapsedTimer>
#include <QMainWindow>

namespace rqs::ui {

class PanelDocks : public QObject {
    Q_OBJECT
public:
    PanelDocks(QMainWindow& window, const PanelContext& context);
    void placeDefault();
    /// Refreshes visible panels that are due.
    void refresh(const session::Snapshot& s);
    void setTheme(const Theme& theme, const session::Snapshot* s);
    Panel* panel(const QString& id) const;
    QList<QAction*> toggles() const;
    const std::vector<QDockWidget*>& docks() const { return m_docks; }

Q_SIGNALS:
    void helpAsked(const QString& page);
    void noticed(const QString& text);

private:
    QWidget* titleBar(Panel* panel, QDockWidget* dock);

    QMainWindow& m_window;
    std::vector<Panel*> m_panels;
    std::vector<QDockWidget*> m_docks;
    std::vector<qint64> m_last;
    QElapsedTimer m_clock;
};

} // namespace rqs::ui
