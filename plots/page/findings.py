# SPDX-License-Identifier: BSD-3-Clause
"""States the result in one sentence, for each kind of task, from rows of common.read_table()."""

import statistics

import pandas

import common
from page import units


def of_runs(runs):
    """Names the fastest variant and its advantage, or states that no difference was found."""
    judged = _judged(runs)
    if not judged:
        return ("There was nothing to do: the ideal time is 0 s" if (runs.ideal_s == 0).any() else
                "The variants cannot be compared: their runs did different work, and the ideal time is unknown")
    if len(judged) == 1:
        return _of_one(*judged[0])
    return _of_several([times for _, times in judged])


def shown_by(runs):
    """Returns (rows of the setting, label of the variant) that the sentence is about, or None. Of
    several settings in which the variant is fastest, the first with the most ranks is taken.
    """
    judged = _judged(runs)
    if not judged:
        return None
    best = _most_often([times for _, times in judged])
    return max((part for part, times in judged if times.index[0] == best),
               key=lambda part: part.ranks.iloc[0]), best


def _judged(runs):
    """Returns (runs, times) for each setting with items to execute."""
    times = dict(list(_times(runs).groupby(level=["panel", "ranks"])))
    settings = [(part, times.get((part.panel.iloc[0], part.ranks.iloc[0]))) for _, part in common.panels(runs, "ranks")]
    return [(part, own.droplevel(["panel", "ranks"])) for part, own in settings if own is not None]


def _times(runs):
    """Returns (median, low, high) of each variant in each setting, fastest first: makespans if
    all runs of the setting did the same work, otherwise ratios to the least time of each."""
    same = (runs.groupby(["panel", "ranks"]).problem.transform("nunique") == 1) & (runs.problem != "")
    runs = runs.assign(values=runs.makespans_s.where(same, runs.of_least))
    runs = runs[runs.makespan_s.where(same, runs.over_least) > 0]
    times = runs[["panel", "ranks", "label"]].assign(
        **{name: runs["values"].map(of) for name, of in (("median", statistics.median), ("low", min), ("high", max))})
    return times.set_index(["panel", "ranks", "label"]).sort_values("median", kind="stable")


def _close(times):
    """Returns the variants whose times overlap with those of the fastest."""
    return list(times.index[1:][times.low[1:] <= times.high.iloc[0]])


def _of_one(runs, times):
    best, close = times.index[0], _close(times)
    mine = runs[runs.label == best].iloc[0]
    words = [units.seconds(mine.makespan_s)] if mine.makespan_s > 0 else []
    words += [f"{mine.over_least:.3f} × {mine.least}"] if mine.over_least > 0 else []
    what = " (median of several problems)" if common.several_problems(runs) else ""
    if close:
        others = close[0] if len(close) == 1 else f"{len(close)} others"
        return (f"No difference found between {best} and {others}: {best} takes {', '.join(words)}{what}, "
                f"but the times of single runs overlap{_beside_none(times, close)}")
    return f"{best} takes {', '.join(words)}{what}{_beside_none(times, close)}"


def _beside_none(times, close):
    if "none" not in times.index or "none" in close or len(times) == 1:
        return ""
    if times.index[0] == "none":
        if close:
            return ""
        ratio = times["median"].iloc[1] / times["median"].iloc[0]
        return f", and nothing is faster: next comes {times.index[1]}, {units.times(ratio)} × slower"
    ratio = times["median"]["none"] / times["median"].iloc[0]
    return f", {units.times(ratio)} × faster than none"


def _of_several(settings):
    best = _most_often(settings)
    first = [times for times in settings if times.index[0] == best]
    unclear = sum(bool(_close(times)) for times in first)
    gains = [times["median"]["none"] / times["median"][best] for times in settings
             if best in times.index and "none" in times.index and best != "none"]
    text = f"{best} is fastest in {len(first) - unclear} of {len(settings)} settings"
    if unclear:
        text += f" (in {unclear} more, times of its runs overlap with those of another)"
    if gains:
        text += f", {units.times(statistics.median(gains))} × faster than none (median of all settings)"
    return text


def _most_often(settings):
    """Returns the variant that is fastest most often; the first one if there are several."""
    first = [times.index[0] for times in settings]
    return max(first, key=first.count)


# ---- measurements --------------------------------------------------------------------------------

def of_creation(rows):
    one = rows[rows.pattern == "one_group"]
    part = _largest(one if len(one) else rows, ["ranks", "group_size"], "communicator")
    if not len(one):
        part = part[part.pattern == part.pattern.iloc[0]]
    first = part.iloc[0]
    where = (f"Forming a group of {units.number(first.group_size)} of "
             f"{units.number(first.ranks)} ranks")
    if not len(one):
        where += f" ({first.pattern})"
    return f"{where} {_fastest(part, 'create')}"


def of_collectives(rows):
    columns = ["ranks", "group_size", "operation", "bytes", "calls_per_sample", "creation"]
    medians = rows.groupby([*columns, "communicator"]).time_median_s.first().unstack()
    compared = medians.dropna()
    if medians.shape[1] < 2 or compared.empty:
        return f"{units.counted(len(medians), 'operation')} measured, over one communicator each"
    wins = compared.idxmin(axis=1).value_counts()
    text = f"{wins.index[0]} is fastest in {wins.iloc[0]} of {len(compared)} operations"
    others = [name for name in compared if name != "range"]
    if "range" in compared and others:
        other = "create_group" if "create_group" in others else others[0]
        ratio = (compared["range"] / compared[other]).median()
        text += f"; range takes {units.digits(ratio)} × the time of {other} (median)"
    return text


STEPS = {"look_for_request_s": "looking for a request", "message_s": "a message", "tell_members_s": "orders to members",
         "exchange_loads_s": "an exchange of loads"}


def of_steps(rows):
    """Describes the largest groups for which all steps were measured, else the largest groups."""
    whole = rows[rows[list(STEPS)].notna().all(axis=1)]
    part = _largest(whole if len(whole) else rows, ["ranks", "group_size"])
    first = part.iloc[0]
    told = [f"{what} {units.seconds(part[column].iloc[0])}" for column, what in STEPS.items()
            if part[column].notna().any()]
    told[0] = told[0].replace(" request ", " request takes ")
    return (f"With {units.number(first.ranks)} ranks in groups of {units.number(first.group_size)}, "
            f"{', '.join(told)}")


def of_items(rows):
    """Describes the walker with the largest gain from groups."""
    found = []
    for _, part in common.panels(rows, "ranks"):
        medians = part.set_index("group_size").time_median_s.sort_index()
        found.append((medians.iloc[0] / medians.min(), part.iloc[0], medians, medians.idxmin()))
    gain, first, medians, best = max(found, key=lambda one: one[0])
    others = ", ".join(text for text in first.panel.split(", ") if text not in ("", first.walker))
    what = f"An item of {first.walker}{f' ({others})' if others else ''} "
    if best == medians.index[0]:
        return (f"{what}takes {units.seconds(medians[best])} in groups of {units.number(best)}, and "
                "no larger group is faster")
    return (f"{what}takes {units.seconds(medians[best])} in groups of {units.number(best)}, "
            f"{units.times(gain)} × faster than in groups of {units.number(medians.index[0])}")


def of_sort(rows):
    part = _largest(rows, ["ranks", "elements_per_rank"], "communicator")
    first = part.iloc[0]
    part = part[(part.input == first.input) & (part.element_type == first.element_type)]
    return (f"Sorting {units.number(first.elements_per_rank)} {first.element_type} per rank "
            f"({first.input}) on {units.number(first.ranks)} ranks "
            f"{_fastest(part, 'time')}")


SENTENCES = {"run": of_runs, "creation": of_creation, "collectives": of_collectives, "steps": of_steps,
             "items": of_items, "sort": of_sort}


def _largest(rows, columns, compared=None):
    """Returns the rows with the largest `columns`, among those with two values of `compared`."""
    if compared:
        number = rows.groupby(columns)[compared].transform("nunique")
        rows = rows[number >= min(2, number.max())]
    for column in columns:
        rows = rows[rows[column] == rows[column].max()]
    return rows


def _fastest(rows, name):
    """Returns "is fastest with range: 20 ns, 5,000 × less than with create_group (107 µs)". Without
    create_group, or if it is fastest, the comparison is with the second fastest."""
    medians = rows.groupby("communicator")[f"{name}_median_s"].first().sort_values()
    text = f"is fastest with {medians.index[0]}: {units.seconds(medians.iloc[0])}"
    if len(medians) == 1:
        return text
    other = "create_group" if "create_group" in medians.index[1:] else medians.index[1]
    ratio = medians[other] / medians.iloc[0] if medians.iloc[0] > 0 else float("inf")
    text += f", {units.times(ratio)} × less than with {other} ({units.seconds(medians[other])})"
    ends = rows.groupby("communicator").agg(low=(f"{name}_low_s", "min"), high=(f"{name}_high_s", "max"))
    if ends.loc[medians.index[0], "high"] >= ends.loc[other, "low"]:
        text += ", though their intervals overlap"
    return text
