# SPDX-License-Identifier: BSD-3-Clause
"""Reading what the groups of one run did, from an events.csv that may have hundreds of megabytes."""

import io

import numpy
import pandas

from figures.command import InputError
from figures.reading import read

FILE = "events.csv"
WORDS = ["run", "begin_event", "end_event", "group_ranks", "walker_id"]
NUMBERS = ["begin_s", "busy_until_s", "end_s", "items_left_begin"]
CHUNK = 1 << 23  # bytes


def with_events(runs):
    """Those of `runs` whose groups were written; earlier versions wrote all."""
    return runs[runs.events == "all"] if "events" in runs else runs


def why_without(run):
    """Why there is nothing of the groups of `run`, which ended well; "" where there is."""
    told = getattr(run, "events", "all")
    return "" if told == "all" else (
        f"of run {run.run} the groups were not written (its column 'events' says {told}); the key "
        "'events: all' has them written, as by --set events=all")


def read_groups(directory, run):
    """The groups of `run`, a row for each range `lo` to `hi` of their ranks; walker -1 where a group
    has none. A group that stopped is idle until the run's end."""
    path = directory / FILE
    if why := why_without(run):
        raise InputError(f"{path}: {why}")
    try:
        parts = [groups_of(rows, run, path) for rows in _quickly(path, run.run)]
    except (_Unusual, OSError, ValueError):  # the strict reader tells what it is, line by line
        every = read(directory, FILE, WORDS, NUMBERS)
        rows = every[every.run == run.run]
        parts = [groups_of(rows, run, path)] if len(rows) else []
    if not parts:
        raise InputError(f"{path}: no rows of run {run.run}")
    return pandas.concat(parts, ignore_index=True)


class _Unusual(Exception):
    pass


def _quickly(path, run):
    """The rows of that run, in chunks: of the others no line is taken apart."""
    with open(path, "rb") as file:
        header = file.readline()
        columns = header.decode("ascii", "replace").rstrip("\r\n").split(",")
        if not header.endswith(b"\n") or len(set(columns)) < len(columns) or \
                not {*WORDS, *NUMBERS} <= set(columns):
            raise _Unusual
        name, rest, chunk = run.encode(), b"", True
        while chunk:
            chunk = file.read(CHUNK)
            lines, end, rest = (rest + chunk).rpartition(b"\n")
            if name in lines:
                yield _rows(lines + end, columns, run)
    if rest:
        raise _Unusual


def _rows(lines, columns, run):
    if b'"' in lines or lines.count(b",") != lines.count(b"\n") * (len(columns) - 1):
        raise _Unusual
    types = {column: "category" if column in ("run", "begin_event", "end_event") else
             str if column == "group_ranks" else float for column in [*WORDS, *NUMBERS]}
    rows = pandas.read_csv(io.BytesIO(lines), header=None, names=columns, usecols=list(types),
                           dtype=types, na_values=[""], keep_default_na=False)
    rows = rows[rows.run == run]
    return rows.assign(group_ranks=rows.group_ranks.fillna(""), walker_id=rows.walker_id.fillna(-1))


def groups_of(rows, run, path):
    """The rows of events.csv as groups, in numbers."""
    for column in NUMBERS:
        if rows[column].isna().any():
            raise InputError(f"{path}: column {column} is empty in a row of run {run.run}")
    walkers = rows.walker_id
    if walkers.dtype == object:
        walkers = pandas.to_numeric(walkers.replace("", "-1"), errors="coerce")
    waits = (rows.end_event == "stop") & (rows.end_s < run.makespan_s)
    ranges = rows.group_ranks.str.split(" ")
    numbers = ranges.str.len().to_numpy() if rows.group_ranks.str.contains(" ").any() else 1
    lo, hi = _ends(rows.group_ranks.to_list())
    if lo is None or walkers.isna().any():
        raise InputError(f"{path}: no ranks as in '0-3 8-11', or no walker, in run {run.run}")
    groups = pandas.DataFrame({
        "begin_event": pandas.Categorical(rows.begin_event, ["start", "regroup"]), "begin_s": rows.begin_s.to_numpy(),
        "busy_until_s": rows.busy_until_s.to_numpy(), "walker_id": walkers.to_numpy(dtype=float),
        "end_s": rows.end_s.mask(waits, run.makespan_s).to_numpy(),
        "items_left_begin": rows.items_left_begin.to_numpy()})
    return groups.loc[groups.index.repeat(numbers)].reset_index(drop=True).assign(lo=lo, hi=hi)


def _ends(texts):
    """The first and the last ranks of all ranges in `texts`; None where one is no range."""
    pieces = [piece.partition("-") for text in texts for piece in text.split(" ")]
    if not all(lo.isdecimal() and (hi.isdecimal() if dash else not hi) for lo, dash, hi in pieces):
        return None, None
    return (numpy.array([float(lo) for lo, _, _ in pieces]),
            numpy.array([float(hi or lo) for lo, _, hi in pieces]))
