// SPDX-License-Identifier: GPL-3.0-or-later
// A switch that shows its state by colour and by position.
#pragma once
#include "ui/shell/theme.h"

#include <QAbstractButton>

namespace rqs::ui {

class ToggleSwitch : public QAbstractButton {
    Q_OBJECT
public:
    explicit ToggleSwitch(const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) {
        m_theme = theme;
        update();
    }
    QSize sizeHint() const override { return {38, 20}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    Theme m_theme;
};

} // namespace rqs::ui
