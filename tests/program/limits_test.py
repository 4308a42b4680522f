# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps of any size: memory does not grow, nothing is computed twice, and long runs are ended.
config_test.py tests the limits of configurations."""

import mmap
import pathlib
import signal
import time

import pytest

from conftest import BUILD, eventually, memory_limit

# A run of about 1e7 items whose times differ: about ten seconds.
LONG = """ranks: 32
engine: virtual
jitter: 0.1
workload: {kind: constant, mean_items: 10000000}
balancers: [none]
"""


def test_a_run_in_virtual_time_that_takes_too_long_is_a_row(workspace):
    began = time.monotonic()
    rows = workspace.sweep(LONG + "item_ms: [1, 2, 3]\ntimeout_s: 0.5\n", code=1)
    assert time.monotonic() - began < 10
    assert [row["status"] for row in rows] == ["timeout"] * 3
    assert [row["message"] for row in rows] == ["not finished after 0.5 s"] * 3
    assert rows[0]["makespan_s"] == "" and 0.5 <= float(rows[0]["wall_s"]) < 5


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_in_virtual_time_is_interrupted_at_once(workspace, number):
    sweep = workspace.start("run", workspace.write("test.yaml", LONG), "--out", "results")
    assert eventually((workspace.path / "results").exists, 60)
    began = time.monotonic()
    sweep.send_signal(number)
    out, err = sweep.communicate(timeout=15)
    assert time.monotonic() - began < 5  # about a second on an idle machine
    assert sweep.returncode == 130, out + err
    assert workspace.rows() == []


# More runs than are executed ahead of the next row to write.
MANY = """ranks: 8
engine: virtual
workload: {kind: exponential, mean_items: 3}
repetitions: 200
balancers: [none]
"""


@pytest.mark.quick
@pytest.mark.parametrize("most", [0, 1])
def test_a_sweep_and_verify_need_no_threads(workspace, most):
    """Thread creation fails as with `ulimit -u`, or in a full control group."""
    workspace.environment.update(LD_PRELOAD=str(BUILD / "libno_threads.so"),
                                 REGROUP_MOST_THREADS=str(most))
    workspace.write("test.yaml", MANY)
    workspace.run("run", "test.yaml", "--out", "results", code=0, timeout=30)
    assert [row["status"] for row in workspace.rows()] == ["ok"] * 200
    workspace.run("verify", "results", code=0, timeout=30)


def test_a_run_that_virtual_time_is_too_short_for_fails(workspace):
    # Each item is short enough, but the sum of the costs of exchanges is not.
    rows = workspace.sweep(
        "ranks: 1024\nengine: virtual\nbalancers: [collective: {exchange_interval: 1}, none]\n"
        "workload: {kind: constant, mean_items: 2000}\n"
        "costs: {kind: free, exchange_loads_us: 1e9, parent_creation_us: 1e9}\n", code=1)
    assert [row["status"] for row in rows] == ["failed", "ok"]
    assert "longer than virtual time lasts" in rows[0]["message"]


# 6 of the 16 combinations equal another one: further seeds and repetitions of collective.
DRAWN = """ranks: [8, 16]
engine: virtual
seed: [5, 6]
repetitions: 2
balancers: [collective, asynchronous: {finished_groups: merge}]
"""


def test_deterministic_runs_are_not_repeated(workspace):
    rows = workspace.sweep(DRAWN)
    keys = [(row["balancer"], row["ranks"], row["seed"], row["repetition"]) for row in rows]
    expected = {("asynchronous", ranks, seed, repetition)
                for ranks in ("8", "16") for seed in "56" for repetition in "12"}
    expected |= {("collective", ranks, "5", "1") for ranks in ("8", "16")}
    assert len(keys) == len(set(keys)) and set(keys) == expected
    workspace.write("test.yaml", DRAWN)
    for command in (["plan", "test.yaml"], ["run", "test.yaml", "--out", "again"]):
        done = workspace.run(*command)
        assert "10 runs" in done.stdout or "10 of 10 runs" in done.stdout
        assert "6 combinations are left out" in done.stdout


def test_a_time_limit_makes_no_further_run(workspace):
    """The time limit is not a property of the result."""
    rows = workspace.sweep("ranks: 8\nengine: virtual\ntimeout_s: [10, 20]\nbalancers: [none]\n")
    assert len(rows) == 1


def test_a_failed_prediction_is_reported_and_skipped(workspace):
    workspace.write("test.yaml", "ranks: 4\nitem_ms: [1, 1e9, 2]\nbalancers: [asynchronous]\n"
                                 "workload: {kind: constant, mean_items: 1000000}\n")
    done = workspace.run("plan", "test.yaml", code=0)
    lines = [line for line in done.stdout.splitlines() if ", T " in line]
    assert ["no prediction" in line for line in lines] == [False, True, False]
    assert "longer than virtual time lasts" in lines[1] and "?" in lines[1]
    assert "and 1 run of unknown duration" in done.stdout


def test_predictions_take_a_limited_time(workspace):
    workspace.write("test.yaml", LONG.replace("virtual", "mpi") + "item_ms: [1, 2, 3, 4]\n")
    began = time.monotonic()
    done = workspace.run("plan", "test.yaml")
    assert time.monotonic() - began < 20
    assert done.returncode == 0
    assert "No prediction of 4 runs: predictions are limited to 1 s" in done.stdout


@pytest.mark.quick
def test_equal_problems_are_predicted_once(workspace):
    """If each were predicted, the time limit of predictions would be exceeded after a few."""
    workspace.write("test.yaml", "engine: mpi\nranks: 65536\nwaiting: [polite, direct]\n"
                                 "repetitions: 50\nwalker: [sleep, spin]\nbalancers:\n"
                                 "  - asynchronous: {communicator: [create_group, range]}\n")
    done = workspace.run("plan", "test.yaml")
    assert "test: 400 runs" in done.stdout and "not predicted" not in done.stdout
    assert len([line for line in done.stdout.splitlines() if "     3.5219  " in line]) == 400


MILLION = """ranks: 4
engine: virtual
workload: {kind: exponential, mean_items: 3}
seed: [1, 2, 3, 4]
repetitions: 250000
balancers: [none]
"""


@pytest.mark.long
@pytest.mark.quick
def test_a_million_runs_are_planned_in_little_memory(workspace):
    workspace.write("test.yaml", MILLION)
    with open(workspace.path / "plan", "w") as plan:
        process = workspace.start("plan", "test.yaml", preexec_fn=memory_limit(500))
        for line in process.stdout:
            plan.write(line)
    assert process.wait() == 0, process.stderr.read()
    text = (workspace.path / "plan").read_text()
    assert text.startswith("test: 1000000 runs") and "1000000  " in text


@pytest.mark.long
def test_a_million_runs_begin_in_little_memory(workspace):
    """Memory also does not grow while the runs are executed."""
    workspace.write("test.yaml", MILLION)
    sweep = workspace.start("run", "test.yaml", "--out", "results", preexec_fn=memory_limit(500))
    for line in sweep.stdout:
        if line.startswith("[3000/"):
            break
    sweep.send_signal(signal.SIGINT)
    out, err = sweep.communicate(timeout=30)
    assert sweep.returncode == 130, out + err
    assert len(workspace.rows()) >= 3000


def log_of(workspace):
    return next((workspace.path / "results/logs").glob("*.log"))


@pytest.mark.mpi
def test_the_output_of_a_run_is_cut_in_its_middle_while_it_is_written(workspace):
    launcher = workspace.launcher("echo the beginning; seq 3000000; echo the end; exit 3\n")
    workspace.write("test.yaml", f"ranks: 4\nbalancers: [none]\nlauncher: {launcher}\n")
    sweep = workspace.start("run", "test.yaml", "--out", "results")
    most = 0
    while sweep.poll() is None:
        for log in (workspace.path / "results").glob("logs/*.log"):
            most = max(most, log.stat().st_size)
        time.sleep(0.01)
    sweep.communicate()
    assert most <= 1_000_100
    log = log_of(workspace).read_bytes()
    assert len(log) <= 1_000_100
    assert log.startswith(b"the beginning\n1\n2\n") and log.endswith(b"\n3000000\nthe end\n")
    assert b" bytes of output omitted]\n" in log
    assert workspace.rows()[0]["message"] == "exit code 3: the beginning"


@pytest.mark.long
@pytest.mark.mpi
def test_a_run_that_prints_without_end_is_ended_in_time(workspace):
    launcher = workspace.launcher("trap '' TERM\nyes & yes\n")
    workspace.sweep(f"ranks: 4\nbalancers: [none]\ntimeout_s: 1\nlauncher: {launcher}\n", code=1)
    assert workspace.rows()[0]["status"] == "timeout"
    assert log_of(workspace).stat().st_size <= 1_000_100
    assert workspace.nothing_left()


@pytest.mark.mpi
def test_a_reason_without_end_is_cut_in_its_middle(workspace):
    launcher = workspace.launcher("head -c 500000 /dev/zero | tr '\\0' x; exit 1\n")
    workspace.sweep(f"ranks: 4\nbalancers: [none]\nlauncher: {launcher}\n", code=1)
    message = workspace.rows()[0]["message"]
    assert message.startswith("exit code 1: xxx") and "xxx … xxx" in message and len(message) < 1100


@pytest.mark.mpi
def test_shared_memory_of_killed_ranks_is_removed(workspace):
    mark = workspace.mark[-12:]
    left, used, other = (pathlib.Path("/dev/shm") / (name + mark)
                         for name in ("ucx_shm_posix_", "mpich_shar_tmp_", "somebody_else_s_"))
    # `used` stays mapped, as by a rank of another run; other sweeps on this machine may also
    # remove unmapped segments. The launcher gives it the age of the others.
    launcher = workspace.launcher(f"for file in {left} {other}; do echo x >$file; done\n"
                                  f"chmod 600 {used}\nkill -9 $$\n")
    workspace.write("test.yaml", f"ranks: 4\nbalancers: [none]\nlauncher: {launcher}\n")
    try:
        with open(used, "w+") as file:
            file.truncate(1)
            with mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ):
                done = workspace.run("run", "test.yaml", "--out", "results")
                assert workspace.rows()[0]["status"] == "killed", done.stdout + done.stderr
        assert not left.exists() and used.exists() and other.exists()
    finally:
        for path in (left, used, other):
            path.unlink(missing_ok=True)
