// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text -> flat node table, on RapidJSON's SAX reader (iterative, so that nesting cannot exhaust the
// stack). Nodes keep byte offsets; line, column and path are computed only when an error asks for them.
#include "core/base/json.h"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace rqs::json {
namespace detail {

constexpr std::uint32_t kNone = UINT32_MAX;

struct Node {
    Kind kind = Kind::Null;
    std::uint32_t offset = 0, keyOffset = 0;
    std::uint32_t parent = kNone, firstChild = kNone, next = kNone;
    std::uint32_t children = 0;
    std::uint32_t keyAt = 0, keySize = 0, textAt = 0, textSize = 0; ///< in Tree::strings, unescaped
};

struct Tree {
    std::string name, source, strings;
    std::vector<Node> nodes;

    std::string_view key(std::uint32_t n) const { return cut(nodes[n].keyAt, nodes[n].keySize); }
    std::string_view text(std::uint32_t n) const { return cut(nodes[n].textAt, nodes[n].textSize); }
    std::string_view cut(std::uint32_t at, std::uint32_t size) const {
        return std::string_view(strings).substr(at, size);
    }
    std::uint32_t keep(std::string_view s) {
        strings += s;
        return static_cast<std::uint32_t>(strings.size() - s.size());
    }

    std::string position(std::uint32_t offset) const {
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < offset && i < source.size(); ++i) {
            if (source[i] == '\n') {
                ++line;
                column = 1;
            } else if ((static_cast<unsigned char>(source[i]) & 0xc0u) !=
                       0x80u) { // count characters, not bytes
                ++column;
            }
        }
        return name + ":" + std::to_string(line) + ":" + std::to_string(column);
    }
    std::string path(std::uint32_t node) const {
        std::string s;
        for (auto n = node; nodes[n].parent != kNone; n = nodes[n].parent) {
            const auto& parent = nodes[nodes[n].parent];
            std::string part(key(n));
            if (parent.kind == Kind::Array) {
                std::size_t i = 0;
                for (auto c = parent.firstChild; c != n; c = nodes[c].next) ++i;
                part = std::to_string(i);
            }
            s = "/" + part + s;
        }
        return s.empty() ? "/" : s;
    }
};

namespace {

/// Receives RapidJSON's events. Returning false stops the parse; `error` then says why.
class Builder {
public:
    Builder(Tree& tree, rapidjson::MemoryStream& in, Limits limits)
        : m_tree(tree), m_in(in), m_limits(limits) {}
    std::optional<Error> error;

    bool Null() { return scalar(Kind::Null, "null"); }
    bool Bool(bool b) { return scalar(Kind::Bool, b ? "true" : "false"); }
    bool RawNumber(const char* s, rapidjson::SizeType n, bool) { return scalar(Kind::Number, {s, n}); }
    bool String(const char* s, rapidjson::SizeType n, bool) { return scalar(Kind::String, {s, n}); }
    bool Int(int) { return false; } // numbers arrive as text (kParseNumbersAsStringsFlag)
    bool Uint(unsigned) { return false; }
    bool Int64(std::int64_t) { return false; }
    bool Uint64(std::uint64_t) { return false; }
    bool Double(double) { return false; }
    bool Key(const char* s, rapidjson::SizeType n, bool) {
        m_keyOffset = start();
        m_keySize = n;
        m_keyAt = m_tree.keep({s, n});
        m_end = tell();
        return true;
    }
    bool StartObject() { return open(Kind::Object); }
    bool StartArray() { return open(Kind::Array); }
    bool EndArray(rapidjson::SizeType) { return close(); }
    bool EndObject(rapidjson::SizeType) { return refuseDuplicates() && close(); }

private:
    struct Open {
        std::uint32_t node, lastChild;
    };

    std::uint32_t tell() const { return static_cast<std::uint32_t>(m_in.Tell()); }
    /// Where the token just reported begins: the first character after the previous token that is no
    /// separator.
    std::uint32_t start() const {
        const auto at = m_tree.source.find_first_not_of(" \t\r\n,:", m_end);
        return static_cast<std::uint32_t>(at == std::string::npos ? m_tree.source.size() : at);
    }
    bool add(Kind kind, std::string_view text) {
        const auto id = static_cast<std::uint32_t>(m_tree.nodes.size());
        Node n;
        n.kind = kind;
        n.offset = start();
        n.textAt = m_tree.keep(text);
        n.textSize = static_cast<std::uint32_t>(text.size());
        if (!m_open.empty()) {
            auto& top = m_open.back();
            n.parent = top.node;
            if (m_tree.nodes[top.node].kind == Kind::Object) {
                n.keyAt = m_keyAt;
                n.keySize = m_keySize;
                n.keyOffset = m_keyOffset;
            }
            (top.lastChild == kNone ? m_tree.nodes[top.node].firstChild : m_tree.nodes[top.lastChild].next) =
                id;
            ++m_tree.nodes[top.node].children;
            top.lastChild = id;
        }
        m_tree.nodes.push_back(n);
        if (m_tree.nodes.size() <= m_limits.maxValues) return true;
        error = Error{m_tree.position(n.offset), "too many values",
                      "at most " + std::to_string(m_limits.maxValues)};
        return false;
    }
    bool scalar(Kind kind, std::string_view text) {
        if (!add(kind, text)) return false;
        m_end = tell();
        return true;
    }
    bool open(Kind kind) {
        if (!add(kind, {})) return false;
        const auto& n = m_tree.nodes.back();
        m_end = n.offset + 1;
        if (static_cast<int>(m_open.size()) >= m_limits.maxDepth) {
            error = Error{m_tree.position(n.offset), "nested too deeply",
                          "at most " + std::to_string(m_limits.maxDepth) + " levels"};
            return false;
        }
        m_open.push_back({static_cast<std::uint32_t>(m_tree.nodes.size() - 1), kNone});
        return true;
    }
    bool close() {
        m_end = start() + 1;
        m_open.pop_back();
        return true;
    }
    bool refuseDuplicates() {
        const auto& nodes = m_tree.nodes;
        const auto key = [&](std::uint32_t n) { return m_tree.key(n); };
        std::vector<std::uint32_t> members;
        for (auto c = nodes[m_open.back().node].firstChild; c != kNone; c = nodes[c].next)
            members.push_back(c);
        std::stable_sort(members.begin(), members.end(), [&](auto a, auto b) { return key(a) < key(b); });
        std::uint32_t second = kNone, first = kNone; // report the earliest repetition in the file
        for (std::size_t i = 1; i < members.size(); ++i)
            if (key(members[i]) == key(members[i - 1]) && members[i] < second) {
                second = members[i];
                first = members[i - 1];
            }
        if (second == kNone) return true;
        error = Error{m_tree.position(nodes[second].keyOffset) + " (" + m_tree.path(second) + ")",
                      "duplicate key \"" + std::string(key(second)) + "\"",
                      "first given at " + m_tree.position(nodes[first].keyOffset)};
        return false;
    }

    Tree& m_tree;
    rapidjson::MemoryStream& m_in;
    Limits m_limits;
    std::vector<Open> m_open;
    std::uint32_t m_keyOffset = 0, m_keyAt = 0, m_keySize = 0, m_end = 0;
};

Error syntaxError(const Tree& tree, rapidjson::ParseErrorCode code, std::size_t offset) {
    const auto at = static_cast<std::uint32_t>(std::min(offset, tree.source.size()));
    if (tree.source.find_first_not_of(" \t\r\n") == std::string::npos)
        return {tree.position(at), "the file is empty", "expected a JSON value"};
    std::string what = rapidjson::GetParseError_En(code);
    if (!what.empty() && what.back() == '.') what.pop_back();
    return {tree.position(at), "not valid JSON: " + what,
            tree.source.find_first_not_of(" \t\r\n", at) == std::string::npos
                ? "the text ends here; is it cut off?"
                : ""};
}

} // namespace
} // namespace detail

using detail::kNone;

Document::Document(std::unique_ptr<detail::Tree> tree) : m_tree(std::move(tree)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;
Value Document::root() const { return {m_tree.get(), 0}; }

Result<Document> Document::fromText(std::string text, std::string name, Limits limits) {
    if (text.size() > std::min<std::size_t>(limits.maxBytes, UINT32_MAX - 1))
        return Error{name, "too large (" + std::to_string(text.size()) + " bytes)",
                     "at most " + std::to_string(limits.maxBytes) + " bytes"};
    auto tree = std::make_unique<detail::Tree>();
    tree->name = std::move(name);
    tree->source = std::move(text);
    if (const auto nul = tree->source.find('\0'); nul != std::string::npos)
        return Error{tree->position(static_cast<std::uint32_t>(nul)), "contains a NUL byte",
                     "binary data is not JSON"};

    // Not StringStream: the reader would work on a copy of it, and Tell() inside an event would lag behind.
    rapidjson::MemoryStream in(tree->source.data(), tree->source.size());
    detail::Builder builder(*tree, in, limits);
    rapidjson::Reader reader;
    constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                                rapidjson::kParseValidateEncodingFlag;
    const auto result = reader.Parse<kFlags>(in, builder);
    if (builder.error) return *builder.error;
    if (result.IsError()) return detail::syntaxError(*tree, result.Code(), result.Offset());
    return Document(std::move(tree));
}

Result<Document> Document::fromFile(const std::string& path, Limits limits) {
    namespace fs = std::filesystem;
    std::error_code ec;
    const auto status = fs::status(path, ec);
    if (status.type() == fs::file_type::not_found) return Error{path, "no such file", ""};
    if (ec) return Error{path, "cannot be read: " + ec.message(), ""};
    if (fs::is_directory(status)) return Error{path, "is a directory", "expected a JSON file"};
    if (!fs::is_regular_file(status)) return Error{path, "is not a regular file", "expected a JSON file"};
    const auto size = fs::file_size(path, ec);
    if (ec) return Error{path, "cannot be read: " + ec.message(), ""};
    if (size > limits.maxBytes)
        return Error{path, "too large (" + std::to_string(size) + " bytes)",
                     "at most " + std::to_string(limits.maxBytes) + " bytes"};
    std::ifstream file(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(size), '\0');
    if (!file || (size > 0 && !file.read(text.data(), static_cast<std::streamsize>(size))))
        return Error{path, "cannot be read", "check its permissions"};
    return fromText(std::move(text), path, limits);
}

// ---- Value (typed access and ObjectReader are in json_read.cpp)

Kind Value::kind() const { return m_tree ? m_tree->nodes[m_node].kind : Kind::Null; }
std::string Value::path() const { return m_tree ? m_tree->path(m_node) : "/"; }
std::string Value::where() const {
    return m_tree ? m_tree->position(m_tree->nodes[m_node].offset) + " (" + path() + ")" : std::string{};
}
std::size_t Value::size() const { return m_tree ? m_tree->nodes[m_node].children : 0; }
std::string_view Value::text() const { return m_tree ? m_tree->text(m_node) : ""; }

std::vector<Value> Value::items() const {
    std::vector<Value> v;
    if (kind() != Kind::Array) return v;
    v.reserve(size());
    for (auto c = m_tree->nodes[m_node].firstChild; c != kNone; c = m_tree->nodes[c].next)
        v.push_back({m_tree, c});
    return v;
}

std::vector<Member> Value::members() const {
    std::vector<Member> v;
    if (kind() != Kind::Object) return v;
    v.reserve(size());
    for (auto c = m_tree->nodes[m_node].firstChild; c != kNone; c = m_tree->nodes[c].next)
        v.push_back({m_tree->key(c), Value(m_tree, c)});
    return v;
}

Value Value::at(std::string_view key) const {
    if (kind() != Kind::Object) return {};
    for (auto c = m_tree->nodes[m_node].firstChild; c != kNone; c = m_tree->nodes[c].next)
        if (m_tree->key(c) == key) return {m_tree, c};
    return {};
}

std::string Value::keyWhere() const {
    return m_tree ? m_tree->position(m_tree->nodes[m_node].keyOffset) + " (" + path() + ")" : std::string{};
}

} // namespace rqs::json
