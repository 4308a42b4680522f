# SPDX-License-Identifier: BSD-3-Clause
"""What the paper tells of regroupings, and which runs did the same: Table 1 of Dinan et al.,
Noncollective Communicator Creation in MPI, EuroMPI 2011."""

# Average, standard deviation, fewest, most.
ROWS = {"none": (0, 0, 0, 0),
        **{f"collective({n})": (5.38, 2.12, 2, 8) for n in (1, 2, 4, 8, 16, 32)},
        "collective(64)": (3.75, 1.20, 2, 5), "collective(128)": (2.62, 0.48, 2, 3),
        "asynchronous(merge)": (14.38, 3.54, 5, 26)}
SETTINGS = {"group_size": "4", "groups": "equal", "workload": "cyclic", "multiplier": "10",
            "modulus": "32", "walkers_per_group": "1", "walkers_in_all": "0"}


def row(run):
    """The four numbers of the paper beside `run`, a row of runs.csv; None where it has none."""
    return ROWS.get(bare_name(run)) if did_the_same(run) else None


def bare_name(run):
    """The variant of a run without its communicator strategy."""
    return run["variant"].removesuffix(f", {run['communicator']}")


def did_the_same(run):
    """Whether the run did what those of the paper did."""
    # A column that older results lack is a setting that there was no other way.
    return all(run.get(column, value) == value for column, value in SETTINGS.items())
