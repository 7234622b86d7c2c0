// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_line.h"

#include "ui/shell/theme.h"
#include "ui/views/words.h"

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

StatusLine::StatusLine(QStatusBar& bar) : m_bar(bar), m_facts(new QLabel), m_alert(new QLabel) {
    bar.setSizeGripEnabled(false);
    bar.setContentsMargins(8, 0, 8, 0);
    m_facts->setFont(Theme::font(Type::Small));
    m_facts->setProperty("muted", true);
    m_facts->setMinimumWidth(10);
    m_alert->setFont(Theme::font(Type::Small, true));
    m_alert->setProperty("alert", true);
    m_alert->setToolTip(QStringLiteral("CPUs that are idle now although tasks wait on other runqueues"));
    bar.addWidget(m_facts, 1);
    bar.addPermanentWidget(m_alert);
}

QString statusText(const session::Snapshot& s, int fps) {
    QStringList parts{u"step "_s + countText(static_cast<std::int64_t>(s.step)), timeText(s.now)};
    if (s.running) parts << magnitudeText(s.switchesPerWallSecond) + u" switches/s"_s;
    parts << bytesText(s.memoryUsed) + u" of "_s + bytesText(s.memoryBudget);
    if (s.branch > 0) parts << u"branch %1"_s.arg(s.branch);
    if (s.running) parts << u"%1 fps"_s.arg(fps);
    parts << (s.finished ? u"finished"_s : s.running ? u"running"_s : u"paused"_s);
    return parts.join(u" · "_s);
}

void StatusLine::refresh(const session::Snapshot& s, int fps) {
    m_facts->setText(statusText(s, fps));
    QString alert;
    if (s.idleWhileWaiting > 0)
        alert = u"idle while %1 %2: %3 %4"_s.arg(s.waiting)
                    .arg(s.waiting == 1 ? u"task waits"_s : u"tasks wait"_s)
                    .arg(s.idleWhileWaiting)
                    .arg(s.idleWhileWaiting == 1 ? u"CPU"_s : u"CPUs"_s);
    m_alert->setText(alert);
    const QString message = qs(s.message);
    if (message != m_lastMessage) {
        m_lastMessage = message;
        if (!message.isEmpty()) say(message);
    }
}

void StatusLine::say(const QString& text) { m_bar.showMessage(text, 8000); }

} // namespace rqs::ui
