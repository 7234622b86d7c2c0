# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources over LIMIT lines fail unless size_ratchet.txt lists them with their present size, which may only shrink."""
import os

import tree

LIMIT = 450
RATCHET = "tests/structure/size_ratchet.txt"


def main():
    root = tree.root_from_args()
    problems, looked, listed = [], 0, {}
    path = os.path.join(root, RATCHET)
    if os.path.exists(path):
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            line = line.split("#")[0].split()
            if not line:
                continue
            if len(line) != 2 or not line[0].isdigit():
                problems.append(f"{RATCHET}:{number}: want LINES PATH")
                continue
            listed[line[1]] = int(line[0])
    for name in tree.committed(root):
        if not name.endswith((".h", ".cpp", ".py", ".sh")):
            continue
        looked += 1
        lines = tree.read(root, name).count("\n")
        if name in listed:
            before = listed.pop(name)
            if lines > before:
                problems.append(f"{name}: {lines} lines, the ratchet says {before}: it may only shrink; split it by idea")
            elif lines <= LIMIT:
                problems.append(f"{name}: {lines} lines, within the limit now: take it out of {RATCHET}")
            elif lines < before:
                problems.append(f"{name}: {lines} lines: write {lines} instead of {before} into {RATCHET}")
        elif lines > LIMIT:
            problems.append(f"{name}: {lines} lines, more than {LIMIT}: can it be two ideas? (files may join {RATCHET} "
                            "only when splitting makes them worse)")
    for name in listed:
        problems.append(f"{RATCHET}: {name} does not exist")
    tree.finish("sizes", problems, looked)


if __name__ == "__main__":
    main()
