# SPDX-License-Identifier: BSD-3-Clause
"""The templates for schedulers, with a `regroup` and a scheduler that only record calls."""

import pathlib
import signal
import subprocess

import pytest

from conftest import eventually

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATES = sorted(path.name for path in (ROOT / "jobs").glob("*.sh")
                   if path.name not in ("local.sh", "setup.sh"))

# Records its arguments and exits with the code in the file `code`, on a signal or at once.
REGROUP = """if [ "$1 $2" = "plan --brief" ]; then echo "run mine"; exit; fi
for word; do echo "$word"; done >>asked
[ -e at_once ] && exit $(cat code)
trap 'echo told >>asked; exit $(cat code)' TERM
touch started
while :; do sleep 0.02; done
"""
# Slurm ends a job when it is requeued.
SCONTROL = """echo "$*" >>scontrol
[ "$1" != requeue ] || kill -9 $(cat pid)
echo "JobId=$4 Restarts=0"
"""


class Cluster:
    def __init__(self, path):
        self.path = path
        self.environment = {"PATH": f"{path}/bin:/usr/bin:/bin"}
        self.executable("build/regroup", REGROUP)
        self.executable("bin/scontrol", SCONTROL)
        for template in TEMPLATES:
            text = (ROOT / "jobs" / template).read_text()
            self.executable(f"jobs/{template}", text.split("\n", 1)[1], "#!/bin/bash\n")

    def executable(self, name, text, first="#!/bin/sh\n"):
        file = self.path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(first + text)
        file.chmod(0o755)

    def start(self, template, *arguments, code=0, at_once=True, **variables):
        (self.path / "code").write_text(f"{code}\n")
        if at_once:
            (self.path / "at_once").touch()
        variables.setdefault("SLURM_SUBMIT_DIR", str(self.path))
        job = subprocess.Popen([self.path / "jobs" / template, *arguments], cwd=self.path, text=True,
                               env=self.environment | variables, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
        (self.path / "pid").write_text(str(job.pid))
        return job

    def run(self, *arguments, **options):
        job = self.start(*arguments, **options)
        said, _ = job.communicate(timeout=30)
        return job.returncode, said

    def slurm(self, *arguments, restarts=0, **options):
        if restarts:
            options["SLURM_RESTART_COUNT"] = str(restarts)
        return self.run("slurm.sh", "mine.yaml", *arguments, SLURM_JOB_ID="7", **options)

    def asked(self):
        return (self.path / "asked").read_text().splitlines()

    def requeued(self):
        return "requeue 7" in (self.path / "scontrol").read_text()


@pytest.fixture
def cluster(tmp_path):
    return Cluster(tmp_path)


def test_options_are_passed_on_and_facts_of_the_job_kept(cluster):
    code, said = cluster.slurm("--retry", "--only", "two words")
    assert code == 0, said
    assert cluster.asked() == ["run", "mine.yaml", "--resume", "--retry", "--only", "two words"]
    assert (cluster.path / "results/mine/job-7.txt").read_text() == "JobId=7 Restarts=0\n"
    cluster.slurm(restarts=1)
    assert (cluster.path / "results/mine/job-7.txt").read_text().count("JobId") == 2
    assert not cluster.requeued()


def test_a_restarted_job_does_not_overwrite_its_results(cluster):
    cluster.slurm("--overwrite")
    assert cluster.asked() == ["run", "mine.yaml", "--overwrite"], "--resume does not go with it"
    cluster.slurm("--overwrite", "--retry", restarts=1)
    assert cluster.asked()[-4:] == ["run", "mine.yaml", "--resume", "--retry"]


@pytest.mark.parametrize("words", [["--out", "else where"], ["--out=else where"]])
def test_facts_of_the_job_are_beside_the_results(cluster, words):
    assert cluster.slurm(*words)[0] == 0
    assert (cluster.path / "else where/job-7.txt").exists()
    assert not (cluster.path / "results").exists()


def test_a_job_is_started_again_where_runs_could_not_begin(cluster):
    code, said = cluster.slurm(code=75)
    assert code == -9 and cluster.requeued(), "Slurm ends it"
    assert "(1 of 3)" in said
    assert cluster.slurm(code=75, restarts=2)[0] == -9


@pytest.mark.parametrize("code, restarts", [(0, 0), (1, 0), (2, 0), (130, 0), (75, 3), (75, 4)])
def test_a_job_is_not_started_again_otherwise(cluster, code, restarts):
    assert cluster.slurm(code=code, restarts=restarts)[0] == code
    assert not cluster.requeued()


@pytest.mark.parametrize("told, code, again", [
    (signal.SIGUSR1, 130, True),   # the time limit is near
    (signal.SIGUSR1, 75, True),
    (signal.SIGUSR1, 0, False),    # all tasks had just ended
    (signal.SIGTERM, 130, False),  # the job is cancelled
    (signal.SIGTERM, 75, False)])
def test_a_signal_reaches_the_sweep_which_ends_cleanly(cluster, told, code, again):
    job = cluster.start("slurm.sh", "mine.yaml", at_once=False, code=code, SLURM_JOB_ID="7")
    assert eventually((cluster.path / "started").exists)
    job.send_signal(told)
    said, _ = job.communicate(timeout=30)
    assert job.returncode == (-9 if again else code), said
    assert cluster.asked()[-1] == "told"
    assert cluster.requeued() == again


def test_a_quarrel_with_slurm_keeps_no_job_from_its_results(cluster):
    cluster.executable("bin/scontrol", "touch scontrol; exit 1\n")
    code, said = cluster.slurm()
    assert code == 0 and "failed: scontrol show job" in said
    assert cluster.slurm(code=75)[0] == 75


def test_each_job_of_an_array_does_its_share(cluster):
    of_the_array = {"SLURM_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MAX": "8"}
    code, said = cluster.run("slurm_array.sh", "mine.yaml", "--retry", **of_the_array)
    assert code == 0, said
    assert cluster.asked() == ["run", "mine.yaml", "--resume", "--shard", "3/8", "--retry"]
    again = of_the_array | {"SLURM_ARRAY_TASK_MAX": "3", "SHARDS": "8"}
    cluster.run("slurm_array.sh", "mine.yaml", **again)
    assert cluster.asked()[-2:] == ["--shard", "3/8"]


def test_an_array_finds_an_installed_regroup(cluster):
    for name in ("bin/regroup", "share/regroup/jobs/slurm.sh"):
        (cluster.path / name).parent.mkdir(parents=True, exist_ok=True)
    (cluster.path / "build/regroup").rename(cluster.path / "bin/regroup")
    (cluster.path / "jobs/slurm.sh").rename(cluster.path / "share/regroup/jobs/slurm.sh")
    code, said = cluster.run("slurm_array.sh", "mine.yaml", SLURM_JOB_ID="7", SLURM_ARRAY_TASK_ID="3",
                             SLURM_ARRAY_TASK_MAX="8")
    assert code == 0, said
    assert cluster.asked() == ["run", "mine.yaml", "--resume", "--shard", "3/8"]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_without_a_configuration_prints_its_usage(cluster, template):
    code, said = cluster.run(template)
    assert code != 0 and "usage: sbatch" in said
