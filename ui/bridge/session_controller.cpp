// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/session_controller.h"

namespace rqs::ui {

SessionController::SessionController(scenario::Folders folders, QObject* parent)
    : QObject(parent), m_folders(std::move(folders)) {
    m_readers.setMaxThreadCount(1);
}

SessionController::~SessionController() {
    m_readers.waitForDone();
    m_runner.reset(); // joins the worker; wake-ups already queued die with this object
}

session::Runner& SessionController::runner() {
    if (!m_runner)
        m_runner = std::make_unique<session::Runner>([this] {
            QMetaObject::invokeMethod(
                this, [this] { take(); }, Qt::QueuedConnection);
        });
    return *m_runner;
}

void SessionController::open(const QString& what, const QString& variant, std::optional<std::uint64_t> seed) {
    const int request = ++m_request;
    const auto name = what.toStdString();
    m_readers.start([this, request, name, variant, seed, folders = m_folders] {
        auto result = std::make_shared<Result<scenario::Scenario>>(scenario::loadScenario(name, folders));
        QMetaObject::invokeMethod(
            this,
            [this, request, result, variant, seed] {
                if (request != m_request) return;
                if (!*result)
                    Q_EMIT failed(QString::fromStdString(result->error().text()));
                else
                    start(std::move(result->value()), variant, seed);
            },
            Qt::QueuedConnection);
    });
}

void SessionController::start(scenario::Scenario scenario, const QString& variant,
                              std::optional<std::uint64_t> seed) {
    m_variant = variant;
    if (m_variant.isEmpty())
        m_variant = scenario.variants.empty() ? QStringLiteral("A")
                                              : QString::fromStdString(scenario.variants.front().name);
    m_scenario = std::move(scenario);
    m_seed = seed;
    post(session::command::Load{*m_scenario, m_variant.toStdString(), m_seed});
    Q_EMIT opened(QString::fromStdString(m_scenario->id));
}

void SessionController::restart(std::optional<std::uint64_t> seed) {
    if (seed) m_seed = seed;
    if (m_scenario) post(session::command::Load{*m_scenario, m_variant.toStdString(), m_seed});
}

void SessionController::post(session::Command command) {
    if (!m_scenario && !std::holds_alternative<session::command::Load>(command)) return;
    runner().post(std::move(command));
}

void SessionController::take() {
    if (auto s = runner().latest()) present(std::move(s));
}

void SessionController::present(std::shared_ptr<const session::Snapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    Q_EMIT snapshotReady(m_snapshot);
}

} // namespace rqs::ui
