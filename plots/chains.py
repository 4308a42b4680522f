#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the chains of one run observed, and whether they agree (key report_every).

A line for each chain, over the items that it has executed: the mean of each report, pale in its
first half, which does not count; the mean of all its samples so far, with a point at that of its
second half; and the share of its moves that were accepted. R-hat after so many items is that of all
reports up to there, without the first half of each chain's; shorter chains stay as they ended. It is
near 1 where the chains agree, 1.1 is a customary limit, and the last value is the column r_hat. The
autocorrelation is that of the reports' means in the second half: in grey that of each chain, to lags
of half of what it has there, and in black their mean, as far as half of them reach. More than 14
chains share one colour.

By default the last finished run that has reports is shown; --list names all that have. Runs of the
same chains (column chains_hash) that report alike give the same picture, whatever balanced their
load. Reads RESULTS_DIR/runs.csv and chains.csv.
"""

import itertools

import common
import convergence
import numpy
import one_run
from common import GREY, INK
from matplotlib.collections import LineCollection
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

FILE = "chains.csv"
NUMBERS = ["chain", "executed_items", "samples", "observed_mean", "observed_variance", "proposed_moves",
           "accepted_moves"]
FOUND = {"r_hat": ("R-hat {}", ".3f"), "effective_samples": ("{} effective samples", ",.0f")}
# Walkers that observe their energy; what others observe, only they know.
ATOMS = {"lennard_jones", "nucleation", "trajectory"}
SHARED = "#0072B2"  # by chains that are too many for colours


def main():
    arguments = one_run.parser(__doc__).parse_args()
    path = arguments.results / FILE
    reports = common.read(arguments.results, FILE, ["run"], NUMBERS)
    runs = common.read_runs(arguments.results, *FOUND)
    runs = runs.assign(report_every=runs.report_every.astype(int))
    reporting = runs[runs.run.isin(reports.run)]
    if reporting.empty:
        raise common.InputError(f"{path}: no reports of a finished run; runs report with the key "
                                "report_every")
    if arguments.list:
        one_run.print_all(reporting)
        return
    run = one_run.choose(runs, arguments.run, reporting)
    chains = chains_of(reports[reports.run == run.run], run, path)
    common.save(draw(run, same_chains(run, reporting), chains, arguments), arguments)


def chains_of(reports, run, path):
    """The chains of `run`, by their `reports`."""
    if reports.empty:
        raise common.InputError(f"{path}: run {run.run} has no reports (--list shows those that do)")
    whole = reports[["chain", "executed_items", "samples", "proposed_moves", "accepted_moves"]]
    behind = reports.groupby("chain")["executed_items"].diff() <= 0
    for said, wrong in {
            "a number is missing": reports[NUMBERS].isna().any(axis=1),
            "counts are whole numbers from 0": ((whole < 0) | (whole % 1 != 0)).any(axis=1),
            "a report has at least one item and one sample":
                (reports["executed_items"] < 1) | (reports.samples < 1),
            "the reports of a chain have more and more items": behind,
            "no variance is below 0": reports["observed_variance"] < 0,
            "more moves were accepted than proposed": reports.accepted_moves > reports.proposed_moves}.items():
        if wrong.any():
            raise common.InputError(f"{path}:{wrong.idxmax() + 2}: {said}")
    if not run.report_every >= 1:
        raise common.InputError(f"{path}: run {run.run} has reports, and its report_every in runs.csv "
                                f"is {run.report_every:g}; allowed: 1 or more")
    return [convergence.Chain(own) for _, own in reports.groupby("chain")]


def same_chains(run, reporting):
    """How many other runs came to the same chains."""
    if "chains_hash" not in reporting:
        return 0
    return int((reporting.chains_hash == run.chains_hash).sum()) - 1


# ---- picture -------------------------------------------------------------------------------------

def draw(run, others, chains, arguments):
    page = common.Page(arguments, title(run, len(chains)), subtitle(run, others), note(chains), 11)
    hues = colours(chains)
    value = "energy in ε" if is_atoms(run) else "observed value"
    end = max(chain.items[-1] for chain in chains)
    columns = 1 if page.width < 6 else 2
    # Beside or below each other: what goes over the items as it was, and what it comes to.
    over, found = page.stacks([(2.4, 1.9, 1.3), (2.75, 2.4)], columns)
    for plot, axis in zip((plot_traces, plot_running, plot_accepted), over):
        plot(axis, chains, hues, value)
        over_items(axis, end, named=plot == plot_accepted)
    plot_r_hat(found[0], chains, end)
    over_items(found[0], end, named=True)
    plot_autocorrelation(found[1], chains, run.report_every)
    for axis in [*over, *found]:
        page.title(axis, axis.get_title(loc="left"), columns)
    return page.finish([*name_chains(chains, hues), *common.keys_of(found)])


def title(run, number):
    return f"{number:,} chain{'s' if number > 1 else ''} of {run.walker}"


def is_atoms(run):
    return run.walker.split("(")[0] in ATOMS


def subtitle(run, others):
    parts = [f"a report every {run.report_every:,.0f} items"]
    for column, (text, digits) in FOUND.items():
        if run[column] == run[column]:
            parts.append(text.format(f"{run[column]:{digits}}"))
    parts += [f"seed {run.seed}", f"repetition {run.repetition}", f"run {run.run}"]
    if others:
        parts.append(f"the same chains in {others} other run{'s' if others > 1 else ''}")
    return " · ".join(parts)


def note(chains):
    short = sum(not chain.several[-1] for chain in chains)
    return (f"Chains with fewer than three reports have no part in R-hat: {short} of {len(chains)}."
            if short else "")


def colours(chains):
    if len(chains) > len(common.PALETTE):
        return [SHARED] * len(chains)
    return common.PALETTE[:len(chains)]


def name_chains(chains, hues):
    if len(set(hues)) < len(chains):
        return [common.key("a chain", hues[0], linewidth=0.9)]
    return [common.key(f"chain {chain.number}", hue, linewidth=1.8, linestyle=dash)
            for chain, hue, dash in zip(chains, hues, itertools.cycle(common.DASHES))]


def plot_lines(axis, curves, hues, alpha=1.0, plain=False):
    """Draws `curves`, of (x, y) each; those of one point as a point. Many of them are thin, and pixels
    in the SVG."""
    many = len(curves) > len(common.PALETTE)
    alpha *= max(0.05, min(1, 14 / len(curves)) ** 0.5)
    points = sum(len(x) for x, _ in curves)
    dashes = "-" if many or plain else [dash for _, dash in zip(curves, itertools.cycle(common.DASHES))]
    axis.add_collection(LineCollection([numpy.column_stack(line) for line in curves], colors=hues,
                                       linestyles=dashes,
                                       linewidths=0.7 if many else 1.1, alpha=alpha,
                                       rasterized=points > 20000))
    alone = [(x[0], y[0], hue) for (x, y), hue in zip(curves, hues) if len(x) == 1]
    if alone:
        x, y, hue = zip(*alone)
        axis.scatter(x, y, s=9, color=hue, alpha=alpha, linewidth=0, clip_on=False, zorder=3)
    axis.autoscale_view()


def plot_traces(axis, chains, hues, value):
    plot_lines(axis, [(chain.items[:chain.half + 1], chain.means[:chain.half + 1])
                      for chain in chains], hues, 0.4)
    plot_lines(axis, [(chain.items[chain.half:], chain.means[chain.half:]) for chain in chains], hues)
    axis.set_title("Mean of each report; pale: first half of the chain")
    axis.set_ylabel(value)


def plot_running(axis, chains, hues, value):
    plot_lines(axis, [(chain.items, chain.running) for chain in chains], hues)
    many = len(chains) > len(common.PALETTE)
    axis.scatter([chain.items[-1] for chain in chains], [chain.mean[-1] for chain in chains],
                 s=6 if many else 22, color=hues, edgecolor="white", linewidth=0 if many else 0.6,
                 clip_on=False, zorder=4)
    axis.set_title("Mean of all samples so far; points: of the second half alone")
    axis.set_ylabel(f"mean {value}")


def plot_accepted(axis, chains, hues, _):
    axis.set_title("Accepted moves in each report")
    axis.set_ylabel("accepted in %")
    kept = [(chain, hue) for chain, hue in zip(chains, hues) if chain.proposed.any()]
    if not kept:
        say(axis, "this walker proposes no moves")
        return
    curves = [(chain.items[chain.proposed > 0],
               (chain.accepted / numpy.maximum(chain.proposed, 1))[chain.proposed > 0])
              for chain, _ in kept]
    plot_lines(axis, curves, [hue for _, hue in kept])
    axis.yaxis.set_major_locator(MaxNLocator(4))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:.4g}"))


def plot_r_hat(axis, chains, end):
    axis.set_title("R-hat of what was reported so far, without first halves")
    axis.set_ylabel("R-hat")
    items, values = convergence.r_hat(chains)
    known = numpy.isfinite(values)
    if not known.any():
        say(axis, "it takes two chains with three reports each,\nand something that varies")
        return
    axis.plot(items, values, color=INK, linewidth=1.5, zorder=3, label=f"R-hat, {values[known][-1]:.3f} at the end",
              marker="o" if known.sum() == 1 else None, markersize=4)
    axis.plot([0, end], [1, 1], color=GREY, linewidth=1, label="1, where all agree")
    axis.plot([0, end], [1.1, 1.1], color="#B03A00", linewidth=1, linestyle=(0, (4, 2)),
              label="1.1, a customary limit")
    if values[known].max() > 2:
        axis.set_yscale("log")
        decades = values[known].max() > 20
        axis.yaxis.set_major_locator(LogLocator(10, (1, 2, 5) if decades else (1, 1.5, 2, 3, 5)))
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
        axis.yaxis.set_minor_formatter(common.plt.NullFormatter())
    axis.set_xlim(0, 1.01 * end)


def plot_autocorrelation(axis, chains, every):
    axis.set_title("Autocorrelation of the reports' means, second halves")
    axis.set_ylabel("autocorrelation")
    axis.set_xlabel("lag in items")
    finish(axis)
    curves = list(convergence.autocorrelations(chains, every))
    if not curves:
        axis.set_xticks([])
        say(axis, "it takes two reports in a second half,\nand something that varies")
        return
    plot_lines(axis, [(every * numpy.arange(len(curve)), curve) for curve in curves],
               [GREY] * len(curves), 0.5, plain=True)
    axis.plot([], [], color=GREY, linewidth=1, alpha=0.6, label="autocorrelation of a chain")
    mean = convergence.mean_by_lag(curves)
    axis.plot(every * numpy.arange(len(mean)), mean, color=INK, linewidth=1.6, marker=".", label="mean of these",
              markersize=6 if len(mean) <= 50 else 0)
    axis.axhline(0, color=GREY, linewidth=0.8)
    axis.set_xlim(0)


def over_items(axis, end, named):
    axis.set_xlim(0, 1.01 * end)
    if named:
        axis.set_xlabel("items executed")
    else:
        axis.tick_params(labelbottom=False)
    finish(axis)


def finish(axis):
    axis.xaxis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axis.grid(True)
    axis.tick_params(length=0, which="both")


def say(axis, text):
    axis.text(0.5, 0.5, text, transform=axis.transAxes, ha="center", va="center", color=GREY)
    axis.set_yticks([])


if __name__ == "__main__":
    common.run(main)
