# SPDX-License-Identifier: BSD-3-Clause
"""Convergence statistics computed from the moments that chains report, with the definitions of the
batch columns of runs.csv."""

import numpy

POINTS = 1000  # at most, since a picture cannot show more


class Chain:
    """The reports of one chain about one quantity: rows of chains.csv with samples, in the order of
    executed items."""

    def __init__(self, reports):
        self.number = int(reports.chain.iloc[0])
        self.items, self.means = reports["executed_items"].to_numpy(), reports["observed_mean"].to_numpy()
        self.samples, self.deviations = reports.samples.to_numpy(), reports["squared_deviations"].to_numpy()
        # Relative to the first mean, to avoid cancellation.
        away = self.means - self.means[0]
        self.running = self.means[0] + numpy.cumsum(self.samples * away) / numpy.cumsum(self.samples)


def without_failed(reports):
    """Removes the rows of failed chains; files of older versions do not mark them."""
    if "reason" not in reports:
        return reports
    keys = reports.run + " " + reports.chain.astype(str)
    return reports[~keys.isin(keys[reports.reason != ""])]


def r_hat(chains):
    """Returns (items, R-hat): split R-hat after each number of reports, with all chains cut to the
    shortest. It is NaN if a chain does not vary, or has only one report."""
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
    """Returns number, mean and variance of samples from their sums; without samples, NaN."""
    with numpy.errstate(all="ignore"):
        mean = sums / samples
        deviations = numpy.maximum(squares - samples * mean**2, 0)
        return samples, mean, numpy.where(samples > 1, deviations / numpy.maximum(samples - 1, 1), 0)


def autocorrelations(chains, every):
    """Yields for each chain the autocorrelation of its report means, for lags from 0 to half of the
    number of reports. A last report over fewer than `every` items is ignored."""
    for chain in chains:
        means = chain.means[chain.items % every == 0]
        if len(means) < 2 or means.min() == means.max():
            continue
        away = means - means.mean()
        spectrum = numpy.fft.rfft(away, 2 * len(means))
        sums = numpy.fft.irfft(abs(spectrum) ** 2)[:len(means) // 2 + 1]
        yield sums / sums[0]


def mean_by_lag(curves):
    """Returns the mean of `curves` at each lag that at least half of them reach."""
    sums, number = numpy.zeros((2, max(map(len, curves))))
    for curve in curves:
        sums[:len(curve)] += curve
        number[:len(curve)] += 1
    return (sums / number)[2 * number >= len(curves)]
