# SPDX-License-Identifier: BSD-3-Clause
"""The result of runs in one sentence."""

import statistics

import common
from page import units


def of_runs(runs):
    """Of rows of common.read_table(): which variant is fastest, and by how much.
    """
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
