# SPDX-License-Identifier: BSD-3-Clause
"""What the figures share: reading results, naming and colouring variants, and saving pictures."""

import argparse
import csv
import itertools
import json
import math
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas
from matplotlib.colors import LinearSegmentedColormap, hsv_to_rgb, to_hex
from matplotlib.textpath import TextPath

# What a comparison of variants holds fixed: all other columns, these first. All but ...
SETTINGS = ["engine", "group_size", "item_ms", "workload", "walker"]
# ... what came out of a run (and all columns in seconds: configured are milliseconds), ...
OUTCOMES = ["run", "invocation", "problem", "efficiency", "of_bound", "regroups_avg",
            "regroups_stdev", "regroups_min", "regroups_max", "regroups_rows", "events_rows",
            "chains_rows", "chains_hash", "hand_over_bytes", "resumed_items", "r_hat",
            "effective_samples", "observed_mean", "clock_error_us",
            "groups_across_nodes", "began", "job_id", "load_before",
            "communicators_alive_max", "communicators_left", "memory_mb", "status", "message",
            "formed_min", "formed_max", "batch", "messages", "bytes",
            "transport_messages", "transport_bytes", "alive_before", "alive_most", "alive_after",
            "limit_local", "limit_common", "storm_alive", "storm_local", "storm_common", "storm_lost",
            "storm_leaked", "constructors", "levels", "received_max", "moved_bytes", "imbalance"]
REPETITIONS = ["repetition", "seed"]
# ... and what may follow from the number of ranks.
CONDITIONS = ["clock", "oversubscribed", "waited", "cores", "nodes", "ranks_per_node_min",
              "ranks_per_node_max", "placement"]

INK, GREY, PALE = "#222222", "#767676", "#dddddd"

plt.rcParams.update({
    "font.family": "DejaVu Sans", "font.size": 9.5, "text.color": INK,
    "axes.edgecolor": GREY, "axes.labelcolor": INK, "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.titlesize": 9.5, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "grid.color": PALE, "grid.linewidth": 0.7,
    "xtick.color": GREY, "ytick.color": GREY, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "legend.frameon": False, "figure.dpi": 100, "savefig.dpi": 160,
    "hatch.linewidth": 0.5, "svg.hashsalt": "regroup", "svg.fonttype": "path",
})


class InputError(Exception):
    """What is wrong with the user's input, in one line."""


# ---- the command line ----------------------------------------------------------------------------

class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise InputError(f"{message} (see --help)")


def parser(doc):
    """The command line of the script that `doc`, its docstring, explains."""
    result = _Parser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("results", metavar="RESULTS_DIR", type=Path,
                        help="the folder of a sweep's results: runs.csv and its neighbours")
    result.add_argument("-o", "--output", metavar="FILE", type=Path,
                        help="write FILE's stem with .png and .svg "
                             f"(default: RESULTS_DIR/{script()}.png and .svg)")
    return result


def script():
    return Path(sys.argv[0]).stem


def run(main):
    """Runs `main`; where the input is at fault, one line on standard error and exit code 2."""
    try:
        main()
    except (InputError, OSError) as error:
        print(f"{script()}: {error}", file=sys.stderr)
        sys.exit(2)


# ---- reading -------------------------------------------------------------------------------------

def read(directory, name, texts, numbers):
    """The rows of `directory`/`name`: the columns `texts` as text, `numbers` as numbers.

    An empty cell is "" in a text and NaN in a number.
    """
    path = directory / name
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory")
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    frame = _table(path)
    if "invocation" in frame:
        names = _invocations(directory)
        frame["made with"] = [names.get(cell, f"unknown {cell}") for cell in frame.invocation]
    for column in [*texts, *numbers]:
        if column not in frame:
            raise InputError(f"{path}: column {column} is missing")
    for column in numbers:
        frame[column] = _as_numbers(frame[column], path)
    return frame


def _table(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = csv.reader(file, strict=True)
            columns, cells = next(rows, []), []
            for row in rows:
                if len(row) != len(columns):
                    raise InputError(f"{path}:{rows.line_num}: {len(row)} fields instead of "
                                     f"{len(columns)}")
                # Texts that a spreadsheet would take for formulas have an apostrophe in front.
                cells.append([re.sub(r"^'(?='*[=+@-])", "", cell) for cell in row])
    except (ValueError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV file: {' '.join(str(error).split())}") from None
    if not columns:
        raise InputError(f"{path}: not a CSV file: it has no header row")
    twice = [column for i, column in enumerate(columns) if column in columns[:i]]
    if twice:
        raise InputError(f"{path}: column {twice[0]} stands twice")
    with open(path, "rb") as file:
        file.seek(-1, 2)
        if file.read() != b"\n":
            raise InputError(f"{path}: the last row has no end of line: it may be cut off")
    return pandas.DataFrame(cells, columns=columns, dtype=str)


# What provenance.yaml tells of an invocation that figures depend on and no column of a row tells.
CIRCUMSTANCES = ["compiler", "launcher", "environment", "inherited", "processor"]


def _invocations(directory):
    """For each invocation in provenance.yaml what is not so in the others, in words."""
    path = directory / "provenance.yaml"
    known = {}
    if path.exists() and not path.is_file():  # which may have no end, or never begin
        raise InputError(f"{path}: not a file")
    try:
        # Each line of a document is `key: value`, the value as JSON.
        for document in re.split("^---\n", path.read_text("utf-8"), flags=re.M)[1:]:
            facts = {key: json.loads(value) for key, value in
                     (line.split(": ", 1) for line in document.splitlines())}
            known[str(facts["invocation"])] = _flat({key: facts[key] for key in CIRCUMSTANCES})
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path}: not what regroup writes") from None
    names = sorted({name for facts in known.values() for name in facts})
    differing = [n for n in names if len({facts.get(n, "unset") for facts in known.values()}) > 1]
    return {invocation: ", ".join(f"{name} {facts.get(name, 'unset')}" for name in differing)
            for invocation, facts in known.items()}


def _flat(facts):
    flat = {}
    for key, value in facts.items():
        if isinstance(value, dict):
            flat.update({f"{key} {name}": text for name, text in value.items()})
        else:
            flat[key] = value
    return flat


def _as_numbers(cells, path):
    values = pandas.to_numeric(cells, errors="coerce").replace([math.inf, -math.inf], math.nan)
    wrong = cells[values.isna() & (cells != "")]
    if len(wrong):
        raise InputError(f"{path}: column {cells.name}: \"{wrong.iloc[0]}\" is not a number")
    return values


def read_runs(directory, numbers, optional=()):
    """The finished runs of runs.csv, with names and colours of their variants, and a note on the
    others ("" where there are none)."""
    texts = ["balancer", "communicator", *SETTINGS, "clock", "oversubscribed", *REPETITIONS]
    finished, status = read_finished(directory, "runs.csv", texts, ["ideal_s", *numbers],
                                     optional)
    if finished.empty:
        raise InputError(f"{directory / 'runs.csv'}: no run with status ok "
                         f"(looked at {len(status)} rows)")
    return _with_names(_with_least(finished, directory / "runs.csv")), note(status)


def _with_least(runs, path):
    """`runs` with the least time that each could take, `least_s`, and what that is called, `least`:
    the ideal or, as that is none where the speed-up is not perfect, the bound."""
    if "bound_s" not in runs:  # an older version wrote them
        return runs.assign(least_s=runs.ideal_s, least="ideal")
    bounded, bounds = runs.speedup != "perfect", _as_numbers(runs.bound_s, path)
    if bounds[bounded].isna().any():
        raise InputError(f"{path}: column bound_s is empty in a finished run")
    return runs.assign(least_s=bounds.where(bounded, runs.ideal_s),
                       least=bounded.map({True: "bound", False: "ideal"}))


def read_finished(directory, name, texts, numbers, optional=()):
    """The finished runs of `directory`/`name`, and the status of all of them.

    The columns `numbers` and the ranks are numbers that every finished run has; those in `optional`
    may be empty. Where a run has several rows, as after a resumed sweep, the last one counts.
    """
    numbers = list(dict.fromkeys(["ranks", *numbers]))
    runs = read(directory, name, ["run", "status", *texts], ["cores", *numbers, *optional])
    runs = runs.drop_duplicates("run", keep="last")
    finished = runs[runs.status == "ok"]
    for column in numbers:
        if finished[column].isna().any():
            run_id = finished.run[finished[column].isna()].iloc[0]
            raise InputError(f"{directory / name}: column {column} is empty in the finished run "
                             f"{run_id}")
    return finished, runs.status


def note(status):
    """How many runs did not finish, and why; "" where all did."""
    lost = status[status != "ok"]
    if lost.empty:
        return ""
    causes = ", ".join(f"{count} {cause}" for cause, count in lost.value_counts().items())
    return f"{len(lost)} of {len(status)} runs did not finish ({causes}) and are left out."


def without_interval(rows, low):
    """A note on the rows that have no confidence interval, whose end is the column `low`."""
    few = rows[low].isna().sum()
    if not few:
        return ""
    return f"{few} of {len(rows)} medians have no interval: too few samples (fewer than 6)."


# ---- names ---------------------------------------------------------------------------------------

def _with_names(runs):
    """`runs` with what names their variants, in the order of these, with their labels, and with
    their colours, which are the same in every figure of these results."""
    told = runs["variant"] if "variant" in runs else [""] * len(runs)
    names = [name or made for name, made in zip(told, _made_names(runs))]
    strategies = set(runs.communicator) - {""}
    labels = [name.removesuffix(f", {strategy}") if len(strategies) == 1 else name
              for name, strategy in zip(names, runs.communicator)]
    runs = runs.assign(variant=names, label=labels)
    places = {name: i for i, name in enumerate(runs.balancer.unique())}
    order = sorted(runs.drop_duplicates("variant").itertuples(),
                   key=lambda run: (places[run.balancer], _natural(run.variant)))
    return runs.assign(variant=pandas.Categorical(names, [run.variant for run in order], True),
                       colour=runs.variant.map(_variant_colours(order)))


def _made_names(runs):
    """What names the variants of older results: the balancer, its options and the strategy, whose
    columns stand in this order. A first option needs no name, others show where they differ."""
    options = list(runs.loc[:, "balancer":"communicator"])[1:-1]
    several = [c for c in options if runs[c][runs[c] != ""].nunique() > 1]
    for run in runs[["balancer", *options, "communicator"]].to_dict("records"):
        given = [c for c in options if run[c]]
        shown = ", ".join(run[c] if c == given[0] else f"{c}={run[c]}"
                          for c in given if c in [given[0], *several])
        name = run["balancer"] + (f"({shown})" if shown else "")
        yield ", ".join(filter(None, [name, run["communicator"]]))


def variants(runs):
    """(label, colour, runs) of each variant, in their order."""
    for (_, label, colour), part in runs.groupby(["variant", "label", "colour"], observed=True):
        yield label, colour, part


def _natural(text):
    """A key that sorts the numbers in texts by their size."""
    parts = re.split(r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?)", text)
    return tuple(float(part) if i % 2 else part for i, part in enumerate(parts))


UNITS = {"group_size": "group size {}", "item_ms": "T = {} ms", "workload": "{} workload",
         "engine": "{} engine", "walker": "{} walker", "costs": "{} communication",
         "speedup": "{} speed-up", "ranks": "{} ranks", "waited": "{} waiting", "library": "{}",
         "cores": "{} cores", "nodes": "{} nodes", "ranks_per_node_min": "from {} ranks on a node",
         "ranks_per_node_max": "to {} ranks on a node", "made with": "{}"}


def setting(column, value):
    text = value if isinstance(value, str) else f"{value:g}"
    return UNITS.get(column, column + " {}").format(text)


def panels(runs):
    """(title, runs) for each combination of the settings that vary; "" where there is only one."""
    options = [c for c in runs.loc[:, "balancer":"communicator"]
               if (runs.groupby("variant", observed=True)[c].nunique() <= 1).all()]
    names = ["variant", "label", "colour", "balancer", "communicator"]
    return split(runs, "ranks", [*names, *options])


def split(runs, x, free=()):
    """(title, runs) for each combination of the settings that vary, which is each a panel over `x`:
    of all columns but `free`, outcomes, repetition and seed."""
    columns = separating(runs, x, free)
    if not columns:
        return [("", runs)]
    keys = runs[columns].drop_duplicates()
    keys = keys.sort_values(columns, key=lambda cells: cells.map(lambda v: _natural(str(v))))
    return [(", ".join(setting(c, key[c]) for c in columns if said(key[c])),
             runs[(runs[columns].astype(str) == key.astype(str)).all(axis=1)])
            for _, key in keys.iterrows()]


def separating(runs, x, free):
    """The settings that vary, but for those that others of them imply. A condition may follow from
    `x`. An empty cell is no value: the column does not apply there."""
    known = [x, *free, *OUTCOMES, *REPETITIONS]
    if "formed_min" in runs:  # of a measurement: how many it formed; of a run: those at its start
        known.append("groups")
    others = [c for c in runs if c not in [*SETTINGS, *known] and not c.endswith("_s")]
    chosen = []
    for column in [*(c for c in SETTINGS if c in runs and c not in known), *others]:
        fixed = [*chosen, x] if column in CONDITIONS else chosen
        cells = runs[column][runs[column].map(said)]
        parts = cells.groupby([runs[c].astype(str) for c in fixed]) if fixed else cells
        if (parts.nunique() > 1).any() if fixed else parts.nunique() > 1:
            chosen.append(column)
    return chosen


def said(cell):
    """Whether a cell, a text or a number, has a value."""
    return cell != "" and cell == cell


def problems(runs):
    """The problem of each run: the items that it had to do. Results without such a column are of
    different problems where their ideals differ."""
    return runs["problem"] if "problem" in runs else runs.ideal_s.astype(str)


def several_problems(runs):
    """Whether `runs` has, for some number of ranks, different problems: their times are no samples
    of one time, and only their ratios to the least time of each can be seen together."""
    return (problems(runs).groupby(runs.ranks).nunique() > 1).any()


def over_least(runs):
    """The makespan over the least time of each problem of each number of ranks: (ranks, value). A
    problem with no items has no such ratio."""
    parts = runs[runs.least_s > 0].assign(problem=problems(runs)).groupby(["ranks", "problem"])
    ratios = parts.makespan_s.median() / parts.least_s.first()
    return ratios.rename("value").reset_index()


def describe(runs):
    """The conditions that all of `runs` share, in one line: clock, T, G, ranks, cores."""
    parts = [" and ".join(sorted(runs.clock.unique())) + " clock"]
    fixed = {"item_ms": "T = {} ms", "group_size": "G = {}", "workload": "{} workload"}
    parts += [text.format(runs[c].iloc[0]) for c, text in fixed.items() if runs[c].nunique() == 1]
    parts += [ranks_on_cores(runs), *repeated(runs)]
    if several_problems(runs):
        numbers = problems(runs).groupby(runs.ranks).nunique()
        parts.append(f"{_span(numbers)} problems")
    return " · ".join(parts)


def repeated(runs):
    """["3 repetitions", "5 seeds"], as far as there are several."""
    numbers = {"repetitions": runs.repetition.nunique(), "seeds": runs.seed.nunique()}
    return [f"{number} {what}" for what, number in numbers.items() if number > 1]


def ranks_on_cores(runs):
    """On what `runs` ran: "16–32 ranks on 2 cores (oversubscribed)"."""
    text = f"{_span(runs.ranks)} ranks"
    cores = runs.cores[runs.cores > 0]
    if len(cores):
        text += f" on {_span(cores)} core{'s' if cores.max() > 1 else ''}{_of_nodes(runs)}"
    crowded = runs.oversubscribed == "yes"
    if crowded.any():
        text += " (oversubscribed)" if crowded.all() else " (partly oversubscribed)"
    return text


def _of_nodes(runs):
    """ " of 4 nodes (7–8 ranks on each)", where some are on several. Older results do not tell."""
    if "nodes" not in runs:
        return ""
    names = ["nodes", "ranks_per_node_min", "ranks_per_node_max"]
    nodes, least, most = (pandas.to_numeric(runs[c]).dropna() for c in names)
    if not len(nodes) or nodes.max() < 2:
        return ""
    each = _span(pandas.concat([least, most]))
    return f" of {_span(nodes)} nodes ({each} ranks on each)"


def _span(values):
    low, high = f"{values.min():,.0f}", f"{values.max():,.0f}"
    return low if low == high else f"{low}–{high}"


# ---- colours -------------------------------------------------------------------------------------

# Okabe and Ito's, which colour-blind readers can tell apart, and then some of Paul Tol's.
PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#332288", "#999933",
           "#882255", "#44AA99", "#661100", "#6699CC", "#117733", "#AA4499"]


def colours(names):
    """A colour for each of `names`, in the order in which they appear."""
    hues = (hsv_to_rgb((0.618 * i % 1, 0.7, 0.7)) for i in itertools.count())
    return dict(zip(dict.fromkeys(names), itertools.chain(PALETTE, map(to_hex, hues))))


def _variant_colours(runs):
    """Shades of each balancer's colour: of grey where it forms no communicator."""
    families = {}
    for run in runs:
        families.setdefault(run.balancer if run.communicator else "", []).append(run.variant)
    bases = {**colours(filter(None, families)), "": "#555555"}
    shades = {family: LinearSegmentedColormap.from_list(family, ["white", bases[family], "black"],
                                                        4097) for family in families}
    return {name: to_hex(shades[family](0.2 + 0.6 * (i + 0.5) / len(names)))
            for family, names in families.items() for i, name in enumerate(names)}


# ---- pictures ------------------------------------------------------------------------------------

def canvas(width, height, title, subtitle, note=""):
    """A figure of `height` and at least `width` inches, with texts at its top left and its foot."""
    texts = max(text_width(title, 13), text_width(subtitle, 9), text_width(note, 8.5))
    width = max(width, texts + 0.5)
    figure = plt.figure(figsize=(width, height))
    left = 0.2 / width
    figure.text(left, 1 - 0.18 / height, title, size=13, weight="bold", va="top")
    figure.text(left, 1 - 0.49 / height, subtitle, size=9, color=GREY, va="top")
    figure.text(left, 0.14 / height, note, size=8.5, color="#B03A00", va="bottom")
    return figure


def add_axes(figure, left, top, width, height):
    """Axes at a place in inches from the top left of `figure`."""
    w, h = figure.get_size_inches()
    return figure.add_axes([left / w, 1 - (top + height) / h, width / w, height / h])


def text_width(text, size):
    """In inches, with `size` in points."""
    return TextPath((0, 0), text, size=size).get_extents().width / 72 if text.strip() else 0


def save(figure, arguments):
    """Writes `figure` as PNG and SVG and prints the two paths."""
    target = arguments.output or arguments.results / script()
    if target.suffix in (".png", ".svg"):
        target = target.with_suffix("")
    for kind, metadata in {"png": {"Software": None}, "svg": {"Date": None}}.items():
        path = target.with_name(f"{target.name}.{kind}")
        if not arguments.output and path.is_symlink():  # links in results are not followed
            path.unlink()
        figure.savefig(path, metadata=metadata)
        print(path)
