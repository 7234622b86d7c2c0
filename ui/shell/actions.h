// SPDX-License-Identifier: GPL-3.0-or-later
// Every action once: id, text, shortcut, help, menu. Menus, transport and the shortcut page derive from here.
#pragma once
#include <QAction>
#include <QHash>

#include <functional>
#include <span>

class QMainWindow;
class QMenu;

namespace rqs::ui {

struct ActionInfo {
    const char* id;
    const char* menu;
    const char* text;
    const char* keys;
    const char* help;
    bool checkable = false;
};
std::span<const ActionInfo> actionTable();

class Actions {
public:
    /// Makes all actions, fills the window's menu bar in table order; a separator goes where an id is "-".
    explicit Actions(QMainWindow& window);
    QAction* operator[](const char* id) const;
    void on(const char* id, std::function<void()> handler);
    void onToggle(const char* id, std::function<void(bool)> handler);
    QMenu* menu(const char* name) const { return m_menus.value(QString::fromLatin1(name)); }
    /// The shortcut page, as Markdown.
    static QString shortcutPage();

private:
    QMainWindow& m_window;
    QHash<QString, QAction*> m_actions;
    QHash<QString, QMenu*> m_menus;
};

} // namespace rqs::ui
