// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the arguments of a generator out of name -> text, with a default and a range for each. Errors name
// the argument; the first one stays.
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rqs::workload {

/// Whole text is a decimal integer, optional minus sign, within 64 bits.
std::optional<std::int64_t> wholeNumber(std::string_view text);
/// "250", "250ns", "20us", "1.5ms", "2s" -> ns; a bare number is ns. Nothing if malformed, negative, not a
/// whole number of ns or over kMaxNs.
std::optional<std::int64_t> timeNs(std::string_view text);

class Arguments {
public:
    using Map = std::map<std::string, std::string>;
    explicit Arguments(const Map& given) : m_given(given) {}

    std::int64_t integer(const std::string& name, std::int64_t otherwise, std::int64_t min, std::int64_t max);
    std::int64_t time(const std::string& name, std::int64_t otherwise, std::int64_t min, std::int64_t max);
    std::string choice(const std::string& name, std::string otherwise,
                       std::initializer_list<std::string_view> of);
    std::string text(const std::string& name) const;
    bool has(const std::string& name) const { return m_given.count(name) != 0; }
    /// "-5,0,5"; one value if absent.
    std::vector<std::int32_t> integers(const std::string& name, std::int32_t otherwise, std::int32_t min,
                                       std::int32_t max);
    /// Linux CPU list "0-3,8"; empty if absent.
    std::vector<std::int32_t> cpus(const std::string& name);

    bool ok() const { return !m_error; }
    const Error& error() const { return *m_error; }
    /// Keeps the first error only.
    void refuse(const std::string& name, std::string what, std::string hint = {});

private:
    const std::string* find(const std::string& name) const;
    const Map& m_given;
    std::optional<Error> m_error;
};

/// "0-3,8" -> 0 1 2 3 8; nothing if malformed, descending or beyond CPU 4095.
std::optional<std::vector<std::int32_t>> cpuNumbers(std::string_view text);

} // namespace rqs::workload
