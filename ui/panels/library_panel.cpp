// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/library_panel.h"

#include "ui/shell/markdown.h"
#include "ui/views/words.h"

#include <QFile>
#include <QFileInfo>
#include <QSplitter>
#include <QVBoxLayout>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kEntryRole = Qt::UserRole + 1;
}

QString chapterTitle(const QString& folder) {
    QString s = folder;
    const qsizetype dash = s.indexOf(u'-');
    if (dash < 0) return s;
    s = s.left(dash) + u' ' + s.mid(dash + 1, 1).toUpper() + s.mid(dash + 2);
    return s.replace(u'-', u' ');
}

LibraryPanel::LibraryPanel(const PanelContext& context)
    : Panel(u"library"_s, u"Scenarios"_s), m_context(context) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(u"Search scenarios"_s);
    m_search->setClearButtonEnabled(true);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(10, 0, 10, 4);
    top->addWidget(m_search);
    layout->addLayout(top);
    auto* split = new QSplitter(Qt::Vertical);
    split->setHandleWidth(1);
    m_tree = new QTreeWidget;
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(10);
    m_tree->setRootIsDecorated(false);
    m_tree->setTextElideMode(Qt::ElideRight);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* lower = new QWidget;
    auto* low = new QVBoxLayout(lower);
    low->setContentsMargins(6, 4, 4, 4);
    m_readme = new QTextBrowser;
    m_readme->setOpenExternalLinks(true);
    low->addWidget(m_readme, 1);
    m_open = new QPushButton(u"Open this scenario"_s);
    m_open->setProperty("primary", true);
    m_open->hide();
    low->addWidget(m_open);
    split->addWidget(m_tree);
    split->addWidget(lower);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    layout->addWidget(split, 1);

    connect(m_search, &QLineEdit::textChanged, this, &LibraryPanel::filter);
    connect(m_search, &QLineEdit::returnPressed, this, &LibraryPanel::openChosen);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        choose(item);
        openChosen();
    });
    connect(m_open, &QPushButton::clicked, this, &LibraryPanel::openChosen);
    connect(context.session, &SessionController::opened, this, [this](const QString& id) { markOpen(id); });
    reload();
}

void LibraryPanel::reload() {
    m_tree->clear();
    m_entries = scenario::listScenarios(m_context.session->folders().scenarios);
    QTreeWidgetItem* chapter = nullptr;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const auto& e = m_entries[i];
        const QString id = qs(e.id), folder = id.section(u'/', 0, -2);
        if (!chapter || chapter->data(0, Qt::UserRole).toString() != folder) {
            chapter = new QTreeWidgetItem(m_tree, {chapterTitle(folder)});
            chapter->setData(0, Qt::UserRole, folder);
            chapter->setFlags(Qt::ItemIsEnabled);
            chapter->setFont(0, Theme::font(Type::Small, true));
            chapter->setForeground(0, m_context.theme.color(Meaning::Muted));
        }
        auto* item = new QTreeWidgetItem(chapter, {e.title.empty() ? id.section(u'/', -1) : qs(e.title)});
        item->setData(0, kEntryRole, static_cast<int>(i));
        item->setToolTip(0, e.error.empty() ? qs(e.summary) : qs(e.error));
        if (!e.error.empty()) item->setForeground(0, m_context.theme.color(Meaning::ContentionText));
    }
    m_tree->expandAll();
    if (m_entries.empty())
        m_readme->setPlainText(u"No scenario was found in %1. Open a file with Ctrl+O."_s.arg(
            qs(m_context.session->folders().scenarios)));
}

void LibraryPanel::filter(const QString& words) {
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    for (int c = 0; c < m_tree->topLevelItemCount(); ++c) {
        QTreeWidgetItem* chapter = m_tree->topLevelItem(c);
        bool any = false;
        for (int k = 0; k < chapter->childCount(); ++k) {
            QTreeWidgetItem* item = chapter->child(k);
            const auto& e = m_entries[static_cast<std::size_t>(item->data(0, kEntryRole).toInt())];
            const QString text = qs(e.id) + u' ' + qs(e.title) + u' ' + qs(e.summary);
            const bool hit = std::all_of(wanted.begin(), wanted.end(), [&](const QString& w) {
                return text.contains(w, Qt::CaseInsensitive);
            });
            item->setHidden(!hit);
            any = any || hit;
        }
        chapter->setHidden(!any);
    }
}

void LibraryPanel::choose(QTreeWidgetItem* item) {
    if (!item || !item->data(0, kEntryRole).isValid()) return;
    const auto& e = m_entries[static_cast<std::size_t>(item->data(0, kEntryRole).toInt())];
    m_chosen = qs(e.id);
    m_text.clear();
    QFile f(QFileInfo(qs(e.path)).absolutePath() + u"/README.md"_s);
    if (!e.error.empty())
        m_text = u"**This scenario cannot be run.**\n\n"_s + qs(e.error);
    else if (f.open(QIODevice::ReadOnly))
        m_text = QString::fromUtf8(f.read(1 << 20));
    showReadme();
}

void LibraryPanel::showReadme() {
    if (!m_text.isEmpty()) showMarkdown(*m_readme, m_text, m_context.theme);
    m_open->setVisible(!m_chosen.isEmpty() && m_chosen != m_running);
}

void LibraryPanel::openChosen() {
    if (!m_chosen.isEmpty()) m_context.session->open(m_chosen);
}

void LibraryPanel::markOpen(const QString& id) {
    m_running = id;
    for (int c = 0; c < m_tree->topLevelItemCount(); ++c)
        for (int k = 0; k < m_tree->topLevelItem(c)->childCount(); ++k) {
            QTreeWidgetItem* item = m_tree->topLevelItem(c)->child(k);
            const bool open =
                qs(m_entries[static_cast<std::size_t>(item->data(0, kEntryRole).toInt())].id) == id;
            item->setFont(0, Theme::font(Type::Body, open));
            if (open) m_tree->setCurrentItem(item);
        }
    m_chosen = id;
    const auto* s = m_context.session->scenario();
    if (s) m_text = s->readme.empty() ? u"# %1\n\n%2"_s.arg(qs(s->title), qs(s->summary)) : qs(s->readme);
    showReadme();
}

void LibraryPanel::setTheme(const Theme& theme) {
    m_context.theme = theme;
    const QString open = m_running;
    reload();
    if (!open.isEmpty()) markOpen(open);
}

} // namespace rqs::ui
