# SPDX-License-Identifier: BSD-3-Clause
"""The result in one sentence, for each kind of task. All take rows of common.read_table()."""

import statistics

import common
from page import units


def of_runs(runs):
    """The fastest variant, and by how much it is faster."""
    judged = _judged(runs)
    if not judged:
        return "There was nothing to do: the ideal time is 0 s"
    if len(judged) == 1:
        return _of_one(*judged[0])
    return _of_several([ratios for _, ratios in judged])


def shown_by(runs):
    """(the setting, a part of `runs`, and the label of the variant) that the sentence is about: of
    several settings in which that is fastest the first one of most ranks. None where it is about none.
    """
    judged = _judged(runs)
    if not judged:
        return None
    best = _most_often([ratios for _, ratios in judged])
    return max((part for part, ratios in judged if ratios.index[0] == best),
               key=lambda part: part.ranks.iloc[0]), best


def _judged(runs):
    """For each setting in which there was something to do its runs and their ratios."""
    settings = [(part, _ratios(part)) for _, part in common.panels(runs, "ranks")]
    return [(part, ratios) for part, ratios in settings if len(ratios)]


def _ratios(runs):
    """For each variant of `runs`, all of one setting, its time over the least, the smallest first."""
    return runs[runs.over_least > 0].set_index("label").over_least.sort_values()


def _of_one(runs, ratios):
    best = ratios.index[0]
    mine = runs[runs.label == best]
    least = " and ".join(mine.least.unique())
    words = f"{ratios.iloc[0]:.3f} × {least}"
    if not common.several_problems(runs):
        words = f"{units.seconds(mine.makespan_s.iloc[0])}, {words}"
    else:
        words += " (median of several problems)"
    return f"{best} takes {words}{_beside_none(ratios)}"


def _beside_none(ratios):
    if "none" not in ratios.index or len(ratios) == 1:
        return ""
    if ratios.index[0] == "none":
        return f", and nothing is faster: next comes {ratios.index[1]}, {ratios.iloc[1]:.3f} ×"
    return f", {units.times(ratios['none'] / ratios.iloc[0])} × faster than none"


def _of_several(settings):
    best = _most_often(settings)
    wins = sum(ratios.index[0] == best for ratios in settings)
    mine = [ratios[best] for ratios in settings if best in ratios.index]
    gains = [ratios["none"] / ratios[best] for ratios in settings
             if best in ratios.index and "none" in ratios.index and best != "none"]
    text = (f"{best} is fastest in {wins} of {len(settings)} settings, and takes "
            f"{statistics.median(mine):.3f} × the least possible time (median)")
    return text + (f", {units.times(statistics.median(gains))} × faster than none" if gains else "")


def _most_often(settings):
    """Who is fastest most often; of several the first one."""
    first = [ratios.index[0] for ratios in settings]
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
    columns = ["ranks", "group_size", "operation", "elements_per_rank", "calls_per_sample", "creation"]
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
    """Of the largest groups for which all steps were measured, as far as there are such."""
    whole = rows[rows[list(STEPS)].notna().all(axis=1)]
    part = _largest(whole if len(whole) else rows, ["ranks", "group_size"])
    first = part.iloc[0]
    told = [f"{what} {units.seconds(part[column].iloc[0])}" for column, what in STEPS.items()
            if part[column].notna().any()]
    told[0] = told[0].replace(" request ", " request takes ")
    return (f"With {units.number(first.ranks)} ranks in groups of {units.number(first.group_size)}, "
            f"{', '.join(told)}")


def of_items(rows):
    """Of the walker that groups help most."""
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
    """The rows where each of `columns` has its largest value of those with two of `compared`."""
    if compared:
        number = rows.groupby(columns)[compared].transform("nunique")
        rows = rows[number >= min(2, number.max())]
    for column in columns:
        rows = rows[rows[column] == rows[column].max()]
    return rows


def _fastest(rows, name):
    """ "is fastest with range: 20 ns, 5,000 × less than with create_group (107 µs)", or than with the
    next where that is fastest or was not measured."""
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
