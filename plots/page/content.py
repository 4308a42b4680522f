# SPDX-License-Identifier: BSD-3-Clause
"""The content of the page, as variables of page.html, and the page as one self-contained file."""

import base64
import gzip
import json
import re
import statistics
from pathlib import Path

import common
import jinja2
from markupsafe import Markup
from page import bars, cautions, findings, pictures, tables, units
from plotly.offline import get_plotlyjs

HERE = Path(__file__).parent
SCRIPTS = ["draw.js", "timeline.js", "start.js", "tables.js"]
# Keys of provenance.yaml and their names on the page.
FACTS = {"version": "Regroup", "tree": "source tree", "mpi": "MPI library", "compiler": "compiler",
         "host": "host", "system": "system", "processor": "processor", "cores": "cores",
         "launcher": "launcher", "date": "date"}


class Results:
    """A directory of results: `rows`, one for each task; `settings`, a row for each setting with
    finished tasks, or None; `finished` runs, or None; and `invocations` from provenance.yaml."""

    def __init__(self, directory, side, where):
        if not directory.is_dir():
            raise common.InputError(f"{directory}: no such directory")
        self.directory, self.side, self.where, self.name = directory, side, where, directory.resolve().name
        present = {kind: file for kind, file in common.FILES.items() if (directory / file).is_file()}
        if not present:
            raise common.InputError(f"{directory}: no results: there is none of {', '.join(common.FILES.values())}")
        self.kind, self.file = next(iter(present.items()))
        # `regroup table` validates the file before it is read here.
        self.said = common.answer("table", directory, "--format", "markdown" if self.kind == "run" else "text",
                                  *common.conditions(where))
        self.rows = common.read_rows(directory / self.file, where)
        self.invocations = _documents(directory / "provenance.yaml")
        well = (self.rows.status == "ok").any()
        self.settings = common.read_table(directory, where=where)[0] if well else None
        self.finished = common.read_runs(directory, where=where, settings=self.settings) \
            if well and self.kind == "run" else None


def _documents(path):
    """Returns the documents of provenance.yaml; each line is `key: value`, with a JSON value."""
    return [{key: json.loads(value) for key, value in
             (line.split(": ", 1) for line in document.splitlines())}
            for document in re.split("^---\n", path.read_text("utf-8"), flags=re.M)[1:]]


def page(directories, asked_runs, where, scratch):
    """Returns the HTML."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True,
                                     undefined=jinja2.StrictUndefined, trim_blocks=True,
                                     lstrip_blocks=True)
    return environment.get_template("page.html").render(
        **content(directories, asked_runs, where, scratch), style=_source("page.css"),
        scripts=[_source(name) for name in SCRIPTS], packed=packed, plotly=get_plotlyjs)


def _source(name):
    return Markup((HERE / name).read_text("utf-8"))


def packed(text):
    """Packs `text` for start.js as base64, which cannot end a script element."""
    if not isinstance(text, str):
        text = json.dumps(text, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def content(directories, asked_runs, where, scratch):
    sides = [Results(directory, side, where) for directory, side in zip(directories, "AB")]
    shown = [_side(results, asked_runs, scratch, len(sides) > 1) for results in sides]
    return {"title": " and ".join(results.name for results in sides), "sides": shown,
            "comparison": _comparison(sides) if len(sides) > 1 else None,
            "timelines": [{"side": side["letter"], "runs": side["runs"]} for side in shown if side["runs"]]}


def _side(results, asked_runs, scratch, several):
    is_run, well = results.kind == "run", results.settings is not None
    runs, without_runs = [], ""
    if is_run:
        mine = [name for name in asked_runs if name in set(results.rows.run)]
        unknown = asked_runs if not mine and not several else []
        runs, without_runs = bars.of_results(results, mine or unknown)
    drawn = pictures.of_results(results, scratch, runs[0] if runs else None) if well else []
    sentence = f"{findings.SENTENCES[results.kind](results.settings)}." if well else \
        f"No row of {results.file} ended well."
    table = [] if not well else [tables.of_runs(results.said) if is_run else
                                 tables.of_measurements(results.kind, results.settings)]
    # The command to repeat each invocation, and the newest stored configuration.
    newest = list(reversed(results.invocations))
    commands = [(one.get("date", ""), one.get("directory", ""), one["command"]) for one in newest if one.get("command")]
    kept = [(one.get("configuration_file", ""), one["configuration"]) for one in newest if one.get("configuration")]
    return {"letter": results.side, "name": results.name, "directory": str(results.directory),
            "sentences": [sentence], "tables": table, "summary": "" if is_run else results.said, "runs": runs,
            "without_runs": without_runs, "pictures": [p for p in drawn if p.address],
            "undrawn": [p for p in drawn if p.why], "cautions": cautions.of_results(results),
            "facts": _facts(results), "repetition": commands, "configuration": kept[0] if kept else None,
            "provenance": [[(key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
                            for key, value in one.items() if key != "configuration"] for one in results.invocations]}


def _facts(results):
    """Returns (name, value) pairs that describe the experiment and its environment."""
    rows = results.rows
    names = dict.fromkeys(str(one.get("experiment", "")) for one in results.invocations)
    told = [("experiment", ", ".join(filter(None, names)) or "without a name"),
            *([("only results with", " and ".join(results.where))] if results.where else []),
            ("runs" if results.kind == "run" else f"measurements of {results.kind}",
             f"{len(rows):,}, of which {(rows.status == 'ok').sum():,} ended well")]
    for column in ("engine", "clock", "ranks", "cores", "waited"):
        if column in rows and (text := _values(rows[column])):
            told.append((column, text))
    for key, name in FACTS.items():
        values = dict.fromkeys(str(one[key]) for one in results.invocations if key in one)
        if values and name not in dict(told):
            dates = key == "date" and len(values) > 2
            told.append((name, f"{min(values)} to {max(values)}" if dates else ", ".join(values)))
    return told


def _values(cells):
    """Joins the sorted values; of more than eight, only the first three and the last two."""
    known = sorted(cell for cell in cells.dropna().unique() if cell != "")
    texts = [cell if isinstance(cell, str) else f"{cell:,.10g}" for cell in known]
    return ", ".join(texts if len(texts) <= 8 else [*texts[:3], "…", *texts[-2:]])


def _comparison(sides):
    shown = {"sentences": [], "tables": [], "differences": [], "notes": [], "why": ""}
    try:
        found = json.loads(common.answer("compare", *(results.directory for results in sides),
                                         "--format", "json", *common.conditions(sides[0].where), codes=(0, 1)))
    except common.InputError as error:
        return shown | {"why": str(error)}
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
        return f"No rows of {file['file']} in A and B can be compared."
    verdicts = {}
    for one in compared:
        verdict = one["verdict"].lower().replace("no difference", "without difference")
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
    ratios = [one["ratio"] for one in compared if one.get("ratio")]
    words = ", ".join(f"{verdict} in {count}" for verdict, count in verdicts.items())
    median = f"; the median of B / A is {units.rounded(statistics.median(ratios), 3)}" if ratios else ""
    return f"Of {units.counted(len(compared), 'time')} compared, B is {words}{median}."
