# SPDX-License-Identifier: BSD-3-Clause
"""The means of two Gaussians, given data from their mixture: Metropolis, whose likelihood the members of a
group share.

    mpiexec -n 4 /usr/bin/python3 gaussians.py
    regroup run gaussians.yaml --walkers gaussians.py
"""

import numpy as np
import regroup


class GaussianMixture(regroup.Walker):
    """the means of two Gaussians by Metropolis: each step takes a sum over all data"""

    options = {"data": regroup.integer(2000, min=1, max=10**7, help="observations"),
               "steps": regroup.integer(20, min=1, max=10**6, help="steps of the chain per item"),
               "width": regroup.real(0.05, min=1e-6, max=10, help="of proposals")}
    observed = ("low", "high")

    def __init__(self, chain, options):
        data = np.random.default_rng(1)  # the same for all chains
        low = data.random(options.data) < 0.4
        self.data = np.where(low, -1.0, 1.5) + 0.7 * data.standard_normal(options.data)
        self.means = np.sort(self.random().standard_normal(2))
        self.log_p = None

    def log_likelihood(self, means, team):
        mine = self.data[team.rank::team.size]
        low, high = (regroup.exact_exp(-0.5 * ((mine - mean) / 0.7) ** 2) for mean in means)
        return team.sum(regroup.exact_log(0.4 * low + 0.6 * high))

    def execute(self, item, team):
        if self.log_p is None:
            self.log_p = self.log_likelihood(self.means, team)
        random = self.random(item)
        for _ in range(self.options.steps):
            proposal = self.means + self.options.width * random.standard_normal(2)
            log_p = self.log_likelihood(proposal, team)
            if regroup.exact_log(random.random()) < log_p - self.log_p:
                self.means, self.log_p = proposal, log_p

    def pack(self):
        return self.means, self.log_p

    def unpack(self, state):
        self.means, self.log_p = state

    def observe(self):
        return self.means


if __name__ == "__main__":
    outcome = regroup.run(walkers=GaussianMixture, items=[300, 100, 50, 50], item_ms=5, report_every=10)
    if outcome:  # on rank 0
        print(f"{outcome.makespan_s:.2f} s, chains {outcome.chains_hash}")
        for name, found in outcome.quantities.items():
            print(f"{name}: {found.mean:.4f} ± {found.mcse:.4f}")
