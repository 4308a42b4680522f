#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Replica exchange in one run: results for each temperature (walker replica_exchange, key report_every).

    plots/temperatures.py results/replicas

Shows the heat capacity of the whole cluster, including the kinetic part of 3 k/2 per atom; the mean
energy; and the fraction of accepted swaps with a neighbour. Bars are standard errors, computed from
blocks of reports. The title contains the number of round trips: how often a replica returned from the
highest to the lowest temperature.

The default is the longest finished run of this walker; --list prints all runs. RESULTS are read by
`regroup table` and from RESULTS/chains.csv.
"""

import re

import common
import numpy
from common import INK

BLOCKS = 10
ENERGY, TEMPERATURE, SWAPS, TRIPS = "energy", "temperature__", "swap_stat__", "round_trip__"


def main():
    parser = common.parser_of_runs(__doc__)
    arguments = parser.parse_args()
    path = arguments.results / "chains.csv"
    reports = common.parse(path, path)
    runs = common.read_runs(arguments.results)
    tempered = runs[runs.run.isin(reports[reports["quantity"] == TEMPERATURE].run)]
    if tempered.empty:
        raise common.InputError(f"{path}: no reports of replica_exchange; runs report with the key report_every")
    if arguments.list:
        common.list_runs(tempered)
        return
    run = common.choose_run(runs, arguments.run, tempered)
    own = reports[(reports.run == run.run) & (reports.samples > 0)]
    if TEMPERATURE not in set(own["quantity"]):
        raise common.InputError(f"run {run.run} has no draws of replica_exchange (--list shows those that do)")
    common.save(draw(run, own, arguments), arguments)


def moments(rows):
    """Returns the mean and the variance of all draws in the reports `rows`."""
    samples, means = rows.samples.to_numpy(), rows["observed_mean"].to_numpy()
    mean = numpy.average(means, weights=samples)
    deviations = rows["squared_deviations"].to_numpy() + samples * (means - mean) ** 2
    return mean, deviations.sum() / samples.sum()


def with_error(rows, value):
    """Returns `value` of all reports and its standard error, by the jackknife over blocks."""
    blocks = [block for block in numpy.array_split(numpy.arange(len(rows)), BLOCKS) if len(block)]
    whole = value(rows)
    if len(blocks) < 2:
        return whole, numpy.nan
    without = numpy.array([value(rows.drop(rows.index[block])) for block in blocks])
    return whole, numpy.sqrt((len(blocks) - 1) * without.var())


def temperatures(own, atoms):
    """Yields for each chain temperature, and heat capacity, energy and swap rate with errors."""
    for _, chain in own.groupby("chain"):
        of = {name: rows for name, rows in chain.groupby("quantity")}
        temperature = moments(of[TEMPERATURE])[0]
        yield (temperature,
               with_error(of[ENERGY], lambda rows: 1.5 * atoms + moments(rows)[1] / temperature**2),
               with_error(of[ENERGY], lambda rows: moments(rows)[0]),
               with_error(of[SWAPS], lambda rows: moments(rows)[0]))


def draw(run, own, arguments):
    atoms = int(re.search(r"\batoms=(\d+)", run.walker + " atoms=13")[1])
    trips = own[own["quantity"] == TRIPS]
    number = round((trips["observed_mean"] * trips.samples).sum())
    rows = list(temperatures(own, atoms))
    page = common.Page(arguments, f"{len(rows)} temperatures of {atoms} atoms, {number:,} round trips",
                       f"seed {run.seed} · repetition {run.repetition} · {run.named}", "", 9.4)
    panels = page.panels(3, 2.5, most=3)
    names = ("Heat capacity", "Mean energy", "Accepted swaps")
    units = ("heat capacity in k", "energy in ε", "accepted in %")
    for (axis,), name, unit, place in zip(panels, names, units, (1, 2, 3)):
        scale = 100 if place == 3 else 1
        axis.errorbar([row[0] for row in rows], [scale * row[place][0] for row in rows],
                      [scale * row[place][1] for row in rows], color=INK, marker="o", markersize=4, linewidth=1.2)
        axis.set_xlabel("temperature in ε/k")
        axis.set_ylabel(unit)
        axis.grid(True)
        axis.set_title(name)
        page.title(axis, name)
    return page.finish()


if __name__ == "__main__":
    common.run(main)
