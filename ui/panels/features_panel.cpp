// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/features_panel.h"

#include "ui/panels/scroll_frame.h"
#include "ui/views/words.h"

#include <QAbstractItemView>
#include <QGridLayout>

#include <algorithm>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

FeaturesPanel::FeaturesPanel(const PanelContext& context)
    : Panel(u"features"_s, u"Features"_s), m_context(context) {
    auto* body = new QWidget;
    m_list = new QVBoxLayout(body);
    m_list->setContentsMargins(14, 5, 12, 8);
    m_list->setSpacing(9);
    m_list->addStretch();
    fillScrolling(this, body);
    m_preemption = new QComboBox;
    for (const auto p : {sched::Preemption::None, sched::Preemption::Voluntary, sched::Preemption::Full})
        m_preemption->addItem(qs(sched::preemptionName(p)), static_cast<int>(p));
    m_preemption->setAccessibleName(u"Preemption model"_s);
    m_preemption->setToolTip(
        u"Where the kernel gives up the CPU: at voluntary points only, at cond_resched() too, or anywhere preemption is enabled."_s);
    m_preemption->hide();
    connect(m_preemption, &QComboBox::activated, this, [this](int i) {
        m_context.session->post(session::command::Apply{
            sim::SetPreemption{static_cast<sched::Preemption>(m_preemption->itemData(i).toInt())}});
    });
}

/// Switches people argue about first, then what can be flipped, then what cannot.
int FeaturesPanel::rank(const session::FeatureView& f) {
    using sched::Feature;
    const Feature first[] = {Feature::SHARED_RUNQ, Feature::SIS_SYNC, Feature::DELAY_DEQUEUE};
    const auto it = std::find(std::begin(first), std::end(first), f.feature);
    if (it != std::end(first)) return static_cast<int>(it - std::begin(first));
    return f.available ? 10 : 20;
}

void FeaturesPanel::addRow(const session::FeatureView& f) {
    auto* row = new QWidget;
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    auto* name = new QLabel(featureName(f.feature));
    QFont font = Theme::font(Type::Body, f.available);
    name->setFont(font);
    name->setProperty("muted", !f.available);
    auto* note = new QLabel;
    note->setProperty("small", true);
    note->setWordWrap(true);
    auto* toggle = new ToggleSwitch(m_context.theme);
    toggle->setAccessibleName(featureName(f.feature));
    toggle->setEnabled(f.available);
    grid->addWidget(name, 0, 0);
    grid->addWidget(note, 1, 0);
    grid->addWidget(toggle, 0, 1, 2, 1, Qt::AlignRight | Qt::AlignVCenter);
    grid->setColumnStretch(0, 1);
    const auto& info = sched::info(f.feature);
    row->setToolTip(u"<b>%1</b><br>%2<br><i>%3</i>"_s.arg(featureName(f.feature),
                                                          qs(info.meaning).toHtmlEscaped(), qs(info.file)));
    const auto feature = f.feature;
    connect(toggle, &ToggleSwitch::clicked, this, [this, feature](bool on) {
        m_context.session->post(session::command::Apply{sim::SetFeature{feature, on}});
    });
    m_list->addWidget(row);
    m_rows.push_back({feature, toggle, note});
}

void FeaturesPanel::rebuild(const session::Snapshot& s) {
    m_preemption->setParent(nullptr);
    while (QLayoutItem* item = m_list->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    m_rows.clear();
    std::vector<session::FeatureView> sorted = s.features;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return rank(a) < rank(b); });
    bool preemption = false;
    for (const auto& f : sorted) {
        if (!preemption && rank(f) >= 10) {
            preemption = true;
            auto* row = new QWidget;
            auto* line = new QHBoxLayout(row);
            line->setContentsMargins(0, 0, 0, 0);
            auto* name = new QLabel(u"Preemption"_s);
            name->setFont(Theme::font(Type::Body, true));
            line->addWidget(name);
            line->addStretch();
            line->addWidget(m_preemption);
            m_preemption->show();
            m_list->addWidget(row);
        }
        addRow(f);
    }
    m_list->addStretch();
    m_run = s.run;
    if (m_run) setHeading(u"Kernel "_s + qs(m_run->kernelId));
}

void FeaturesPanel::refresh(const session::Snapshot& s) {
    if (m_run != s.run || m_rows.size() != s.features.size()) rebuild(s);
    for (Row& row : m_rows) {
        const auto f = std::find_if(s.features.begin(), s.features.end(),
                                    [&](const auto& v) { return v.feature == row.feature; });
        if (f == s.features.end()) continue;
        if (!row.toggle->isDown()) row.toggle->setChecked(f->on);
        QString note = qs(f->reason);
        if (f->available && f->feature == sched::Feature::SHARED_RUNQ && s.run && s.run->llcs > 0 &&
            !s.shards.empty()) {
            const std::size_t n = s.shards.size() / static_cast<std::size_t>(s.run->llcs);
            note = n == 1 ? u"1 shard per LLC"_s : u"%1 shards per LLC"_s.arg(n);
        }
        if (row.note->text() != note) row.note->setText(note);
        row.note->setVisible(!note.isEmpty());
    }
    if (!m_preemption->view()->isVisible()) {
        const int i = m_preemption->findText(qs(s.preemption));
        if (i >= 0) m_preemption->setCurrentIndex(i);
    }
}

void FeaturesPanel::setTheme(const Theme& theme) {
    m_context.theme = theme;
    for (Row& r : m_rows) r.toggle->setTheme(theme);
}

} // namespace rqs::ui
