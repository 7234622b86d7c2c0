// SPDX-License-Identifier: GPL-3.0-or-later
// The line at the bottom: where the run is, how fast it goes, what it costs, and what is wasted right now.
#pragma once
#include "core/session/snapshot.h"

#include <QLabel>
#include <QStatusBar>

namespace rqs::ui {

class StatusLine {
public:
    explicit StatusLine(QStatusBar& bar);
    void refresh(const session::Snapshot& s, int fps);
    void say(const QString& text);

private:
    QStatusBar& m_bar;
    QLabel *m_facts, *m_alert;
    QString m_lastMessage;
};

/// "step 1 204 311 · 18.204 311 ms · 412 k switches/s · 96 of 256 MB · 60 fps".
QString statusText(const session::Snapshot& s, int fps);

} // namespace rqs::ui
