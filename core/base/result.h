// SPDX-License-Identifier: GPL-3.0-or-later
// A value or one clear error. Errors say where (file:line:column, key path), what is wrong, what would be right.
#pragma once
#include <string>
#include <utility>
#include <variant>

namespace rqs {

struct Error {
    std::string where;   ///< "scenario.json:12:5 (/workload/groups)", "--seed", ...; empty if nowhere
    std::string what;    ///< what is wrong, one sentence without full stop
    std::string hint;    ///< what would be right; may be empty
    /// One line for people: `where: what (hint)`.
    std::string text() const {
        std::string s = where.empty() ? what : where + ": " + what;
        return hint.empty() ? s : s + " (" + hint + ")";
    }
};

/// Expected value; `[[nodiscard]]` so that an error cannot be dropped silently.
template<class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_v(std::in_place_index<0>, std::move(value)) {}
    Result(Error e) : m_v(std::in_place_index<1>, std::move(e)) {}
    explicit operator bool() const { return m_v.index() == 0; }
    T& value() & { return std::get<0>(m_v); }
    const T& value() const& { return std::get<0>(m_v); }
    T&& value() && { return std::get<0>(std::move(m_v)); }
    const Error& error() const { return std::get<1>(m_v); }
    T* operator->() { return &std::get<0>(m_v); }
    const T* operator->() const { return &std::get<0>(m_v); }
    T& operator*() & { return std::get<0>(m_v); }
    const T& operator*() const& { return std::get<0>(m_v); }

private:
    std::variant<T, Error> m_v;
};

/// Success without a value.
struct Ok {};
using Status = Result<Ok>;

} // namespace rqs
