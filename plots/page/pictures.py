# SPDX-License-Identifier: BSD-3-Clause
"""The pictures that fit results, drawn by the other scripts of plots/."""

import base64
import os
import runpy
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

import common
import pictures

PLOTS = Path(__file__).resolve().parents[1]
LARGE = 400_000  # bytes; a larger SVG is replaced by a PNG
MANY = 2000  # bars; a timeline with more is drawn as PNG at once
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}


@dataclass
class Picture:
    shows: str  # content in a few words
    address: str = ""  # data:…
    why: str = ""  # the reason if there is no picture


def of_results(results, directory, run):
    """Draws the pictures that fit `results` in the empty `directory` and returns them. `run`: the
    run of page.bars for the timeline, or None for its default."""
    left = [(script, shows, _types_of(script, run)) for script, shows in
            pictures.of_results(results.directory, results.settings)]
    drawn, drawing = {script: None for script, _, _ in left}, {}
    while left or drawing:
        while left and len(drawing) < min(4, os.cpu_count() or 1):
            script, shows, types = left.pop(0)
            path = directory / f"{results.side}-{script}"
            words = [results.directory.resolve(), *common.conditions(results.where)]
            if run and script == "timeline":
                words += ["--run", run["run"]]
            drawing[_start(script, words, path, types[0])] = script, shows, types, path
        child, status = os.wait()
        script, shows, (ending, *others), path = drawing.pop(child)
        file = path.with_suffix(ending)
        if status == 0 and others and file.is_file() and file.stat().st_size > LARGE:
            left.insert(0, (script, shows, others))
            continue
        drawn[script] = _picture(script, shows, status, file, path.with_suffix(".err"))
    return list(drawn.values())


def _types_of(script, run):
    """Returns the file types to try, in order."""
    many = script == "timeline" and run and run["shades"] is None and len(run["bars"]["lo"]) > MANY
    return [".png"] if many else list(TYPES)


def _start(script, words, path, ending):
    """Forks a process that draws a picture; a new interpreter would import modules for a second."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            sys.argv = [str(word) for word in (PLOTS / f"{script}.py", *words, "-o", path.with_suffix(ending))]
            with open(os.devnull, "w", encoding="utf-8") as sys.stdout, \
                    open(path.with_suffix(".err"), "w", encoding="utf-8") as sys.stderr:
                try:
                    runpy.run_path(sys.argv[0], run_name="__main__")
                    code = 0
                except SystemExit as end:
                    code = end.code or 0
                except BaseException:
                    traceback.print_exc()
        finally:
            os._exit(code)
    return child


def _picture(script, shows, status, file, errors):
    picture = Picture(shows[0].upper() + shows[1:])
    if status != 0 or not file.is_file():
        lines = errors.read_text("utf-8").strip().splitlines() if errors.is_file() else []
        picture.why = lines[-1].removeprefix(f"{script}: ") if lines else f"ended with {status}"
    else:
        picture.address = f"data:{TYPES[file.suffix]};base64,{base64.b64encode(file.read_bytes()).decode()}"
    return picture
