# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of results that are too many to read: a summary of runs by workload and balancer, or the
first panels, and a note with the command that draws a part."""

import itertools
import shlex

from figures import heat_map
from figures.command import script
from figures.page import Page
from figures.results import describe, read_overview

MOST_PANELS, MOST_ROWS = 12, 100
# Table columns that are not keys of --where, or whose values are lines or columns of a picture.
NO_KEYS = ["panel", "title", "caller", "circumstances", "clock", "label", "variant", "balancer", "communicator"]


def medians(results, where):
    """Returns (workloads, balancers, medians, worst) of times divided by the bound, as printed by
    `regroup table --by workload,balancer`."""
    rows = read_overview(results, where)
    tables = [rows.pivot(index="workload", columns="balancer", values=column).reindex(
        index=rows.workload.unique(), columns=_order(rows)) for column in ("of_bound", "of_bound_worst")]
    return list(tables[0].index), list(tables[0].columns), *(table.to_numpy(float) for table in tables)


def _order(rows):
    """Returns the balancers, best first."""
    return rows.groupby("balancer", sort=False).of_bound.median().sort_values(kind="stable").index


def instead(rows, note, arguments, x=(), most=MOST_PANELS, of="panels", chosen=None):
    """Returns a picture of medians by workload and balancer if one of `rows` would need more than
    `most` panels, which messages call `of`; None otherwise, or without a directory of results. `x`:
    columns that vary within a panel; `chosen`: {key: value} by which the script chose `rows`."""
    number = _panels_of(rows, x)
    if number <= most or not arguments.results.is_dir():
        return None
    chosen = chosen or {}
    where = [condition for condition in arguments.where if condition.split("=")[0] not in chosen]
    where += [f"{key}={value}" for key, value in chosen.items()]
    workloads, balancers, values, worst = medians(arguments.results, where)
    more = (f"{number:,} {of} are too many to read, so this is a summary. For a part of them: "
            f"{_narrower(rows, arguments, x, most)}")
    page = Page(arguments, "Execution time over the bound: median, and worst in parentheses", describe(rows),
                "  ".join(filter(None, [note, more])), max(7, 3.5 + 0.8 * len(balancers)))
    return heat_map.draw(page, workloads, balancers, values, worst)


def few(panels, rows, note, arguments, x=()):
    """Returns the first of `panels`, pairs (title, rows), and `note`, extended if some are left."""
    if len(panels) <= MOST_PANELS:
        return panels, note
    more = (f"The first {MOST_PANELS} of {len(panels)} panels. For others: "
            f"{_narrower(rows, arguments, x, MOST_PANELS)}")
    return panels[:MOST_PANELS], "  ".join(filter(None, [note, more]))


def _panels_of(rows, x):
    return rows.groupby("panel" if "ranks" in x else ["panel", "ranks"]).ngroups


def _narrower(rows, arguments, x, most):
    """Returns a command that draws at most `most` panels, by fixing columns to their last value."""
    first = itertools.takewhile(lambda column: not column.endswith("_s") and column != "regroups_avg", rows)
    columns = [column for column in first if column not in NO_KEYS and column not in x and rows[column].nunique() > 1]
    words = [f"plots/{script()}.py", str(arguments.results), *itertools.chain.from_iterable(
        ("--where", condition) for condition in arguments.where)]
    for column in sorted(columns, key=lambda column: -rows[column].nunique()):
        if _panels_of(rows, x) <= most:
            break
        value = rows[column].iloc[-1]
        words += ["--where", f"{column}={_text(value, rows[column])}"]
        rows = rows[rows[column] == value]
    return shlex.join(words)


def _text(value, values):
    """Returns a text that identifies `value`: a choice without its options if unambiguous."""
    if not isinstance(value, str):
        return f"{value:.10g}"
    name = value.split("(")[0]
    return name if sum(other.split("(")[0] == name for other in values.unique()) == 1 else value
