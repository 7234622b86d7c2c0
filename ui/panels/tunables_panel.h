// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the kernel that can be turned while it runs, under their debugfs names.
#pragma once
#include "ui/panels/panel.h"

#include <QSpinBox>
#include <QVBoxLayout>

namespace rqs::ui {

class TunablesPanel : public Panel {
    Q_OBJECT
public:
    explicit TunablesPanel(const PanelContext& context);
    void refresh(const session::Snapshot& s) override;

private:
    PanelContext m_context;
    std::vector<QSpinBox*> m_boxes; ///< by index into tunableTable(), null if not in this run
    QVBoxLayout* m_list;
};

} // namespace rqs::ui
