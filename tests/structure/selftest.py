# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule of the structure checks must find a planted violation, and must accept a clean tree."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPDX = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
README = "## Question\n## Predict\n## Run\n## Look\n## Why\n"
SCENARIO = "scenarios/01-basics/01-two-hogs/"

CLEAN = {
    "core/base/ids.h": SPDX + "#pragma once\nnamespace rqs { inline constexpr int kNone = -1; }\n",
    "core/base/result.h": SPDX + '#pragma once\n#include "core/base/ids.h"\n',
    "core/sched/fair.cpp": SPDX + '#include "core/base/ids.h"\n#include <vector>\n'
                           'namespace rqs { namespace { const int kOne = 1; const char* const kName = "static double"; }\n'
                           "static int one(int x) { static constexpr int n[] = {1}; return x + n[0] + kOne; }\n"
                           "int two() { return one(1); } // rand() in a comment\n"
                           "struct P { static P make(); int v = 0; }; }\n",
    "ui/shell/window.cpp": SPDX + '#include "core/sched/features.h"\n#include <QWidget>\n',
    "core/sched/features.h": SPDX + "#pragma once\n",
    SCENARIO + "scenario.json": "{}\n", SCENARIO + "README.md": README, SCENARIO + "expected.txt": "fingerprint 1\n",
    "tests/data/model_ids.txt": "E2.1 eevdf:2.6 pick yes\nSHQ-INV-1 w:4.2 shared yes\nE7.1 eevdf:7 groups no\n",
    "tests/core/sched/eevdf_test.cpp": SPDX + "TEST(Eevdf, E2_1_pick) {}\nTEST(SharedRunq, SHQ_INV_1) {}\n",
}

# (check, what, file, content)
PLANTED = [
    ("layering", "upward include", "core/base/up.h", SPDX + '#include "core/sched/features.h"\n'),
    ("layering", "ui into sched", "ui/a.cpp", SPDX + '#include "core/sched/fair.h"\n'),
    ("layering", "app into sim", "app/a.cpp", SPDX + '#include "core/sim/world.h"\n'),
    ("layering", "metrics into engine", "core/metrics/a.cpp", SPDX + '#include "core/engine/random.h"\n'),
    ("layering", "unknown layer", "core/extra/a.h", SPDX),
    ("layering", "path not from the root", "core/base/a.h", SPDX + '#include "ids.h"\n'),
    ("layering", "tests in the product", "core/base/a.h", SPDX + '#include "tests/support/a.h"\n'),
    ("layout", "top-level entry", "docs/a.md", "text\n"),
    ("layout", "no licence line", "core/base/a.h", "#pragma once\n"),
    ("layout", "script without licence line", "tests/a.sh", "#!/bin/sh\n"),
    ("layout", "scenario without README", "scenarios/01-basics/02-b/scenario.json", "{}\n"),
    ("layout", "README without Why", SCENARIO + "README.md", README.replace("## Why\n", "")),
    ("layout", "headings out of order", SCENARIO + "README.md", README.replace("## Run\n", "") + "## Run\n"),
    ("layout", "empty expected.txt", SCENARIO + "expected.txt", "\n"),
    ("layout", "machine path", "ui/a.cpp", SPDX + "// see /wo" + "rk/x\n"),
    ("layout", "note to oneself", "ui/a.cpp", SPDX + "// TO" + "DO\n"),
    ("style", "Qt in core", "core/base/a.cpp", SPDX + "#include <QString>\n"),
    ("style", "tr in core", "core/base/a.cpp", SPDX + 'auto s = tr("x");\n'),
    ("style", "double in sched", "core/sched/a.cpp", SPDX + "int f(double x);\n"),
    ("style", "float in engine", "core/engine/a.h", SPDX + "inline float f();\n"),
    ("style", "unordered_map", "core/metrics/a.cpp", SPDX + "std::unordered_map<int, int> f();\n"),
    ("style", "rand", "core/sim/a.cpp", SPDX + "int f() { return rand(); }\n"),
    ("style", "random_device", "core/sim/a.cpp", SPDX + "void f() { std::random_device d; }\n"),
    ("style", "system_clock", "core/session/a.cpp", SPDX + "auto f() { return std::chrono::system_clock::now(); }\n"),
    ("style", "steady_clock in sim", "core/sim/a.cpp", SPDX + "auto f() { return std::chrono::steady_clock::now(); }\n"),
    ("style", "cout", "core/base/a.cpp", SPDX + "void f() { std::cout << 1; }\n"),
    ("style", "printf", "core/base/a.cpp", SPDX + 'void f() { printf("x"); }\n'),
    ("style", "std::printf", "core/base/a.cpp", SPDX + 'void f() { std::printf("x"); }\n'),
    ("style", "stderr", "core/base/a.cpp", SPDX + "void f() { std::fputs(text, stderr); }\n"),
    ("style", "processEvents", "ui/a.cpp", SPDX + "void f() { app->processEvents(); }\n"),
    ("style", "qcustomplot", "ui/panels/a.cpp", SPDX + "#include <qcustomplot.h>\n"),
    ("style", "friend test", "core/sim/a.h", SPDX + "class A { friend class WorldTest; };\n"),
    ("style", "thread_local", "core/sim/a.cpp", SPDX + "thread_local int depth = 0;\n"),
    ("style", "mutable global", "core/sim/a.cpp", SPDX + "namespace rqs {\nint counter = 0;\n}\n"),
    ("style", "mutable global with braces", "core/sim/a.cpp", SPDX + "namespace rqs { std::vector<int> cache{1}; }\n"),
    ("style", "static in a function", "core/sim/a.cpp", SPDX + "int f() { static int n = 0; return ++n; }\n"),
    ("style", "static member", "core/sim/a.h", SPDX + "struct A { static inline int live = 0; };\n"),
    ("style", "pointer that can be moved", "core/sim/a.cpp", SPDX + 'static const char* last = "";\n'),
    ("sizes", "too long", "core/sim/a.cpp", SPDX + "//\n" * 450),
    ("sizes", "grew", "tests/structure/size_ratchet.txt", "1 core/base/ids.h\n"),
    ("sizes", "shrunk under the limit", "tests/structure/size_ratchet.txt", "500 core/base/ids.h\n"),
    ("sizes", "listed, gone", "tests/structure/size_ratchet.txt", "500 core/base/gone.h\n"),
    ("model_ids", "no such test", "tests/data/model_ids.txt", "E2.2 eevdf:2.6 pick yes\n"),
    ("model_ids", "only a longer number", "tests/core/sched/eevdf_test.cpp",
     SPDX + "TEST(Eevdf, E2_10_pick) {}\nTEST(SharedRunq, SHQ_INV_1) {}\n"),
    ("model_ids", "commented out test", "tests/core/sched/eevdf_test.cpp",
     SPDX + "// TEST(Eevdf, E2_1_pick) {}\nTEST(SharedRunq, SHQ_INV_1) {}\n"),
    ("model_ids", "twice", "tests/data/model_ids.txt", CLEAN["tests/data/model_ids.txt"] * 2),
    ("model_ids", "bad line", "tests/data/model_ids.txt", "E2.1 eevdf:2.6 pick yes\nE3.1 pick yes\n"),
]


def run(check, files):
    root = tempfile.mkdtemp()
    try:
        for name, content in files.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(content)
        return subprocess.run([sys.executable, os.path.join(HERE, f"check_{check}.py"), "--root", root],
                              capture_output=True, text=True)
    finally:
        shutil.rmtree(root)


def check_file(check):
    """Where a check reports what is missing rather than what is there."""
    return {"model_ids": "tests/data/model_ids.txt", "sizes": "core/base/ids.h"}.get(check, "?")


def main():
    wrong = []
    for check in ("layering", "layout", "style", "sizes", "model_ids"):
        result = run(check, CLEAN)
        if result.returncode != 0:
            wrong.append(f"{check}: refuses a clean tree:\n{result.stdout}{result.stderr}")
    for check, what, name, content in PLANTED:
        result = run(check, {**CLEAN, name: content})
        # A finding in the planted file, not a crash of the check.
        finding = re.search(rf"^({re.escape(name)}|{re.escape(os.path.dirname(name))}|docs|{re.escape(check_file(check))})[:/]",
                            result.stdout, re.M)
        if result.returncode != 1 or not finding:
            wrong.append(f"{check}: '{what}' in {name}: wanted a finding, got:\n{result.stdout}{result.stderr}")
    print("\n".join(wrong))
    print(f"selftest: {len(PLANTED)} planted violations, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
