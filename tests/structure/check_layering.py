# SPDX-License-Identifier: GPL-3.0-or-later
"""Include allow-list: which folder may include which. Arrows point down only (ARCHITECTURE.md, Layers)."""
import re

import tree

ALLOWED = {
    "core/base": [],
    "core/engine": ["core/base"],
    "core/machine": ["core/engine", "core/base"],
    "core/sched": ["core/machine", "core/engine", "core/base"],
    "core/workload": ["core/engine", "core/base"],
    "core/sim": ["core/workload", "core/sched", "core/machine", "core/engine", "core/base"],
    "core/metrics": ["core/base"],
    "core/trace": ["core/base"],
    "core/scenario": ["core/sim", "core/workload", "core/sched", "core/machine", "core/base"],
    "core/session": ["core/scenario", "core/metrics", "core/trace", "core/sim", "core/workload", "core/sched",
                     "core/machine", "core/engine", "core/base"],
    "ui": ["core/session", "core/scenario", "core/metrics", "core/trace", "core/base",
           "core/sched/features.h", "core/sched/tunables.h"],
    "app": ["ui", "core/session", "core/scenario", "core/metrics", "core/trace", "core/base"],
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def layer(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "core" else parts[0]


def main():
    root = tree.root_from_args()
    problems, looked = [], 0
    names = tree.committed(root)
    headers = set(names)
    for name in names:
        if not name.endswith((".h", ".cpp", ".h.in", ".cpp.in")) or name.split("/")[0] not in ("core", "ui", "app"):
            continue
        looked += 1
        own = layer(name)
        if own not in ALLOWED:
            problems.append(f"{name}: folder {own} is not a layer; put the file into one of {', '.join(ALLOWED)}")
            continue
        code = tree.strip(tree.read(root, name) or "", keep_strings=True)
        for m in INCLUDE.finditer(code):
            where, what = f"{name}:{tree.line_of(code, m.start())}", m.group(2)
            top = what.split("/")[0]
            if top == "tests":
                problems.append(f"{where}: includes {what}; the product never includes tests")
            if ".." in what.split("/"):
                problems.append(f"{where}: includes {what}; write the path from the repository root")
            if top not in ("core", "ui", "app"):
                # A quoted name that is not a path from the root hides its layer.
                if m.group(1) == '"' and not any(h.endswith("/" + what + ".in") for h in headers):
                    problems.append(f'{where}: "{what}" is not a path from the root; write core/<layer>/<file>.h, '
                                    f'or <{what}> if it is a library')
                continue
            target = layer(what)
            if target == own or target in ALLOWED[own] or what in ALLOWED[own]:
                continue
            problems.append(f"{where}: {own} may not include {what}; allowed: {', '.join(ALLOWED[own]) or 'nothing'}. "
                            "Move the shared type down, or hand the value up through a record or snapshot")
    tree.finish("layering", problems, looked)


if __name__ == "__main__":
    main()
