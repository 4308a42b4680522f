# SPDX-License-Identifier: BSD-3-Clause
"""Markov chains in Python, balanced by Regroup: docs/python.md."""

from regroup import mpi as _mpi

_mpi.check()

from regroup._engine import Item, Team, exact_exp, exact_log, team  # noqa: E402
from regroup.options import choice, file, integer, real  # noqa: E402
from regroup.pool import Pool, TaskError  # noqa: E402
from regroup.running import ConfigurationError, Outcome, Quantity, WalkerError, run  # noqa: E402
from regroup.walker import Walker  # noqa: E402

__all__ = ["ConfigurationError", "Item", "Outcome", "Pool", "Quantity", "TaskError", "Team", "Walker",
           "WalkerError", "choice", "exact_exp", "exact_log", "file", "integer", "real", "run", "team"]
