// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: opens at 1280x800 with nothing clipped, shows snapshots, survives broken scenarios,
// exports.
#include "tests/ui/support/fake_snapshot.h"
#include "ui/shell/main_window.h"
#include "ui/views/machine_export.h"

#include <QLabel>
#include <QMetaMethod>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::ui;

namespace {
scenario::Folders folders() { return {RQS_SOURCE_DIR "/scenarios", RQS_SOURCE_DIR "/resources"}; }
WindowOptions options(QSize size, bool dark = false) { return {dark, false, false, size}; }

bool waitFor(const std::function<bool()>& ready, int ms = 15000) { return QTest::qWaitFor(ready, ms); }
} // namespace

TEST(MainWindow, FitsIntoASmallScreen) {
    for (const QSize size : {QSize(1280, 800), QSize(1600, 900)}) {
        SessionController session(folders());
        MainWindow w(&session, options(size));
        w.show();
        session.present(test::fakeSnapshot(test::ryzen7950x()));
        QTest::qWait(50);
        EXPECT_EQ(w.size(), size) << "contents force the window larger";
        const QRect page(QPoint(0, 0), w.size());
        for (const QDockWidget* d : w.docks()->docks()) {
            if (d->visibleRegion().isEmpty()) continue;
            EXPECT_TRUE(page.contains(d->geometry())) << d->objectName().toStdString();
            EXPECT_GE(d->width(), d->minimumSizeHint().width()) << d->objectName().toStdString();
            EXPECT_GE(d->height(), 100) << d->objectName().toStdString();
        }
        EXPECT_GE(w.machine()->width(), 760);
        EXPECT_GE(w.machine()->height(), 430);
        EXPECT_GT(w.machine()->framesPerSecond(), 0);
    }
}

TEST(MainWindow, SaysWhatToDoWhenNothingIsOpen) {
    SessionController session(folders());
    MainWindow w(&session, options({1280, 800}));
    w.show();
    EXPECT_FALSE(w.grab().isNull());
    EXPECT_EQ(w.machine()->snapshot(), nullptr);
    EXPECT_TRUE(w.machine()->tipAt({200, 200}).isEmpty());
}

TEST(MainWindow, ABrokenScenarioShowsFileAndLineAndLeavesTheRunAlone) {
    QTemporaryDir dir;
    QFile f(dir.filePath(QStringLiteral("scenario.json")));
    ASSERT_TRUE(f.open(QIODevice::WriteOnly));
    f.write("{\n  \"schema_version\": 1,\n  \"titel\": \"x\"\n}\n");
    f.close();
    SessionController session(folders());
    MainWindow w(&session, options({1280, 800}));
    w.show();
    const auto before = test::fakeSnapshot(test::ryzen7950x());
    session.present(before);
    QSignalSpy failed(&session, &SessionController::failed);
    session.open(f.fileName());
    ASSERT_TRUE(waitFor([&] { return failed.count() == 1; }));
    const QString said = failed.at(0).at(0).toString();
    EXPECT_TRUE(said.contains(QStringLiteral("scenario.json:3"))) << said.toStdString();
    EXPECT_EQ(session.snapshot(), before);
    bool shown = false;
    for (const QLabel* l : w.findChildren<QLabel*>())
        shown = shown || (l->isVisible() && l->text().contains(QStringLiteral("scenario.json:3")));
    EXPECT_TRUE(shown);
}

TEST(MainWindow, OpensARealScenarioAndSteps) {
    SessionController session(folders());
    MainWindow w(&session, options({1280, 800}));
    w.show();
    session.open(QStringLiteral("01-basics/01-two-hogs"));
    ASSERT_TRUE(waitFor([&] { return session.snapshot() != nullptr; }));
    session.post(session::command::StepForward{session::StepUnit::ContextSwitch, {}});
    ASSERT_TRUE(waitFor([&] { return session.snapshot()->step > 0; }));
    const auto there = session.snapshot()->step;
    session.post(session::command::StepForward{session::StepUnit::Decision, {}});
    ASSERT_TRUE(waitFor([&] { return session.snapshot()->step > there && session.snapshot()->decision; }));
    session.post(session::command::SeekStep{there});
    ASSERT_TRUE(waitFor([&] { return session.snapshot()->step == there; }));
    EXPECT_GT(session.snapshot()->knownSteps, there) << "the known future stays";
}

TEST(MainWindow, ClickingACpuSelectsIt) {
    Selection selection;
    MachineView v(&selection, Theme::light());
    v.resize(1010, 560);
    v.show();
    v.setSnapshot(test::fakeSnapshot(test::ryzen7950x()));
    CpuId found;
    for (int x = 10; x < 1000 && !found.valid(); x += 7) {
        QTest::mouseClick(&v, Qt::LeftButton, {}, QPoint(x, 150));
        found = selection.cpu();
    }
    EXPECT_TRUE(found.valid());
    EXPECT_FALSE(v.tipAt(QPointF(100, 150)).isEmpty());
    QTest::keyClick(&v, Qt::Key_Escape);
    EXPECT_FALSE(selection.cpu().valid());
    v.zoomBy(4, {500, 300});
    EXPECT_GT(v.zoom(), 3.9);
    v.resetZoom();
    EXPECT_EQ(v.zoom(), 1);
}

TEST(MainWindow, TheMachineExportsAsPngSvgAndPdf) {
    QTemporaryDir dir;
    Selection selection;
    MachineView v(&selection, Theme::dark());
    v.resize(1010, 560);
    v.setSnapshot(test::fakeSnapshot(test::ryzen7950x()));
    for (const char* suffix : {"png", "svg", "pdf"}) {
        const QString path = dir.filePath(QStringLiteral("machine.") + QLatin1String(suffix));
        const Status done = exportMachinePicture(v, path);
        ASSERT_TRUE(done) << done.error().text();
        EXPECT_GT(QFileInfo(path).size(), 5000);
    }
    EXPECT_TRUE(QSvgRenderer(dir.filePath(QStringLiteral("machine.svg"))).isValid());
    EXPECT_EQ(QImage(dir.filePath(QStringLiteral("machine.png"))).width(), 2020);
    QFile svg(dir.filePath(QStringLiteral("machine.svg")));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    EXPECT_TRUE(text.contains("placement: simplified"));
    EXPECT_FALSE(text.contains("<image")) << "vector files hold no pixels";
    EXPECT_FALSE(exportMachinePicture(v, QStringLiteral("/nonexistent/m.pdf")));
}

TEST(MainWindow, AShortcutIsUsedOnceAndEveryActionHelps) {
    QHash<QString, int> keys;
    for (const ActionInfo& a : actionTable()) {
        if (*a.keys) ++keys[QString::fromLatin1(a.keys)];
        if (qstrcmp(a.id, "-") != 0) {
            EXPECT_GT(qstrlen(a.help), 5U) << a.id;
        }
    }
    for (auto it = keys.begin(); it != keys.end(); ++it) EXPECT_EQ(it.value(), 1) << it.key().toStdString();
    EXPECT_TRUE(Actions::shortcutPage().contains(QStringLiteral("Step by decision")));
}

TEST(MainWindow, EveryActionDoesSomething) {
    SessionController session(folders());
    MainWindow w(&session, options({1280, 800}));
    for (const ActionInfo& a : actionTable()) {
        if (qstrcmp(a.id, "-") == 0) continue;
        QAction* action = nullptr;
        for (QAction* c : w.findChildren<QAction*>())
            if (c->text() == QString::fromUtf8(a.text)) action = c;
        ASSERT_NE(action, nullptr) << a.id;
        // receivers() is protected in QObject; the signal's use count is what isSignalConnected tells.
        struct Look : QAction {
            static bool connected(const QAction* x) {
                return (x->*(&Look::isSignalConnected))(QMetaMethod::fromSignal(&QAction::triggered));
            }
        };
        EXPECT_TRUE(Look::connected(action)) << a.id;
    }
}
