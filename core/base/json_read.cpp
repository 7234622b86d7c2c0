// SPDX-License-Identifier: GPL-3.0-or-later
// Typed access to JSON values: what an error says when a value has the wrong type, range or name.
#include "core/base/json.h"
#include "core/base/suggest.h"

#include <algorithm>
#include <charconv>

namespace rqs::json {
namespace {
std::string number(double d) {
    char buffer[32];
    const auto r = std::to_chars(buffer, buffer + sizeof buffer, d);
    return {buffer, r.ptr};
}
std::string range(const std::string& min, const std::string& max) { return "expected " + min + " to " + max; }
} // namespace

const char* kindName(Kind k) {
    switch (k) {
    case Kind::Null: return "null";
    case Kind::Bool: return "true or false";
    case Kind::Number: return "a number";
    case Kind::String: return "a string";
    case Kind::Array: return "an array";
    case Kind::Object: return "an object";
    }
    return "?";
}

Error Value::wrongType(Kind wanted) const {
    return error(std::string("expected ") + kindName(wanted) + ", found " + kindName(kind()));
}

Error Member::keyError(std::string what, std::string hint) const {
    return {value.keyWhere(), std::move(what), std::move(hint)};
}

Result<std::int64_t> Value::asInt(std::int64_t min, std::int64_t max) const {
    if (kind() != Kind::Number) return wrongType(Kind::Number);
    const auto t = text();
    std::int64_t v = 0;
    const auto r = std::from_chars(t.data(), t.data() + t.size(), v);
    const auto hint = range(std::to_string(min), std::to_string(max));
    if (r.ec == std::errc::result_out_of_range) return error(std::string(t) + " is out of range", hint);
    if (r.ec != std::errc{} || r.ptr != t.data() + t.size())
        return error("expected a whole number, found " + std::string(t),
                     "write it without fraction or exponent");
    if (v < min || v > max) return error(std::string(t) + " is out of range", hint);
    return v;
}

Result<double> Value::asNumber(double min, double max) const {
    if (kind() != Kind::Number) return wrongType(Kind::Number);
    const auto t = text();
    double v = 0;
    const auto r = std::from_chars(t.data(), t.data() + t.size(), v);
    if (r.ec != std::errc{} || !(v >= min && v <= max))
        return error(std::string(t) + " is out of range", range(number(min), number(max)));
    return v;
}

Result<bool> Value::asBool() const {
    if (kind() != Kind::Bool) return wrongType(Kind::Bool);
    return text() == "true";
}

Result<std::string> Value::asString() const {
    if (kind() != Kind::String) return wrongType(Kind::String);
    return std::string(text());
}

Result<std::vector<Value>> Value::asArray(std::size_t minItems, std::size_t maxItems) const {
    if (kind() != Kind::Array) return wrongType(Kind::Array);
    if (size() < minItems)
        return error("has " + std::to_string(size()) + " elements", "at least " + std::to_string(minItems));
    if (size() > maxItems)
        return error("has " + std::to_string(size()) + " elements", "at most " + std::to_string(maxItems));
    return items();
}

Result<std::vector<Member>> Value::asObject() const {
    if (kind() != Kind::Object) return wrongType(Kind::Object);
    return members();
}

ObjectReader::ObjectReader(Value object) : m_object(object) {
    if (auto r = object.asObject(); !r) fail(r.error());
}

template<class T> T ObjectReader::take(Result<T> r, T fallback) {
    if (r) return std::move(r).value();
    fail(r.error());
    return fallback;
}

Value ObjectReader::find(std::string_view key) {
    m_known.emplace(key);
    return m_object.at(key);
}

Value ObjectReader::get(std::string_view key) {
    const auto v = find(key);
    if (!v) {
        std::vector<std::string_view>
            present; // a misspelt member is the likeliest reason that this one is missing
        for (const auto& m : m_object.members()) present.push_back(m.key);
        const auto near = suggest(key, present);
        fail(
            m_object.error("missing member \"" + std::string(key) + "\"",
                           near.empty() || m_known.count(near) ? "" : "is \"" + near + "\" meant to be it?"));
    }
    return v;
}

std::int64_t ObjectReader::getInt(std::string_view key, std::int64_t min, std::int64_t max) {
    const auto v = get(key);
    return v ? take(v.asInt(min, max), min) : min;
}
std::int64_t ObjectReader::getInt(std::string_view key, std::int64_t min, std::int64_t max,
                                  std::int64_t fallback) {
    const auto v = find(key);
    return v ? take(v.asInt(min, max), fallback) : fallback;
}
double ObjectReader::getNumber(std::string_view key, double min, double max) {
    const auto v = get(key);
    return v ? take(v.asNumber(min, max), min) : min;
}
double ObjectReader::getNumber(std::string_view key, double min, double max, double fallback) {
    const auto v = find(key);
    return v ? take(v.asNumber(min, max), fallback) : fallback;
}
bool ObjectReader::getBool(std::string_view key, bool fallback) {
    const auto v = find(key);
    return v ? take(v.asBool(), fallback) : fallback;
}
std::string ObjectReader::getString(std::string_view key) {
    const auto v = get(key);
    return v ? take(v.asString(), std::string{}) : std::string{};
}
std::string ObjectReader::getString(std::string_view key, std::string fallback) {
    const auto v = find(key);
    return v ? take(v.asString(), fallback) : fallback;
}

std::size_t ObjectReader::getChoice(std::string_view key, const std::vector<std::string_view>& choices) {
    return get(key) ? getChoice(key, choices, 0) : 0;
}
std::size_t ObjectReader::getChoice(std::string_view key, const std::vector<std::string_view>& choices,
                                    std::size_t fallback) {
    const auto v = find(key);
    if (!v) return fallback;
    const auto text = take(v.asString(), std::string{});
    const auto it = std::find(choices.begin(), choices.end(), text);
    if (it != choices.end()) return static_cast<std::size_t>(it - choices.begin());
    fail(v.error("unknown " + std::string(key) + " \"" + text + "\"", didYouMean(text, choices)));
    return fallback;
}

std::vector<Value> ObjectReader::getArray(std::string_view key, std::size_t minItems, std::size_t maxItems) {
    const auto v = get(key);
    return v ? take(v.asArray(minItems, maxItems), {}) : std::vector<Value>{};
}
std::vector<Value> ObjectReader::findArray(std::string_view key, std::size_t maxItems) {
    const auto v = find(key);
    return v ? take(v.asArray(0, maxItems), {}) : std::vector<Value>{};
}

Status ObjectReader::finish() const {
    if (m_error && m_object.kind() != Kind::Object) return *m_error;
    for (const auto& m : m_object.members())
        if (!m_known.count(m.key)) {
            std::vector<std::string> free; // suggest only names that are not already used
            for (const auto& k : m_known)
                if (!has(k)) free.push_back(k);
            const auto near = suggest(m.key, free);
            // A misspelt required member shows up as "missing" first; the misspelling is the better message.
            if (m_error && near.empty()) break;
            return m.keyError("unknown key \"" + std::string(m.key) + "\"",
                              near.empty() ? didYouMean(m.key, m_known) : "did you mean \"" + near + "\"?");
        }
    if (m_error) return *m_error;
    return Ok{};
}

} // namespace rqs::json
