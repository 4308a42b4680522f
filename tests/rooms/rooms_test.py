# SPDX-License-Identifier: BSD-3-Clause
"""Dependencies point one way: which room of the house may include what of which other room.

A room is a folder with its sources, but without the rooms below it. Whoever needs a new arrow adds it
here, and sees at once whether it runs up.
"""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Headers that have no MPI, from rooms whose others have.
PLAIN = {"communicators/members.hpp", "communicators/rank_range.hpp", "communicators/strategies.hpp"}

# Each room may include itself, and these; from the lowest floor to the highest.
ALLOWED = {
    "communicators/waiting": [],
    "communicators/range": ["communicators/waiting"],
    "communicators": ["communicators/range", "communicators/waiting"],
    "communicators/constructors": ["communicators", "communicators/range"],
    "kernel/files": [],
    "kernel/numbers": [],
    "kernel": ["kernel/numbers", "kernel/items", *PLAIN],
    "kernel/items": ["kernel", "kernel/numbers"],
    "kernel/workloads": ["kernel", "kernel/files", "kernel/numbers", *PLAIN],
    "kernel/measurement": ["kernel", "kernel/numbers", *PLAIN],
    "kernel/virtual": ["kernel", "kernel/files", "kernel/items", "kernel/numbers", *PLAIN],
    "kernel/explorer": ["kernel"],
    "kernel/mpi/stage": ["communicators", "communicators/range", "communicators/waiting",
                         "kernel/items", "kernel/mpi"],
    "kernel/mpi": ["communicators", "communicators/range", "communicators/waiting", "kernel",
                   "kernel/items", "kernel/numbers", "kernel/mpi/stage"],
    "balancers": ["kernel/balancer.hpp", "kernel/options.hpp", "kernel/numbers/random.hpp"],
}
