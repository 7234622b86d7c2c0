// SPDX-License-Identifier: GPL-3.0-or-later
// Reading JSON for people: every value knows its file, line, column and path, duplicate keys are errors,
// member order is kept, and wrong types, ranges and unknown keys are reported with what would be right.
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rqs::json {

enum class Kind : std::uint8_t { Null, Bool, Number, String, Array, Object };
const char* kindName(Kind k); ///< "an object", "a number", ... for messages

struct Limits {
    std::size_t maxBytes = 16u << 20; ///< checked before a byte is read
    int maxDepth = 64;                ///< arrays and objects inside each other
    std::size_t maxValues = 4'000'000;
};

struct Member;
namespace detail {
struct Tree;
}

/// Light handle to one value of a Document (which must outlive it). A default one is "absent" and false.
class Value {
public:
    Value() = default;
    explicit operator bool() const { return m_tree != nullptr; }
    Kind kind() const;         ///< Null when absent
    std::string where() const; ///< "file.json:3:7 (/workload/groups)"
    std::string path() const;  ///< "/workload/groups"; "/" for the root
    Error error(std::string what, std::string hint = {}) const {
        return {where(), std::move(what), std::move(hint)};
    }

    std::size_t size() const;             ///< elements or members; 0 for everything else
    std::vector<Value> items() const;     ///< elements of an array, in order
    std::vector<Member> members() const;  ///< members of an object, in file order
    Value at(std::string_view key) const; ///< absent if this is no object or has no such member
    std::string_view text() const;        ///< contents of a string; a number or bool exactly as written

    Result<std::int64_t> asInt(std::int64_t min,
                               std::int64_t max) const; ///< written without fraction or exponent
    Result<double> asNumber(double min, double max) const;
    Result<bool> asBool() const;
    Result<std::string> asString() const;
    Result<std::vector<Value>> asArray(std::size_t minItems = 0, std::size_t maxItems = SIZE_MAX) const;
    Result<std::vector<Member>> asObject() const;

private:
    friend class Document;
    Value(const detail::Tree* tree, std::uint32_t node) : m_tree(tree), m_node(node) {}
    friend struct Member;
    Error wrongType(Kind wanted) const;
    std::string keyWhere() const;
    const detail::Tree* m_tree = nullptr;
    std::uint32_t m_node = 0;
};

struct Member {
    std::string_view key;
    Value value;
    Error keyError(std::string what, std::string hint = {}) const; ///< points at the key, not at the value
};

/// One parsed file. Movable; handles stay valid as long as it lives.
class Document {
public:
    /// Missing file, directory, special file, too large: an error before reading. Then as fromText.
    static Result<Document> fromFile(const std::string& path, Limits limits = {});
    /// `name` is what errors call the text.
    static Result<Document> fromText(std::string text, std::string name, Limits limits = {});
    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;
    ~Document();
    Value root() const;

private:
    explicit Document(std::unique_ptr<detail::Tree> tree);
    std::unique_ptr<detail::Tree> m_tree;
};

/// Reads one object member by member. The first error stays, later reads return their default, so that a
/// loader is a straight list of gets followed by finish(), which also refuses members nobody asked for.
///   json::ObjectReader r(doc.root());
///   auto n = r.getInt("groups", 1, 10000);
///   if (auto s = r.finish(); !s) return s.error();
class ObjectReader {
public:
    explicit ObjectReader(Value object);
    bool ok() const { return !m_error; }
    void fail(Error e) {
        if (!m_error) m_error = std::move(e);
    }
    Value value() const { return m_object; }
    bool has(std::string_view key) const { return static_cast<bool>(m_object.at(key)); }

    Value get(std::string_view key);  ///< required
    Value find(std::string_view key); ///< optional
    std::int64_t getInt(std::string_view key, std::int64_t min, std::int64_t max);
    std::int64_t getInt(std::string_view key, std::int64_t min, std::int64_t max, std::int64_t fallback);
    double getNumber(std::string_view key, double min, double max);
    double getNumber(std::string_view key, double min, double max, double fallback);
    bool getBool(std::string_view key, bool fallback);
    std::string getString(std::string_view key);
    std::string getString(std::string_view key, std::string fallback);
    /// Index of the string among `choices`; an unknown one is an error with a suggestion.
    std::size_t getChoice(std::string_view key, const std::vector<std::string_view>& choices);
    std::size_t getChoice(std::string_view key, const std::vector<std::string_view>& choices,
                          std::size_t fallback);
    std::vector<Value> getArray(std::string_view key, std::size_t minItems = 0,
                                std::size_t maxItems = SIZE_MAX);
    std::vector<Value> findArray(std::string_view key,
                                 std::size_t maxItems = SIZE_MAX); ///< empty when absent

    /// The first error, else an unknown member, else success.
    Status finish() const;

private:
    template<class T> T take(Result<T> r, T fallback);
    Value m_object;
    std::optional<Error> m_error;
    std::set<std::string, std::less<>> m_known;
};

} // namespace rqs::json
