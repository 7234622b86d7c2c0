// SPDX-License-Identifier: GPL-3.0-or-later
// Reading with a size limit, writing through a temporary file.
#include "core/base/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace rqs {
namespace {

namespace fs = std::filesystem;

Error cannot(const std::string& path, const char* verb, std::string reason) {
    return Error{path, std::string("cannot ") + verb + " file: " + std::move(reason), ""};
}
std::string lastReason() { return errno ? std::strerror(errno) : "unknown reason"; }

Status put(const std::string& path, const std::string& shown, std::string_view text) {
    errno = 0;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    if (!out) return cannot(shown, "write", lastReason());
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) return cannot(shown, "write", lastReason());
    return Ok{};
}

} // namespace

Result<std::string> readTextFile(const std::string& path, std::size_t maxBytes) {
    std::error_code ec;
    const fs::file_status st = fs::status(path, ec);
    if (!fs::exists(st)) return cannot(path, "read", "no such file");
    if (!fs::is_regular_file(st)) return cannot(path, "read", "not a regular file");
    const auto size = fs::file_size(path, ec);
    if (ec) return cannot(path, "read", ec.message());
    if (size > maxBytes)
        return Error{path, "file of " + std::to_string(size) + " bytes is too large",
                     "the limit is " + std::to_string(maxBytes) + " bytes"};
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(size), '\0');
    in.read(text.data(), static_cast<std::streamsize>(size));
    if (!in) return cannot(path, "read", lastReason());
    return text;
}

Status writeTextFile(const std::string& path, std::string_view text) {
    std::error_code ec;
    const fs::file_status st = fs::status(path, ec);
    if (fs::is_directory(st)) return cannot(path, "write", "it is a directory");
    if (fs::exists(st) && !fs::is_regular_file(st)) return put(path, path, text);
    const std::string temporary = path + ".part";
    if (const Status s = put(temporary, path, text); !s) {
        fs::remove(temporary, ec);
        return s;
    }
    fs::rename(temporary, path, ec);
    if (!ec) return Ok{};
    const std::string reason = ec.message();
    fs::remove(temporary, ec);
    return cannot(path, "write", reason);
}

} // namespace rqs
