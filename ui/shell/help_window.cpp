// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help_window.h"

#include "ui/shell/actions.h"
#include "ui/shell/markdown.h"

#include <QFile>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

// Resources of a static library must be asked for by name, outside any namespace.
static void loadResources() { Q_INIT_RESOURCE(app); }

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
struct Page {
    const char* id;
    const char* title;
};
constexpr Page kPages[] = {
    {"machine", "The machine picture"},
    {"library", "Scenarios"},
    {"features", "Features"},
    {"tunables", "Tunables"},
    {"why", "Why"},
    {"inspector", "Inspector"},
    {"cpus", "CPUs"},
    {"throughput", "Throughput"},
    {"latency", "Wakeup latency"},
    {"lock-wait", "Lock wait"},
    {"runnable", "Waiting and idle"},
    {"model-limits", "What this model leaves out"},
    {"provenance", "Where the costs come from"},
    {"shortcuts", "Keyboard shortcuts"},
};

QString cell(QString s) { return s.replace(u'|', u'/').replace(u'\n', u' '); }

/// A number with its unit from any member that holds one.
QString valueOf(const QJsonObject& o) {
    for (const QString& key : {u"value"_s, u"ns"_s}) {
        const QJsonValue v = o.value(key);
        if (v.isDouble())
            return QString::number(v.toDouble(), 'g', 10) + u' ' + o.value(u"unit"_s).toString(u"ns"_s);
    }
    return {};
}
} // namespace

QString provenancePage(const QString& machineFile) {
    QFile f(machineFile);
    if (machineFile.isEmpty() || !f.open(QIODevice::ReadOnly))
        return u"# Where the costs come from\n\nOpen a scenario first: each machine has its own table of costs."_s;
    const QJsonObject root = QJsonDocument::fromJson(f.readAll()).object();
    QString out = u"# Where the costs come from\n\nMachine **%1**. One table per machine, used by every "
                  u"scenario. *measured*: on that machine; "
                  "*published*: by its source; *derived*: computed from other numbers; *assumed*: nobody has "
                  "measured it.\n\n"
                  "| Cost | Value | Provenance | Source |\n|---|---|---|---|\n"_s.arg(
                      root.value(u"title"_s).toString(root.value(u"id"_s).toString()));
    const QJsonObject costs = root.value(u"costs"_s).toObject();
    for (auto it = costs.begin(); it != costs.end(); ++it) {
        const QJsonObject o = it.value().toObject();
        QString source = o.value(u"source"_s).toString();
        if (source.isEmpty()) source = o.value(u"note"_s).toString();
        out += u"| `%1` | %2 | %3 | %4 |\n"_s.arg(it.key(), valueOf(o), o.value(u"provenance"_s).toString(),
                                                  cell(source));
    }
    return out;
}

QString HelpWindow::storedPage(const QString& id) {
    loadResources();
    QFile f(u":/help/"_s + id + u".md"_s);
    return f.open(QIODevice::ReadOnly) ? QString::fromUtf8(f.readAll()) : QString();
}

HelpWindow::HelpWindow(const Theme& theme, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_list(new QListWidget), m_text(new QTextBrowser) {
    setWindowTitle(u"Help"_s);
    resize(860, 600);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 8, 8, 8);
    m_list->setMaximumWidth(230);
    for (const Page& p : kPages) {
        auto* item = new QListWidgetItem(QString::fromUtf8(p.title), m_list);
        item->setData(Qt::UserRole, QString::fromLatin1(p.id));
        item->setSizeHint({0, 26});
    }
    m_text->setOpenExternalLinks(true);
    row->addWidget(m_list);
    row->addWidget(m_text, 1);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item) display(item->data(Qt::UserRole).toString());
    });
}

void HelpWindow::setTheme(const Theme& theme) {
    m_theme = theme;
    if (!m_page.isEmpty()) display(m_page);
}

void HelpWindow::openPage(const QString& page) {
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->data(Qt::UserRole).toString() == page) m_list->setCurrentRow(i);
    display(page);
    show();
    raise();
}

void HelpWindow::display(const QString& page) {
    m_page = page;
    QString text = page == u"provenance"_s  ? provenancePage(m_machineFile)
                   : page == u"shortcuts"_s ? Actions::shortcutPage()
                                            : storedPage(page);
    if (text.isEmpty()) text = u"There is no page named %1."_s.arg(page);
    showMarkdown(*m_text, text, m_theme);
}

} // namespace rqs::ui
