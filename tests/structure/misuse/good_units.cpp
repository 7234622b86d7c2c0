// SPDX-License-Identifier: GPL-3.0-or-later
// Control: the legal neighbours of the forbidden expressions compile.
#include "core/base/ids.h"
#include "core/base/units.h"

using namespace rqs;
bool runs(CpuId cpu, TaskId task) { return cpu.valid() && task.valid(); }
bool use(SimTime t, VTime v, Duration d, VDelta l) {
    return (t + d) - t == d && (v + l) - v == l && before(v, v + l) && runs(CpuId(1), TaskId(2));
}
