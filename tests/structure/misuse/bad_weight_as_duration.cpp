// SPDX-License-Identifier: GPL-3.0-or-later
// A weight is not a length of time.
#include "core/base/units.h"

rqs::Duration scale(rqs::Duration d, rqs::Weight w) {
    return d * w; // must not compile
}
