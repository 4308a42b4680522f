# SPDX-License-Identifier: BSD-3-Clause
"""Reading the groups of runs from an events.csv, which may have hundreds of megabytes."""

import io

import numpy
import pandas

from figures.command import InputError

WORDS = ["run", "begin_event", "end_event", "group_ranks"]
NUMBERS = ["begin_s", "busy_until_s", "end_s", "items_left_begin", "items_left_end", "walker_id"]


def with_events(runs):
    """Those of `runs` whose groups were written."""
    return runs[runs.events == "all"]


def why_without(run):
    """The reason why the groups of `run`, which ended well, were not written; "" if they were."""
    return "" if run.events == "all" else (
        f"the groups of run {run.run} were not stored ('events' is {run.events}); to store groups, run "
        "with --set events=all")


def read_groups(directory, runs):
    """{run: groups} of those of `runs` that have some: a row for each range `lo` to `hi` of the ranks
    of a group, with walker -1 if it has none. A group that stopped is idle until the run's end."""
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
    """The lines of `path` that begin with one of `runs`, and its first: a parser takes a minute for all."""
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
    """A row with `rank` and `end_s` for each rank whose last group was ended by a loss: it is lost."""
    ranks = numpy.arange(groups.lo.min(), groups.hi.max() + 1)
    last = numpy.full(len(ranks), 0)
    if not (groups.end_event == "recover").any():
        return groups[:0].assign(rank=[])
    for row, (lo, hi) in enumerate(zip(groups.lo, groups.hi)):
        last[int(lo - ranks[0]):int(hi - ranks[0]) + 1] = row
    last = groups.iloc[last].assign(rank=ranks)
    return last[last.end_event == "recover"]


def shares(groups, begin, end, shape, ranks, seconds):
    """The share of each pixel of an image of `shape` (rows, columns), over the ranks from ranks[0]
    to ranks[1], inclusive, and `seconds` from 0, that `groups` cover from the times `begin` to `end`.
    A group covers a rectangle; its corners are spread over the four pixels around each, and two
    running sums fill it."""
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
