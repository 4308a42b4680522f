# SPDX-License-Identifier: BSD-3-Clause
"""The pictures that belong to results, drawn by the other scripts of plots/."""

import base64
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pictures

PLOTS = Path(__file__).resolve().parents[1]
LARGE = 400_000  # bytes of an SVG; what is larger comes as PNG
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}


@dataclass
class Picture:
    shows: str  # in a few words
    address: str = ""  # data:…
    why: str = ""  # there is none


def of_results(results, directory, run):
    """The pictures that belong to `results`, drawn in `directory`, where nothing else is. `run`: whose
    timeline is drawn, if not that which the script takes by itself."""
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda one: _drawn(results, directory, run, *one),
                             pictures.of_results(results.directory)))


def _drawn(results, directory, run, script, shows):
    picture = Picture(shows[0].upper() + shows[1:])
    for ending in TYPES:
        path = directory / f"{results.side}-{script}{ending}"
        chosen = ["--run", run] if run and script == "timeline" else []
        picture.why = _draw(script, results, path, chosen)
        if picture.why:
            return picture
        if ending == ".png" or path.stat().st_size <= LARGE:
            text = base64.b64encode(path.read_bytes()).decode()
            picture.address = f"data:{TYPES[ending]};base64,{text}"
            return picture
    return picture


def _draw(script, results, path, options):
    """Calls a script; answers why it has not drawn."""
    words = [sys.executable, PLOTS / f"{script}.py", results.directory.resolve(), "-o", path, *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode == 0 and path.is_file():
        return ""
    lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return lines[-1].removeprefix(f"{script}: ")
