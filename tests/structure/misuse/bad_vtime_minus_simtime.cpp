// SPDX-License-Identifier: GPL-3.0-or-later
// A virtual time and an instant have no difference.
#include "core/base/units.h"

auto mix(rqs::SimTime t, rqs::VTime v) {
    return v - t; // must not compile
}
