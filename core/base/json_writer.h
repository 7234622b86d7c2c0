// SPDX-License-Identifier: GPL-3.0-or-later
// Writes JSON text: members in the order given, two-space indentation, short arrays of numbers on one line.
// No document tree: values go straight into the text.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rqs {

/// `text` as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD.
std::string jsonQuoted(std::string_view text);

/// Calls must form one well-formed value; begin/end pair up and every value in an object follows its key().
class JsonWriter {
public:
    enum class Layout : std::uint8_t { Lines, OneLine };  ///< of the members of one container

    JsonWriter& beginObject(Layout layout = Layout::Lines) { return open('{', layout); }
    JsonWriter& endObject() { return close('}'); }
    JsonWriter& beginArray(Layout layout = Layout::Lines) { return open('[', layout); }
    JsonWriter& endArray() { return close(']'); }
    JsonWriter& key(std::string_view name);

    JsonWriter& value(std::string_view text) { return raw(jsonQuoted(text)); }
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(bool b) { return raw(b ? "true" : "false"); }
    JsonWriter& value(std::signed_integral auto n) { return raw(std::to_string(static_cast<std::int64_t>(n))); }
    JsonWriter& value(std::unsigned_integral auto n) { return raw(std::to_string(static_cast<std::uint64_t>(n))); }
    /// Shortest text that reads back as the same double; infinities and NaN become null.
    JsonWriter& value(double x);
    JsonWriter& null() { return raw("null"); }
    /// Text that is JSON already.
    JsonWriter& raw(std::string_view json);

    template<class T>
    JsonWriter& member(std::string_view name, const T& v) {
        key(name);
        return value(v);
    }

    /// The finished text with a final newline.
    std::string text() const { return m_text + "\n"; }

private:
    struct Level { Layout layout; bool empty = true; };
    JsonWriter& open(char bracket, Layout layout);
    JsonWriter& close(char bracket);
    void separate();
    void newLine();
    std::string m_text;
    std::vector<Level> m_levels;
    bool m_afterKey = false;
};

} // namespace rqs
