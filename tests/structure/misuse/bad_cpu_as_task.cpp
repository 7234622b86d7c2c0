// SPDX-License-Identifier: GPL-3.0-or-later
// A CPU is not a task.
#include "core/base/ids.h"

bool runs(rqs::TaskId task);
bool ask(rqs::CpuId cpu) {
    return runs(cpu); // must not compile
}
