// SPDX-License-Identifier: GPL-3.0-or-later
// One number per record, equal for equal contents; used to find where two runs part.
#pragma once
#include "core/base/records.h"

#include <cstdint>

namespace rqs::session {

std::uint64_t recordHash(SimTime t, const Record& r);

} // namespace rqs::session
