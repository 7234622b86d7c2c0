// SPDX-License-Identifier: GPL-3.0-or-later
// Panels: each has a help page, takes any snapshot, and says what would fill it; models keep Qt's rules.
#include "tests/ui/support/fake_snapshot.h"
#include "ui/panels/cpu_table_panel.h"
#include "ui/panels/features_panel.h"
#include "ui/panels/library_panel.h"
#include "ui/shell/help_window.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <memory>

using namespace rqs;
using namespace rqs::ui;

namespace {
struct Bench {
    SessionController session{{RQS_SOURCE_DIR "/scenarios", RQS_SOURCE_DIR "/resources"}};
    Selection selection;
    PanelContext context{&session, &selection, Theme::light()};
};
} // namespace

TEST(Panels, EveryPanelHasAHelpPage) {
    for (const PanelInfo& info : panelRegistry()) {
        const QString page = HelpWindow::storedPage(QString::fromLatin1(info.id));
        EXPECT_TRUE(page.startsWith(QStringLiteral("# "))) << info.id;
        EXPECT_GT(page.size(), 150) << info.id;
    }
    for (const char* id : {"machine", "model-limits"})
        EXPECT_FALSE(HelpWindow::storedPage(QString::fromLatin1(id)).isEmpty()) << id;
}

TEST(Panels, TakeAnySnapshot) {
    Bench b;
    for (const PanelInfo& info : panelRegistry()) {
        const std::unique_ptr<Panel> p(info.make(b.context));
        EXPECT_EQ(p->id().toStdString(), info.id);
        p->resize(280, 300);
        const session::Snapshot nothing;
        p->refresh(nothing);
        for (const auto& shape : {test::ryzen7950x(), test::oneCpu(), test::epyc512(), test::ryzen7950x()}) {
            p->refresh(*test::fakeSnapshot(shape));
            p->refresh(*test::fakeSnapshot(shape, false));
            b.selection.select(CpuId(0), TaskId(0));
            p->refresh(*test::fakeSnapshot(shape));
            b.selection.select({}, {}, 0);
            p->refresh(*test::fakeSnapshot(shape));
            b.selection.clear();
        }
        p->setTheme(Theme::dark());
        EXPECT_FALSE(p->grab().isNull());
        EXPECT_FALSE(p->heading().isEmpty());
    }
}

TEST(Panels, CpuTableModelKeepsQtsRules) {
    CpuTableModel model(cpuColumns());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(cpuRows(*test::fakeSnapshot(test::ryzen7950x())));
    EXPECT_EQ(model.rowCount(), 32);
    model.setRows(cpuRows(*test::fakeSnapshot(test::ryzen7950x(), false)));
    model.setRows(cpuRows(*test::fakeSnapshot(test::epyc512())));
    EXPECT_EQ(model.rowCount(), 512);
    model.setRows({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(Panels, BusyIsTheShareOfTimeNotIdle) {
    session::Snapshot s;
    s.numbers.cpus.resize(1);
    s.numbers.cpus[0].busy = {750};
    s.numbers.cpus[0].idle = {250};
    s.numbers.cpus[0].spin = {100};
    const auto rows = cpuRows(s);
    EXPECT_NEAR(rows[0].busy, 75, 1e-9);
    EXPECT_NEAR(rows[0].spin, 10, 1e-9);
}

TEST(Panels, AFeatureTheKernelLacksCannotBeFlipped) {
    Bench b;
    FeaturesPanel p(b.context);
    p.refresh(*test::fakeSnapshot(test::ryzen7950x()));
    bool shared = false, sync = false;
    for (const auto* t : p.findChildren<ToggleSwitch*>()) {
        if (t->accessibleName() == QStringLiteral("SHARED_RUNQ")) {
            shared = true;
            EXPECT_TRUE(t->isEnabled() && t->isChecked());
        }
        if (t->accessibleName() == QStringLiteral("SIS_SYNC")) {
            sync = true;
            EXPECT_FALSE(t->isEnabled());
        }
    }
    EXPECT_TRUE(shared && sync);
}

TEST(Panels, LibraryListsChaptersAndSearches) {
    Bench b;
    LibraryPanel p(b.context);
    auto* tree = p.findChild<QTreeWidget*>();
    ASSERT_GE(tree->topLevelItemCount(), 2);
    const auto visible = [&] {
        int n = 0;
        for (int c = 0; c < tree->topLevelItemCount(); ++c)
            for (int k = 0; k < tree->topLevelItem(c)->childCount(); ++k)
                n += tree->topLevelItem(c)->child(k)->isHidden() ? 0 : 1;
        return n;
    };
    const int all = visible();
    EXPECT_GE(all, 6);
    p.findChild<QLineEdit*>()->setText(QStringLiteral("hackbench 7950x"));
    EXPECT_EQ(visible(), 1);
    p.findChild<QLineEdit*>()->setText(QStringLiteral("no such thing"));
    EXPECT_EQ(visible(), 0);
    p.findChild<QLineEdit*>()->clear();
    EXPECT_EQ(visible(), all);
    EXPECT_EQ(chapterTitle(QStringLiteral("02-shared-runq")).toStdString(), "02 Shared runq");
}

TEST(Panels, ProvenanceListsEveryCostOfTheMachine) {
    const QString page = provenancePage(QStringLiteral(RQS_SOURCE_DIR "/resources/machines/amd-7950x.json"));
    for (const char* cost : {"ctx_switch_same", "shard_hold", "refill_remote", "published", "assumed"})
        EXPECT_TRUE(page.contains(QLatin1String(cost))) << cost;
    EXPECT_TRUE(page.contains(QStringLiteral("1000 ns")));
    EXPECT_TRUE(
        provenancePage(QStringLiteral("/nonexistent")).contains(QStringLiteral("Open a scenario first")));
}
