// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/run_to_end.h"

#include "core/session/session.h"

namespace rqs::session {

RunResult runToEnd(const scenario::RunSetup& setup, RecordSink* observer) {
    constexpr std::int64_t kNoPast = 1; // bytes for keyframes: nobody will step back
    RunResult r = describeRun(setup);
    Session session(setup);
    session.setMemoryBudget(kNoPast);
    session.setObserver(observer);
    session.runUntil(session.end());
    r.simTime = session.now();
    r.steps = session.stepCount();
    r.fingerprint = session.fingerprint();
    r.numbers = session.numbers();
    return r;
}

} // namespace rqs::session
