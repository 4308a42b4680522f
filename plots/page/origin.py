# SPDX-License-Identifier: BSD-3-Clause
"""Where results come from: what provenance.yaml tells of each invocation."""

import json
import re

import common

FACTS = {"version": "Regroup", "tree": "source tree", "mpi": "MPI library", "compiler": "compiler",
         "host": "host", "system": "system", "processor": "processor", "cores": "cores",
         "launcher": "launcher", "date": "date"}


def invocations(directory):
    """The documents of `directory`/provenance.yaml; none where older results have no such file."""
    path = directory / "provenance.yaml"
    if not path.is_file():
        return []
    try:
        # Each line of a document is `key: value`, the value as JSON.
        return [{key: json.loads(value) for key, value in
                 (line.split(": ", 1) for line in document.splitlines())}
                for document in re.split("^---\n", path.read_text("utf-8"), flags=re.M)[1:]]
    except ValueError:
        raise common.InputError(f"{path}: not what regroup writes") from None


def facts(results):
    """(what, value) of what was run and where."""
    told = [("experiment", _values(rows, "experiment") or "without a name")
            for rows in [results.first()]]
    for kind, rows in results.rows.items():
        what = "runs" if kind == "run" else f"measurements of {kind}"
        told.append((what, f"{len(rows):,}, of which {(rows.status == 'ok').sum():,} ended well"))
        for column in ("engine", "clock", "ranks", "cores", "waited", "mpi_library"):
            if column in rows and (text := _values(rows, column)):
                told.append((column if len(results.rows) == 1 else f"{column} ({kind})", text))
    for key, name in FACTS.items():
        values = dict.fromkeys(str(one[key]) for one in results.invocations if key in one)
        if values and not (key == "cores" and any(what == "cores" for what, _ in told)):
            dates = key == "date" and len(values) > 2
            told.append((name, f"{min(values)} to {max(values)}" if dates else ", ".join(values)))
    return told


def _values(rows, column):
    """The values of `column`, at most eight, numbers by their size."""
    cells = [cell for cell in rows[column].unique() if common.said(cell)]
    texts = [cell if isinstance(cell, str) else f"{cell:,.10g}" for cell in sorted(cells)]
    return ", ".join(texts if len(texts) <= 8 else [*texts[:3], "…", *texts[-2:]])


def repetition(results):
    """How to repeat: for each invocation (date, directory, command), the last one first."""
    return [(one.get("date", ""), one.get("directory", ""), one.get("command", ""))
            for one in reversed(results.invocations) if one.get("command")]


def configuration(results):
    """(file, text) of the newest configuration; None where it was not kept."""
    for one in reversed(results.invocations):
        if one.get("configuration"):
            return one.get("configuration_file", ""), one["configuration"]
    return None


def provenance(results):
    """For each invocation its (key, value), but for the configuration, which stands elsewhere."""
    return [[(key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
             for key, value in one.items() if key != "configuration"]
            for one in results.invocations]
