# SPDX-License-Identifier: BSD-3-Clause
"""Commands inside jobs: the default launcher and the output of `preflight`. The schedulers are
scripts that start the ranks on this host, or each rank alone, like schedulers whose PMI version
differs from that of the MPI library."""

import re

import pytest

from conftest import MPICH

pytestmark = pytest.mark.mpi

START = "mpiexec.mpich" if MPICH else "mpiexec --oversubscribe"
OWN_TYPE, OTHER_TYPE = ("pmi2", "pmix") if MPICH else ("pmix", "pmi2")
RUN = "ranks: 4\ngroup_size: 2\nitem_ms: 1\nworkload: {kind: constant, mean_items: 3}\nbalancers: [none]\n"
SLURM = {"SLURM_JOB_ID": "7", "SLURM_JOB_NUM_NODES": "2", "SLURM_JOB_NODELIST": "n[1-2]",
         "SLURM_JOB_CPUS_PER_NODE": "2(x2)"}

# Stores the options from Regroup in `calls` and starts ranks as given by `kind`.
LAUNCH = f"""echo "$(basename "$0") $*" >>"$CALLS"
kind=alone ranks=1
while [ $# -gt 0 ]; do
  case $1 in
    --mpi=list) printf 'MPI plugin types are...\\n\\tnone\\n\\tpmi2\\n\\tpmix\\n'; exit ;;
    --mpi={OWN_TYPE}) kind=together ;;
    -n) ranks=$2; shift ;;
    -N | -f | --hostfile | -ppn | --map-by) shift ;;
    -*) ;;
    *) break ;;
  esac
  shift
done
[ -z "$KIND" ] || kind=$KIND
echo "srun: Warning: can't run $ranks processes on 2 nodes, setting nnodes to 1" >&2
case $kind in
  together) exec {START} -n "$ranks" "$@" ;;
  busy) echo "srun: error: Unable to create step for job 7: Requested nodes are busy" >&2; exit 1 ;;
  alone) i=0; while [ $i -lt "$ranks" ]; do "$@" & i=$((i + 1)); done; wait ;;
esac
"""


class Job:
    """A workspace whose commands run in a job."""

    def __init__(self, workspace):
        self.workspace = workspace
        (workspace.path / "bin").mkdir()
        workspace.environment["PATH"] = f"{workspace.path / 'bin'}:{workspace.environment['PATH']}"
        self.set(CALLS=workspace.path / "calls", OMPI_ALLOW_RUN_AS_ROOT=1,
                 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)

    def set(self, **variables):
        self.workspace.environment.update({name: str(value) for name, value in variables.items()})

    def has(self, name):
        self.workspace.script(f"bin/{name}", LAUNCH)
        return self

    def of_slurm(self):
        self.set(**SLURM)
        return self.has("srun")

    def run(self, text, *arguments, command="run", code=0):
        done = self.workspace.run(command, self.workspace.write("test.yaml", text), *arguments, code=code)
        return done.stdout + done.stderr

    def preflight(self, *arguments, code=0):
        done = self.workspace.run("preflight", *arguments, code=code)
        return done.stdout + done.stderr

    def calls(self):
        """Returns the launcher commands, without the programs."""
        calls = self.workspace.path / "calls"
        text = calls.read_text() if calls.exists() else ""
        return [re.sub(r" \S*regroup-mpi .*", "", line) for line in text.splitlines()]

    def statuses(self):
        return [row["status"] for row in self.workspace.rows()]


@pytest.fixture
def job(workspace):
    return Job(workspace)


OUT = ("--out", "results")


def test_in_a_job_of_slurm_the_default_is_the_srun_that_mpi_understands(job):
    said = job.of_slurm().run(RUN, *OUT)
    assert f"launcher: srun --mpi={OWN_TYPE} -n {{ranks}} (of this job of Slurm; 2 ranks connected" in said
    assert "srun: each rank was alone" in said
    assert job.calls()[-1] == f"srun --mpi={OWN_TYPE} -n 4"
    assert job.statuses() == ["ok"]
    assert f"srun --mpi={OWN_TYPE} -n {{ranks}}" in job.workspace.text("provenance.yaml")


def test_ranks_per_node_needs_no_launcher_then(job):
    job.of_slurm().run(RUN + "ranks_per_node: 2\n", *OUT, code=1)  # all ranks are on this host
    assert f"srun --mpi={OWN_TYPE} -N 2 --ntasks-per-node=2 -n 4" in job.calls()
    row, = job.workspace.rows()
    assert "the launcher placed them on 1" in row["message"]


def test_ranks_per_node_needs_a_job_or_a_launcher_that_uses_it(job):
    said = job.run(RUN + "ranks_per_node: 2\n", *OUT, code=2)
    assert said.startswith("regroup: test.yaml:6: ranks_per_node is 2 for 4 ranks, but the launcher does not use it")
    assert not (job.workspace.path / "results").exists()
    job.run(RUN + "ranks_per_node: 2\n", command="plan")  # `plan` is for later jobs


def test_singletons_everywhere_are_refused_with_a_hint(job):
    job.of_slurm().set(KIND="alone")
    said = job.run(RUN, *OUT, code=2)
    assert said.count("\n") == 1 and "each rank was alone" in said
    assert "--mpi=pmi2" in said and "--mpi=pmix" in said and "the key 'launcher'" in said
    assert not (job.workspace.path / "results").exists()
    assert job.calls() == ["srun --mpi=list", "srun -n 2", f"srun --mpi={OWN_TYPE} -n 2",
                           f"srun --mpi={OTHER_TYPE} -n 2"]


def test_a_busy_scheduler_is_asked_to_be_tried_again(job):
    job.of_slurm().set(KIND="busy")
    said = job.run(RUN, *OUT, code=75)
    assert said.count("\n") == 1 and "Requested nodes are busy" in said
    assert job.calls() == ["srun --mpi=list", "srun -n 2"]
    assert not (job.workspace.path / "results").exists()


def test_a_job_of_this_host_alone_is_as_if_there_were_none(job):
    job.has("srun").set(SLURM_JOB_ID="7", SLURM_JOB_NUM_NODES="1", SLURM_JOB_NODELIST="here", SLURMD_NODENAME="here")
    said = job.run(RUN, *OUT)
    assert "launcher:" not in said and job.calls() == [] and job.statuses() == ["ok"]


def test_simulated_runs_need_no_launcher(job):
    job.of_slurm().run(RUN + "engine: virtual\n", *OUT)
    assert job.calls() == []


def verdicts(said):
    return {words[1]: words[0] for words in (line.split() for line in said.splitlines())
            if len(words) > 1 and words[0] in ("ok", "warning", "wrong")}


LOOKED_AT = ["launcher", "ranks", "processors", "messages", "clocks", "/dev/shm", "communicators",
             "constructors"]


def test_preflight_outside_of_jobs_looks_at_this_machine(job):
    said = job.preflight()
    assert said.startswith("on this machine")
    assert list(verdicts(said)) == LOOKED_AT and "wrong" not in verdicts(said).values()
    assert list(job.workspace.path.glob("results*")) == []


def test_preflight_in_a_job_prints_the_launcher(job):
    said = job.of_slurm().preflight()
    assert said.startswith("in job 7 of Slurm: 2 hosts, 4 processors\n")
    assert f"srun --mpi={OWN_TYPE} -n {{ranks}}" in said
    assert job.calls()[-1] == f"srun --mpi={OWN_TYPE} -n 4"
    assert list(verdicts(said)) == LOOKED_AT
    assert verdicts(said)["ranks"] == "warning" and "the job has 2 hosts" in said  # all are here


def test_preflight_starts_as_many_ranks_as_the_configuration(job):
    job.workspace.write("test.yaml", RUN.replace("ranks: 4", "ranks: [2, 6, 3]"))
    assert "6 ranks on 1 host" in job.preflight("test.yaml")
    assert "3 ranks on 1 host" in job.preflight("test.yaml", "--ranks", "3")


def test_preflight_ends_with_1_where_something_is_wrong(job):
    job.of_slurm().set(KIND="alone")
    said = job.preflight(code=1)
    assert verdicts(said) == {"launcher": "wrong"} and "--mpi=pmi2" in said
    assert said.endswith("1 check failed\n")


def test_preflight_has_nothing_to_look_at_where_nothing_is_launched(job):
    job.workspace.write("test.yaml", RUN + "engine: virtual\n")
    assert "no task launches processes" in job.preflight("test.yaml")
    assert "no.yaml" in job.preflight("no.yaml", code=2)
