# SPDX-License-Identifier: GPL-3.0-or-later
"""The window on a real X server: opens the default scenario, runs, and its picture is not blank.
Usage: window.py PROGRAM"""
import os
import struct
import subprocess
import sys
import tempfile
import zlib


def pixels(png):
    """(width, height, number of different filtered scan lines) of a PNG; enough to tell a picture from a blank."""
    width, height = struct.unpack(">II", png[16:24])
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at:at + 4])
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    raw = zlib.decompress(data)
    stride = len(raw) // height
    return width, height, len({raw[y * stride:(y + 1) * stride] for y in range(height)})


def main():
    if not os.environ.get("DISPLAY"):
        sys.exit("needs an X server: run with xvfb-run, as tests/run.sh does")
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "window.png")
        env = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "QT_QPA_PLATFORM": "xcb"}
        run = subprocess.run([sys.argv[1], "--screenshot", picture, "--size", "1600x900"], env=env, cwd="/", timeout=90,
                             capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"status {run.returncode}:\n{run.stdout}{run.stderr}")
        with open(picture, "rb") as f:
            width, height, lines = pixels(f.read())
        print(f"{width}x{height}, {lines} different lines")
        if (width, height) != (1600, 900) or lines < height // 4:
            sys.exit("the picture has the wrong size or is nearly blank")


if __name__ == "__main__":
    main()
