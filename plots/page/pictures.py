# SPDX-License-Identifier: BSD-3-Clause
"""The pictures that fit results, drawn by the other scripts of plots/."""

import base64
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import common
import pictures

PLOTS = Path(__file__).resolve().parents[1]
LARGE = 400_000  # bytes of an SVG; a larger one comes as PNG …
MANY = 2000  # … as does one of more bars, which is larger
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}


@dataclass
class Picture:
    shows: str  # in a few words
    address: str = ""  # data:…
    why: str = ""  # there is none


def of_results(results, directory, run):
    """The pictures that fit `results`, drawn in `directory`, which is empty. `run`: that of the
    timeline, of page.bars, if not its default."""
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda one: _drawn(results, directory, run, *one),
                             pictures.of_results(results.directory, results.settings)))


def _drawn(results, directory, run, script, shows):
    picture = Picture(shows[0].upper() + shows[1:])
    chosen, types = common.conditions(results.where), dict(TYPES)
    if run and script == "timeline":
        chosen += ["--run", run["run"]]
        if run["shades"] is None and len(run["bars"]["lo"]) > MANY:
            del types[".svg"]
    for ending, kind in types.items():
        path = directory / f"{results.side}-{script}{ending}"
        words = [sys.executable, PLOTS / f"{script}.py", results.directory.resolve(), "-o", path, *chosen]
        done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode != 0 or not path.is_file():
            lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            picture.why = lines[-1].removeprefix(f"{script}: ")
            break
        if ending == ".png" or path.stat().st_size <= LARGE:
            picture.address = f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
            break
    return picture
