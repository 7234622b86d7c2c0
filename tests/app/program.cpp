// SPDX-License-Identifier: GPL-3.0-or-later
// fork, exec, wait; output goes through files so that no pipe can fill up.
#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace rqs::test {
namespace {

std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream s;
    s << in.rdbuf();
    return s.str();
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::string& out, const std::string& err) {
    const int o = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), e = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(o, STDOUT_FILENO);
    dup2(e, STDERR_FILENO);
    std::vector<char*> argv{const_cast<char*>(RQS_CLI)};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(RQS_CLI, argv.data());
    _exit(127);
}

} // namespace

Outcome cli(const std::vector<std::string>& arguments, double timeout) {
    using clock = std::chrono::steady_clock;
    const TempFolder folder;
    const std::string out = folder.path("out"), err = folder.path("err");
    Outcome o;
    const auto start = clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(clock::now() - start).count(); };
    const pid_t child = fork();
    if (child < 0) return o;
    if (child == 0) become(arguments, out, err);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (elapsed() > timeout && !o.timedOut) {
            o.timedOut = true;
            kill(child, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    o.seconds = elapsed();
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    o.out = contents(out);
    o.err = contents(err);
    return o;
}

TempFolder::TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "rqs_cli_XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    m_path = name;
}
TempFolder::~TempFolder() {
    std::error_code ec;
    std::filesystem::remove_all(m_path, ec);
}
std::string TempFolder::file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
}

} // namespace rqs::test
