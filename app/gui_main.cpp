// SPDX-License-Identifier: GPL-3.0-or-later
// runqscope: the window. Reads the command line, opens the scenario, shows the machine.
#include "app/data_folders.h"
#include "core/base/version.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QIcon>
#include <QSettings>
#include <QTimer>

#include <algorithm>
#include <cstdio>

namespace {
using namespace Qt::Literals::StringLiterals;
using namespace rqs;

struct Options {
    QString scenario = QString::fromLatin1(app::kDefaultScenario), variant, screenshot, theme;
    QSize size{1600, 900};
    std::int64_t atNs = 20'000'000;
    bool timing = false;
};

[[noreturn]] void stop(const QString& what) {
    std::fprintf(stderr, "runqscope: %s\n", qPrintable(what));
    std::exit(2);
}

Options parse(const QCoreApplication& application) {
    QCommandLineParser p;
    p.setApplicationDescription(u"See the Linux CPU scheduler decide."_s);
    p.addHelpOption();
    p.addVersionOption();
    p.addPositionalArgument(u"scenario"_s,
                            u"Scenario id, folder or file; default 02-shared-runq/01-hackbench-7950x."_s,
                            u"[scenario]"_s);
    const QCommandLineOption variant(u"variant"_s, u"Variant of the scenario."_s, u"name"_s);
    const QCommandLineOption shot(u"screenshot"_s, u"Run a while, write a picture of the window, exit."_s,
                                  u"file"_s);
    const QCommandLineOption size(u"size"_s, u"Size of the window."_s, u"WxH"_s, u"1600x900"_s);
    const QCommandLineOption at(u"at-ms"_s, u"Simulated time of the picture in ms."_s, u"n"_s, u"20"_s);
    const QCommandLineOption theme(u"theme"_s, u"dark or light."_s, u"name"_s);
    const QCommandLineOption timing(u"startup-time"_s, u"Print the time to the first frame and exit."_s);
    p.addOptions({variant, shot, size, at, theme, timing});
    p.process(application);
    Options o;
    if (!p.positionalArguments().isEmpty()) o.scenario = p.positionalArguments().constFirst();
    if (p.positionalArguments().size() > 1) stop(u"one scenario at a time"_s);
    o.variant = p.value(variant);
    o.screenshot = p.value(shot);
    o.timing = p.isSet(timing);
    o.theme = p.value(theme);
    if (!o.theme.isEmpty() && o.theme != u"dark"_s && o.theme != u"light"_s)
        stop(u"--theme is dark or light, not "_s + o.theme);
    bool wOk = false, hOk = false, tOk = false;
    o.size = QSize(p.value(size).section(u'x', 0, 0).toInt(&wOk), p.value(size).section(u'x', 1).toInt(&hOk));
    const double ms = p.value(at).toDouble(&tOk);
    if (!wOk || !hOk || o.size.width() < 640 || o.size.height() < 400 || o.size.width() > 8000 ||
        o.size.height() > 8000)
        stop(u"--size is WIDTHxHEIGHT, from 640x400 to 8000x8000"_s);
    if (!tOk || !(ms >= 0) || ms > 1e9) stop(u"--at-ms is a number of ms, 0 or more"_s);
    o.atNs = static_cast<std::int64_t>(ms * 1e6);
    return o;
}

/// --help and --version answer on machines without a display too.
bool wantsOnlyWords(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](const char* a) {
        const QByteArray s(a);
        return s == "--version" || s == "-v" || s == "--help" || s == "-h" || s == "--help-all";
    });
}

/// False only when Qt would abort for want of a screen.
bool hasDisplay(int argc, char** argv) {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name)) return true;
    return std::any_of(argv + 1, argv + argc, [](const char* a) { return QByteArray(a) == "-platform"; });
}

/// Goes to the instant, makes one decision so that the picture explains it, grabs the window.
void takePicture(ui::MainWindow& window, ui::SessionController& session, const Options& o,
                 QApplication& application) {
    auto* stage = new int(0);
    QObject::connect(&application, &QObject::destroyed, &application, [stage] { delete stage; });
    QObject::connect(&session, &ui::SessionController::failed, &application,
                     [](const QString& what) { stop(what); });
    QObject::connect(&session, &ui::SessionController::snapshotReady, &window, [&, stage](const auto& s) {
        if (*stage == 0) {
            *stage = 1;
            session.post(session::command::SeekTime{SimTime{std::min(o.atNs, s->run->end.ns)}});
        } else if (*stage == 1 && (s->now.ns > 0 || o.atNs == 0)) {
            *stage = 2;
            session.post(session::command::StepForward{session::StepUnit::Decision, {}});
        } else if (*stage >= 2 && *stage < 40 && s->decision && s->decision->question != Question::WhichCpu) {
            ++*stage; // go on to a decision with candidates on the map
            session.post(session::command::StepForward{session::StepUnit::Decision, {}});
        } else if (*stage >= 2 && *stage < 50) {
            *stage = 50;
            QTimer::singleShot(1400, &window, [&] {
                if (!window.grab().save(o.screenshot)) stop(u"cannot write "_s + o.screenshot);
                application.exit(0);
            });
        }
    });
}
} // namespace

int main(int argc, char** argv) {
    QElapsedTimer since;
    since.start();
    QCoreApplication::setApplicationName(u"runqscope"_s);
    QCoreApplication::setOrganizationName(u"runqscope"_s);
    QCoreApplication::setApplicationVersion(QString::fromLatin1(kVersion));
    if (wantsOnlyWords(argc, argv)) {
        const QCoreApplication words(argc, argv);
        parse(words); // prints and exits
        return 0;
    }
    if (!hasDisplay(argc, argv))
        stop(
            u"there is no display (DISPLAY and WAYLAND_DISPLAY are not set); runqscope-cli runs without one"_s);
    QApplication application(argc, argv);
    QApplication::setDesktopFileName(u"runqscope"_s);
    const Options o = parse(application);
    const auto folders = app::findDataFolders();
    if (!folders) stop(QString::fromStdString(folders.error().text()));

    const bool forFile = !o.screenshot.isEmpty() || o.timing;
    ui::WindowOptions w;
    w.size = o.size;
    w.restoreLayout = !forFile;
    w.dark =
        o.theme.isEmpty() ? !forFile && QSettings().value(u"dark"_s, false).toBool() : o.theme == u"dark"_s;
    ui::SessionController session(folders.value());
    ui::MainWindow window(&session, w);
    window.setWindowIcon(QIcon(u":/icons/runqscope.svg"_s));
    if (!o.screenshot.isEmpty()) takePicture(window, session, o, application);
    if (o.timing)
        QObject::connect(&session, &ui::SessionController::snapshotReady, &window, [&] {
            window.machine()->repaint();
            std::printf("first frame after %lld ms\n", static_cast<long long>(since.elapsed()));
            application.exit(0);
        });
    session.open(o.scenario, o.variant);
    window.show();
    return QApplication::exec();
}
