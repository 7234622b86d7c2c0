// SPDX-License-Identifier: GPL-3.0-or-later
// An instant and a virtual time do not add up.
#include "core/base/units.h"

auto mix(rqs::SimTime t, rqs::VTime v) {
    return t + v; // must not compile
}
