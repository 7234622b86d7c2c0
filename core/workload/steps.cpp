// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/steps.h"

#include "core/base/suggest.h"
#include "core/workload/arguments.h"
#include "core/workload/groups.h"
#include "core/workload/program.h"

#include <algorithm>
#include <array>

namespace rqs::workload {

namespace {

constexpr std::int64_t kLabSlackNs = 1;   // the lab's tasks set their timer slack to 1 ns
constexpr std::int64_t kSpinTurnNs = 256; // instructions per turn of the lab's spin loop
constexpr std::size_t kLabSteps = 32;
constexpr std::int64_t kMaxStartMs = 600'000;

enum class Form : std::uint8_t { None, Time, OptionalCount, Count, Object, ObjectBytes, ObjectCount, Name };
struct StepInfo {
    std::string_view name;
    OpKind kind;
    Form form;
    bool lab;
};
constexpr std::array kSteps{
    StepInfo{"run", OpKind::Compute, Form::Time, true},
    StepInfo{"cpu", OpKind::CpuBurn, Form::Time, true},
    StepInfo{"hog", OpKind::SpinUser, Form::None, true},
    StepInfo{"sleep", OpKind::Sleep, Form::Time, true},
    StepInfo{"timer", OpKind::TimerWait, Form::Time, true},
    StepInfo{"yield", OpKind::Yield, Form::None, true},
    StepInfo{"syscall", OpKind::Syscall, Form::Time, false},
    StepInfo{"pipe_write", OpKind::PipeWrite, Form::ObjectBytes, false},
    StepInfo{"pipe_read", OpKind::PipeRead, Form::ObjectBytes, false},
    StepInfo{"unix_send", OpKind::UnixSend, Form::ObjectBytes, false},
    StepInfo{"unix_recv", OpKind::UnixRecv, Form::ObjectBytes, false},
    StepInfo{"futex_wait", OpKind::FutexWait, Form::Object, false},
    StepInfo{"futex_wake", OpKind::FutexWake, Form::ObjectCount, false},
    StepInfo{"fork", OpKind::Fork, Form::Name, false},
    StepInfo{"done", OpKind::Done, Form::OptionalCount, false},
    StepInfo{"exit", OpKind::Exit, Form::None, false},
    StepInfo{"loop", OpKind::LoopBegin, Form::Count, false},
    StepInfo{"end", OpKind::LoopEnd, Form::None, false},
};

std::vector<std::string_view> stepNames(Dialect d) {
    std::vector<std::string_view> names;
    for (const StepInfo& s : kSteps)
        if (s.lab || d == Dialect::Text) names.push_back(s.name);
    return names;
}

ObjectKind objectKind(OpKind k) {
    if (k == OpKind::PipeWrite || k == OpKind::PipeRead) return ObjectKind::Pipe;
    return k == OpKind::UnixSend || k == OpKind::UnixRecv ? ObjectKind::UnixSocket : ObjectKind::Futex;
}

std::string quoted(std::string_view s) { return "\"" + std::string(s) + "\""; }

std::vector<Word> splitAt(Word w, char by) {
    std::vector<Word> parts;
    for (std::size_t from = 0;;) {
        const std::size_t to = w.text.find(by, from);
        parts.push_back({w.text.substr(from, to - from), w.column + from});
        if (to == std::string_view::npos) return parts;
        from = to + 1;
    }
}

} // namespace

struct TaskWords::Draft {
    TaskSpec spec;
    std::int64_t count = 1;
    std::optional<std::int32_t> mm;
};

std::vector<Word> splitWords(std::string_view line) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t from = line.find_first_not_of(" \t\r\n", at);
        if (from == std::string_view::npos) break;
        const std::size_t to = std::min(line.find_first_of(" \t\r\n", from), line.size());
        words.push_back({line.substr(from, to - from), from + 1});
        at = to;
    }
    return words;
}

Error atColumn(std::size_t column, const std::string& what, std::string hint) {
    return {"", what + " at column " + std::to_string(column), std::move(hint)};
}

std::optional<std::int64_t> TaskWords::time(std::string_view text) const {
    if (m_dialect == Dialect::Text) return timeNs(text);
    const auto n = wholeNumber(text);
    return n && *n >= 0 && *n <= kMaxNs ? n : std::nullopt;
}

Status TaskWords::key(Draft& d, std::string_view name, std::string_view value, std::size_t column) {
    const bool text = m_dialect == Dialect::Text;
    const auto bad = [&](const std::string& hint) {
        return atColumn(column, std::string(name) + "=" + std::string(value) + " is not valid", hint);
    };
    const auto number = [&](std::int64_t min, std::int64_t max) {
        const auto n = wholeNumber(value);
        return n && *n >= min && *n <= max ? n : std::nullopt;
    };
    if (name == "nice") {
        const auto n = number(-20, 19);
        if (!n) return bad("-20 to 19");
        d.spec.nice = static_cast<std::int32_t>(*n);
    } else if (name == "slice") {
        const auto ns = time(value);
        if (!ns) return bad(text ? "a time, for example 3ms" : "nanoseconds");
        d.spec.sliceNs = *ns;
    } else if (name == "cpu") {
        auto cpus = cpuNumbers(value);
        if (!cpus) return bad("a CPU or a range, for example 0-3");
        d.spec.cpus = std::move(*cpus);
    } else if (name == "policy") {
        if (value.starts_with("fifo") || value.starts_with("rr"))
            return atColumn(column, "policy=" + std::string(value) + " is not supported",
                            "no real-time class is built yet; other, batch or idle");
        if (value != "other" && value != "batch" && value != "idle") return bad("other, batch or idle");
        d.spec.policy = value == "batch" ? 1 : value == "idle" ? 2 : 0;
    } else if (name == "start") {
        const auto ns = text ? time(value) : number(0, kMaxStartMs);
        if (!ns)
            return bad(text ? "a time, for example 2ms"
                            : "milliseconds, 0 to " + std::to_string(kMaxStartMs));
        d.spec.startNs = text ? *ns : *ns * 1'000'000;
    } else if (name == "cg") {
        std::string path = (value.starts_with('/') ? "" : "/") + std::string(value);
        if (const std::string fault = groupPathFault(path); !fault.empty())
            return atColumn(column, quoted(path) + " " + fault, "a path like /a or /a/b");
        d.spec.group = std::move(path);
    } else if (text && name == "session") {
        const auto n = number(0, static_cast<std::int64_t>(kMaxTasks));
        if (!n) return bad("0 (none) to " + std::to_string(kMaxTasks));
        d.spec.session = static_cast<std::int32_t>(*n);
    } else if (text && name == "count") {
        const auto n = number(1, static_cast<std::int64_t>(kMaxTasks));
        if (!n) return bad("1 to " + std::to_string(kMaxTasks));
        d.count = *n;
    } else if (text && name == "mm") {
        const auto n = number(0, static_cast<std::int64_t>(kMaxTasks));
        if (!n) return bad("0 to " + std::to_string(kMaxTasks));
        d.mm = static_cast<std::int32_t>(*n);
    } else if (text && name == "fork") {
        if (value != "yes" && value != "no") return bad("yes or no");
        d.spec.startsByFork = value == "yes";
    } else if (text && name == "role") {
        d.spec.role = std::string(value);
    } else {
        constexpr std::array<std::string_view, 11> keys{"nice",  "slice", "cpu",  "policy", "start",  "cg",
                                                        "count", "mm",    "fork", "role",   "session"};
        const std::vector<std::string_view> known(keys.begin(), text ? keys.end() : keys.begin() + 6);
        return atColumn(column, "unknown key " + quoted(name), didYouMean(name, known));
    }
    return Ok{};
}

Result<std::int32_t> TaskWords::object(Word name, ObjectKind kind) {
    if (name.text.empty()) return atColumn(name.column, "a pipe, socket or futex needs a name");
    if (const auto it = m_objects.find(name.text); it != m_objects.end()) {
        if (m_out.objects[static_cast<std::size_t>(it->second)].kind != kind)
            return atColumn(name.column, quoted(name.text) + " is used as another kind of object before");
        return it->second;
    }
    const auto id = static_cast<std::int32_t>(m_out.objects.size());
    m_out.objects.push_back({kind, 0});
    m_objects.emplace(std::string(name.text), id);
    return id;
}

Status TaskWords::step(Code& code, Word text) {
    const std::vector<Word> part = splitAt(text, ':');
    const auto info = std::find_if(kSteps.begin(), kSteps.end(), [&](const StepInfo& s) {
        return s.name == part[0].text && (s.lab || m_dialect == Dialect::Text);
    });
    if (info == kSteps.end())
        return atColumn(text.column, "unknown step " + quoted(part[0].text),
                        didYouMean(part[0].text, stepNames(m_dialect)));
    const auto wrong = [&](const std::string& want) {
        return atColumn(text.column, quoted(text.text) + " is not a valid step", want);
    };
    const std::string name(info->name);
    const auto number = [&](std::size_t i, std::int64_t min, std::int64_t max) {
        const auto n = wholeNumber(part[i].text);
        return n && *n >= min && *n <= max ? n : std::nullopt;
    };
    Op op{info->kind, -1, 0, 0};
    std::size_t used = 1;
    switch (info->form) {
    case Form::None: break;
    case Form::Time: {
        const bool timed = op.kind == OpKind::Sleep || op.kind == OpKind::TimerWait;
        const std::string want = name + (m_dialect == Dialect::Lab ? ":NS"
                                         : timed                   ? ":TIME[:SLACK]"
                                                                   : ":TIME");
        const auto ns = part.size() > 1 ? time(part[1].text) : std::nullopt;
        if (!ns || (*ns == 0 && (op.kind == OpKind::TimerWait ||
                                 (m_dialect == Dialect::Text && !timed && op.kind != OpKind::Syscall))))
            return wrong(want);
        op.amount = *ns;
        used = 2;
        if (m_dialect == Dialect::Lab && op.kind == OpKind::Compute)
            op.amount = std::max(*ns / kSpinTurnNs, std::int64_t{1}) * kSpinTurnNs;
        else if (op.kind == OpKind::CpuBurn)
            op.amount = std::max(*ns, std::int64_t{1});
        if (!timed) break;
        op.amount2 = m_dialect == Dialect::Lab ? kLabSlackNs : kDefaultSlackNs;
        if (m_dialect == Dialect::Text && part.size() > 2) {
            const auto slack = time(part[2].text);
            if (!slack) return wrong(want);
            op.amount2 = *slack;
            used = 3;
        }
        break;
    }
    case Form::OptionalCount:
    case Form::Count: {
        const bool loop = info->form == Form::Count;
        op.amount = loop ? -1 : 1;
        if (part.size() < 2) break;
        const auto n = number(1, loop ? 0 : 1, kMaxNs);
        if (!n) return wrong(name + "[:N]");
        op.amount = *n;
        used = 2;
        break;
    }
    case Form::Name:
        if (part.size() < 2 || part[1].text.empty()) return wrong(name + ":TASK");
        m_fixups.push_back({m_out.codes.size(), code.ops.size(), part[1].column, std::string(part[1].text)});
        used = 2;
        break;
    case Form::Object:
    case Form::ObjectBytes:
    case Form::ObjectCount: {
        const bool bytes = info->form == Form::ObjectBytes, counted = info->form == Form::ObjectCount;
        const std::string want = name + (bytes ? ":NAME:BYTES" : counted ? ":NAME[:N|:all]" : ":NAME");
        if (part.size() < (bytes ? 3U : 2U)) return wrong(want);
        const auto id = object(part[1], objectKind(op.kind));
        if (!id) return id.error();
        op.object = *id;
        used = 2;
        if (counted) op.amount = 1;
        if (part.size() == 2 || info->form == Form::Object) break;
        used = 3;
        if (counted && part[2].text == "all") {
            op.amount = -1;
            break;
        }
        const auto n = number(2, 1, kMaxBytes);
        if (!n) return wrong(want);
        op.amount = *n;
        break;
    }
    }
    if (part.size() > used) return wrong("too many colons");
    code.ops.push_back(op);
    return Ok{};
}

Status TaskWords::program(Code& code, Word text) {
    std::vector<Word> steps = splitAt(text, ';');
    if (m_dialect == Dialect::Lab && steps.size() > kLabSteps)
        return atColumn(text.column, std::to_string(steps.size()) + " steps are too many",
                        "at most " + std::to_string(kLabSteps));
    // "run:1;" and "a;;b" as the lab reads them
    while (steps.size() > 1 && steps.back().text.empty()) steps.pop_back();
    const bool repeats = m_dialect == Dialect::Lab || steps.back().text != "exit";
    if (repeats) code.ops.push_back({OpKind::LoopBegin, -1, -1, 0});
    std::vector<std::size_t> open; // columns of loops
    for (const Word& s : steps) {
        if (s.text.empty() && s.column != text.column) continue;
        if (Status st = step(code, s); !st) return st;
        if (code.ops.back().kind == OpKind::LoopBegin) open.push_back(s.column);
        if (code.ops.back().kind != OpKind::LoopEnd) continue;
        if (open.empty()) return atColumn(s.column, "end without a loop");
        open.pop_back();
    }
    if (!open.empty()) return atColumn(open.back(), "the loop is not ended", "loop:N;...;end");
    if (m_dialect == Dialect::Lab) code.ops.push_back({OpKind::Done, -1, 1, 0}); // one round of the list
    if (repeats) code.ops.push_back({OpKind::LoopEnd, -1, 0, 0});
    return Ok{};
}

Status TaskWords::add(Word word) {
    const std::vector<Word> items = splitAt(word, ',');
    Draft d;
    d.spec.comm = std::string(items[0].text.substr(0, 15)); // the kernel cuts longer names, too
    if (d.spec.comm.empty()) return atColumn(word.column, "a task needs a name", "NAME,key=value,...,STEPS");
    if (items[0].text.find_first_of("=:;") != std::string_view::npos)
        return atColumn(word.column, quoted(items[0].text) + " is not a task name",
                        "NAME,key=value,...,STEPS");
    std::optional<Word> steps;
    for (std::size_t i = 1; i < items.size(); ++i) {
        const std::size_t eq = items[i].text.find('='), colon = items[i].text.find(':');
        if (eq != std::string_view::npos && (colon == std::string_view::npos || eq < colon)) {
            if (Status s = key(d, items[i].text.substr(0, eq), items[i].text.substr(eq + 1), items[i].column);
                !s)
                return s;
        } else if (steps) {
            return atColumn(items[i].column, "a second list of steps", "separate steps by ;");
        } else {
            steps = items[i];
        }
    }
    Code code;
    code.name = d.spec.comm;
    if (Status s = program(code, steps.value_or(Word{"hog", word.column})); !s) return s;
    if (m_out.tasks.size() + static_cast<std::size_t>(d.count) > kMaxTasks)
        return atColumn(word.column, "too many tasks", "the limit is " + std::to_string(kMaxTasks));
    d.spec.code = static_cast<std::int32_t>(m_out.codes.size());
    if (d.spec.role.empty())
        d.spec.role = d.spec.comm.substr(0, d.spec.comm.find_last_not_of("0123456789") + 1);
    if (d.spec.role.empty()) d.spec.role = d.spec.comm;
    m_out.codes.push_back(std::move(code));
    for (std::int64_t i = 0; i < d.count; ++i) {
        TaskSpec t = d.spec;
        const auto index = static_cast<std::int32_t>(m_out.tasks.size());
        if (d.count > 1) {
            const std::string suffix = std::to_string(i);
            t.comm = t.comm.substr(0, 15 - suffix.size()) + suffix;
        }
        t.mm = d.mm ? m_mms.try_emplace(*d.mm, m_nextMm).first->second : m_nextMm;
        if (t.mm == m_nextMm) ++m_nextMm;
        m_names.emplace(t.comm, index);
        m_out.tasks.push_back(std::move(t));
    }
    return Ok{};
}

Result<Workload> TaskWords::finish() {
    for (const Fixup& f : m_fixups) {
        const auto it = m_names.find(f.name);
        if (it == m_names.end()) {
            std::vector<std::string> names;
            for (const TaskSpec& t : m_out.tasks) names.push_back(t.comm);
            return atColumn(f.column, "no task " + quoted(f.name), didYouMean(f.name, names));
        }
        m_out.codes[f.code].ops[f.op].object = it->second;
    }
    if (Status s = validate(m_out); !s) return s.error();
    return std::move(m_out);
}

} // namespace rqs::workload
