# SPDX-License-Identifier: GPL-3.0-or-later
"""One snippet of tests/structure/misuse: bad_*.cpp must not compile, and only because of its marked line;
good_*.cpp must. Usage: check_misuse.py COMPILER SNIPPET."""
import os
import subprocess
import sys


def compiles(compiler, root, text):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Werror=unused-result", "-I", root, "-x", "c++", "-"]
    run = subprocess.run(command, input=text, text=True, capture_output=True)
    return run.returncode == 0, run.stderr


def main():
    compiler, snippet = sys.argv[1], os.path.abspath(sys.argv[2])
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(snippet))))
    text = open(snippet, encoding="utf-8").read()
    ok, errors = compiles(compiler, root, text)
    if os.path.basename(snippet).startswith("good_"):
        print(errors)
        sys.exit(0 if ok else 1)
    marked = [l for l in text.split("\n") if l.rstrip().endswith("// must not compile")]
    if len(marked) != 1:
        sys.exit(f"{snippet}: exactly one line must end with '// must not compile'")
    if ok:
        sys.exit(f"{snippet}: compiles, but must not: the types let '{marked[0].strip()}' through")
    # Without the marked line it must compile: otherwise it fails for another reason and proves nothing.
    ok, errors = compiles(compiler, root, text.replace(marked[0], ""))
    if not ok:
        print(errors)
        sys.exit(f"{snippet}: does not compile even without its marked line")
    print("refused by the compiler, as it must be:", marked[0].strip())


if __name__ == "__main__":
    main()
