// SPDX-License-Identifier: GPL-3.0-or-later
// The step language: one word per task, NAME,key=value,...,STEP;STEP;...  Steps repeat for ever
// unless the last one is exit.
// Lab is the dialect the recorded cases were started with: numbers are plain ns, `run` comes in turns of 256.
//   keys   nice=N slice=NS cpu=A[-B] policy=other|batch|idle start=MS cg=GROUP
//   steps  run:NS  cpu:NS  hog  sleep:NS  timer:NS  yield
// Text is the native list of tasks; slice, start and steps take times with a unit (20us), and it adds
//   keys   count=N     copies NAME0, NAME1, ...
//          mm=N        address space; its own by default
//          fork=yes    started by a fork step
//          role=WORD   colour group
//          session=N   terminal session, for autogroup
//   steps  syscall:T  pipe_write:OBJ:BYTES  pipe_read:OBJ:BYTES  unix_send:OBJ:BYTES  unix_recv:OBJ:BYTES
//          futex_wait:OBJ  futex_wake:OBJ[:N|:all]  sleep:T[:SLACK]  timer:T[:SLACK]  fork:NAME  exit  done[:N]
//          loop:N;...;end  (loop without a number: for ever)
// cg=/a/b is a task group: in a lab line declared by its use, else by the scenario.
// OBJ is any word; the first step that uses it makes the object.
#pragma once
#include "core/base/result.h"
#include "core/workload/workload.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rqs::workload {

enum class Dialect : std::uint8_t { Lab, Text };

/// A word and where it starts, 1-based, for errors.
struct Word {
    std::string_view text;
    std::size_t column = 1;
};
/// Words separated by blanks and line ends.
std::vector<Word> splitWords(std::string_view line);

/// Error without a place of its own, "... at column N".
Error atColumn(std::size_t column, const std::string& what, std::string hint = {});

/// Collects task words into a workload.
class TaskWords {
public:
    explicit TaskWords(Dialect d) : m_dialect(d) {}
    /// Adds the task (or its copies). In the lab dialect startNs is start=MS.
    Status add(Word word);
    /// Resolves fork names; then the workload is complete.
    Result<Workload> finish();

private:
    struct Draft;
    struct Fixup {
        std::size_t code, op, column;
        std::string name;
    };
    Status key(Draft& d, std::string_view name, std::string_view value, std::size_t column);
    Status program(Code& code, Word text);
    Status step(Code& code, Word text);
    Result<std::int32_t> object(Word name, ObjectKind kind);
    std::optional<std::int64_t> time(std::string_view text) const;

    Dialect m_dialect;
    Workload m_out;
    std::map<std::string, std::int32_t, std::less<>> m_objects;
    std::map<std::string, std::int32_t, std::less<>> m_names;
    std::map<std::int32_t, std::int32_t> m_mms; ///< mm= of the text -> dense id
    std::int32_t m_nextMm = 0;
    std::vector<Fixup> m_fixups;
};

} // namespace rqs::workload
