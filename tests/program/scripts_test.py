# SPDX-License-Identifier: BSD-3-Clause
"""The scripts jobs/local.sh and tests/run.sh, in a tree whose tools only say that they were called."""

import os
import pathlib
import shutil
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
    """A tree, no git repository, with both scripts."""
    for script in ("jobs/local.sh", "tests/run.sh"):
        executable(tmp_path / script, "")
        (tmp_path / script).write_text((ROOT / script).read_text())
    executable(tmp_path / "jobs/setup.sh", "exit 0\n")
    for tool in ("cmake", "ctest", "smpicxx"):
        executable(tmp_path / "bin" / tool, f'echo "called: {tool} $*" | tee -a calls\nexit 0\n')
    return tmp_path


def call(tree, script, *arguments):
    """Its standard input never ends, like a terminal's."""
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


def pictures(tree):
    """What decides which pictures belong to results."""
    (tree / "plots/figures").mkdir(parents=True)
    for file in ("pictures.py", "figures/paper.py"):
        shutil.copy(ROOT / "plots" / file, tree / "plots" / file)


@pytest.mark.parametrize("measure", ["creation", '"creation"', "'creation' # with a remark"])
def test_local_knows_measurements_however_they_are_written(tree, measure):
    executable(tree / "build/regroup",
               f'echo "$*" >>calls\n[ "$1" != plan ] || exec {REGROUP} "$@"\n')
    pictures(tree)
    (tree / "results").mkdir()
    (tree / "results/creation.csv").write_text("run,pattern\n1,one_group\n")
    executable(tree / "plots/figure1.py", "echo called: figure1 >>calls\n")
    (tree / "a test.yaml").write_text(
        f"measure: {measure}\nranks: 4\ngroup_size: 2\ncommunicator: comm_split\n")
    done = call(tree, "jobs/local.sh", "a test.yaml", "--out", "results")
    assert done.returncode == 0, done.stdout + done.stderr
    calls = (tree / "calls").read_text().splitlines()
    assert "creation a test.yaml --resume --out results" in calls
    assert "report results" in calls
    assert "called: figure1" in calls and not [line for line in calls if line.startswith("verify")]


@pytest.mark.parametrize("reports", ["", "1,0,4,200,-25,3,200,90\n"])
def test_local_draws_chains_where_they_have_reported(tree, reports):
    executable(tree / "build/regroup", f'[ "$1" != plan ] || exec {REGROUP} "$@"\n')
    pictures(tree)
    for script in ("figure2", "table1", "timeline", "chains"):
        executable(tree / f"plots/{script}.py", f"echo called: {script} >>calls\n")
    (tree / "results").mkdir()
    (tree / "results/runs.csv").write_text("run,status\n1,ok\n")
    (tree / "results/events.csv").write_text("run,event\n1,start\n")
    (tree / "results/chains.csv").write_text("run,chain\n" + reports)
    (tree / "test.yaml").write_text("ranks: 4\ngroup_size: 2\nbalancers: [none]\n")
    done = call(tree, "jobs/local.sh", "test.yaml", "--out", "results")
    assert done.returncode == 0, done.stdout + done.stderr
    calls = (tree / "calls").read_text().splitlines()
    assert "called: timeline" in calls
    assert ("called: chains" in calls) == bool(reports)
