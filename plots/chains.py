#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Observations of the chains of one run, and their convergence (key report_every).

    plots/chains.py results/chains

Each line is a chain, as a function of the items that it has executed: the mean of each report, the mean
of all draws so far, and the fraction of accepted moves. Reports of a warm-up are omitted. Batch R-hat
is computed from all reports up to a number of items, and chains are cut to the length of the shortest.
It is near 1 if the chains agree; a customary limit is 1.01. R-hat in the subtitle is computed from the
draws of the worst quantity, if draws were stored. The autocorrelation is that of the means of reports:
grey for each chain, up to lags of half of its reports, and black for their mean, up to lags that half
of the chains reach. If there are more than 14 chains, all have the same colour.

The default is the longest finished run with reports, and the first quantity of its walker; --list
prints all runs with reports, --quantity selects another quantity. Runs of the same chains (column
chains_hash) with the same report_every give the same picture with every balancer. RESULTS are read by
`regroup table` and from RESULTS/chains.csv.
"""

import itertools

import common
import convergence
import numpy
from common import GREY, INK
from matplotlib.collections import LineCollection
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

FOUND = {"r_hat": ("R-hat {}", ".3f"), "effective_samples": ("{} effective samples", ",.0f"),
         "batch_r_hat": ("batch R-hat {}", ".3f"),
         "batch_effective_samples": ("{} batch effective samples", ",.0f")}
ATOMS = {"lennard_jones", "nucleation", "trajectory"}  # walkers that report energies in ε
ACCEPTANCE = "accept_stat__"
SHARED = "#0072B2"  # colour of all chains if the palette has too few


def main():
    parser = common.parser_of_runs(__doc__)
    parser.add_argument("--quantity", help="quantity to show, see `regroup list walkers`")
    arguments = parser.parse_args()
    path = arguments.results / "chains.csv"
    reports = convergence.without_failed(common.parse(path, path))
    runs = common.read_runs(arguments.results, *FOUND, where=arguments.where)
    reporting = runs[runs.run.isin(reports.run)]
    if reporting.empty:
        raise common.InputError(f"{path}: no reports of a finished run; runs report with the key report_every")
    if arguments.list:
        common.list_runs(reporting)
        return
    run = common.choose_run(runs, arguments.run, reporting)
    own = reports[reports.run == run.run]
    if own.empty:
        raise common.InputError(f"{path}: run {run.run} has no reports (--list shows those that do)")
    quantity = arguments.quantity or own.quantity.iloc[0]
    if quantity not in set(own.quantity):
        raise common.InputError(f"run {run.run} has no quantity '{quantity}'; "
                                f"allowed: {' | '.join(own.quantity.unique())}")
    own = own[own.samples > 0]
    chains = chains_of(own, quantity)
    if not chains:
        raise common.InputError(f"{path}: no chain of run {run.run} has come to the end of its warm-up")
    accepted = chains_of(own, ACCEPTANCE)
    same = (reporting.chains_hash == run.chains_hash) & (reporting.run != run.run)
    others = int(same.sum()) if run.chains_hash else 0  # an empty hash: not reproducible
    common.save(draw(run, others, quantity, chains, accepted, arguments), arguments)


def chains_of(reports, quantity):
    return [convergence.Chain(own) for _, own in reports[reports.quantity == quantity].groupby("chain")]


# ---- picture -------------------------------------------------------------------------------------

def draw(run, others, quantity, chains, accepted, arguments):
    page = common.Page(arguments, title(run, len(chains)), subtitle(run, others), "", 11)
    hues = colours(chains)
    value = "energy in ε" if quantity == "energy" and is_atoms(run) else quantity
    end = max(chain.items[-1] for chain in chains)
    # Two stacks: curves as functions of items; R-hat and autocorrelation.
    over, found = page.stacks([(2.4, 1.9, 1.3), (2.75, 2.4)])
    for plot, axis in zip((plot_traces, plot_running, plot_accepted), over):
        plot(axis, accepted if plot == plot_accepted else chains, hues, value)
        over_items(axis, end, named=plot == plot_accepted)
    plot_r_hat(found[0], chains, quantity, end)
    over_items(found[0], end, named=True)
    plot_autocorrelation(found[1], chains, run.report_every)
    for axis in [*over, *found]:
        page.title(axis, axis.get_title(loc="left"))
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
    parts += [f"seed {run.seed}", f"repetition {run.repetition}", run.named]
    if others:
        parts.append(f"the same chains in {others} other run{'s' if others > 1 else ''}")
    return " · ".join(parts)


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
    """Draws `curves`, pairs (x, y); a curve of one point is drawn as a point. Many curves are thin,
    and many points are rasterized in the SVG."""
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
    plot_lines(axis, [(chain.items, chain.means) for chain in chains], hues)
    axis.set_title("Mean of each report")
    axis.set_ylabel(value)


def plot_running(axis, chains, hues, value):
    plot_lines(axis, [(chain.items, chain.running) for chain in chains], hues)
    many = len(chains) > len(common.PALETTE)
    axis.scatter([chain.items[-1] for chain in chains], [chain.running[-1] for chain in chains],
                 s=6 if many else 22, color=hues, edgecolor="white", linewidth=0 if many else 0.6,
                 clip_on=False, zorder=4)
    axis.set_title("Mean of all draws so far")
    axis.set_ylabel(f"mean {value}")


def plot_accepted(axis, chains, hues, _):
    axis.set_title("Accepted moves in each report")
    axis.set_ylabel("accepted in %")
    if not chains:
        say(axis, f"this walker does not observe {ACCEPTANCE}")
        return
    plot_lines(axis, [(chain.items, chain.means) for chain in chains], hues)
    axis.yaxis.set_major_locator(MaxNLocator(4))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:.4g}"))


def plot_r_hat(axis, chains, quantity, end):
    axis.set_title(f"Batch R-hat of {quantity} so far")
    axis.set_ylabel("batch R-hat")
    items, values = convergence.r_hat(chains)
    known = numpy.isfinite(values)
    if not known.any():
        say(axis, "it takes two reports of each chain,\nand something that varies")
        return
    axis.plot(items, values, color=INK, linewidth=1.5, zorder=3, label=f"batch R-hat, {values[known][-1]:.3f} at the end",
              marker="o" if known.sum() == 1 else None, markersize=4)
    axis.plot([0, end], [1, 1], color=GREY, linewidth=1, label="1, where all agree")
    axis.plot([0, end], [1.01, 1.01], color="#B03A00", linewidth=1, linestyle=(0, (4, 2)),
              label="1.01, a customary limit")
    if values[known].max() > 2:
        axis.set_yscale("log")
        decades = values[known].max() > 20
        axis.yaxis.set_major_locator(LogLocator(10, (1, 2, 5) if decades else (1, 1.5, 2, 3, 5)))
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
        axis.yaxis.set_minor_formatter(common.plt.NullFormatter())
    axis.set_xlim(0, 1.01 * end)


def plot_autocorrelation(axis, chains, every):
    axis.set_title("Autocorrelation of the reports' means")
    axis.set_ylabel("autocorrelation")
    axis.set_xlabel("lag in items")
    finish(axis)
    curves = list(convergence.autocorrelations(chains, every))
    if not curves:
        axis.set_xticks([])
        say(axis, "it takes two reports of a chain,\nand something that varies")
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
