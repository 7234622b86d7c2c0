// SPDX-License-Identifier: GPL-3.0-or-later
// Runs runqscope-cli as a user would and keeps what it said.
#pragma once
#include <string>
#include <vector>

namespace rqs::test {

struct Outcome {
    int status = -1;       ///< exit status; 128 + signal when killed
    bool timedOut = false;
    double seconds = 0;
    std::string out, err;
};

/// Stops the program after `timeout` seconds.
Outcome cli(const std::vector<std::string>& arguments, double timeout = 60);

/// A fresh empty folder that is removed at the end.
class TempFolder {
public:
    TempFolder();
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    std::string path(const std::string& name) const { return m_path + "/" + name; }
    /// Writes a file and returns its path.
    std::string file(const std::string& name, const std::string& text) const;

private:
    std::string m_path;
};

} // namespace rqs::test
