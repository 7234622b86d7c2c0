// SPDX-License-Identifier: GPL-3.0-or-later
// Why: the last decision, its tests in the order the kernel makes them, numbers and verdicts.
#pragma once
#include "ui/panels/panel.h"
#include "ui/views/decision_words.h"

namespace rqs::ui {

class WhyPanel : public Panel {
    Q_OBJECT
public:
    explicit WhyPanel(const PanelContext& context);
    void refresh(const session::Snapshot& s) override;
    void setTheme(const Theme& theme) override;
    int everyMs() const override { return 500; }

private:
    class List;
    List* m_list;
    TaskLabels m_labels;
    std::shared_ptr<const session::RunInfo> m_run;
};

} // namespace rqs::ui
