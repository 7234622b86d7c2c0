// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tunables_panel.h"

#include "ui/panels/scroll_frame.h"
#include "ui/views/words.h"

#include <QLabel>

#include <algorithm>
#include <climits>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

TunablesPanel::TunablesPanel(const PanelContext& context)
    : Panel(u"tunables"_s, u"Tunables"_s), m_context(context) {
    auto* body = new QWidget;
    m_list = new QVBoxLayout(body);
    m_list->setContentsMargins(14, 5, 12, 8);
    m_list->setSpacing(2);
    const auto table = sched::tunableTable();
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto& t = table[i];
        auto* name = new QLabel(qs(t.name));
        auto* box = new QSpinBox;
        box->setRange(static_cast<int>(std::max<std::int64_t>(t.min, INT_MIN)),
                      static_cast<int>(std::min<std::int64_t>(t.max, INT_MAX)));
        box->setGroupSeparatorShown(true);
        box->setKeyboardTracking(false);
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setSuffix(t.unit.empty() ? QString() : u" "_s + qs(t.unit));
        box->setEnabled(false);
        box->setAccessibleName(qs(t.name));
        const QString tip = u"<b>%1</b><br>%2<br>%3 … %4 %5%6"_s.arg(
            qs(t.name), qs(t.meaning).toHtmlEscaped(), countText(t.min), countText(t.max), qs(t.unit),
            t.runtime ? QString() : u"<br>fixed for a run: change it in the scenario"_s);
        name->setToolTip(tip);
        box->setToolTip(tip);
        const auto index = static_cast<std::int32_t>(i);
        connect(box, &QSpinBox::valueChanged, this, [this, index, box](int v) {
            if (box->hasFocus()) m_context.session->post(session::command::Apply{sim::SetTunable{index, v}});
        });
        m_list->addWidget(name);
        m_list->addWidget(box);
        m_list->addSpacing(7);
        m_boxes.push_back(box);
    }
    m_list->addStretch();
    fillScrolling(this, body);
}

void TunablesPanel::refresh(const session::Snapshot& s) {
    if (s.run) setHeading(u"Kernel "_s + qs(s.run->kernelId));
    const auto table = sched::tunableTable();
    for (const auto& t : s.tunables) {
        if (t.index < 0 || static_cast<std::size_t>(t.index) >= m_boxes.size()) continue;
        const auto i = static_cast<std::size_t>(t.index);
        m_boxes[i]->setEnabled(table[i].runtime);
        if (m_boxes[i]->hasFocus()) continue;
        const QSignalBlocker quiet(m_boxes[i]);
        m_boxes[i]->setValue(static_cast<int>(t.value));
    }
}

} // namespace rqs::ui
