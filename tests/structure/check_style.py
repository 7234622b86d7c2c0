# SPDX-License-Identifier: GPL-3.0-or-later
"""Banned patterns, each with its reason and what to write instead, and mutable state at namespace scope in core."""
import re

import tree

DECISIONS = r"^core/(engine|machine|sched|sim|workload)/"
ANY = r"^(core|ui|app|tests)/"

# (name, files, pattern in code without comments and literals, reason and replacement)
BANNED = [
    ("qt-in-core", r"^core/", r'#[ \t]*include[ \t]*[<"](Q[A-Z]|Qt)|\bQ_(OBJECT|GADGET)\b|\bQ(String|Vector|List|Object)\b',
     "the core builds without Qt; use the standard library and convert in ui/bridge"),
    ("tr-in-core", r"^core/", r"(?<![\w.>])tr\(",
     "words for people are made in ui; hand out an enum or a number"),
    ("floating-point", DECISIONS, r"\b(double|float)\b",
     "rounding would differ between compilers and machines; use int64 ns and integer ratios"),
    ("unordered", r"^core/", r"\bunordered_\w+|<unordered_",
     "iteration order is not reproducible; use std::vector indexed by id, or std::map"),
    ("random", r"^core/", r"\b(s?rand|drand48|random)[ \t]*\(|\brandom_device\b|\bmt19937|<random>|\buniform_\w+_distribution\b",
     "runs must repeat bit for bit; use core/engine/random.h, keyed by seed, task and purpose"),
    ("clock", r"^core/(base|engine|machine|sched|workload|sim|metrics|trace|scenario)/",
     r"\b(system_clock|steady_clock|high_resolution_clock|gettimeofday|clock_gettime)\b|\bstd::time[ \t]*\(",
     "simulated time is the only time; wall time belongs into core/session/runner or the programs"),
    ("system-clock", r"^core/", r"\b(system_clock|high_resolution_clock|gettimeofday)\b",
     "use std::chrono::steady_clock for wall time, and only in core/session"),
    ("print", r"^core/", r"\b(cout|cerr|clog|stdout|stderr)\b|<iostream>|(?<![\w.>])(f|v|vf)?printf[ \t]*\(|\bputs[ \t]*\(|\bfmt::print\b",
     "the core's only way out is RecordSink and returned values; return a Result or emit a record"),
    ("process-events", ANY, r"\bprocessEvents\b",
     "re-enters the event loop; post a command to the worker and wait for its snapshot signal (QTRY_ macros in tests)"),
    ("qcustomplot", r"^(?!ui/plots/)(core|ui|app|tests)/", r"#[ \t]*include[ \t]*[<\"][^>\"]*qcustomplot\.h",
     "one folder knows the plotting library; use ui/plots"),
    ("friend-test", ANY, r"\bfriend[ \t]+(class|struct)[ \t]+\w*Test\w*",
     "test the seam, not the inside; move the logic into a free function below it"),
    ("thread-local", r"^core/", r"\bthread_local\b",
     "hidden state is not copied with the World; make it a member"),
]


def scopes(code):
    """Yields (position, statement) for every statement whose enclosing braces are all namespaces."""
    stack, start, depth_ok = [], 0, True
    parens = 0
    for m in re.finditer(r"[{};()]", code):
        c, i = m.group(0), m.start()
        if c == "(":
            parens += 1
        elif c == ")":
            parens = max(0, parens - 1)
        elif parens:
            continue
        elif c == "{":
            head = code[start:i]
            kind = "ns" if re.search(r'\bnamespace\b[^;{}()]*$|\bextern[ \t]*""[ \t]*$', head) else "other"
            if depth_ok and kind == "other":
                yield start, head
            stack.append(kind)
            depth_ok = all(k == "ns" for k in stack)
            start = i + 1
        elif c == "}":
            if stack:
                stack.pop()
            depth_ok = all(k == "ns" for k in stack)
            start = i + 1
        else:
            if depth_ok:
                yield start, code[start:i]
            start = i + 1


NOT_A_VARIABLE = re.compile(
    r"^(using|typedef|template|class|struct|enum|union|friend|static_assert|namespace|extern|concept|public|private|protected)\b")


def mutable_globals(code):
    """Variables at namespace scope that can change. `const T x`, constexpr and functions are fine."""
    code = re.sub(r"^[ \t]*#.*(?:\\\n.*)*", lambda m: "\n" * m.group(0).count("\n"), code, flags=re.M)
    for position, statement in scopes(code):
        text = statement.strip()
        if not text or NOT_A_VARIABLE.match(re.sub(r"^\[\[.*?\]\]\s*", "", text)):
            continue
        declarator = text.split("=")[0]
        if "(" in declarator or "operator" in declarator or re.search(r"\bconstexpr\b|\bconsteval\b", declarator):
            continue
        if re.search(r"\*\s*const\b", declarator) or (re.search(r"\bconst\b", declarator) and "*" not in declarator):
            continue
        if re.match(r"^(static\s+|inline\s+|constinit\s+)*[A-Za-z_][\w:<>,\s*&]*\s[*&]*\w+(\s*\[[^\]]*\])*\s*$", declarator):
            yield position + len(statement) - len(statement.lstrip()), " ".join(declarator.split())


def local_statics(code):
    """`static` variables inside functions or classes that are not constant."""
    for m in re.finditer(r"\bstatic\b([^;{}()=]*)([;{(=])", code):
        declarator, end = m.group(1), m.group(2)
        if end == "(" or re.search(r"\b(constexpr|consteval|operator|assert)\b", declarator):
            continue
        if re.search(r"\*\s*const\b", declarator) or (re.search(r"\bconst\b", declarator) and "*" not in declarator):
            continue
        if len(declarator.split()) >= 2:
            yield m.start(), "static " + " ".join(declarator.split())


def main():
    root = tree.root_from_args()
    problems, looked = [], 0
    for name in tree.committed(root):
        if not name.endswith((".h", ".cpp")):
            continue
        looked += 1
        raw = tree.read(root, name) or ""
        with_names = tree.strip(raw, keep_strings=True)
        code = tree.strip(raw)
        for rule, files, pattern, reason in BANNED:
            if not re.search(files, name):
                continue
            # Include names are string literals, so include rules look at the text with literals.
            text = with_names if "include" in pattern else code
            for m in re.finditer(pattern, text):
                problems.append(f"{name}:{tree.line_of(text, m.start())}: [{rule}] '{m.group(0).strip()}': {reason}")
        if name.startswith("core/"):
            found = {tree.line_of(code, p): what for p, what in mutable_globals(code)}
            found.update({tree.line_of(code, p): what for p, what in local_statics(code)})
            for line, what in sorted(found.items()):
                problems.append(f"{name}:{line}: [mutable-static] '{what}': state outside the World is neither copied nor "
                                "replayed; make it a member, or constexpr")
    tree.finish("style", problems, looked)


if __name__ == "__main__":
    main()
