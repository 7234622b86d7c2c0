#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a benchmark program and sets its figures beside baseline.json, as ratios to the hold model of the same run.

compare.py PROGRAM [--write] [--tolerance 1.3]
Fails when a figure costs more than tolerance times its baseline, or when a baseline row of the program is gone.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BASELINE = os.path.join(HERE, "baseline.json")
YARDSTICK = "Hold/512"
SHOWN = ("switches/s", "steps/switch", "p50_ms", "p95_ms")  # counters kept beside the cost, not compared


def measure(program):
    out = subprocess.run([program, "--benchmark_format=json", "--benchmark_repetitions=3",
                          "--benchmark_report_aggregates_only=true"], check=True, capture_output=True, text=True).stdout
    rows, counters = {}, {}
    for b in json.loads(out)["benchmarks"]:
        if b.get("aggregate_name") != "median":
            continue
        # Per item where the benchmark counts items, else per iteration.
        ns = 1e9 / b["items_per_second"] if b.get("items_per_second") else \
            b["cpu_time"] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[b["time_unit"]]
        rows[b["run_name"]] = ns
        counters[b["run_name"]] = {k: float(f"{b[k]:.4g}") for k in SHOWN if k in b}
    return rows, counters


def main():
    program = sys.argv[1]
    tolerance = float(sys.argv[sys.argv.index("--tolerance") + 1]) if "--tolerance" in sys.argv else 1.3
    name = os.path.basename(program)
    rows, counters = measure(program)
    # A program without the hold model (the window's) is compared through the core's program beside it.
    yardstick = rows.get(YARDSTICK) or measure(os.path.join(os.path.dirname(program), "bench_core"))[0][YARDSTICK]
    new = {k: {"ns": round(v, 2), "holds": round(v / yardstick, 4), **counters[k]} for k, v in rows.items()}
    with open(BASELINE, encoding="utf-8") as f:
        baseline = json.load(f)
    if "--write" in sys.argv:
        baseline[name] = new
        with open(BASELINE, "w", encoding="utf-8") as f:
            json.dump(baseline, f, indent=2, sort_keys=True)
            f.write("\n")
        print(f"{BASELINE}: {len(new)} rows of {name} written")
        return
    def line(key, note):
        extra = "".join(f"  {k} {v:g}" for k, v in counters[key].items())
        print(f"{key:26} {new[key]['ns']:14.2f} ns {new[key]['holds']:14.3f} holds  {note}{extra}")

    worse = []
    old = baseline.get(name, {})
    for key in sorted(old.keys() | new.keys()):
        if key not in new:
            worse.append(key)
            print(f"{key:26} is gone")
        elif key not in old:
            line(key, "(no baseline)")
        else:
            ratio = new[key]["holds"] / old[key]["holds"]
            if ratio > tolerance:
                worse.append(key)
            line(key, f"{ratio:6.2f} x baseline" + ("  WORSE" if ratio > tolerance else ""))
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
