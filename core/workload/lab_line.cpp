// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/lab_line.h"

#include "core/workload/arguments.h"
#include "core/workload/generators.h"
#include "core/workload/groups.h"
#include "core/workload/program.h"
#include "core/workload/steps.h"

#include <map>
#include <optional>

namespace rqs::workload {

namespace {

constexpr std::int64_t kMaxMs = 600'000;
constexpr std::size_t kLabTasks = 256, kLabPairs = 256;
constexpr std::int64_t kSpinTurnNs = 256;

/// Options before the tasks, as getopt reads them: "-d 5", "-d5", "-FU".
class Options {
public:
    Options(const std::vector<Word>& words, std::string_view valued, std::string_view plain)
        : m_words(words), m_valued(valued), m_plain(plain) {}

    Status read() {
        for (; next < m_words.size() && m_words[next].text.size() > 1 && m_words[next].text[0] == '-'; ++next)
            if (Status s = cluster(m_words[next]); !s) return s;
        return Ok{};
    }
    bool has(char o) const { return m_found.count(o) != 0; }
    /// Value of a text option; empty if absent.
    std::string text(char o) const {
        const auto it = m_found.find(o);
        return it == m_found.end() ? std::string() : std::string(it->second.text);
    }
    /// Value of a number option; `otherwise` if absent.
    Result<std::int64_t> number(char o, std::int64_t otherwise, std::int64_t min, std::int64_t max) const {
        const auto it = m_found.find(o);
        if (it == m_found.end()) return otherwise;
        const auto n = wholeNumber(it->second.text);
        if (n && *n >= min && *n <= max) return *n;
        return atColumn(it->second.column,
                        std::string("-") + o + " " + std::string(it->second.text) + " is not valid",
                        std::to_string(min) + " to " + std::to_string(max));
    }
    std::size_t next = 2; ///< first word that is no option

private:
    Status cluster(const Word& w) {
        for (std::size_t i = 1; i < w.text.size(); ++i) {
            const char o = w.text[i];
            const std::size_t column = w.column + i;
            if (m_plain.find(o) != std::string_view::npos) {
                m_found[o] = {w.text.substr(i, 1), column};
                continue;
            }
            if (m_valued.find(o) == std::string_view::npos)
                return atColumn(column, std::string("unknown option -") + o,
                                "known: -" + std::string(m_valued) + std::string(m_plain));
            if (i + 1 < w.text.size()) {
                m_found[o] = {w.text.substr(i + 1), column + 1};
            } else if (next + 1 < m_words.size()) {
                m_found[o] = m_words[++next];
            } else {
                return atColumn(column, std::string("option -") + o + " needs a value");
            }
            return Ok{};
        }
        return Ok{};
    }
    const std::vector<Word>& m_words;
    std::string_view m_valued, m_plain;
    std::map<char, Word> m_found;
};

/// -g is the group of every task without cg=, -S gives each a session of its own. Groups weigh what cgroups
/// do by default; the line does not say otherwise.
Status placeInGroups(Workload& w, std::string all, bool sessions) {
    if (!all.empty() && all[0] != '/') all.insert(0, "/");
    for (std::size_t i = 0; i < w.tasks.size(); ++i) {
        TaskSpec& t = w.tasks[i];
        if (t.group.empty()) t.group = all;
        if (sessions) t.session = static_cast<std::int32_t>(i) + 1;
        if (t.group.empty() || groupByPath(w, t.group) >= 0) continue;
        if (Status s = declareGroup(w, t.group, kDefaultShares); !s) return s;
        w.groups.back().implied = true;
    }
    return Ok{};
}

Result<LabRun> labRun(const std::vector<Word>& words) {
    Options o(words, "dDog", "FUS");
    if (Status s = o.read(); !s) return s.error();
    const auto d = o.number('d', 2000, 1, kMaxMs);
    if (!d) return d.error();
    const auto dump = o.number('D', 0, 0, kMaxMs);
    if (!dump) return dump.error();
    if (o.next >= words.size())
        return Error{"", "lab run without a task", "for example: lab run -d 400 hog0,cpu=1,hog"};
    if (words.size() - o.next > kLabTasks)
        return atColumn(words[o.next + kLabTasks].column, "too many tasks",
                        "lab run has at most " + std::to_string(kLabTasks));
    TaskWords tasks(Dialect::Lab);
    for (std::size_t i = o.next; i < words.size(); ++i)
        if (Status s = tasks.add(words[i]); !s) return s.error();
    auto w = tasks.finish();
    if (!w) return w.error();
    LabRun run{std::move(*w), {*d * 1'000'000}, {*dump * 1'000'000}, o.has('U')};
    run.workload.unit = "rounds";
    if (Status s = placeInGroups(run.workload, o.text('g'), o.has('S')); !s) return s.error();
    std::map<std::int64_t, std::int64_t> released; // start time -> tasks released there so far
    for (TaskSpec& t : run.workload.tasks) {
        t.exactStart = !run.placedAsForks;
        t.startNs += kReleaseGapNs * released[t.startNs]++;
    }
    return run;
}

Result<LabRun> labPp(const std::vector<Word>& words) {
    Options o(words, "dnbCos", "t");
    if (Status s = o.read(); !s) return s.error();
    if (o.next < words.size())
        return atColumn(words[o.next].column,
                        "lab pp takes options only, not \"" + std::string(words[o.next].text) + "\"");
    const auto d = o.number('d', 500, 1, kMaxMs);
    const auto n = o.number('n', 1, 1, static_cast<std::int64_t>(kLabPairs));
    const auto b = o.number('b', 0, 0, kMaxNs);
    const auto s = o.number('s', 0, 0, kMaxNs);
    const auto c = o.number('C', -1, -1, 4095);
    for (const auto* r : {&d, &n, &b, &s, &c})
        if (!*r) return r->error();
    PairShape shape;
    shape.pairs = *n;
    shape.burnNs = *b > 0 ? std::max(*b / kSpinTurnNs, std::int64_t{1}) * kSpinTurnNs : 0;
    shape.pauseNs = *s;
    shape.pauseSlackNs = 1;
    if (*c >= 0) shape.cpus = {static_cast<std::int32_t>(*c)};
    LabRun run{pingpongPairs(shape), {*d * 1'000'000}, {}, false};
    for (std::size_t i = 0; i < run.workload.tasks.size(); ++i) {
        TaskSpec& t = run.workload.tasks[i];
        t.exactStart = true;
        const auto pair = static_cast<std::int64_t>(i / 2);
        t.startNs = i % 2 == 0 ? kSettleNs + pair * (kReleaseGapNs + (*s > 0 ? *s / *n : 0)) : 0;
    }
    if (Status ok = validate(run.workload); !ok) return ok.error();
    return run;
}

} // namespace

Result<LabRun> parseLabLine(std::string_view line) {
    const std::vector<Word> words = splitWords(line);
    if (words.empty() || words[0].text != "lab")
        return Error{"", "a workload line begins with \"lab run\" or \"lab pp\"",
                     "for example: lab run -d 400 hog0,cpu=1,hog"};
    if (words.size() < 2) return atColumn(words[0].column, "lab without a command", "lab run or lab pp");
    if (words[1].text == "run") return labRun(words);
    if (words[1].text == "pp") return labPp(words);
    if (words[1].text == "turbo" || words[1].text == "slices")
        return atColumn(words[1].column, "lab " + std::string(words[1].text) + " is not supported",
                        "lab run or lab pp");
    return atColumn(words[1].column, "unknown command \"" + std::string(words[1].text) + "\"",
                    "lab run or lab pp");
}

} // namespace rqs::workload
