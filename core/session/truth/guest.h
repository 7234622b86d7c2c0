// SPDX-License-Identifier: GPL-3.0-or-later
// What a recorded guest is in our terms: which machine file, which kernel preset.
#pragma once
#include "core/base/result.h"
#include "core/sched/features.h"
#include "core/session/truth/case_reader.h"

#include <string>

namespace rqs::session::truth {

/// Preset of the case's kernel release; error if none models it.
Result<const sched::KernelPreset*> guestPreset(const Case& c);
/// Id of the machine file that describes the guest, or an error for shapes without one.
Result<std::string> guestMachine(const Case& c);

} // namespace rqs::session::truth
