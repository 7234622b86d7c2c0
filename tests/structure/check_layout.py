# SPDX-License-Identifier: GPL-3.0-or-later
"""Top-level entries, scenario folders, licence lines, and words that do not belong into committed files."""
import re

import tree

TOP = {"core", "ui", "app", "scenarios", "resources", "tests", ".ci", "README.md", "CONTRIBUTING.md",
       "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE", "CMakeLists.txt", "CMakePresets.json"}
HEADINGS = ["Question", "Predict", "Run", "Look", "Why"]
SPDX = "SPDX-License-Identifier: GPL-3.0-or-later"

# (pattern, files it applies to, reason). Patterns are split so that this file does not match itself.
WORDS = [
    (re.compile("/wo" + r"rk/|/tmp/" + r"h-|/ho" + r"me/[a-z]|/ro" + r"ot/"), re.compile(r""),
     "a path of one machine; use a path from the repository root, $HOME or a temporary folder asked for at run time"),
    (re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b"), re.compile(r"\.(h|cpp|py|sh|cmake|in|txt)$"),
     "a note to oneself; finish it, or say what is missing in CHANGELOG.md"),
    (re.compile(r"\b(chat" + r"gpt|clau" + r"de|copi" + r"lot|anthro" + r"pic|open" + r"ai)\b", re.I), re.compile(r""),
     "names a tool of the workplace; commit what it is about instead"),
]


def check_scenarios(root, names):
    problems = []
    folders = {}
    for name in names:
        parts = name.split("/")
        if parts[0] != "scenarios":
            continue
        if len(parts) != 4 or not re.fullmatch(r"\d\d-[a-z0-9-]+", parts[1]) or not re.fullmatch(r"\d\d-[a-z0-9-]+", parts[2]):
            problems.append(f"{name}: scenarios are scenarios/NN-chapter/NN-name/FILE")
            continue
        folders.setdefault("/".join(parts[:3]), set()).add(parts[3])
    for folder, files in sorted(folders.items()):
        for wanted in ("scenario.json", "README.md", "expected.txt"):
            if wanted not in files:
                problems.append(f"{folder}: {wanted} is missing"
                                + ("; runqscope-cli check --bless writes it" if wanted == "expected.txt" else ""))
        if "README.md" in files:
            text = tree.read(root, folder + "/README.md")
            found = re.findall(r"^#+[ \t]+(\w+)[ \t]*$", text, re.M)
            if [h for h in found if h in HEADINGS] != HEADINGS:
                problems.append(f"{folder}/README.md: headings must be {', '.join(HEADINGS)} in this order, found {found}")
        if "expected.txt" in files and not (tree.read(root, folder + "/expected.txt") or "").strip():
            problems.append(f"{folder}/expected.txt: empty; runqscope-cli check --bless writes it")
    return problems


def main():
    root = tree.root_from_args()
    names = tree.committed(root)
    problems = []
    for entry in sorted({n.split("/")[0] for n in names}):
        if entry not in TOP and not (entry.startswith(".") and entry in names):
            problems.append(f"{entry}: no such top-level entry is agreed; the list is {', '.join(sorted(TOP))} and dotfiles")
    problems += check_scenarios(root, names)
    for name in names:
        text = tree.read(root, name)
        if text is None:
            continue
        if re.search(r"\.(h|cpp)(\.in)?$", name) and SPDX not in text.split("\n")[0]:
            problems.append(f"{name}:1: first line must be // {SPDX}")
        if re.search(r"(\.(sh|py)|^\.ci/run)$", name) and SPDX not in "\n".join(text.split("\n")[:2]):
            problems.append(f"{name}:1: one of the first two lines must be # {SPDX}")
        for pattern, files, reason in WORDS:
            if not files.search(name):
                continue
            for m in pattern.finditer(text):
                problems.append(f"{name}:{tree.line_of(text, m.start())}: '{m.group(0)}': {reason}")
    tree.finish("layout", problems, len(names))


if __name__ == "__main__":
    main()
