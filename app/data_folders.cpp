// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data_folders.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace fs = std::filesystem;

namespace rqs::app {

Result<scenario::Folders> findDataFolders() {
    std::vector<fs::path> roots;
    if (const char* named = std::getenv("RUNQSCOPE_DATA"); named && *named) {
        // Somebody who names a folder wants that one or an error, not another.
        roots.emplace_back(named);
    } else {
        std::error_code ec;
        if (const fs::path program = fs::read_symlink("/proc/self/exe", ec); !ec)
            roots.push_back(program.parent_path().parent_path() / "share" / "runqscope");
        roots.emplace_back(RQS_SOURCE_DIR);
    }
    std::string tried;
    for (const fs::path& root : roots) {
        std::error_code ec;
        if (fs::is_directory(root / "resources" / "machines", ec))
            return scenario::Folders{(root / "scenarios").string(), (root / "resources").string()};
        tried += (tried.empty() ? "" : ", ") + root.string();
    }
    return Error{"", "no resources/machines found in " + tried,
                 "set RUNQSCOPE_DATA to the folder that has scenarios/ and resources/"};
}

} // namespace rqs::app
