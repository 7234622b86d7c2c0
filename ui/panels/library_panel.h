// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario library: chapters, search, and the chosen scenario's README beside the run.
#pragma once
#include "ui/panels/panel.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QTreeWidget>

namespace rqs::ui {

class LibraryPanel : public Panel {
    Q_OBJECT
public:
    explicit LibraryPanel(const PanelContext& context);
    void refresh(const session::Snapshot&) override {}
    void setTheme(const Theme& theme) override;

private:
    void reload();
    void filter(const QString& words);
    void choose(QTreeWidgetItem* item);
    void openChosen();
    void markOpen(const QString& id);
    void showReadme();

    PanelContext m_context;
    QLineEdit* m_search;
    QTreeWidget* m_tree;
    QTextBrowser* m_readme;
    QPushButton* m_open;
    std::vector<scenario::Entry> m_entries;
    QString m_chosen, m_running, m_text;
};

/// "02-shared-runq" -> "02 Shared runq".
QString chapterTitle(const QString& folder);

} // namespace rqs::ui
