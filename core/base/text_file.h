// SPDX-License-Identifier: GPL-3.0-or-later
// Whole text files in and out, with errors that name the file and the reason.
#pragma once
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace rqs {

/// Contents of a regular file of at most `maxBytes`; the size is checked before a byte is read.
Result<std::string> readTextFile(const std::string& path, std::size_t maxBytes = 16u << 20);
/// Writes beside the target and renames, so that a failed write leaves an old file as it was. Devices and pipes
/// (/dev/stdout) are written to directly.
Status writeTextFile(const std::string& path, std::string_view text);

} // namespace rqs
