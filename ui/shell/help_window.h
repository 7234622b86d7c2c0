// SPDX-License-Identifier: GPL-3.0-or-later
// Help pages: one per panel, plus what the model leaves out, where costs come from, and all keys.
#pragma once
#include "ui/shell/theme.h"

#include <QDialog>
#include <QListWidget>
#include <QTextBrowser>

namespace rqs::ui {

class HelpWindow : public QDialog {
    Q_OBJECT
public:
    HelpWindow(const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// A page of resources/help by id, or one of the generated ones.
    void openPage(const QString& page);
    /// Path of the machine file the page on costs is made from.
    void setMachineFile(const QString& path) { m_machineFile = path; }

    /// Markdown of a stored page; empty if there is none.
    static QString storedPage(const QString& id);

private:
    void display(const QString& page);
    Theme m_theme;
    QListWidget* m_list;
    QTextBrowser* m_text;
    QString m_machineFile, m_page;
};

/// Markdown table of all costs in a machine file, with unit, provenance and source.
QString provenancePage(const QString& machineFile);

} // namespace rqs::ui
