// SPDX-License-Identifier: GPL-3.0-or-later
// The bridge between the window and the simulation's worker: slots become commands by value, snapshots arrive
// on the GUI thread through one queued wake-up. The GUI thread never waits for either direction.
#pragma once
#include "core/scenario/loader.h"
#include "core/session/runner.h"

#include <QObject>
#include <QThreadPool>

#include <memory>
#include <optional>

namespace rqs::ui {

class SessionController : public QObject {
    Q_OBJECT
public:
    explicit SessionController(scenario::Folders folders, QObject* parent = nullptr);
    ~SessionController() override;

    const scenario::Folders& folders() const { return m_folders; }
    /// Newest picture, or null before the first run.
    const std::shared_ptr<const session::Snapshot>& snapshot() const { return m_snapshot; }
    /// The scenario of the running session; null before the first.
    const scenario::Scenario* scenario() const { return m_scenario ? &*m_scenario : nullptr; }
    QString variant() const { return m_variant; }

    /// Reads the scenario away from the GUI thread; `opened` or `failed` follows. A failure leaves the
    /// running session as it is. An empty variant means the first.
    void open(const QString& idFolderOrFile, const QString& variant = {},
              std::optional<std::uint64_t> seed = {});
    /// Starts a scenario that is already a value.
    void start(scenario::Scenario scenario, const QString& variant, std::optional<std::uint64_t> seed = {});
    /// Loads the present scenario again from its start.
    void restart(std::optional<std::uint64_t> seed = {});
    void post(session::Command command);
    /// Shows a picture that no runner made.
    void present(std::shared_ptr<const session::Snapshot> snapshot);

Q_SIGNALS:
    void snapshotReady(const std::shared_ptr<const session::Snapshot>& snapshot);
    void opened(const QString& scenarioId);
    void failed(const QString& what);

private:
    void take();
    session::Runner& runner();

    scenario::Folders m_folders;
    std::shared_ptr<const session::Snapshot> m_snapshot;
    std::optional<scenario::Scenario> m_scenario;
    std::optional<std::uint64_t> m_seed;
    QString m_variant;
    int m_request = 0; ///< newest open(); answers to older ones are dropped
    QThreadPool m_readers;
    std::unique_ptr<session::Runner> m_runner;
};

} // namespace rqs::ui
