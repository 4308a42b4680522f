# SPDX-License-Identifier: BSD-3-Clause
"""What stands in the page: the variables of page.html."""

import statistics

import common
from page import bars, cautions, findings, origin, pictures, program, sentences, tables, units
from page.results import FILES, Results


def of(directories, asked_runs, regroup, scratch):
    sides = [Results(directory, side) for directory, side in zip(directories, "AB")]
    for results in sides:
        results.finished = _finished(results)
    shown = [_side(results, asked_runs, regroup, scratch, len(sides) > 1) for results in sides]
    comparison = _comparison(sides, regroup) if len(sides) > 1 else None
    title = " and ".join(results.name for results in sides)
    return {"title": title, "sides": shown, "comparison": comparison,
            "timelines": [{"side": side["letter"], "runs": side["runs"]} for side in shown
                          if side["runs"]]}


def _finished(results):
    """The runs that ended well, with the names of their variants; None where there are none."""
    if "run" not in results.rows or not len(results.ended_well("run")):
        return None
    return common.read_runs(results.directory, ["makespan_s"])[0]


def _side(results, asked_runs, regroup, scratch, several):
    said = program.table(regroup, results)
    runs, without_runs = [], ""
    if "run" in results.rows:
        mine = [name for name in asked_runs if name in set(results.rows["run"].run)]
        unknown = asked_runs if not mine and not several else []
        runs, without_runs = bars.of_results(results, mine or unknown)
    drawn = pictures.of_results(results, scratch, runs[0]["run"] if runs else None)
    return {"letter": results.side, "name": results.name, "directory": str(results.directory),
            "sentences": _sentences(results), "tables": _tables(results, said),
            "summary": "" if list(results.rows) == ["run"] else said, "runs": runs,
            "without_runs": without_runs, "pictures": [p for p in drawn if p.address],
            "undrawn": [p for p in drawn if p.why],
            "cautions": cautions.of_results(results), "facts": origin.facts(results),
            "repetition": origin.repetition(results),
            "configuration": origin.configuration(results),
            "provenance": origin.provenance(results)}


def _sentences(results):
    told = []
    for kind in results.rows:
        rows = results.ended_well(kind)
        if not len(rows):
            told.append(f"No row of {FILES[kind]} ended well.")
        elif kind == "run":
            told.append(f"{sentences.of_runs(results.finished)}.")
        else:
            told.append(f"{findings.SENTENCES[kind](rows)}.")
    return told


def _tables(results, said):
    if list(results.rows) == ["run"]:
        return [tables.of_runs(said)]
    return [tables.of_measurements(kind, results.ended_well(kind)) for kind in results.rows
            if kind != "run" and len(results.ended_well(kind))]


def _comparison(sides, regroup):
    found, why = program.comparison(regroup, *(results.directory for results in sides))
    if found is None:
        return {"sentences": [], "tables": [], "differences": [], "notes": [], "why": why}
    shown = {"sentences": [], "tables": [], "differences": [], "notes": [], "why": ""}
    for file in found["files"]:
        shown["sentences"].append(_counts(file))
        if file["compared"]:
            shown["tables"].append(tables.of_comparison(file))
        for name, values in file["differences"].items():
            a, b = values if isinstance(values, list) else (values["a"], values["b"])
            shown["differences"].append(f"{name}: A {a or 'none'}, B {b or 'none'}")
        for key, what in (("alone", "without partner in the other"),
                          ("not_well", "that did not end well")):
            for side in "ab":
                if rows := file[f"{key}_{side}"]:
                    shown["notes"].append(f"{units.counted(len(rows), 'row')} of {side.upper()} "
                                          f"{what}, not compared.")
    return shown


def _counts(file):
    compared = file["compared"]
    if not compared:
        return f"Of {file['file']} nothing can be compared: no rows of A and B belong together."
    verdicts = {}
    for one in compared:
        verdict = one["verdict"].lower().replace("no difference", "without difference")
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
    ratios = [one["ratio"] for one in compared if one.get("ratio")]
    words = ", ".join(f"{verdict} in {count}" for verdict, count in verdicts.items())
    median = f"; the median of B / A is {statistics.median(ratios):.3f}" if ratios else ""
    return f"Of {units.counted(len(compared), 'time')} compared, B is {words}{median}."
