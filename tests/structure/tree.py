# SPDX-License-Identifier: GPL-3.0-or-later
"""What every structure check shares: the list of committed files, C++ without comments, and reporting."""
import os
import re
import subprocess
import sys


def root_from_args():
    """--root DIR, default the repository this file lies in; the self-test points it at a broken copy."""
    if "--root" in sys.argv:
        return os.path.abspath(sys.argv[sys.argv.index("--root") + 1])
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def committed(root):
    """Committed files that exist, as sorted relative paths; outside git every file but build/ and dot folders."""
    if os.path.exists(os.path.join(root, ".git")):
        # safe.directory: a clone owned by another user (containers) is still only read.
        out = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z"],
                             check=True, capture_output=True).stdout
        names = [n for n in out.decode().split("\0") if n]
    else:
        names = []
        for folder, dirs, files in os.walk(root):
            if folder == root:
                dirs[:] = [d for d in dirs if d != "build"]
            names += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(n for n in names if os.path.isfile(os.path.join(root, n)))


def read(root, name):
    """Text of a file, or None for a binary one."""
    with open(os.path.join(root, name), "rb") as f:
        data = f.read()
    if b"\0" in data:
        return None
    return data.decode("utf-8", "replace")


_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^()\\ ]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])\'(?:\\.|[^\'\\\n])+\'', re.S)


def strip(code, keep_strings=False):
    """C++ with comments blanked (and literals emptied); line numbers stay."""
    def blank(m):
        text = m.group(0)
        if text.startswith("/"):
            return "\n" * text.count("\n") or " "
        if keep_strings:
            return text
        return '""' + "\n" * text.count("\n")
    return _TOKEN.sub(blank, code)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def finish(name, problems, looked_at):
    """Prints and exits. A check that looked at nothing fails: it would pass on an empty tree."""
    for p in problems:
        print(p)
    if not looked_at:
        print(f"{name}: nothing to look at")
        sys.exit(1)
    print(f"{name}: {len(problems)} problem(s) in {looked_at} item(s)")
    sys.exit(1 if problems else 0)
