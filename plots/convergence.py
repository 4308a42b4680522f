# SPDX-License-Identifier: BSD-3-Clause
"""Whether chains agree, by the moments that they report of themselves: batch figures, defined as for
the columns of runs.csv."""

import numpy

POINTS = 1000  # at most: more than a picture can show


class Chain:
    """What a chain reports of one quantity: rows of chains.csv with samples, those of fewer items
    first."""

    def __init__(self, reports):
        self.number = int(reports.chain.iloc[0])
        self.items, self.means = reports["executed_items"].to_numpy(), reports["observed_mean"].to_numpy()
        self.samples, self.deviations = reports.samples.to_numpy(), reports["squared_deviations"].to_numpy()
        # From the first mean, so that no digits are lost.
        away = self.means - self.means[0]
        self.running = self.means[0] + numpy.cumsum(self.samples * away) / numpy.cumsum(self.samples)


def without_failed(reports):
    """The rows of chains.csv about chains that did not fail, as far as its version tells."""
    if "reason" not in reports:
        return reports
    keys = reports.run + " " + reports.chain.astype(str)
    return reports[~keys.isin(keys[reports.reason != ""])]


def r_hat(chains):
    """(items, R-hat): what the halves of chains come to after so many reports of each; chains are cut
    to the one with the fewest. NaN where a chain does not vary, or has one report."""
    shortest = min(len(chain.means) for chain in chains)
    longest = max(chains, key=lambda chain: len(chain.means))
    counts = numpy.unique(numpy.linspace(1, shortest, min(shortest, POINTS)).round().astype(int))
    halves, stands_still = [], numpy.zeros(len(counts), bool)
    origin = chains[0].means[0]
    for chain in chains:
        away = chain.means[:shortest] - origin
        sums = [numpy.concatenate([[0], numpy.cumsum(values[:shortest])]) for values in (
            chain.samples, chain.samples[:shortest] * away,
            chain.deviations[:shortest] + chain.samples[:shortest] * away**2)]
        moving = (chain.deviations[:shortest] > 0) | (away != away[0])
        stands_still |= ~numpy.logical_or.accumulate(moving)[counts - 1]
        for begins, ends in ((0 * counts, counts // 2), (counts - counts // 2, counts)):
            halves.append(_moments(*(total[ends] - total[begins] for total in sums)))
    samples, means, variances = (numpy.array(values) for values in zip(*halves))
    with numpy.errstate(all="ignore"):
        between = means.var(axis=0, ddof=1)
        length = samples.mean(axis=0)
        values = numpy.sqrt((length - 1) / length + between / variances.mean(axis=0))
    values[stands_still | (counts < 2)] = numpy.nan
    return longest.items[counts - 1], values


def _moments(samples, sums, squares):
    """Number, mean and variance of samples by their sums; NaN of none."""
    with numpy.errstate(all="ignore"):
        mean = sums / samples
        deviations = numpy.maximum(squares - samples * mean**2, 0)
        return samples, mean, numpy.where(samples > 1, deviations / numpy.maximum(samples - 1, 1), 0)


def autocorrelations(chains, every):
    """For each chain its autocorrelation by lag in reports, from 0: of the means of its reports,
    without a last one that comes before `every` items are full. Lags to half of these."""
    for chain in chains:
        means = chain.means[chain.items % every == 0]
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
