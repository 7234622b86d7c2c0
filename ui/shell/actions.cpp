// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.h"

#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr ActionInfo kActions[] = {
    {"open", "File", "Open scenario file…", "Ctrl+O", "Open a scenario.json from anywhere"},
    {"save-as", "File", "Save as new scenario…", "Ctrl+Shift+S",
     "Change machine, task count or seed and keep it under a new name"},
    {"-", "File", "", "", ""},
    {"export-machine", "File", "Export machine picture…", "Ctrl+E", "Write the machine as PNG, SVG or PDF"},
    {"export-plots", "File", "Export all plots…", "Ctrl+Shift+E",
     "Write every plot as PDF and its numbers as CSV into a folder"},
    {"-", "File", "", "", ""},
    {"quit", "File", "Quit", "Ctrl+Q", "Close the window"},
    {"run", "Run", "Run or pause", "Space", "Run on, or stop where it is"},
    {"step", "Run", "Step forward", "Right", "One unit forward, see Step by"},
    {"back", "Run", "Step back", "Left", "One unit back, see Step by"},
    {"fast", "Run", "Run as fast as possible", "Shift+Space", "Run on without holding back"},
    {"restart", "Run", "Restart", "Home", "From the beginning, same seed"},
    {"-", "Run", "", "", ""},
    {"by-step", "Run", "Step by step", "1", "Units of one simulation step"},
    {"by-decision", "Run", "Step by decision", "D", "Units of one scheduler decision; shows why"},
    {"by-switch", "Run", "Step by context switch", "S", "Units of one context switch"},
    {"by-tick", "Run", "Step by tick", "T", "Units of one timer tick"},
    {"by-time", "Run", "Step by 100 µs", "U", "Units of 100 µs of simulated time"},
    {"zoom-in", "View", "Zoom in", "Ctrl++", "Larger machine, more detail"},
    {"zoom-out", "View", "Zoom out", "Ctrl+-", "Smaller machine"},
    {"zoom-all", "View", "Whole machine", "Ctrl+0", "Fit the machine to the window"},
    {"-", "View", "", "", ""},
    {"heat-queue", "View", "Cells show waiting tasks", "", "Measure of the cells of large machines", true},
    {"heat-busy", "View", "Cells show busy time", "", "Measure of the cells of large machines", true},
    {"heat-spin", "View", "Cells show lock wait", "", "Measure of the cells of large machines", true},
    {"heat-switches", "View", "Cells show switches", "", "Measure of the cells of large machines", true},
    {"-", "View", "", "", ""},
    {"dark", "View", "Dark theme", "Ctrl+D", "Light or dark surfaces", true},
    {"reduce-motion", "View", "Reduce motion", "", "Moves jump instead of travelling", true},
    {"default-layout", "View", "Default layout", "", "All panels back where they were"},
    {"help", "Help", "Help", "F1", "How to read the window"},
    {"model-limits", "Help", "What this model leaves out", "",
     "Where the simulation is simpler than a kernel"},
    {"provenance", "Help", "Where the costs come from", "", "Every cost of this machine with its source"},
    {"shortcuts", "Help", "Keyboard shortcuts", "Ctrl+?", "All keys"},
    {"-", "Help", "", "", ""},
    {"about", "Help", "About runqscope", "", "Version and licence"},
};
} // namespace

std::span<const ActionInfo> actionTable() { return kActions; }

Actions::Actions(QMainWindow& window) : m_window(window) {
    for (const ActionInfo& info : kActions) {
        const QString menu = QString::fromLatin1(info.menu);
        if (!m_menus.contains(menu)) m_menus.insert(menu, window.menuBar()->addMenu(menu));
        const QString id = QString::fromLatin1(info.id);
        if (id == u"-"_s) {
            m_menus[menu]->addSeparator();
            continue;
        }
        auto* a = new QAction(QString::fromUtf8(info.text), &window);
        if (*info.keys) a->setShortcut(QKeySequence(QString::fromLatin1(info.keys)));
        a->setToolTip(QString::fromUtf8(info.help));
        a->setStatusTip(QString::fromUtf8(info.help));
        a->setCheckable(info.checkable);
        m_menus[menu]->addAction(a);
        m_actions.insert(id, a);
    }
}

QAction* Actions::operator[](const char* id) const { return m_actions.value(QString::fromLatin1(id)); }

void Actions::on(const char* id, std::function<void()> handler) {
    if (QAction* a = (*this)[id])
        QObject::connect(a, &QAction::triggered, &m_window, [handler] { handler(); });
}
void Actions::onToggle(const char* id, std::function<void(bool)> handler) {
    if (QAction* a = (*this)[id])
        QObject::connect(a, &QAction::triggered, &m_window, [handler](bool on) { handler(on); });
}

QString Actions::shortcutPage() {
    QString out = u"# Keyboard shortcuts\n\n| Key | Does | |\n|---|---|---|\n"_s;
    for (const ActionInfo& a : kActions)
        if (*a.keys)
            out += u"| `%1` | %2 | %3 |\n"_s.arg(QString::fromLatin1(a.keys), QString::fromUtf8(a.text),
                                                 QString::fromUtf8(a.help));
    return out +
           u"| `j` `k` | Select the next, the previous CPU | in the machine |\n| `+` `-` `0` | Zoom | in the machine |\n| `Esc` | Select nothing | in the machine |\n"_s;
}

} // namespace rqs::ui
