// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/generators.h"

#include "core/base/suggest.h"
#include "core/workload/arguments.h"
#include "core/workload/groups.h"
#include "core/workload/lab_line.h"
#include "core/workload/program.h"
#include "core/workload/steps.h"

#include <algorithm>
#include <array>

namespace rqs::workload {

namespace {

using Made = Result<Workload>;
constexpr auto kTaskLimit = static_cast<std::int64_t>(kMaxTasks);

constexpr ArgumentInfo kGroup{"cg", "list of paths (root)",
                              "task groups, declared in \"groups\", given out in turn"};
constexpr ArgumentInfo kSession{"session", "one, each (one)",
                                "all in one terminal session, or each in its own (see autogroup)"};

constexpr std::array kHogs{
    ArgumentInfo{"tasks", "1 to 100000 (2)", "number of hogs"},
    ArgumentInfo{"nice", "list (0)", "nice values, given out in turn"},
    ArgumentInfo{"cpu", "CPU list (all)", "affinity of every hog"},
    ArgumentInfo{"policy", "other, batch, idle (other)", "scheduling policy"},
    ArgumentInfo{"slice", "time (0 = default)", "requested slice"},
    ArgumentInfo{"mode", "process, thread (process)", "own address spaces, or one"},
    kGroup,
    kSession,
};
constexpr std::array kPeriodic{
    ArgumentInfo{"tasks", "1 to 100000 (1)", "number of tasks"},
    ArgumentInfo{"run", "time (1ms)", "computation per round"},
    ArgumentInfo{"sleep", "time (9ms)", "sleep after it; exclusive with period"},
    ArgumentInfo{"period", "time", "instead of sleep: fixed grid of wakeups"},
    ArgumentInfo{"slack", "time (50us)", "timer slack"},
    ArgumentInfo{"nice", "list (0)", "nice values, given out in turn"},
    ArgumentInfo{"cpu", "CPU list (all)", "affinity of every task"},
    ArgumentInfo{"hogs", "0 to 100000 (0)", "additional nice 0 hogs on the same CPUs"},
    ArgumentInfo{"stagger", "time (0)", "each task starts this much after the one before"},
    kGroup,
    kSession,
};
constexpr std::array kPingpong{
    ArgumentInfo{"pairs", "1 to 50000 (1)", "number of pairs"},
    ArgumentInfo{"burn", "time (0)", "user work before each write"},
    ArgumentInfo{"pause", "time (0)", "sleep of the first after each round trip"},
    ArgumentInfo{"cpu", "CPU list (all)", "affinity of all tasks"},
    ArgumentInfo{"transport", "pipe, socket (pipe)", "what the byte goes through"},
    ArgumentInfo{"mode", "process, thread (process)", "a pair is two processes, or two threads"},
    kGroup,
    kSession,
};
constexpr std::array kSchbench{
    ArgumentInfo{"pairs", "1 to 50000 (1)", "message threads with one worker each (schbench -m N -t 1)"},
    ArgumentInfo{"bytes", "1 to 1048576 (512)", "message size (schbench -p); filled at 16 bytes per ns"},
    kGroup,
    kSession,
};
constexpr std::array kHackbench{
    ArgumentInfo{"groups", "1 or more (10)", "groups (-g)"},
    ArgumentInfo{"fds", "1 to 1000 (20)", "senders, and receivers, per group (-f)"},
    ArgumentInfo{"loops", "1 or more (100)", "messages from each sender to each receiver (-l)"},
    ArgumentInfo{"bytes", "1 to 65536 (100)", "message size (-s)"},
    ArgumentInfo{"mode", "process, thread (process)", "-P or -T"},
    ArgumentInfo{"transport", "socket, pipe (socket)", "stream socket pairs, or -p"},
    ArgumentInfo{"main", "on, off (off)", "a main task collects all and releases them together"},
    kGroup,
    kSession,
};
constexpr std::array kTasks{
    ArgumentInfo{"program", "text",
                 "one word per task: NAME,key=value,...,step;step;... (see core/workload/steps.h)"},
    ArgumentInfo{"unit", "word (ops)", "what done counts"},
};
constexpr std::array kLab{
    ArgumentInfo{"line", "text", "`lab run ...` or `lab pp ...` as in the recorded cases"},
};
constexpr std::array kGenerators{
    GeneratorInfo{"hogs", "tasks that never sleep", kHogs},
    GeneratorInfo{"periodic", "tasks that compute and sleep in turn", kPeriodic},
    GeneratorInfo{"pingpong", "pairs of tasks that pass a byte to and fro", kPingpong},
    GeneratorInfo{"schbench_pairs",
                  "pairs of threads that wake each other by futex (schbench -L -m N -t 1 -p BYTES)",
                  kSchbench},
    GeneratorInfo{"hackbench", "groups of senders and receivers of small messages", kHackbench},
    GeneratorInfo{"tasks", "tasks written out step by step", kTasks},
    GeneratorInfo{"lab", "a workload line of the recorded kernel cases", kLab},
};

/// Gives groups and sessions to units of `size` tasks: a hog, a pair, a hackbench group.
Made placed(Arguments& a, Workload w, std::int64_t size) {
    const bool each = a.choice("session", "one", {"one", "each"}) == "each";
    std::vector<std::string> paths;
    if (a.has("cg")) {
        const std::string list = a.text("cg");
        for (std::size_t from = 0; from <= list.size();) {
            const std::size_t to = std::min(list.find(',', from), list.size());
            paths.push_back(list.substr(from, to - from));
            if (paths.back() == "/")
                paths.back().clear(); // the root group
            else if (const std::string fault = groupPathFault(paths.back()); !fault.empty())
                a.refuse("cg", "\"" + paths.back() + "\" " + fault,
                         "a path like /a, or / for the root; commas between");
            from = to + 1;
        }
    }
    if (!a.ok()) return a.error();
    for (std::size_t i = 0; i < w.tasks.size(); ++i) {
        const std::size_t unit = i / static_cast<std::size_t>(size);
        w.tasks[i].session = each ? static_cast<std::int32_t>(unit) + 1 : 1;
        if (!paths.empty()) w.tasks[i].group = paths[unit % paths.size()];
    }
    return w;
}

std::int32_t inTurn(const std::vector<std::int32_t>& values, std::int64_t i) {
    return values[static_cast<std::size_t>(i) % values.size()];
}

TaskSpec hog(std::int64_t i, std::int32_t code) {
    TaskSpec t;
    t.comm = "hog" + std::to_string(i);
    t.role = "hog";
    t.code = code;
    return t;
}
Code hogCode() { return {"hog", {{OpKind::SpinUser, -1, 0, 0}}}; }

Made makeHogs(Arguments& a) {
    const std::int64_t n = a.integer("tasks", 2, 1, kTaskLimit);
    const auto nice = a.integers("nice", 0, -20, 19);
    const auto cpus = a.cpus("cpu");
    const std::string policy = a.choice("policy", "other", {"other", "batch", "idle"});
    const std::int64_t slice = a.time("slice", 0, 0, kMaxNs);
    const bool threads = a.choice("mode", "process", {"process", "thread"}) == "thread";
    if (!a.ok()) return a.error();
    Workload w;
    w.unit = "ops";
    w.codes.push_back(hogCode());
    for (std::int64_t i = 0; i < n; ++i) {
        TaskSpec t = hog(i, 0);
        t.nice = inTurn(nice, i);
        t.cpus = cpus;
        t.policy = policy == "batch" ? 1 : policy == "idle" ? 2 : 0;
        t.sliceNs = slice;
        t.mm = threads ? 0 : static_cast<std::int32_t>(i);
        w.tasks.push_back(std::move(t));
    }
    return placed(a, std::move(w), 1);
}

Made makePeriodic(Arguments& a) {
    const std::int64_t n = a.integer("tasks", 1, 1, kTaskLimit);
    const std::int64_t hogs = a.integer("hogs", 0, 0, kTaskLimit - n);
    const std::int64_t run = a.time("run", 1'000'000, 1, kMaxNs);
    const std::int64_t sleep = a.time("sleep", 9'000'000, 0, kMaxNs);
    const std::int64_t period = a.time("period", 0, 1, kMaxNs);
    const std::int64_t slack = a.time("slack", kDefaultSlackNs, 0, kMaxNs);
    const std::int64_t stagger = a.time("stagger", 0, 0, kMaxNs / kTaskLimit);
    const auto nice = a.integers("nice", 0, -20, 19);
    const auto cpus = a.cpus("cpu");
    if (a.has("sleep") && a.has("period"))
        a.refuse("period", "sleep and period exclude each other", "give one of them");
    if (!a.ok()) return a.error();
    Workload w;
    w.unit = "rounds";
    const Op pause =
        period > 0 ? Op{OpKind::TimerWait, -1, period, slack} : Op{OpKind::Sleep, -1, sleep, slack};
    w.codes.push_back({"periodic",
                       {{OpKind::LoopBegin, -1, -1, 0},
                        {OpKind::Compute, -1, run, 0},
                        {OpKind::Done, -1, 1, 0},
                        pause,
                        {OpKind::LoopEnd, -1, 0, 0}}});
    w.codes.push_back(hogCode());
    for (std::int64_t i = 0; i < n; ++i) {
        TaskSpec t;
        t.comm = "per" + std::to_string(i);
        t.role = "per";
        t.nice = inTurn(nice, i);
        t.cpus = cpus;
        t.startNs = stagger * i;
        t.mm = static_cast<std::int32_t>(i);
        w.tasks.push_back(std::move(t));
    }
    for (std::int64_t i = 0; i < hogs; ++i) {
        TaskSpec t = hog(i, 1);
        t.cpus = cpus;
        t.mm = static_cast<std::int32_t>(n + i);
        w.tasks.push_back(std::move(t));
    }
    return placed(a, std::move(w), 1);
}

Made makePingpong(Arguments& a) {
    PairShape s;
    s.pairs = a.integer("pairs", 1, 1, kTaskLimit / 2);
    s.burnNs = a.time("burn", 0, 0, kMaxNs);
    s.pauseNs = a.time("pause", 0, 0, kMaxNs);
    s.cpus = a.cpus("cpu");
    s.socket = a.choice("transport", "pipe", {"pipe", "socket"}) == "socket";
    s.threads = a.choice("mode", "process", {"process", "thread"}) == "thread";
    if (!a.ok()) return a.error();
    return placed(a, pingpongPairs(s), 2);
}

Made makeSchbench(Arguments& a) {
    FutexPairShape s;
    s.pairs = a.integer("pairs", 1, 1, kTaskLimit / 2);
    s.memsetNs = std::max<std::int64_t>(a.integer("bytes", 512, 1, 1 << 20) / 16, 1);
    if (!a.ok()) return a.error();
    return placed(a, schbenchPairs(s), 2);
}

Made makeHackbench(Arguments& a) {
    HackbenchShape s;
    s.fds = a.integer("fds", s.fds, 1, 1000);
    const bool main = a.choice("main", "off", {"on", "off"}) == "on";
    const std::int64_t most = (kTaskLimit - (main ? 1 : 0)) / (2 * s.fds);
    s.groups = a.integer("groups", s.groups, 1, kTaskLimit);
    if (a.ok() && s.groups > most)
        a.refuse("groups",
                 std::to_string(s.groups) + " groups make " + std::to_string(s.groups * 2 * s.fds) + " tasks",
                 "the limit is " + std::to_string(kTaskLimit) + " tasks, " + std::to_string(most) +
                     " groups");
    s.loops = a.integer("loops", s.loops, 1, 1'000'000'000);
    s.bytes = a.integer("bytes", s.bytes, 1, 65'536);
    s.threads = a.choice("mode", "process", {"process", "thread"}) == "thread";
    s.pipes = a.choice("transport", "socket", {"socket", "pipe"}) == "pipe";
    s.mainTask = main;
    if (!a.ok()) return a.error();
    return placed(a, hackbench(s), 2 * s.fds);
}

Made makeTasks(Arguments& a) {
    if (!a.has("program"))
        return Error{"program", "is missing", "for example: a,nice=5,run:1ms;sleep:9ms b,hog"};
    const std::string program = a.text("program");
    TaskWords tasks(Dialect::Text);
    const auto blamed = [](Error e) {
        if (e.where.empty()) e.where = "program";
        return e;
    };
    for (const Word& word : splitWords(program))
        if (Status s = tasks.add(word); !s) return blamed(s.error());
    auto w = tasks.finish();
    if (!w) return blamed(w.error());
    w->unit = a.has("unit") ? a.text("unit") : "ops";
    return w;
}

Made makeLab(Arguments& a) {
    if (!a.has("line")) return Error{"line", "is missing", "for example: lab run -d 400 hog0,cpu=1,hog"};
    auto run = parseLabLine(a.text("line"));
    if (run) return std::move(run->workload);
    Error e = run.error();
    e.where = "line";
    return e;
}

constexpr std::array<Made (*)(Arguments&), 7> kMakers{makeHogs,      makePeriodic, makePingpong, makeSchbench,
                                                      makeHackbench, makeTasks,    makeLab};
static_assert(kMakers.size() == kGenerators.size());

template<class Table> std::vector<std::string_view> namesOf(const Table& table) {
    std::vector<std::string_view> names;
    for (const auto& row : table) names.push_back(row.name);
    return names;
}

} // namespace

std::span<const GeneratorInfo> generators() { return kGenerators; }

const GeneratorInfo* generatorByName(std::string_view name) {
    for (const GeneratorInfo& g : kGenerators)
        if (g.name == name) return &g;
    return nullptr;
}

Result<Workload> generate(const std::string& name, const std::map<std::string, std::string>& args) {
    const GeneratorInfo* info = generatorByName(name);
    if (!info)
        return Error{"generator", "no generator \"" + name + "\"", didYouMean(name, namesOf(kGenerators))};
    const auto known = namesOf(info->arguments);
    for (const auto& [key, value] : args)
        if (std::find(known.begin(), known.end(), key) == known.end())
            return Error{key, name + " has no argument \"" + key + "\"", didYouMean(key, known)};
    Arguments a(args);
    auto w = kMakers[static_cast<std::size_t>(info - kGenerators.data())](a);
    if (!w) return w.error();
    if (Status s = validate(*w); !s) return s.error();
    return w;
}

Status fitsMachine(const Workload& w, int cpus) {
    for (const TaskSpec& t : w.tasks)
        for (const std::int32_t c : t.cpus)
            if (c < 0 || c >= cpus)
                return Error{"",
                             "task \"" + t.comm + "\" is bound to CPU " + std::to_string(c) +
                                 ", which this machine does not have",
                             cpus == 1 ? "its only CPU is 0" : "its CPUs are 0-" + std::to_string(cpus - 1)};
    return Ok{};
}

} // namespace rqs::workload
