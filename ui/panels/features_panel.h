// SPDX-License-Identifier: GPL-3.0-or-later
// The switches of the kernel: what exists can be flipped while the run goes on, what does not says why.
#pragma once
#include "ui/panels/panel.h"
#include "ui/panels/toggle_switch.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

namespace rqs::ui {

class FeaturesPanel : public Panel {
    Q_OBJECT
public:
    explicit FeaturesPanel(const PanelContext& context);
    void refresh(const session::Snapshot& s) override;
    void setTheme(const Theme& theme) override;

private:
    struct Row {
        sched::Feature feature{};
        ToggleSwitch* toggle = nullptr;
        QLabel* note = nullptr;
    };
    void rebuild(const session::Snapshot& s);
    void addRow(const session::FeatureView& f);
    static int rank(const session::FeatureView& f);

    PanelContext m_context;
    QVBoxLayout* m_list;
    QComboBox* m_preemption;
    std::vector<Row> m_rows;
    std::shared_ptr<const session::RunInfo> m_run;
};

} // namespace rqs::ui
