// SPDX-License-Identifier: GPL-3.0-or-later
// The machine picture as a file, by the same paint function as the screen.
#pragma once
#include "ui/views/machine_view.h"
#include "ui/views/picture_file.h"

namespace rqs::ui {

/// PNG, SVG or PDF by suffix, on white paper, in the proportions of the view.
Status exportMachinePicture(const MachineView& view, const QString& path);

} // namespace rqs::ui
