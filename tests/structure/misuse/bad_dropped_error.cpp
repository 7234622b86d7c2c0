// SPDX-License-Identifier: GPL-3.0-or-later
// A Result cannot be dropped silently; warnings are errors here.
#include "core/base/result.h"

rqs::Status load();
void start() {
    load(); // must not compile
}
