# SPDX-License-Identifier: BSD-3-Clause
"""Whether chains agree, by what they report of themselves. The first half of each chain's reports,
rounded down, does not count, and all is defined as for the columns of runs.csv."""

import numpy

POINTS = 1000  # at most: more than a picture can show


class Chain:
    """A chain by its `reports`, which are rows of chains.csv, those of fewer items first."""

    def __init__(self, reports):
        self.number = int(reports.chain.iloc[0])
        self.items, self.means = reports["executed_items"].to_numpy(), reports["observed_mean"].to_numpy()
        self.proposed, self.accepted = reports.proposed_moves.to_numpy(), reports.accepted_moves.to_numpy()
        self.half = len(reports) // 2
        samples, first = reports.samples.to_numpy(), self.means[0]
        # From the first mean, so that no digits are lost.
        away, squares = self.means - first, reports["observed_variance"] + (self.means - first) ** 2
        ends = numpy.arange(len(reports) + 1)
        halves = [_sums(values, ends // 2) for values in
                  (samples, samples * away, samples * squares)]
        # What the second half of the first so many reports comes to, from none to all.
        self.samples, *moments = halves
        mean, square = (_divided(moment, self.samples) for moment in moments)
        self.mean, self.variance = first + mean, numpy.maximum(square - mean ** 2, 0)
        self.several = ends - ends // 2 > 1
        self.running = first + numpy.cumsum(samples * away) / numpy.cumsum(samples)


def _sums(values, begins):
    """For each end, from 0, the sum of `values` from its begin to there."""
    sums = numpy.concatenate([[0], numpy.cumsum(values)])
    return sums - sums[begins]


def _divided(values, by):
    """The quotients; NaN where there is nothing to divide by."""
    return numpy.divide(values, by, out=numpy.full(len(by), numpy.nan), where=by > 0)


def r_hat(chains):
    """(items, R-hat): the potential scale reduction (Gelman and Rubin, 1992) of what the chains had
    reported after so many items each; those that were shorter, in all. NaN where it has no meaning:
    fewer than two chains with two reports that count, or nothing varies."""
    items = numpy.unique(numpy.concatenate([chain.items for chain in chains]))
    items = items[numpy.unique(numpy.linspace(0, len(items) - 1, POINTS).round().astype(int))]
    number, samples, within, mean = numpy.zeros((4, len(items)))
    known = [numpy.searchsorted(chain.items, items, "right") for chain in chains]
    for chain, at in zip(chains, known):
        counts = chain.several[at]
        number += counts
        samples += numpy.where(counts, chain.samples[at], 0)
        within += numpy.where(counts, chain.variance[at], 0)
        mean += numpy.where(counts, chain.mean[at], 0)
    samples, within, mean = (_divided(total, number) for total in (samples, within, mean))
    between = numpy.zeros(len(items))
    for chain, at in zip(chains, known):
        between += numpy.where(chain.several[at], (chain.mean[at] - mean) ** 2, 0)
    ratio = _divided(_divided(between, number - 1), within)
    return items, numpy.sqrt(1 - _divided(numpy.ones(len(items)), samples) + ratio)


def autocorrelations(chains, every):
    """For each chain its autocorrelation by lag in reports, from 0: of the means of its reports that
    count, without a last one that comes before `every` items are full. Lags to half of these."""
    for chain in chains:
        means = chain.means[chain.half:][chain.items[chain.half:] % every == 0]
        if len(means) < 2 or means.min() == means.max():
            continue
        away = means - means.mean()
        spectrum = numpy.fft.rfft(away, 2 * len(means))
        sums = numpy.fft.irfft(abs(spectrum) ** 2)[:len(means) // 2 + 1]
        yield sums / sums[0]


def mean_by_lag(curves):
    """The mean of `curves` at each lag, over those that reach it, as far as half of them do."""
    sums, number = numpy.zeros((2, max(map(len, curves))))
    for curve in curves:
        sums[:len(curve)] += curve
        number[:len(curve)] += 1
    return (sums / number)[2 * number >= len(curves)]
