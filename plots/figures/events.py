# SPDX-License-Identifier: BSD-3-Clause
"""Reads the groups of runs from an events.csv, which may have hundreds of megabytes."""

import io

import numpy
import pandas

from figures.command import InputError

WORDS = ["run", "begin_event", "end_event", "group_ranks"]
NUMBERS = ["begin_s", "busy_until_s", "end_s", "items_left_begin", "items_left_end", "walker_id"]


def with_events(runs):
    """Returns the `runs` whose groups were stored."""
    return runs[runs.events == "all"]


def why_without(run):
    """Returns why the groups of the finished `run` were not stored; "" if they were."""
    return "" if run.events == "all" else (
        f"the groups of run {run.run} were not stored ('events' is {run.events}); to store groups, run "
        "with --set events=all")


def read_groups(directory, runs):
    """Returns {run: groups} for the `runs` with groups: a row for each range `lo` to `hi` of ranks
    in a group; walker_id -1 without a walker. A group that stopped is idle until the run ends."""
    path = directory / "events.csv"
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        rows = pandas.read_csv(_lines_of(path, runs.run), usecols=[*WORDS, *NUMBERS],
                               dtype=dict.fromkeys(WORDS, str) | dict.fromkeys(NUMBERS, float))
        rows = rows[rows.run.isin(runs.run)]
    except ValueError as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}") from None
    makespans = runs.set_index("run").makespan_s
    return {run: _groups(part, makespans[run], path) for run, part in rows.groupby("run")}


def _lines_of(path, runs):
    """Returns the header and the lines of `runs`; parsing the whole file could take a minute."""
    names = {run.encode() for run in runs}
    with open(path, "rb") as file:
        head = file.readline()
        if not head.startswith(b"run,"):
            return path
        return io.BytesIO(head + b"".join(line for line in file if line.split(b",", 1)[0] in names))


def _groups(rows, makespan, path):
    waits = (rows.end_event == "stop") & (rows.end_s < makespan)
    ranges = rows.group_ranks.reset_index(drop=True).str.split(" ").explode()
    ends = ranges.str.extract(r"^(?P<lo>\d+)(?:-(?P<hi>\d+))?$").astype(float)
    rows = rows[["run", "begin_event", "end_event", *NUMBERS]].assign(
        end_s=rows.end_s.mask(waits, makespan), walker_id=rows.walker_id.fillna(-1)).iloc[ends.index]
    rows = rows.assign(group=ends.index, lo=ends.lo.to_numpy(), hi=ends.hi.fillna(ends.lo).to_numpy())
    if rows[["lo", *NUMBERS[:3]]].isna().any(axis=None):
        raise InputError(f"{path}: a row of run {rows.run.iloc[0]} lacks ranks, as in '0-3 8-11', or times")
    return rows


def lost_ranks(groups):
    """Returns a row with `rank` and `end_s` per lost rank: its last group ended with a recovery."""
    ranks = numpy.arange(groups.lo.min(), groups.hi.max() + 1)
    last = numpy.full(len(ranks), 0)
    if not (groups.end_event == "recover").any():
        return groups[:0].assign(rank=[])
    for row, (lo, hi) in enumerate(zip(groups.lo, groups.hi)):
        last[int(lo - ranks[0]):int(hi - ranks[0]) + 1] = row
    last = groups.iloc[last].assign(rank=ranks)
    return last[last.end_event == "recover"]


def shares(groups, begin, end, shape, ranks, seconds):
    """Returns the fraction of each pixel that `groups` cover between their columns `begin` and
    `end`. The image has `shape` (rows, columns) and shows ranks[0] to ranks[1], inclusive, from 0
    to `seconds`. Each corner of a rectangle is spread over four pixels; cumulative sums fill it."""
    rows, columns = shape
    corners = numpy.zeros((rows + 2, columns + 2))
    height = rows / (ranks[1] - ranks[0] + 1)
    top, bottom = ((groups.lo - ranks[0]) * height, (groups.hi + 1 - ranks[0]) * height)
    left, right = (groups[side] * (columns / seconds) for side in (begin, end))
    for y, x, sign in ((top, left, 1), (top, right, -1), (bottom, left, -1), (bottom, right, 1)):
        y, x = y.to_numpy().clip(0, rows), x.to_numpy().clip(0, columns)
        row, column = y.astype(int), x.astype(int)
        below, beyond = y - row, x - column
        for i, part in ((0, 1 - below), (1, below)):
            for j, share in ((0, 1 - beyond), (1, beyond)):
                corners.ravel()[:] += numpy.bincount(
                    (row + i) * (columns + 2) + column + j, sign * part * share, corners.size)
    return corners.cumsum(0).cumsum(1)[:rows, :columns].clip(0, 1)
