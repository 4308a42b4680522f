# SPDX-License-Identifier: BSD-3-Clause
"""The key `sweep_order` in results; the orders themselves are tested in unit/config_test.cpp."""

import json
import os
import signal

import pytest

from conftest import eventually
from creation_test import measure

CONFIG = """measure: steps
ranks: [2, 3, 4]
group_size: [1, 2]
samples: 2
repetitions: 2
"""


def planned(workspace, config):
    """Returns the names of the measurements, in the order of the plan."""
    done = workspace.run("plan", workspace.write("test.yaml", config), "--format", "json", code=0)
    tasks = sorted(json.loads(done.stdout)["tasks"], key=lambda task: task["position"])
    return [task["run"] for task in tasks]


@pytest.mark.long
@pytest.mark.mpi
def test_rows_are_in_the_order_of_the_plan(workspace):
    rows, said = measure(workspace, CONFIG, kind="steps")
    assert [row["run"] for row in rows] == planned(workspace, CONFIG)
    began = [row["began"] for row in rows]
    assert began == sorted(began)
    # The output does not depend on the order.
    as_written, told = measure(workspace, CONFIG, "--overwrite", "--set", "sweep_order=as_written",
                               kind="steps")
    assert [row["ranks"] for row in as_written] == ["2", "2", "3", "3", "4", "4"] * 2
    titles = [[line for line in text.splitlines() if " ranks on " in line] for text in (said, told)]
    assert titles[0] == titles[1] and [title.split()[0] for title in titles[0]] == ["2", "3", "4"]


@pytest.mark.mpi
def test_an_interrupted_sweep_continues_in_the_same_order(workspace):
    sweep = workspace.start("run", workspace.write("test.yaml", CONFIG), "--out", "results")
    main = workspace.path / "results/steps.csv"
    assert eventually(lambda: main.exists() and main.read_text().count("\n") > 3, 60)
    os.kill(sweep.pid, signal.SIGINT)
    sweep.communicate()
    assert sweep.returncode == 130 and 3 <= len(workspace.rows("steps.csv")) < 12
    rows, _ = measure(workspace, CONFIG, "--resume", kind="steps")
    assert [row["run"] for row in rows] == planned(workspace, CONFIG)
