// SPDX-License-Identifier: GPL-3.0-or-later
// Virtual time advances by virtual nanoseconds only; calc_delta_fair converts.
#include "core/base/units.h"

auto mix(rqs::VTime v, rqs::Duration d) {
    return v + d; // must not compile
}
