// SPDX-License-Identifier: GPL-3.0-or-later
// Virtual times wrap: they are ordered by before(), never by value.
#include "core/base/units.h"

auto order(rqs::VTime a, rqs::VTime b) {
    return a < b; // must not compile
}
