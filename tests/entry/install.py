# SPDX-License-Identifier: GPL-3.0-or-later
"""cmake --install into an empty prefix: everything is there, and the installed program uses the installed data.
Usage: install.py CMAKE BUILD_DIR VERSION PROGRAM..."""
import os
import shutil
import subprocess
import sys
import tempfile


def main():
    cmake, build, version, programs = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    prefix = tempfile.mkdtemp()
    try:
        subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        share = os.path.join(prefix, "share")
        wanted = ["runqscope/scenarios/01-basics/01-two-hogs/scenario.json", "runqscope/resources/machines",
                  "doc/runqscope/LICENSE"] + [f"man/man1/{p}.1" for p in programs]
        if "runqscope" in programs:
            wanted += ["applications/runqscope.desktop", "icons/hicolor/scalable/apps/runqscope.svg"]
        missing = [w for w in wanted if not os.path.exists(os.path.join(share, w))]
        if missing:
            sys.exit(f"not installed: {', '.join(missing)}")

        def run(program, *args):
            env = {k: v for k, v in os.environ.items() if k != "RUNQSCOPE_DATA"}
            env["QT_QPA_PLATFORM"] = "offscreen"
            return subprocess.run([os.path.join(prefix, "bin", program), *args], cwd="/", env=env, check=True,
                                  capture_output=True, text=True, timeout=60).stdout

        for program in programs:
            if version not in run(program, "--version"):
                sys.exit(f"{program} --version does not say {version}")
        if "01-basics/01-two-hogs" not in run("runqscope-cli", "list"):
            sys.exit("the installed program does not list the installed scenarios")
        shutil.rmtree(os.path.join(share, "runqscope/scenarios/01-basics/01-two-hogs"))
        if "01-basics/01-two-hogs" in run("runqscope-cli", "list"):
            sys.exit("the installed program looks at the source tree instead of the installed data")
    finally:
        shutil.rmtree(prefix)


if __name__ == "__main__":
    main()
