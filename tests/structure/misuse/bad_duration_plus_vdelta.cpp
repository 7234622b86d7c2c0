// SPDX-License-Identifier: GPL-3.0-or-later
// Real and virtual nanoseconds do not add up.
#include "core/base/units.h"

auto mix(rqs::Duration d, rqs::VDelta v) {
    return d + v; // must not compile
}
