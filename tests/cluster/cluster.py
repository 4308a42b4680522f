# SPDX-License-Identifier: BSD-3-Clause
"""A simulated cluster with Slurm, created by hosts.sh, and operations on it."""

import os
import pathlib
import shutil
import subprocess
import time

HOSTS = pathlib.Path(__file__).resolve().parent / "hosts.sh"
NAMESPACES = ["--net", "--uts", "--ipc", "--mount", "--pid"]
PROGRAMS = ["slurmctld", "slurmd", "srun", "sbatch", "ip", "unshare", "nsenter", "setpriv"]


def why_not():
    """Returns why no cluster can be created here; empty if one can."""
    if os.geteuid() != 0:
        return "only root may make its namespaces"
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        return f"{', '.join(missing)} not installed (CONTRIBUTING.md tells how)"
    tried = subprocess.run(
        ["unshare", *NAMESPACES, "--time", "--fork", "--kill-child", "--mount-proc",
         "sh", "-c", "mount -t tmpfs tmpfs /dev/shm && ip link add br0 type bridge"],
        capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"no namespaces: {tried.stderr.strip()}"


def eventually(condition, seconds):
    """Waits at most `seconds` until `condition` holds; returns whether it does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Cluster:
    """Hosts login, n1, n2 …; they end with the process that created them, also if it is killed."""

    def __init__(self, state, cores, slurm=""):
        self.state = state
        self.environment = dict(os.environ, STATE=str(state), SLURM=slurm,
                                SLURM_CONF=str(state / "slurm.conf"))
        for name in list(self.environment):  # set if the tests run inside a job
            if name.startswith("SLURM_") and name != "SLURM_CONF":
                del self.environment[name]
        with open(state / "log", "w", encoding="utf-8") as log:
            self.login = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "unshare", *NAMESPACES, "--fork", "--kill-child",
                 "--mount-proc", "--propagation", "private", HOSTS, "login", *map(str, cores)],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        if not eventually((state / "ready").exists, 40):
            self.end()
            raise RuntimeError("the cluster does not start: " + (state / "log").read_text())
        children = pathlib.Path(f"/proc/{self.login.pid}/task/{self.login.pid}/children")
        self.first = children.read_text().split()[0]

    def end(self):
        self.login.kill()
        self.login.wait()

    def start(self, *command, **options):
        """Starts a command on the login host."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.STDOUT, "text": True} | options
        return subprocess.Popen(
            ["nsenter", "--target", self.first, *NAMESPACES, f"--wd={options.pop('cwd', '/')}",
             *map(str, command)], env=self.environment, **options)

    def run(self, *command, code=0, timeout=300, **options):
        """Runs a command on the login host, checks its exit code (None: any), returns output."""
        process = self.start(*command, **options)
        try:
            said, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        assert code is None or process.returncode == code, f"{command}: {said}"
        return said

    def crash(self, host):
        self.run(HOSTS, "crash", host)

    def boot(self, host):
        self.run(HOSTS, "boot", host, stdout=subprocess.DEVNULL)

    def is_up(self, host):
        return "there" in self.run(HOSTS, "on", host, "echo", "there", code=None)

    def state_of(self, job):
        said = self.run("scontrol", "-o", "show", "job", job, code=None)
        words = dict(word.split("=", 1) for word in said.split() if "=" in word)
        return words.get("JobState", "")

    def has_ended(self, job):
        """Returns whether a job has ended; skips Slurm's delay of two minutes before a restart."""
        if "Reason=BeginTime" in self.run("scontrol", "-o", "show", "job", job, code=None):
            self.run("scontrol", "update", f"jobid={job}", "starttime=now", code=None)
        return self.state_of(job) not in ("PENDING", "RUNNING", "COMPLETING", "REQUEUED")

    def submit(self, *words, cwd):
        return self.run("sbatch", "--parsable", *words, cwd=cwd).split()[-1].split(";")[0]

    def wait_idle(self, hosts, seconds=60):
        assert eventually(
            lambda: self.run("sinfo", "-h", "-p", "low", "-t", "idle", "-o", "%D").strip() == str(hosts),
            seconds), self.run("sinfo", "-N", "-l")
