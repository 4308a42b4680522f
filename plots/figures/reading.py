# SPDX-License-Identifier: BSD-3-Clause
"""Reading results: every mistake in them is told in one line."""

import csv
import json
import math
import re

import pandas

from figures.command import InputError
from figures.names import natural, with_names
from figures.settings import REPETITIONS, SETTINGS


SCHEMA = 1  # of results: kernel/files/schema.hpp tells what that is


def read(directory, name, texts, numbers):
    """The rows of `directory`/`name`: the columns `texts` as text, `numbers` as numbers.

    An empty cell is "" in a text and NaN in a number.
    """
    path = directory / name
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory")
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    frame = _table(path)
    if "status" in frame:
        _check_schema(frame, path)
    if "invocation" in frame:
        names = _invocations(directory)
        frame["made with"] = [names.get(cell, f"unknown {cell}") for cell in frame.invocation]
    for column in [*texts, *numbers]:
        if column not in frame:
            raise InputError(f"{path}: column {column} is missing")
    for column in numbers:
        frame[column] = _as_numbers(frame[column], path)
    return frame


def _check_schema(frame, path):
    """Of a file with a row for each task; one row tells it of all."""
    found = "a version without schemas" if "schema" not in frame else \
        f"schema {frame.schema.iloc[0]}" if len(frame) else f"schema {SCHEMA}"
    if found != f"schema {SCHEMA}":
        raise InputError(f"{path}: these results are of {found}, and this program reads schema "
                         f"{SCHEMA}: read them with the version that wrote them, or make them anew")


def _table(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = csv.reader(file, strict=True)
            columns, cells = next(rows, []), []
            for row in rows:
                if len(row) != len(columns):
                    raise InputError(f"{path}:{rows.line_num}: {len(row)} fields instead of "
                                     f"{len(columns)}")
                # Texts that a spreadsheet would take for formulas have an apostrophe in front.
                cells.append([re.sub(r"^'(?='*[=+@-])", "", cell) for cell in row])
    except (ValueError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV file: {' '.join(str(error).split())}") from None
    if not columns:
        raise InputError(f"{path}: not a CSV file: it has no header row")
    twice = [column for i, column in enumerate(columns) if column in columns[:i]]
    if twice:
        raise InputError(f"{path}: column {twice[0]} stands twice")
    with open(path, "rb") as file:
        file.seek(-1, 2)
        if file.read() != b"\n":
            raise InputError(f"{path}: the last row has no end of line: it may be cut off")
    return pandas.DataFrame(cells, columns=columns, dtype=str)


# What provenance.yaml tells of an invocation that figures depend on and no column of a row tells.
CIRCUMSTANCES = ["compiler", "launcher", "environment", "inherited", "processor"]


def _invocations(directory):
    """For each invocation in provenance.yaml what is not so in the others, in words."""
    path = directory / "provenance.yaml"
    known = {}
    if path.exists() and not path.is_file():  # which may have no end, or never begin
        raise InputError(f"{path}: not a file")
    try:
        # Each line of a document is `key: value`, the value as JSON.
        for document in re.split("^---\n", path.read_text("utf-8"), flags=re.M)[1:]:
            facts = {key: json.loads(value) for key, value in
                     (line.split(": ", 1) for line in document.splitlines())}
            known[str(facts["invocation"])] = _flat({key: facts[key] for key in CIRCUMSTANCES})
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path}: not what regroup writes") from None
    names = sorted({name for facts in known.values() for name in facts})
    differing = [n for n in names if len({facts.get(n, "unset") for facts in known.values()}) > 1]
    return {invocation: ", ".join(f"{name} {facts.get(name, 'unset')}" for name in differing)
            for invocation, facts in known.items()}


def _flat(facts):
    flat = {}
    for key, value in facts.items():
        if isinstance(value, dict):
            flat.update({f"{key} {name}": text for name, text in value.items()})
        else:
            flat[key] = value
    return flat


def _as_numbers(cells, path):
    values = pandas.to_numeric(cells, errors="coerce").replace([math.inf, -math.inf], math.nan)
    wrong = cells[values.isna() & (cells != "")]
    if len(wrong):
        raise InputError(f"{path}: column {cells.name}: \"{wrong.iloc[0]}\" is not a number")
    return values


def read_runs(directory, numbers, optional=()):
    """The finished runs of runs.csv, with names and colours of their variants, and a note on the
    others ("" where there are none)."""
    texts = ["balancer", "communicator", *SETTINGS, "clock", "oversubscribed", *REPETITIONS]
    finished, status = read_finished(directory, "runs.csv", texts, ["ideal_s", *numbers],
                                     optional)
    if finished.empty:
        raise InputError(f"{directory / 'runs.csv'}: no run with status ok "
                         f"(looked at {len(status)} rows)")
    return with_names(_with_least(finished, directory / "runs.csv")), note(status)


def _with_least(runs, path):
    """`runs` with the least time that each could take, `least_s`, and what that is called, `least`:
    the ideal or, as that is none where the speed-up is not perfect, the bound."""
    if "bound_s" not in runs:  # an older version wrote them
        return runs.assign(least_s=runs.ideal_s, least="ideal")
    bounded, bounds = runs.speedup != "perfect", _as_numbers(runs.bound_s, path)
    if bounds[bounded].isna().any():
        raise InputError(f"{path}: column bound_s is empty in a finished run")
    return runs.assign(least_s=bounds.where(bounded, runs.ideal_s),
                       least=bounded.map({True: "bound", False: "ideal"}))


def read_finished(directory, name, texts, numbers, optional=()):
    """The finished runs of `directory`/`name`, and the status of all of them.

    The columns `numbers` and the ranks are numbers that every finished run has; those in `optional`
    may be empty. Where a run has several rows, as after a resumed sweep, the last one counts.
    """
    numbers = list(dict.fromkeys(["ranks", *numbers]))
    runs = read(directory, name, ["run", "status", *texts], ["cores", *numbers, *optional])
    runs = runs.drop_duplicates("run", keep="last")
    finished = in_order(runs[runs.status == "ok"])
    for column in numbers:
        if finished[column].isna().any():
            run_id = finished.run[finished[column].isna()].iloc[0]
            raise InputError(f"{directory / name}: column {column} is empty in the finished run "
                             f"{run_id}")
    return finished, runs.status


def in_order(rows):
    """`rows` by their parameters where they are measurements, which are made in random order: of
    these all columns that stand up to `samples` are parameters."""
    if "samples" not in rows or rows.empty:
        return rows
    columns = list(rows.loc[:, "ranks":"samples"])
    return rows.sort_values(columns, key=lambda cells: cells.map(lambda cell: natural(str(cell))),
                            kind="stable")


def note(status):
    """How many runs did not finish, and why; "" where all did."""
    lost = status[status != "ok"]
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
