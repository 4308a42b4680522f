# SPDX-License-Identifier: BSD-3-Clause
"""Reads results. Medians, intervals, labels and panels come from `regroup table --format csv`."""

import io
import os
import shutil
import subprocess
from pathlib import Path

import pandas

from figures.colours import natural, variant_colours
from figures.command import InputError

FILES = {"run": "runs.csv", "creation": "creation.csv", "collectives": "collectives.csv",
         "steps": "steps.csv", "items": "items.csv", "sort": "sort.csv"}
# Text columns; their cells may be empty or look like numbers.
TEXTS = ["run", "status", "message", "placement", "chains_hash", "events", "panel", "title", "names",
         "label", "variant", "balancer", "communicator", "caller", "pattern", "operation", "creation",
         "assignment", "input", "element_type", "walker", "workload", "item_ms", "clock", "least", "waited",
         "oversubscribed", "makespans_s", "of_least", "begin_event", "end_event", "group_ranks", "problem",
         "quantity", "worst_quantity", "reason"]


def program():
    """Returns the command `regroup`: $REGROUP, or that of this tree or installation, or in PATH."""
    if given := os.environ.get("REGROUP"):
        return given
    plots = Path(__file__).resolve().parents[1]
    for path in (plots.parent / "build/regroup", plots.parents[2] / "bin/regroup"):
        if path.is_file():
            return str(path)
    return shutil.which("regroup") or "regroup"


def answer(*words, codes=(0,)):
    """Returns the output of `regroup` with these arguments."""
    try:
        done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)
    except OSError as error:
        raise InputError(f"{program()}: {error.strerror}") from None
    if done.returncode not in codes:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise InputError(lines[-1].removeprefix("regroup: "))
    return done.stdout


def parse(source, path, **options):
    """Parses the CSV text of `source`. An empty cell is "" in a text column, otherwise NaN."""
    try:
        frame = pandas.read_csv(source, dtype=dict.fromkeys(TEXTS, str), na_values=[""],
                                keep_default_na=False, **options)
    except ValueError as error:  # the base class of parser errors of pandas
        raise InputError(f"{path}: not a CSV file of Regroup: {' '.join(str(error).split())}") from None
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    texts = frame.columns[[kind == object for kind in frame.dtypes]]
    return frame.assign(**{column: frame[column].fillna("") for column in texts})


def need(frame, path, *columns):
    for column in columns:
        if column not in frame:
            raise InputError(f"{path}: column {column} is missing")
        if column not in TEXTS and frame[column].dtype == object:
            raise InputError(f"{path}: column {column} has words instead of numbers")


# ---- settings ------------------------------------------------------------------------------------

def read_table(results, *columns, where=()):
    """Returns (rows, note): a row for each setting of `results`, and a note on failed tasks.
    `results`: a directory, or a file with the output of `regroup table --format csv`; `columns`:
    must be present; `where`: conditions of --where."""
    if results.is_file():
        if where:
            raise InputError(f"{results}: --where chooses from a directory of results, and this is a file")
        frame = parse(results, results)
    elif results.is_dir():
        frame = _answered(results, where, "--format", "csv")
    else:
        raise InputError(f"{results}: no such file or directory")
    need(frame, results, "panel", "ranks", "cores", "oversubscribed", *columns)
    if "makespans_s" in frame:
        frame = _with_times(frame[frame.runs_ok > 0])
    if frame.empty:
        raise InputError(f"{results}: no task ended well")
    return frame.reset_index(drop=True), _note(results, where)


def _answered(results, where, *words):
    return parse(io.StringIO(answer("table", results, *words, *conditions(where))), results)


def conditions(where):
    """Returns the conditions `where` as options of the command."""
    return [f"--where={condition}" for condition in where]


def read_rows(path, where=(), **options):
    """Returns the rows of the results file `path` that meet `where`."""
    if not where:
        return parse(path, path, **options)
    text = answer("table", path.parent, "--format", "rows", *conditions(where))
    return parse(io.StringIO(text), path, **options)


def read_overview(results, where):
    """Returns medians and worst values by workload and balancer, best balancers first."""
    return _answered(results, where, "--by=workload,balancer", "--format=csv")


def _with_times(frame):
    """Adds least times and the colours of variants to the settings of runs. Variants are ordered by
    balancer, then by name."""
    ideal = frame.least == "ideal"
    places = {name: i for i, name in enumerate(frame.balancer.unique())}
    order = sorted(frame.drop_duplicates("variant").itertuples(),
                   key=lambda row: (places[row.balancer], natural(row.variant)))
    return frame.assign(
        **{column: [[float(v) for v in cell.split()] for cell in frame[column]]
           for column in ("makespans_s", "of_least")},
        least_s=frame.ideal_s.where(ideal, frame.bound_s),
        over_least=frame.of_ideal.where(ideal, frame.of_bound),
        colour=frame.variant.map(variant_colours(order)),
        variant=pandas.Categorical(frame.variant, [row.variant for row in order], True))


def _note(results, where):
    """Returns a note with the number of failed tasks and the reasons; "" if there are none."""
    path = next((results / file for file in FILES.values() if (results / file).is_file()), None)
    if path is None:
        return ""
    status = read_rows(path, where, usecols=["status"]).status
    lost = status[~status.isin(["ok", "unsupported"])]
    causes = ", ".join(f"{count} {cause}" for cause, count in lost.value_counts().items())
    return f"{len(lost)} of {len(status)} runs did not finish ({causes}) and are left out." if causes else ""


def without_interval(rows, low):
    """Returns a note on rows without a confidence interval; `low`: column of its lower end."""
    few = rows[low].isna().sum()
    return f"{few} of {len(rows)} medians have no interval: fewer than 6 samples." if few else ""


def panels(rows, *columns):
    """Yields (title, rows) for each panel and each value of `columns` in it, in table order."""
    several = [c for c in columns if rows[c].nunique() > 1]
    for _, part in rows.groupby(["panel", *columns] if columns else "panel", sort=False):
        words = [f"{part[c].iloc[0]:,.10g} {c}" for c in several]
        yield ", ".join(filter(None, [part.panel.iloc[0], *words])), part


def variants(rows):
    """Yields (label, colour, rows) of each variant, in order."""
    for (_, label, colour), part in rows.groupby(["variant", "label", "colour"], observed=True):
        yield label, colour, part


# ---- texts ---------------------------------------------------------------------------------------

def describe(rows):
    """Describes what all `rows` (settings of runs) share: clock, T, G, workload, ranks, cores."""
    parts = [" and ".join(sorted(rows.clock.unique())) + " clock"]
    in_words = {"item_ms": _item_time, "group_size": "G = {}".format}
    parts += [text(rows[c].iloc[0]) for c, text in in_words.items()
              if rows[c].nunique() == 1 and rows[c].iloc[0] != ""]
    if rows.workload.nunique() == 1:
        parts.append(f"{rows.workload.iloc[0].split('(')[0]} workload")
    return " · ".join([*parts, ranks_on_cores(rows)])


def _item_time(ms):
    """Formats an item time: "T = 100 ms", "T = 4,000 s"."""
    return f"T = {float(ms) / 1000:,.10g} s" if float(ms) >= 10_000 else f"T = {ms} ms"


def repeated(rows):
    """Returns those of "3 repetitions", "5 seeds", "2 problems" whose number is above 1."""
    return [f"{rows[what].max():.0f} {what}" for what in ("repetitions", "seeds", "problems")
            if rows[what].max() > 1]


def several_problems(rows):
    """Returns whether a setting has several problems. Their times are then not samples of one time,
    and only ratios to the least time of each problem can be combined."""
    return (rows.problems > 1).any()


def ranks_on_cores(rows):
    """Describes ranks and cores: "16–32 ranks on 2 cores (oversubscribed)"."""
    text = f"{_range(rows.ranks)} ranks"
    cores = rows.cores[rows.cores > 0]
    if len(cores):
        text += f" on {_range(cores)} core{'s' if cores.max() > 1 else ''}"
    crowded = rows.oversubscribed == "yes"
    if crowded.any():
        text += " (oversubscribed)" if crowded.all() else " (partly oversubscribed)"
    return text


def _range(values):
    low, high = f"{values.min():,.0f}", f"{values.max():,.0f}"
    return low if low == high else f"{low}–{high}"


# ---- single runs ---------------------------------------------------------------------------------

def read_runs(directory, *columns, where=(), settings=None):
    """Returns the runs that ended well, in the order of runs.csv, with columns of their settings:
    panel, label, colour, … `settings`: the rows of read_table(), if known."""
    if settings is None:
        settings, _ = read_table(directory, where=where)
    path = directory / "runs.csv"
    runs = parse(path, path)
    need(runs, path, "makespan_s", *columns)
    of_run = settings.assign(run=settings.names.str.split(" ")).explode("run").drop(columns="least_s")
    of_run = of_run[["run", *(c for c in of_run if c not in runs)]]
    runs = runs[runs.status == "ok"].merge(of_run, on="run")
    return runs.assign(least_s=runs.ideal_s.where(runs.least == "ideal", runs.bound_s))


def list_runs(runs):
    columns = ["run", "ranks", "group_size", "item_ms", "workload", "seed", "repetition", "makespan_s", "label"]
    aligned = runs.assign(label=runs.label.str.ljust(runs.label.str.len().max()))
    print(aligned[columns].to_string(index=False, justify="left"))


def choose_run(runs, name, preferred):
    """Returns the run `name`, or if None the longest of `preferred`; adds its title as `named`."""
    if name is None:
        run = preferred.loc[preferred.makespan_s.idxmax()]
        which = f", the longest of {len(preferred):,}" if len(preferred) > 1 else ""
        return pandas.concat([run, pandas.Series({"named": f"run {run.run}{which}"})])
    chosen = runs[runs.run == name]
    if chosen.empty:
        raise InputError(f"no finished run is called {name} (--list shows them all)")
    return chosen.assign(named=f"run {name}").iloc[0]
