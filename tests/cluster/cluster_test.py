# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps on a simulated cluster that interrupts them: runs ended from outside leave no row, and a
later call executes the missing runs."""

import shlex
import time

import pytest

from cluster import HOSTS, eventually
from conftest import HYDRA

SRUN = "launcher: srun --mpi=pmi2 -O -n {ranks}\n"
OVER_SSH = f"launcher: {HYDRA} -launcher ssh -launcher-exec {HOSTS.with_name('ssh')} -hosts n1,n2,n3,n4 -n {{ranks}}\n"
RUNS = 4
SHORT = f"ranks: 8\ngroup_size: 4\nitem_ms: 10\nbalancers: [asynchronous]\nrepetitions: {RUNS}\n" \
        "timeout_s: 60\n"


@pytest.mark.parametrize("launcher", [SRUN, OVER_SSH], ids=["srun", "hydra"])
def test_every_run_over_tcp_is_ok(sweep, whole, launcher):
    ranks, balancers, repetitions = ("[8, 32]", "[none, asynchronous]", 5) if whole else ("8", "[none]", 3)
    sweep.configure(f"ranks: {ranks}\ngroup_size: 4\nitem_ms: 4\nbalancers: {balancers}\n"
                    f"repetitions: {repetitions}\ntimeout_s: 60\n{launcher}")
    sweep.in_job("run", "mine.yaml")
    sweep.complete(20 if whole else 3)
    assert {sweep.nodes(row) for row in sweep.rows()} == {4}


def test_a_preempted_job_comes_back_and_does_the_rest(sweep, trial):
    sweep.configure(SHORT + SRUN)
    job = sweep.submit("--partition=low")
    sweep.began()
    time.sleep(0.1 * trial)
    first = sweep.cluster.submit("--partition=high", "--nodes=4", "--exclusive", "--wrap=sleep 1",
                                 cwd=sweep.path)
    assert eventually(lambda: sweep.cluster.state_of(first) == "COMPLETED", 60), sweep.said()
    sweep.none_is_false()
    assert eventually(lambda: sweep.cluster.has_ended(job), 120), sweep.said()
    assert sweep.cluster.state_of(job) == "COMPLETED", sweep.said()
    sweep.complete(RUNS)


# By hand: in 1 of 8 trials, a run of the requeued job got an endpoint timeout from the restarted
# host, although an empty launch worked there. That row is wrong; no way to detect this is known.
@pytest.mark.whole
@pytest.mark.parametrize("ours_first", [False, True], ids=["slurm first", "we first"])
def test_a_job_that_lost_a_host_comes_back_and_does_the_rest(sweep, trial, ours_first):
    """If the time limit of the run expires first, the run that lost ranks has a row `timeout`."""
    sweep.configure(SHORT.replace("60", "2" if ours_first else "60") + SRUN)
    job = sweep.submit()
    sweep.began()
    time.sleep(0.1 * trial)
    sweep.cluster.crash("n4")
    assert eventually(lambda: sweep.cluster.state_of(job) != "RUNNING", 60), sweep.said()
    sweep.cluster.boot("n4")  # only after Slurm has noticed the loss
    assert eventually(lambda: sweep.cluster.has_ended(job), 120), sweep.said()
    late = [row for row in sweep.rows() if row["status"] == "timeout"]
    assert len(late) <= (1 if ours_first else 0), sweep.said()
    wrong = [row["message"] for row in sweep.rows() if row["status"] not in ("ok", "timeout")]
    assert not wrong, f"{wrong}\n{sweep.said()}"  # before --retry repeats it
    if late or sweep.cluster.state_of(job) != "COMPLETED":
        sweep.cluster.wait_idle(4)
        sweep.in_job("run", "mine.yaml", "--resume", "--retry")
    sweep.complete(RUNS)


def signal_command(sweep, job, signal, *others):
    """Sends a signal to the command, and to `others`, on its host."""
    which = " ".join(f"$(pgrep -x {name})" for name in ["regroup", *others])
    sweep.cluster.run(HOSTS, "on", "n1", "bash", "-c", f"kill -{signal} {which}")


CANCELS = {
    "scancel": lambda sweep, job: sweep.cluster.run("scancel", job),
    "steps": lambda sweep, job: sweep.cluster.run("scancel", "--signal=TERM", job),
    "batch": lambda sweep, job: sweep.cluster.run("scancel", "--signal=TERM", "--batch", job),
    "full": lambda sweep, job: sweep.cluster.run("scancel", "--signal=TERM", "--full", job),
    "kill": lambda sweep, job: signal_command(sweep, job, "TERM"),
    "Ctrl-C": lambda sweep, job: signal_command(sweep, job, "INT"),
    "race": lambda sweep, job: signal_command(sweep, job, "TERM", "srun"),
}


@pytest.mark.parametrize("form", [
    name if name == "scancel" else pytest.param(name, marks=pytest.mark.whole) for name in CANCELS])
def test_a_cancelled_run_is_no_row(sweep, trial, form):
    sweep.configure(SHORT + SRUN)
    job = sweep.submit()
    sweep.began()
    time.sleep(0.1 * trial)
    assert len(sweep.rows()) < RUNS, "there was nothing left to cancel"
    CANCELS[form](sweep, job)
    assert eventually(lambda: sweep.cluster.has_ended(job), 60), sweep.said()
    sweep.none_is_false()
    sweep.resume()
    sweep.complete(RUNS)


@pytest.mark.whole
def test_waiting_in_the_queue_of_srun_does_not_count_as_running(sweep, trial):
    sweep.configure(SHORT.replace("60", "10").replace(f": {RUNS}", ": 1") + SRUN.replace(" -O", ""))
    script = sweep.path / "job.sh"
    script.write_text("srun -n 10 sleep 13 &\nsleep 1\n"
                      f"{shlex.quote(str(sweep.path / 'build/regroup'))} run mine.yaml\n")
    sweep.cluster.run("salloc", "-Q", "-N", "4", "-n", "10", "bash", script, cwd=sweep.path)
    sweep.complete(1)


def test_an_array_fills_one_directory(sweep, trial):
    sweep.configure(SHORT + SRUN)
    job = sweep.submit("--array=1-2", script="jobs/slurm_array.sh")
    assert eventually(lambda: not sweep.cluster.run("squeue", "-h", "-j", job, code=None).strip(), 120)
    sweep.cluster.run("build/regroup", "merge", "results/mine", cwd=sweep.path)
    sweep.complete(RUNS)
