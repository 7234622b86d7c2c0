# SPDX-License-Identifier: GPL-3.0-or-later
"""Every id of a finished mechanism in tests/data/model_ids.txt has a test whose name contains it."""
import os
import re

import tree

LIST = "tests/data/model_ids.txt"
TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")


def main():
    root = tree.root_from_args()
    problems, finished, seen = [], 0, set()
    tests = []
    for name in tree.committed(root):
        if name.startswith("tests/") and name.endswith(".cpp"):
            tests += [f"_{m.group(1)}_{m.group(2)}_" for m in TEST.finditer(tree.strip(tree.read(root, name)))]
    with open(os.path.join(root, LIST), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            where = f"{LIST}:{number}"
            fields = line.split()
            if len(fields) != 4 or fields[3] not in ("yes", "no"):
                problems.append(f"{where}: want ID DOCUMENT:SECTION MECHANISM yes|no")
                continue
            identifier, _, mechanism, done = fields
            if identifier in seen:
                problems.append(f"{where}: {identifier} is listed twice")
            seen.add(identifier)
            if done != "yes":
                continue
            finished += 1
            wanted = "_" + re.sub(r"[^A-Za-z0-9]", "_", identifier) + "_"
            if not any(wanted in t for t in tests):
                problems.append(f"{where}: {mechanism} is finished but no test is named {wanted.strip('_')} "
                                f"(TEST(Suite, {wanted.strip('_')}_what_it_shows))")
    tree.finish("model ids", problems, finished)


if __name__ == "__main__":
    main()
