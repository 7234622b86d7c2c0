// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario and machine, the run's buttons, step unit, time slider, speed, seed and variant.
#pragma once
#include "ui/bridge/session_controller.h"
#include "ui/shell/actions.h"
#include "ui/shell/scrub_bar.h"

#include <QFrame>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>

namespace rqs::ui {

class TransportBar : public QFrame {
    Q_OBJECT
public:
    TransportBar(SessionController* session, Actions& actions, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void refresh(const session::Snapshot& s);

private:
    struct Unit {
        const char* action;
        session::StepUnit unit;
        const char* text;
    };
    void setUnit(const Unit& unit);
    void setSpeed(std::int64_t simNsPerSecond);
    void fillVariants();
    void paintIcons();
    QToolButton* button(const char* action, const QString& icon, const QString& name);
    QWidget* labelled(const QString& caption, QWidget* below);

    SessionController* m_session;
    Actions& m_actions;
    Theme m_theme;
    QLabel* m_title;
    std::vector<std::pair<QToolButton*, QString>> m_buttons;
    QToolButton* m_run = nullptr;
    QToolButton *m_unitButton, *m_speedButton, *m_variantButton;
    ScrubBar* m_scrub;
    QSpinBox* m_seed;
    session::StepUnit m_unit = session::StepUnit::Decision;
    std::int64_t m_speed = 0;
    bool m_running = false, m_finished = false;
    std::shared_ptr<const session::RunInfo> m_runInfo;
};

} // namespace rqs::ui
