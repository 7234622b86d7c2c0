// SPDX-License-Identifier: GPL-3.0-or-later
// What every panel is: an id, a heading, refresh from a snapshot, a theme, a help page of the same id. The
// window knows panels only through this base and the registry.
#pragma once
#include "ui/bridge/selection.h"
#include "ui/bridge/session_controller.h"
#include "ui/shell/theme.h"

#include <QWidget>

#include <span>

namespace rqs::ui {

struct PanelContext {
    SessionController* session = nullptr;
    Selection* selection = nullptr;
    Theme theme;
};

class Panel : public QWidget {
    Q_OBJECT
public:
    Panel(QString id, QString heading) : m_id(std::move(id)), m_heading(std::move(heading)) {
        setAttribute(Qt::WA_StyledBackground);
    }
    const QString& id() const { return m_id; }
    const QString& heading() const { return m_heading; }
    /// Called on the GUI thread, only while visible, not more often than everyMs() while running.
    virtual void refresh(const session::Snapshot& s) = 0;
    virtual void setTheme(const Theme&) {}
    virtual int everyMs() const { return 100; }

Q_SIGNALS:
    void headingChanged(const QString& heading);
    void helpAsked(const QString& page);
    void noticed(const QString& text);

protected:
    void setHeading(const QString& h) {
        if (h == m_heading) return;
        m_heading = h;
        Q_EMIT headingChanged(h);
    }

private:
    QString m_id, m_heading;
};

enum class PanelPlace : std::uint8_t { Left, RightTop, RightBottom, Bottom };

struct PanelInfo {
    const char* id;
    const char* tab; ///< short name for tabs and menus
    PanelPlace place;
    bool shown; ///< in the default layout
    Panel* (*make)(const PanelContext&);
};
std::span<const PanelInfo> panelRegistry();

} // namespace rqs::ui
