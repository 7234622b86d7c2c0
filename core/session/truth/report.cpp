// SPDX-License-Identifier: GPL-3.0-or-later
// JSON and text of truth reports.
#include "core/session/truth/report.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rqs::session::truth {
namespace {

constexpr std::array<std::string_view, kKinds> kNames = {"pick",  "keep",    "place", "lag",
                                                         "delay", "preempt", "tick",  "select"};

std::string padLeft(const std::string& s, std::size_t width) {
    return s.size() < width ? std::string(width - s.size(), ' ') + s : s;
}
std::string padRight(std::string s, std::size_t width) {
    if (s.size() < width) s.append(width - s.size(), ' ');
    return s;
}

/// "1234" or "1234-2" (two of them differ).
std::string cell(const KindCount& c) {
    if (c.judged() == 0) return ".";
    return std::to_string(c.agree) + (c.differ ? "!" + std::to_string(c.differ) : "");
}

std::string shortNumber(double x) {
    std::array<char, 40> text{};
    const bool whole = std::nearbyint(x) == x && std::fabs(x) < 1e15;
    const auto r =
        std::to_chars(text.data(), text.data() + text.size(), x,
                      whole ? std::chars_format::fixed : std::chars_format::general, whole ? 0 : 4);
    return {text.data(), r.ptr};
}

void writeReplay(JsonWriter& w, const std::optional<ReplayResult>& r) {
    w.key("replay");
    if (!r) {
        w.null();
        return;
    }
    w.beginObject();
    for (std::size_t k = 0; k < kKinds; ++k) {
        const auto& c = r->counts[k];
        w.key(kNames[k]).beginObject(JsonWriter::Layout::OneLine);
        w.member("agree", c.agree).member("differ", c.differ).member("not_judged", c.notJudged);
        w.endObject();
    }
    w.endObject();
}

void writeFreeRun(JsonWriter& w, const std::optional<FreeRun>& f) {
    w.key("free_run");
    if (!f) {
        w.null();
        return;
    }
    w.beginObject();
    for (const auto& g : f->figures) {
        w.key(g.name).beginObject(JsonWriter::Layout::OneLine);
        w.member("recorded", g.recorded).member("simulated", g.simulated);
        w.key("tolerance");
        if (g.tolerance > 0)
            w.value(g.tolerance);
        else
            w.null();
        w.member("ok", g.ok());
        w.endObject();
    }
    w.endObject();
}

void writeTexts(JsonWriter& w, std::string_view key, const std::vector<std::string>& texts) {
    w.key(key).beginArray();
    for (const auto& t : texts) w.value(std::string_view(t));
    w.endArray();
}

/// Each note once, with the cases it is about (or how many, where they are many).
std::string notesText(std::span<const CaseReport> cases) {
    std::vector<std::pair<std::string, std::vector<std::string>>> byNote;
    const auto add = [&](const std::string& note, const std::string& name) {
        const auto same = [&](const auto& n) { return n.first == note; };
        const auto at = std::find_if(byNote.begin(), byNote.end(), same);
        if (at != byNote.end())
            at->second.push_back(name);
        else
            byNote.push_back({note, {name}});
    };
    for (const auto& c : cases) {
        for (const auto& n : c.notes) add(n, c.name);
        if (!c.freeRun) continue;
        for (const auto& n : c.freeRun->notes) add(n, c.name);
    }
    std::string out;
    for (const auto& [note, names] : byNote) {
        out += "note: " + note;
        if (names.size() < cases.size()) {
            out += " (";
            for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 4); ++i)
                out += (i ? ", " : "") + names[i];
            if (names.size() > 4) out += " and " + std::to_string(names.size() - 4) + " more";
            out += ")";
        }
        out += "\n";
    }
    return out;
}

ReplayResult total(std::span<const CaseReport> cases) {
    ReplayResult sum;
    for (const auto& c : cases)
        for (std::size_t k = 0; c.replay && k < kKinds; ++k) {
            sum.counts[k].agree += c.replay->counts[k].agree;
            sum.counts[k].differ += c.replay->counts[k].differ;
            sum.counts[k].notJudged += c.replay->counts[k].notJudged;
        }
    return sum;
}

} // namespace

std::string_view kindName(Kind k) { return kNames[static_cast<std::size_t>(k)]; }

std::int64_t ReplayResult::differ() const {
    std::int64_t n = 0;
    for (const auto& c : counts) n += c.differ;
    return n;
}

bool Figure::ok() const { return tolerance <= 0 || std::fabs(recorded - simulated) <= tolerance; }

bool CaseReport::ok() const {
    if (replay && replay->differ() != 0) return false;
    return !freeRun || std::all_of(freeRun->figures.begin(), freeRun->figures.end(),
                                   [](const Figure& f) { return f.ok(); });
}

std::string reportsJson(std::span<const CaseReport> cases) {
    JsonWriter w;
    w.beginObject();
    w.member("schema_version", 1);
    w.key("cases").beginArray();
    for (const auto& c : cases) {
        w.beginObject();
        w.member("case", std::string_view(c.name));
        w.member("ok", c.ok());
        writeReplay(w, c.replay);
        if (c.replay) writeTexts(w, "differences", c.replay->differences);
        writeFreeRun(w, c.freeRun);
        auto notes = c.notes;
        if (c.freeRun) notes.insert(notes.end(), c.freeRun->notes.begin(), c.freeRun->notes.end());
        writeTexts(w, "notes", notes);
        w.endObject();
    }
    w.endArray();
    w.key("summary").beginObject();
    w.member("cases", cases.size());
    w.member("ok", std::count_if(cases.begin(), cases.end(), [](const CaseReport& c) { return c.ok(); }));
    writeReplay(w, total(cases));
    w.endObject();
    w.endObject();
    return w.text();
}

std::string reportsText(std::span<const CaseReport> cases) {
    std::size_t width = 8;
    for (const auto& c : cases) width = std::max(width, c.name.size() + 2);
    std::string out = padRight("case", width);
    for (const auto name : kNames) out += padLeft(std::string(name), 10);
    out += "  free run\n";
    const auto row = [&](const std::string& name, const std::optional<ReplayResult>& r) {
        out += padRight(name, width);
        for (std::size_t k = 0; k < kKinds; ++k) out += padLeft(r ? cell(r->counts[k]) : "-", 10);
    };
    for (const auto& c : cases) {
        row(c.name, c.replay);
        if (!c.freeRun)
            out += "  -";
        else {
            const auto& f = c.freeRun->figures;
            const auto judged =
                std::count_if(f.begin(), f.end(), [](const Figure& g) { return g.tolerance > 0; });
            const auto bad = std::count_if(f.begin(), f.end(), [](const Figure& g) { return !g.ok(); });
            out += "  " + std::to_string(judged - bad) + "/" + std::to_string(judged);
        }
        out += "\n";
        if (c.replay)
            for (const auto& d : c.replay->differences) out += "    differs: " + d + "\n";
        if (c.freeRun)
            for (const auto& g : c.freeRun->figures)
                if (!g.ok())
                    out += "    free run: " + g.name + " recorded " + shortNumber(g.recorded) +
                           ", simulated " + shortNumber(g.simulated) + " (allowed +-" +
                           shortNumber(g.tolerance) + ")\n";
    }
    if (cases.size() > 1) {
        row("total", total(cases));
        out += "\n";
    }
    return out + notesText(cases);
}

} // namespace rqs::session::truth
