# SPDX-License-Identifier: BSD-3-Clause
"""Ranks on hosts whose monotonic clocks differ. Every rank but the first gets its own time
namespace; the tests are skipped without permission for this."""

import subprocess

import pytest

from conftest import MPICH, MPIEXEC

pytestmark = pytest.mark.mpi

DAY_S = 86400
UNSHARE = "unshare --time --fork --kill-child"


@pytest.fixture
def launcher(workspace):
    """A launcher whose first rank has the clock of the host; the other ranks are days ahead."""
    if not MPICH:
        pytest.skip("the launcher is not MPICH's")
    if subprocess.run([*UNSHARE.split(), "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no time namespace may be made here")
    rank = workspace.script(
        "rank", f'rank=${{PMI_RANK:-$OMPI_COMM_WORLD_RANK}}; [ "$rank" = 0 ] && exec "$@"\n'
                f'exec {UNSHARE} --monotonic $((rank * {DAY_S})) "$@"\n')
    return workspace.script("launcher", f'n=$1; shift; exec {MPIEXEC} -n "$n" {rank} "$@"\n')


def error_us(row):
    assert row["status"] == "ok", row["message"]
    return float(row["clock_error_us"])


RUN = "ranks: 4\ngroup_size: 2\nitem_ms: 2\nworkload: {kind: cyclic, multiplier: 4, modulus: 4}\n"


def test_on_one_host_no_clock_is_wrong(workspace):
    assert [error_us(row) for row in workspace.sweep(RUN + "balancers: [none]\n")] == [0]
    virtual = workspace.sweep(RUN + "engine: virtual\nbalancers: [none]\n", "--overwrite")
    assert [error_us(row) for row in virtual] == [0]


def test_times_of_hosts_with_clocks_of_their_own_fit_together(workspace, launcher):
    rows = workspace.sweep(RUN + f"balancers: [none, collective]\nlauncher: {launcher} {{ranks}}\n")
    for row in rows:
        assert 0 < error_us(row) < 1e6 * DAY_S / 2
        assert float(row["makespan_s"]) < float(row["wall_s"]) < DAY_S / 2
    workspace.run("verify", "results", code=0)


@pytest.mark.parametrize("kind, keys, figure", [
    ("steps", "", "message_s"),
    ("collectives", "operation: bcast\ncommunicator: range\n", "time_median_s")])
def test_measurements_compare_clocks_too(workspace, launcher, kind, keys, figure):
    row, = workspace.sweep(f"measure: {kind}\nranks: 4\ngroup_size: 2\nsamples: 5\n{keys}"
                           f"launcher: {launcher} {{ranks}}\n", file=f"{kind}.csv")
    assert 0 < error_us(row) < 1e6 * DAY_S / 2
    assert abs(float(row[figure])) < DAY_S / 2
    workspace.run("verify", "results", code=0)
