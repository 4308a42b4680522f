# SPDX-License-Identifier: BSD-3-Clause
"""What a reader should know before believing a result."""

import common
from page import units
from page.results import TIMES

WIDE = 0.05  # of the median, from the fastest to the slowest repetition


def of_results(results):
    """A line for each, of all kinds."""
    told = []
    for kind, rows in results.rows.items():
        what = "run" if kind == "run" else f"measurement of {kind}"
        told += [*_unfinished(rows, what), *_crowded(rows, what), *_mixed(rows, what)]
        if kind == "run":
            told += _spread(results)
        else:
            told += _few_samples(kind, results.ended_well(kind))
    if any("uncommitted" in str(one.get("tree", "")) for one in results.invocations):
        told.append("The program was built from sources with uncommitted changes: its version does "
                    "not tell exactly what ran.")
    return told


def _unfinished(rows, what):
    lost = rows[rows.status != "ok"]
    told = []
    reasons = lost.assign(message=lost.get("message", "")).groupby(["status", "message"]).size()
    for (status, message), count in list(reasons.sort_values(ascending=False).items())[:8]:
        told.append(f"{units.counted(count, what)} of {len(rows):,} did not end well ({status})"
                    + (f": {message}" if message else "."))
    if len(reasons) > 8:
        told.append(f"And {len(reasons) - 8} more reasons, in the column message.")
    return told


def _crowded(rows, what):
    if "oversubscribed" not in rows or not (crowded := (rows.oversubscribed == "yes").sum()):
        return []
    return [f"Oversubscribed: {units.counted(crowded, what)} of {len(rows):,} had more ranks than "
            "cores. Times of communication are those of ranks that wait for cores."]


MIXED = {"placement": "places", "mpi_library": "MPI libraries", "regroup_version": "versions of Regroup",
         "cores": "numbers of cores", "waited": "ways of waiting"}


def _mixed(rows, what):
    told = []
    for column, name in MIXED.items():
        values = [v for v in rows[column].unique() if common.said(v)] if column in rows else []
        each = rows.groupby("ranks")[column].nunique() if len(values) > 1 else None
        if each is not None and (each.max() > 1 or column in ("mpi_library", "regroup_version")):
            told.append(f"Mixed: {units.counted(len(rows), what)} are of {len(values)} {name}, "
                        "which are kept apart.")
    return told


def _spread(results):
    runs = results.finished
    if runs is None:
        return ["No run ended well: there is no result."]
    told = []
    keys = common.separating(runs, "ranks", ["variant", "label", "colour"])
    runs = runs.assign(problem=common.problems(runs))
    for (label, ranks, *_), part in runs.groupby(["label", "ranks", "problem", *keys]):
        times = part.makespan_s
        if len(part) > 1 and (share := (times.max() - times.min()) / times.median()) > WIDE:
            told.append(f"Wide spread: {label} at {units.number(ranks)} ranks took "
                        f"{units.seconds(times.min())} to {units.seconds(times.max())}, "
                        f"{100 * share:.0f} % of the median.")
    few = told[:8]
    return few + ([f"And {len(told) - 8} more variants spread as widely."] if told[8:] else [])


def _few_samples(kind, rows):
    told = []
    for what, median, low, _ in TIMES[kind]:
        if low and (note := common.without_interval(rows[rows[median].notna()], low)):
            told.append(f"{kind}, {what}: {note}")
    return told
