# SPDX-License-Identifier: GPL-3.0-or-later
"""app/run.sh, app/install-deps.sh and .ci/run with stand-ins for everything they call."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEFAULT = "scenarios/02-shared-runq/01-hackbench-7950x/scenario.json"
TOOLS = ["bash", "cat", "cp", "dirname", "env", "grep", "mkdir", "readlink", "sed", "tail", "tee"]


class Scripts(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.bin = os.path.join(self.root, "bin")
        os.mkdir(self.bin)
        for tool in TOOLS:
            os.symlink(shutil.which(tool), os.path.join(self.bin, tool))
        for script in ("app/run.sh", "app/install-deps.sh", ".ci/run"):
            os.makedirs(os.path.join(self.root, os.path.dirname(script)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, script), os.path.join(self.root, script))

    def stub(self, path, body):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write("#!/usr/bin/env bash\n" + body + "\n")
        os.chmod(path, 0o755)

    def run_script(self, script, *args, **env):
        return subprocess.run([os.path.join(self.root, script), *args], cwd="/", capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={"PATH": self.bin, "HOME": self.root, **env})

    # app/run.sh
    def programs(self, cmake="exit 0"):
        self.stub("app/install-deps.sh", "exit 0")
        self.stub("bin/cmake", cmake)
        for program in ("runqscope", "runqscope-cli"):
            self.stub(f"build/release/app/{program}", f'printf "%s" {program}; printf " [%s]" "$@"; exit 7')

    def test_window_on_the_default_scenario(self):
        self.programs()
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            r = self.run_script("app/run.sh", **{display: ":1"})
            self.assertEqual(r.stdout, f"runqscope [{self.root}/{DEFAULT}]")
            self.assertEqual(r.returncode, 7, "the program's status is the script's")

    def test_arguments_go_on(self):
        self.programs()
        r = self.run_script("app/run.sh", "my file.json", "--seed", "3", DISPLAY=":1")
        self.assertEqual(r.stdout, "runqscope [my file.json] [--seed] [3]")
        r = self.run_script("app/run.sh", "--seed", "3", DISPLAY=":1")
        self.assertEqual(r.stdout, f"runqscope [{self.root}/{DEFAULT}] [--seed] [3]")

    def test_without_a_display_it_says_so_and_runs_the_same_scenario(self):
        self.programs()
        r = self.run_script("app/run.sh")
        self.assertEqual(r.stdout, f"runqscope-cli [run] [{self.root}/{DEFAULT}]")
        self.assertIn("No display", r.stderr)
        r = self.run_script("app/run.sh", "01-basics/01-two-hogs", "--seed", "3")
        self.assertEqual(r.stdout, "runqscope-cli [run] [01-basics/01-two-hogs] [--seed] [3]")
        self.assertEqual(self.run_script("app/run.sh", "--version").stdout, "runqscope-cli [--version]")

    def test_a_failed_build_starts_nothing(self):
        self.programs(cmake='if [ "$1" = --build ]; then exit 1; fi')
        r = self.run_script("app/run.sh", DISPLAY=":1")
        self.assertEqual((r.stdout, r.returncode), ("", 1))
        self.programs(cmake="echo no compiler; exit 1")
        r = self.run_script("app/run.sh", DISPLAY=":1")
        self.assertEqual(r.returncode, 1)
        self.assertIn("no compiler", r.stderr)

    # app/install-deps.sh
    def packages(self, missing, uid=0, apt="exit 0"):
        body = 'for a in "$@"; do case $a in -*) ;; %s) ;; *) echo "ii  $a";; esac; done' % ("|".join(missing) or "-")
        self.stub("bin/dpkg-query", body)
        self.stub("bin/id", f"echo {uid}")
        self.stub("bin/apt-get", f'echo "$@" >>{self.root}/apt.log; {apt}')

    def apt_log(self):
        path = os.path.join(self.root, "apt.log")
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as f:
            return f.read()

    def test_nothing_missing_touches_no_network(self):
        self.packages([])
        r = self.run_script("app/install-deps.sh")
        self.assertEqual((r.returncode, r.stdout, r.stderr, self.apt_log()), (0, "", "", ""))

    def test_root_installs_exactly_what_is_missing(self):
        self.packages(["g++", "xvfb"])
        self.assertEqual(self.run_script("app/install-deps.sh").returncode, 0)
        update, install = self.apt_log().strip().split("\n")
        self.assertTrue(update.endswith("update"))
        self.assertTrue(install.endswith("--no-install-recommends g++ xvfb"), install)

    def test_the_core_needs_no_qt(self):
        self.packages(["qt6-base-dev", "libqcustomplot-dev"])
        self.assertEqual(self.run_script("app/install-deps.sh", "core").returncode, 0)
        self.assertEqual(self.apt_log(), "")
        self.assertNotIn("qt6", self.run_script("app/install-deps.sh", "core", "--list").stdout)
        self.assertIn("qt6-base-dev", self.run_script("app/install-deps.sh", "--list").stdout)

    def test_neither_root_nor_sudo_lists_and_exits_2(self):
        self.packages(["cmake", "g++"], uid=1000)
        r = self.run_script("app/install-deps.sh")
        self.assertEqual((r.returncode, self.apt_log()), (2, ""))
        self.assertIn("  cmake g++\n", r.stderr)

    def test_sudo_without_password_is_used(self):
        self.packages(["cmake"], uid=1000)
        self.stub("bin/sudo", f'[ "$1" = -n ] && shift; echo sudo >>{self.root}/apt.log; [ "$1" = true ] || "$@"')
        self.stub("bin/true", "exit 0")
        self.assertEqual(self.run_script("app/install-deps.sh").returncode, 0)
        self.assertIn("sudo\n", self.apt_log())
        self.assertIn("--no-install-recommends cmake", self.apt_log())

    def test_sudo_that_wants_a_password_and_failing_apt_exit_2(self):
        self.packages(["cmake"], uid=1000)
        self.stub("bin/sudo", "exit 1")
        self.assertEqual(self.run_script("app/install-deps.sh").returncode, 2)
        self.packages(["cmake"], apt="exit 100")
        r = self.run_script("app/install-deps.sh")
        self.assertEqual(r.returncode, 2)
        self.assertIn("  cmake\n", r.stderr)
        self.assertEqual(self.run_script("app/install-deps.sh", "everything").returncode, 2)

    # .ci/run
    def ci(self, executed, status):
        self.stub("tests/run.sh", f'echo "executed tests: {executed}"; exit {status}')
        return self.run_script(".ci/run").returncode

    def test_ci_wants_enough_tests_and_no_failure(self):
        self.assertEqual(self.ci(100000, 0), 0)
        self.assertEqual(self.ci(100000, 3), 3)
        self.assertEqual(self.ci(1, 0), 1)
        self.stub("tests/run.sh", "echo nothing")
        self.assertEqual(self.run_script(".ci/run").returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
