// SPDX-License-Identifier: GPL-3.0-or-later
// A bare number is not a CPU.
#include "core/base/ids.h"

bool online(rqs::CpuId cpu);
bool ask() {
    return online(3); // must not compile
}
