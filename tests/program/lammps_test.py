# SPDX-License-Identifier: BSD-3-Clause
"""examples/lammps: molecular dynamics by a parallel library, on the communicators of groups."""

import csv
import subprocess

import pytest

from conftest import BUILD

PROGRAM = BUILD / "lammps"
pytestmark = [pytest.mark.mpi,
              pytest.mark.skipif(not PROGRAM.exists(), reason=f"{BUILD} was built without LAMMPS")]

ATOMS = 2048
ITEMS = [10, 40, 20]  # number of items of each chain
STEPS = 10  # time steps per item
STREAM = 1_000_003 + 1  # random stream of seed 1, repetition 1
TOLERANCE = 5e-4  # for the total energy per atom, as the time step allows
CHAINS = f"""group_size: 1
walkers_in_all: 3
item_ms: 15
walker: {{kind: melt, atoms: 2000, steps_per_item: {STEPS}}}
report_every: 1
workload: {{kind: trace, trace_file: items.csv}}
timeout_s: 60
"""
BALANCERS = """balancers:
  - none
  - spread: {communicator: create_group}
  - collective: {exchange_interval: 4, communicator: range}
"""
PLAIN = f"""units lj
read_data start.data
pair_style lj/cut 2.5
pair_coeff * * 1 1
pair_modify shift yes
fix motion all nve
timestep 0.005
thermo_style custom step pe temp etotal
thermo_modify format float %.15g
thermo {STEPS}
run {STEPS * max(ITEMS)}
"""


@pytest.fixture
def lammps(workspace):
    workspace.program = PROGRAM
    workspace.write("items.csv", "items\n" + "".join(f"{items}\n" for items in ITEMS))
    return workspace


def plain_run(path, chain):
    """Returns potential energy, temperature and total energy after each item, by LAMMPS alone."""
    (path / "plain.in").write_text(PLAIN)
    subprocess.run([BUILD / "plain_melt", str(chain), str(STREAM), str(ATOMS), "start.data", "plain.in"],
                   cwd=path, check=True, timeout=60)
    rows = [line.split() for line in (path / "log.lammps").read_text().splitlines()]
    rows = [[float(word) for word in row] for row in rows if len(row) == 4 and row[0].isdigit()]
    assert [row[0] for row in rows] == list(range(0, STEPS * max(ITEMS) + 1, STEPS))
    return [row[1:] for row in rows[1:]]


def draws(lammps, row, chain):
    lines = lammps.text(f"draws/{row['run']}/chain_{chain}.csv").splitlines()
    found = csv.DictReader(line for line in lines if not line.startswith("#"))
    names = ("potential_energy", "temperature", "energy__")
    return [[float(draw[name]) for name in names] for draw in found]


def test_a_chain_has_the_energy_of_a_plain_run_whoever_executes_it(lammps):
    rows = lammps.sweep(f"ranks: [2, 3]\n{CHAINS}{BALANCERS}")
    assert [row["status"] for row in rows] == ["ok"] * 6
    assert "verified" in lammps.run("verify", "results", code=0).stdout
    assert not list(lammps.path.rglob("log.*"))
    plain = [plain_run(lammps.path, chain) for chain in range(len(ITEMS))]
    for row in rows:
        assert row["chains_hash"] == ""
        assert int(row["walker_communicators"]) >= 1
        for chain, items in enumerate(ITEMS):
            found = draws(lammps, row, chain)
            assert len(found) == items
            # Small differences grow exponentially with time; the total energy is conserved.
            assert found[:8] == [pytest.approx(expected, rel=1e-6) for expected in plain[chain][:8]]
            for (_, temperature, energy), expected in zip(found, plain[chain]):
                assert energy == pytest.approx(expected[2], abs=TOLERANCE)
                assert temperature == pytest.approx(expected[1], abs=0.1)
        if row["balancer"] == "collective":
            assert int(row["hand_over_bytes"]) > 6 * 8 * ATOMS


@pytest.mark.parametrize("ranks, group_size", [(2, 1), (3, 2)])
def test_an_error_of_lammps_names_the_chain_and_ends_all_ranks(lammps, ranks, group_size):
    config = CHAINS.replace("group_size: 1", f"group_size: {group_size}")
    config = config.replace("steps_per_item", "temperature: 1000, time_step: 0.1, steps_per_item")
    (row,) = lammps.sweep(f"ranks: {ranks}\n{config}balancers: [none]\n", code=1)
    assert row["status"] == "failed"
    assert "chain " in row["message"] and "item 0: LAMMPS: ERROR: Lost atoms" in row["message"]
    assert lammps.nothing_left(seconds=10)
