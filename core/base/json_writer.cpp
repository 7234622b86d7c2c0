// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text output: escaping, separators, indentation.
#include "core/base/json_writer.h"

#include <fmt/format.h>

#include <cmath>

namespace rqs {
namespace {

/// Length of the valid UTF-8 sequence at text[i], 0 if there is none (RFC 3629: no overlongs, no surrogates).
std::size_t sequenceLength(std::string_view text, std::size_t i) {
    const auto at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
    const auto tail = [&](std::size_t k, unsigned lo = 0x80, unsigned hi = 0xBF) { return at(k) >= lo && at(k) <= hi; };
    const unsigned c = at(i);
    if (c < 0x80) return 1;
    if (c >= 0xC2 && c <= 0xDF) return tail(i + 1) ? 2 : 0;
    if (c >= 0xE0 && c <= 0xEF)
        return tail(i + 1, c == 0xE0 ? 0xA0 : 0x80, c == 0xED ? 0x9F : 0xBF) && tail(i + 2) ? 3 : 0;
    if (c >= 0xF0 && c <= 0xF4)
        return tail(i + 1, c == 0xF0 ? 0x90 : 0x80, c == 0xF4 ? 0x8F : 0xBF) && tail(i + 2) && tail(i + 3) ? 4 : 0;
    return 0;
}

} // namespace

std::string jsonQuoted(std::string_view text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const std::size_t n = sequenceLength(text, i);
        if (n == 0) {
            out += "\xEF\xBF\xBD";
            ++i;
            continue;
        }
        if (c == '"' || c == '\\') out += '\\', out += c;
        else if (c == '\n') out += "\\n";
        else if (c == '\t') out += "\\t";
        else if (c == '\r') out += "\\r";
        else if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else out += text.substr(i, n);
        i += n;
    }
    return out += '"';
}

JsonWriter& JsonWriter::value(double x) {
    if (!std::isfinite(x)) return null();
    return raw(fmt::format("{}", x));
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    m_text += json;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    m_text += jsonQuoted(name);
    m_text += ": ";
    m_afterKey = true;
    return *this;
}

void JsonWriter::separate() {
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (m_levels.empty()) return;
    Level& level = m_levels.back();
    if (!level.empty) m_text += level.layout == Layout::OneLine ? ", " : ",";
    level.empty = false;
    if (level.layout == Layout::Lines) newLine();
}

void JsonWriter::newLine() {
    m_text += '\n';
    m_text.append(2 * m_levels.size(), ' ');
}

JsonWriter& JsonWriter::open(char bracket, Layout layout) {
    separate();
    m_text += bracket;
    m_levels.push_back({layout});
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    const Level level = m_levels.back();
    m_levels.pop_back();
    if (!level.empty && level.layout == Layout::Lines) newLine();
    m_text += bracket;
    return *this;
}

} // namespace rqs
