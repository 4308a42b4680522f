# SPDX-License-Identifier: BSD-3-Clause
"""Reading results. Medians, intervals, labels and panels come from `regroup table --format csv`."""

import csv
import io
import json
import math
import os
import re
import shutil
import subprocess
from pathlib import Path

import pandas

from figures.command import InputError
from figures.names import with_colours

SCHEMA = 2  # of results (kernel/files/schema.hpp)


def program():
    """The command `regroup`: $REGROUP, that of this tree or installation, or that on the path."""
    if given := os.environ.get("REGROUP"):
        return given
    plots = Path(__file__).resolve().parents[1]
    for path in (plots.parent / "build/regroup", plots.parents[2] / "bin/regroup"):
        if path.is_file():
            return str(path)
    return shutil.which("regroup") or "regroup"


def answer(*words, codes=(0,)):
    """What `regroup` prints when called with these words."""
    try:
        done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)
    except OSError as error:
        raise InputError(f"{program()}: {error.strerror}") from None
    if done.returncode not in codes:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise InputError(lines[-1].removeprefix("regroup: "))
    return done.stdout


# ---- tables of settings --------------------------------------------------------------------------

def read_table(results, *columns):
    """(rows, note): a row for each setting of `results`, a directory or what `regroup table
    --format csv` has printed of one, and a note on tasks that did not end well.

    `columns` must be there. Cells are text, but for numbers: NaN where a cell is empty.
    """
    if results.is_file():
        text = results.read_text("utf-8")
    elif results.is_dir():
        text = answer("table", results, "--format", "csv")
    else:
        raise InputError(f"{results}: no such directory")
    frame = _frame(io.StringIO(text, newline=""), results)
    for column in ["panel", "ranks", *columns]:
        if column not in frame:
            raise InputError(f"{results}: the table has no column {column}")
    if "makespans_s" in frame:
        frame = _runs(frame, results)
    else:
        frame = frame.apply(lambda cells: cells if cells.name in TEXTS else _perhaps_numbers(cells))
    if frame.empty:
        raise InputError(f"{results}: no task ended well")
    return frame.reset_index(drop=True), _note(frame, results)


TEXTS = {"panel", "title", "communicator", "walker", "item_ms"}  # which may look like numbers


def _runs(frame, results):
    numbers = [c for c in frame if c.endswith(("_s", "_avg", "_stdev", "_min", "_max", "_mb"))
               or c in ("ranks", "cores", "of_ideal", "of_bound", "seeds", "repetitions", "problems",
                        "runs", "runs_ok")]
    for column in numbers:
        if column != "makespans_s":
            frame[column] = _as_numbers(frame[column], results)
    for column in ("makespans_s", "of_least"):
        frame[column] = [[float(v) for v in cell.split()] for cell in frame[column]]
    ideal = frame.least == "ideal"
    frame["least_s"] = frame.ideal_s.where(ideal, frame.bound_s)
    frame["over_least"] = frame.of_ideal.where(ideal, frame.of_bound)
    frame["lost"] = frame.runs - frame.runs_ok
    return with_colours(frame[frame.runs_ok > 0])


def _note(frame, results):
    if "lost" in frame and results.is_file():
        lost = int(frame.lost.sum())
        return f"{lost} runs did not finish and are left out." if lost else ""
    if results.is_file():
        return ""
    for file in FILES.values():
        if (results / file).is_file():
            return note(read(results, file, ["status"], []).status)
    return ""


FILES = {"run": "runs.csv", "creation": "creation.csv", "collectives": "collectives.csv",
         "steps": "steps.csv", "items": "items.csv", "sort": "sort.csv"}


def panels(rows, *columns):
    """(title, rows) of each panel, and of each value of `columns` in it, in the order of the table."""
    for _, part in rows.groupby(["panel", *columns] if columns else "panel", sort=False):
        words = [f"{part[c].iloc[0]:,.10g} {c}" for c in columns if rows[c].nunique() > 1]
        yield ", ".join(filter(None, [part.panel.iloc[0], *words])), part


def note(status):
    """How many tasks did not end well, and why; "" where all did."""
    lost = status[~status.isin(["ok", "unsupported"])]
    if lost.empty:
        return ""
    causes = ", ".join(f"{count} {cause}" for cause, count in lost.value_counts().items())
    return f"{len(lost)} of {len(status)} runs did not finish ({causes}) and are left out."


def without_interval(rows, low):
    """A note on the rows that have no confidence interval, whose end is the column `low`."""
    few = rows[low].isna().sum()
    if not few:
        return ""
    return f"{few} of {len(rows)} medians have no interval: too few samples (fewer than 6)."


# ---- single runs ---------------------------------------------------------------------------------

def read_runs(directory, *numbers):
    """The runs that ended well, in the order of runs.csv, with what the table knows of their
    settings: panel, label, colour, least_s, …"""
    settings, _ = read_table(directory)
    runs = read(directory, "runs.csv", ["run", "status"], ["ranks", "cores", "makespan_s", *numbers])
    of_run = settings.assign(run=settings.names.str.split(" ")).explode("run")
    of_run = of_run[["run", *(c for c in of_run if c not in runs)]]
    return runs[runs.status == "ok"].merge(of_run, on="run", how="inner")


# ---- files ---------------------------------------------------------------------------------------

def read(directory, name, texts, numbers):
    """The rows of `directory`/`name`: the columns `texts` as text, `numbers` as numbers.

    An empty cell is "" in a text and NaN in a number.
    """
    path = directory / name
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory")
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    provenance(directory)
    with open(path, newline="", encoding="utf-8") as file:
        frame = _frame(file, path)
    with open(path, "rb") as file:
        file.seek(-1, 2)
        if file.read() != b"\n":
            raise InputError(f"{path}: the last row has no end of line: it may be cut off")
    for column in [*texts, *numbers]:
        if column not in frame:
            raise InputError(f"{path}: column {column} is missing")
    for column in numbers:
        frame[column] = _as_numbers(frame[column], path)
    return frame


def provenance(directory):
    """The documents of provenance.yaml, one for each invocation."""
    path = directory / "provenance.yaml"
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        # Each line of a document is `key: value`, the value as JSON.
        documents = [{key: json.loads(value) for key, value in
                      (line.split(": ", 1) for line in document.splitlines())}
                     for document in re.split("^---\n", path.read_text("utf-8"), flags=re.M)[1:]]
    except ValueError:
        raise InputError(f"{path}: not what regroup writes") from None
    for document in documents:
        if document.get("schema") != SCHEMA:
            raise InputError(f"{path}: these results have schema {document.get('schema', 'none')}, and "
                             f"this program reads schema {SCHEMA}: they were written by version "
                             f"{document.get('version', 'unknown')}")
    return documents


def _frame(file, path):
    try:
        rows = csv.reader(file, strict=True)
        columns, cells = next(rows, []), []
        for row in rows:
            if len(row) != len(columns):
                raise InputError(f"{path}:{rows.line_num}: {len(row)} fields instead of "
                                 f"{len(columns)}")
            cells.append(row)
    except (ValueError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV file: {' '.join(str(error).split())}") from None
    if not columns:
        raise InputError(f"{path}: not a CSV file: it has no header row")
    return pandas.DataFrame(cells, columns=columns, dtype=str)


def _as_numbers(cells, path):
    values = _numbers(cells)
    wrong = cells[values.isna() & (cells != "")]
    if len(wrong):
        raise InputError(f"{path}: column {cells.name}: \"{wrong.iloc[0]}\" is not a number")
    return values


def _perhaps_numbers(cells):
    values = _numbers(cells)
    return cells if (values.isna() & (cells != "")).any() or (cells == "").all() and \
        not cells.name.endswith("_s") else values


def _numbers(cells):
    return pandas.to_numeric(cells, errors="coerce").replace([math.inf, -math.inf], math.nan)
