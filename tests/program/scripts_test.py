# SPDX-License-Identifier: BSD-3-Clause
"""The scripts jobs/local.sh and tests/run.sh, in a tree whose tools only record calls."""

import os
import pathlib
import subprocess

import pytest

from conftest import REGROUP

ROOT = pathlib.Path(__file__).resolve().parents[2]


def executable(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


@pytest.fixture
def tree(tmp_path):
    """A tree with both scripts, which is not a git repository."""
    for script in ("jobs/local.sh", "tests/run.sh"):
        executable(tmp_path / script, "")
        (tmp_path / script).write_text((ROOT / script).read_text())
    executable(tmp_path / "jobs/setup.sh", "exit 0\n")
    for tool in ("cmake", "ctest", "smpicxx"):
        executable(tmp_path / "bin" / tool, f'echo "called: {tool} $*" | tee -a calls\nexit 0\n')
    return tmp_path


def call(tree, script, *arguments):
    """Runs a script with a standard input that never ends, like a terminal."""
    read, write = os.pipe()
    try:
        return subprocess.run(
            [tree / script, *arguments], cwd=tree, stdin=read, capture_output=True, text=True,
            timeout=30, env=dict(os.environ, PATH=f"{tree / 'bin'}:{os.environ['PATH']}"))
    finally:
        os.close(read)
        os.close(write)


def test_the_tests_stop_after_a_failed_set_up(tree):
    executable(tree / "jobs/setup.sh", "echo 'setup: nothing is there' >&2\nexit 2\n")
    done = call(tree, "tests/run.sh")
    assert done.returncode == 1
    assert not (tree / "calls").exists(), done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_local_runs_reports_and_draws_measurements(tree):
    executable(tree / "build/regroup",
               f'echo "$*" >>calls\n[ "$1" != plan ] || exec {REGROUP} "$@"\n')
    executable(tree / "plots/pictures.py", "printf 'figure1\\tcost of creating a communicator\\n'\n")
    (tree / "results").mkdir()
    executable(tree / "plots/figure1.py", "echo called: figure1 >>calls\n")
    (tree / "a test.yaml").write_text(
        "measure: creation\nranks: 4\ngroup_size: 2\ncommunicator: comm_split\n")
    done = call(tree, "jobs/local.sh", "a test.yaml", "--out", "results")
    assert done.returncode == 0, done.stdout + done.stderr
    calls = (tree / "calls").read_text().splitlines()
    assert "run a test.yaml --resume --out results" in calls
    assert "report results" in calls
    assert "called: figure1" in calls and not [line for line in calls if line.startswith("verify")]
