// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/runner.h"

#include "core/scenario/build_run.h"
#include "core/session/snapshot_builder.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace rqs::session {

namespace {
using Clock = std::chrono::steady_clock;
constexpr auto kPublishEvery = std::chrono::microseconds(16667);  // 60 per second
constexpr auto kSlice = std::chrono::milliseconds(4);             // longest time between looks at the mailbox
constexpr std::uint64_t kChunk = 2048;                            // steps between looks at the clock
} // namespace

struct Runner::Impl {
    explicit Impl(std::function<void()> n) : notify(std::move(n)) {
        worker = std::thread([this] { loop(); });
    }
    ~Impl() {
        {
            const std::lock_guard lock(mutex);
            stop = true;
        }
        wake.notify_all();
        worker.join();
    }

    // Shared with the caller, under the mutex.
    std::mutex mutex;
    std::condition_variable wake, drained;
    std::deque<Command> mailbox;
    std::shared_ptr<const Snapshot> slot;
    bool notified = false, stop = false, busy = false;

    // The worker's own.
    std::function<void()> notify;
    std::optional<Session> session;
    std::shared_ptr<const RunInfo> info;
    MoveLog log;
    bool running = false;
    std::int64_t speed = 0;          // simulated ns per wall second; 0 = as fast as possible
    SimTime speedFrom{};
    Clock::time_point speedSince{}, lastPublish{};
    CpuId selected;
    std::string message;
    std::int64_t budget = 256ll << 20;
    std::uint64_t switchesBefore = 0;
    Clock::time_point rateSince{};
    double rate = 0;
    std::thread worker;

    void loop();
    void publish();
    void advance();
    void paceFrom() {
        if (session) speedFrom = session->now();
        speedSince = Clock::now();
    }
    void setRunning(bool on) {
        running = on && session && !session->finished();
        log.explain = !running || (speed > 0 && speed <= 1'000'000);
        rate = 0;
        rateSince = Clock::now();
        switchesBefore = session ? session->world().counters.switches : 0;
        paceFrom();
    }
    void handle(const Command& c) {
        std::visit([this](const auto& x) { on(x); }, c);
    }
    void on(const command::Load& c);
    void on(const command::Run&) { setRunning(true); }
    void on(const command::Pause&) { setRunning(false); }
    void on(const command::StepForward& c) {
        if (!session) return;
        setRunning(false);
        session->stepForward(c.unit, c.time);
    }
    void on(const command::StepBack& c) {
        if (!session) return;
        setRunning(false);
        session->stepBack(c.unit, c.time);
        log.clear();
    }
    void on(const command::SeekTime& c) {
        if (!session) return;
        session->seekTime(c.t);
        log.clear();
        paceFrom();
    }
    void on(const command::SeekStep& c) {
        if (!session) return;
        session->seekStep(c.step);
        log.clear();
        paceFrom();
    }
    void on(const command::SetSpeed& c) {
        speed = c.simNsPerWallSecond;
        setRunning(running);
    }
    void on(const command::Apply& c) {
        if (!session) return;
        if (const Status s = session->apply(c.input); !s) message = s.error().text();
    }
    void on(const command::Select& c) { selected = c.cpu; }
    void on(const command::SetMemoryBudget& c) {
        budget = c.bytes;
        if (session) session->setMemoryBudget(budget);
    }
};

void Runner::Impl::on(const command::Load& c) {
    scenario::Overrides overrides;
    overrides.seed = c.seed;
    Result<scenario::RunSetup> setup = scenario::buildRun(c.scenario, c.variant, overrides);
    if (!setup) {  // the running session stays as it is
        message = setup.error().text();
        return;
    }
    session.emplace(std::move(setup).value());
    session->setMemoryBudget(budget);
    session->setObserver(&log);
    info = makeRunInfo(*session);
    log.clear();
    log.setTopology(&session->world().hw->topology);
    selected = {};
    setRunning(false);
}

void Runner::Impl::publish() {
    lastPublish = Clock::now();
    if (running && session) {
        const double seconds = std::chrono::duration<double>(lastPublish - rateSince).count();
        if (seconds >= 0.25) {
            const std::uint64_t n = session->world().counters.switches;
            rate = static_cast<double>(n - std::min(n, switchesBefore)) / seconds;
            switchesBefore = n;
            rateSince = lastPublish;
        }
    }
    std::shared_ptr<Snapshot> s;
    if (session) {
        s = std::make_shared<Snapshot>(makeSnapshot(*session, info, selected));
        s->moves = log.moves();
        std::stable_sort(s->moves.begin(), s->moves.end(), [](const Move& a, const Move& b) { return a.t < b.t; });
        s->decision = log.decision();
        s->decisionTime = log.decisionTime();
        log.clear();
    } else {
        s = std::make_shared<Snapshot>();
    }
    s->running = running;
    s->switchesPerWallSecond = rate;
    s->message = std::exchange(message, {});
    bool tell = false;
    {
        const std::lock_guard lock(mutex);
        if (slot && !slot->message.empty() && s->message.empty() && notified) s->message = slot->message;  // not read yet
        slot = std::move(s);
        tell = !std::exchange(notified, true);
    }
    if (tell && notify) notify();
}

void Runner::Impl::advance() {
    SimTime target = session->end();
    if (speed > 0) {
        const double wall = std::chrono::duration<double>(Clock::now() - speedSince).count();
        const SimTime paced = speedFrom + Duration{static_cast<std::int64_t>(wall * static_cast<double>(speed))};
        if (paced < target) target = paced;
    }
    const auto until = Clock::now() + kSlice;
    while (session->now() < target && Clock::now() < until) session->runUntil(target, kChunk);
    if (session->finished()) setRunning(false);
}

void Runner::Impl::loop() {
    std::unique_lock lock(mutex);
    for (;;) {
        const auto due = lastPublish + kPublishEvery;
        auto ready = [&] { return stop || !mailbox.empty(); };
        if (!running) wake.wait(lock, ready);
        else if (speed > 0) wake.wait_for(lock, std::chrono::milliseconds(1), ready);
        if (stop) return;
        std::deque<Command> commands = std::exchange(mailbox, {});
        busy = true;
        lock.unlock();
        for (const Command& c : commands) handle(c);
        const bool was = running;
        if (running) advance();
        if (!commands.empty() || (was && !running) || (running && Clock::now() >= due)) publish();
        lock.lock();
        busy = false;
        if (mailbox.empty()) drained.notify_all();
    }
}

Runner::Runner(std::function<void()> notify) : m_impl(std::make_unique<Impl>(std::move(notify))) {}
Runner::~Runner() = default;

void Runner::post(Command c) {
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->mailbox.push_back(std::move(c));
        m_impl->busy = true;
    }
    m_impl->wake.notify_one();
}

std::shared_ptr<const Snapshot> Runner::latest() {
    const std::lock_guard lock(m_impl->mutex);
    m_impl->notified = false;
    return m_impl->slot;
}

void Runner::drain() {
    std::unique_lock lock(m_impl->mutex);
    m_impl->drained.wait(lock, [&] { return m_impl->mailbox.empty() && !m_impl->busy; });
}

} // namespace rqs::session
