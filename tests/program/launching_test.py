# SPDX-License-Identifier: BSD-3-Clause
"""Ranks start in restricted environments; failed starts are reported."""

import re
import shutil
import signal
import subprocess

import pytest

from conftest import MPIEXEC, only_mpich
from failures_test import send, start

# Drops the privileges of root, so that permissions of directories apply.
WITHOUT_PRIVILEGES = "setpriv --inh-caps=-all --bounding-set=-all "
SMALL_SEGMENTS = "echo 4096 >/proc/sys/kernel/shmmax; "
LITTLE = "mount -t tmpfs -o size=1M tmpfs /dev/shm; "
READ_ONLY = "mount -t tmpfs -o ro tmpfs /dev/shm; "
NOT_PERMITTED = "mount -t tmpfs -o mode=0 tmpfs /dev/shm; "
FULL = "mount -t tmpfs -o size=64k tmpfs /dev/shm; head -c 61440 /dev/zero >/dev/shm/full; "


def in_namespaces(workspace, setup, program=""):
    """Runs the commands of `workspace` with private mounts and System V segments."""
    begin = ["unshare", "--mount", "--ipc", "sh", "-ec", f'{setup}exec {program}"$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*begin, "true"], stderr=-3).returncode:
        pytest.skip("namespaces cannot be made here")
    workspace.begin = begin


@only_mpich
@pytest.mark.mpi
@pytest.mark.parametrize("ranks", [2, 5])
@pytest.mark.parametrize("setup, program", [
    (LITTLE, ""), (READ_ONLY, ""), (NOT_PERMITTED, WITHOUT_PRIVILEGES), (FULL, ""),
    (SMALL_SEGMENTS, ""), (SMALL_SEGMENTS + LITTLE, ""), (SMALL_SEGMENTS + READ_ONLY, ""), (SMALL_SEGMENTS + FULL, ""),
], ids=["little", "read_only", "not_permitted", "full", "no_segments", "little_no_segments",
        "read_only_no_segments", "full_no_segments"])
def test_ranks_start_without_shared_memory(workspace, ranks, setup, program):
    in_namespaces(workspace, setup, program)
    rows = workspace.sweep(f"ranks: {ranks}\nitem_ms: 1\nbalancers: [collective]\n")
    assert [row["status"] for row in rows] == ["ok"]


def start_with(workspace, variable, command):
    """Writes a launcher that sets `variable` to 3 ranks and runs `command`."""
    return workspace.script("other_launcher", f'{variable}=3 exec {command} "$@"\n')


@only_mpich
@pytest.mark.mpi
@pytest.mark.parametrize("variable", ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_the_launcher_of_another_mpi_library_is_noticed(workspace, variable, ranks):
    launcher = start_with(workspace, variable, "env")
    (row,) = workspace.sweep(
        f"ranks: {ranks}\nbalancers: [none]\nlauncher: {launcher}\n", code=1)
    assert row["status"] == "failed"
    assert variable in row["message"] and "mpiexec" in row["message"], row["message"]


@only_mpich
@pytest.mark.mpi
def test_variables_of_an_outer_launcher_do_not_count(workspace):
    launcher = start_with(workspace, "OMPI_COMM_WORLD_SIZE", f"{MPIEXEC} -n 1")
    workspace.sweep(f"ranks: 1\nbalancers: [none]\nlauncher: {launcher}\n")


@only_mpich
@pytest.mark.mpi
@pytest.mark.skipif(not shutil.which("mpiexec.openmpi"), reason="Open MPI is not installed")
def test_open_mpi_s_launcher_is_named(workspace):
    launcher = "mpiexec.openmpi --oversubscribe --allow-run-as-root -n {ranks}"
    (row,) = workspace.sweep(f"ranks: 2\nbalancers: [none]\nlauncher: '{launcher}'\n", code=1)
    assert "Open MPI" in row["message"] and "mpiexec" in row["message"], row["message"]


def with_hosts(workspace, late):
    """Presents this machine to MPICH's launcher as two hosts; processes on the second execute
    `late` first."""
    workspace.environment.update(
        HYDRA_LAUNCHER="ssh", HYDRA_HOST_FILE=str(workspace.path / workspace.write(
            "hosts", "# two of each\nfirst:2\nsecond:2\n")),
        HYDRA_LAUNCHER_EXEC=workspace.script(
            "ssh", f'host=$2; shift 2; if [ $host = second ]; then {late}; fi; exec sh -c "$*"\n'))


@only_mpich
@pytest.mark.mpi
def test_ranks_that_start_late_are_reported_meanwhile(workspace):
    with_hosts(workspace, "sleep 6")
    sweep = workspace.start(
        "run", workspace.write("test.yaml", "ranks: 4\nitem_ms: 1\nbalancers: [none]\n"),
        "--out", "results")
    report = next(line for line in sweep.stdout if "2-3" in line)
    assert "second" in report and "first" not in report
    assert workspace.rows() == []
    out, err = sweep.communicate(timeout=30)
    assert sweep.returncode == 0, out + err


@only_mpich
@pytest.mark.mpi
def test_ranks_that_never_start_are_named(workspace):
    with_hosts(workspace, "exec sleep 1000")
    done = workspace.run("run", workspace.write(
        "test.yaml", "ranks: 4\nstart_timeout_s: 5\nbalancers: [none]\n"), "--out", "results", code=75)
    (said,) = [line for line in done.stdout.splitlines() if "never began" in line]
    assert "2-3" in said and "second" in said
    assert workspace.nothing_left()


TOO_LONG = """ranks: 8
group_size: 2
item_ms: 200
timeout_s: 2
workload: {kind: constant, mean_items: 1000}
balancers: [none]
"""


@pytest.mark.mpi
def test_a_timeout_names_where_the_groups_were(workspace):
    (row,) = workspace.sweep(TOO_LONG, code=1)
    assert row["status"] == "timeout"
    # The three chains with the most items left.
    named = re.findall(r"chain (\d) at item \d+ of 1000 on ranks (\d)-(\d)", row["message"])
    assert len(set(named)) == 3, row["message"]
    assert all(int(low) == 2 * int(chain) and int(high) == int(low) + 1 for chain, low, high in named)
    log = next((workspace.path / "results/logs").glob("*.log")).read_text()
    for chain in range(4):
        assert re.search(rf"chain {chain} at item \d+ of 1000 on ranks {2 * chain}-", log)


@pytest.mark.mpi
@only_mpich
def test_a_timeout_names_ranks_that_do_not_answer(workspace):
    sweep = start(workspace, TOO_LONG.replace("ranks: 8", "ranks: 4"))
    send(workspace, sweep, "rank", signal.SIGSTOP)
    sweep.communicate(timeout=30)
    (row,) = workspace.rows()
    assert re.search(r"nothing from rank \d", row["message"]), row["message"]
