# SPDX-License-Identifier: BSD-3-Clause
"""What stands in the page: the variables of page.html."""

import json
import statistics

import common
from page import bars, cautions, findings, origin, pictures, sentences, tables, units
from page.results import FILES, Results


def of(directories, asked_runs, scratch):
    sides = [Results(directory, side) for directory, side in zip(directories, "AB")]
    shown = [_side(results, asked_runs, scratch, len(sides) > 1) for results in sides]
    comparison = _comparison(sides) if len(sides) > 1 else None
    title = " and ".join(results.name for results in sides)
    return {"title": title, "sides": shown, "comparison": comparison,
            "timelines": [{"side": side["letter"], "runs": side["runs"]} for side in shown
                          if side["runs"]]}


def _side(results, asked_runs, scratch, several):
    is_run = results.kind == "run"
    said = common.answer("table", results.directory, "--format", "markdown" if is_run else "text")
    runs, without_runs = [], ""
    if is_run:
        mine = [name for name in asked_runs if name in set(results.rows.run)]
        unknown = asked_runs if not mine and not several else []
        runs, without_runs = bars.of_results(results, mine or unknown)
    drawn = pictures.of_results(results, scratch, runs[0]["run"] if runs else None)
    return {"letter": results.side, "name": results.name, "directory": str(results.directory),
            "sentences": _sentences(results), "tables": _tables(results, said),
            "summary": "" if is_run else said, "runs": runs,
            "without_runs": without_runs, "pictures": [p for p in drawn if p.address],
            "undrawn": [p for p in drawn if p.why],
            "cautions": cautions.of_results(results), "facts": origin.facts(results),
            "repetition": origin.repetition(results),
            "configuration": origin.configuration(results),
            "provenance": origin.provenance(results)}


def _sentences(results):
    if results.settings is None:
        return [f"No row of {FILES[results.kind]} ended well."]
    found = sentences.of_runs if results.kind == "run" else findings.SENTENCES[results.kind]
    return [f"{found(results.settings)}."]


def _tables(results, said):
    if results.settings is None:
        return []
    if results.kind == "run":
        return [tables.of_runs(said)]
    return [tables.of_measurements(results.kind, results.settings)]


def _comparison(sides):
    try:
        found = json.loads(common.answer("compare", *(results.directory for results in sides),
                                         "--format", "json", codes=(0, 1)))
    except common.InputError as error:
        return {"sentences": [], "tables": [], "differences": [], "notes": [], "why": str(error)}
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
