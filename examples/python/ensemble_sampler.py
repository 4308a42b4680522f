# SPDX-License-Identifier: BSD-3-Clause
"""emcee on a pool: a line is fitted to data with errors; the members of a group share each likelihood.

    mpiexec -n 4 /usr/bin/python3 ensemble_sampler.py
"""

import sys

import emcee
import numpy as np
import regroup

x = np.linspace(0, 10, 10_000)
y = 1.5 * x - 2 + np.random.default_rng(1).standard_normal(x.size)


def log_prob(parameters):
    slope, offset = parameters
    if not (-10 < slope < 10 and -100 < offset < 100):
        return -np.inf
    team = regroup.team()
    mine = slice(team.rank, None, team.size)
    return -0.5 * team.sum((y[mine] - slope * x[mine] - offset) ** 2)


if __name__ == "__main__":
    with regroup.Pool() as pool:
        if not pool.is_master():
            pool.wait()
            sys.exit(0)
        np.random.seed(7)  # emcee draws by it
        start = [1.5, -2] + 0.01 * np.random.standard_normal((16, 2))
        sampler = emcee.EnsembleSampler(16, 2, log_prob, pool=pool)
        sampler.run_mcmc(start, 200)
        for name, draws in zip(("slope", "offset"), sampler.get_chain(discard=50, flat=True).T):
            print(f"{name}: {draws.mean():.5f} ± {draws.std():.5f}")
