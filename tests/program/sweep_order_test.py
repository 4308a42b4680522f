# SPDX-License-Identifier: BSD-3-Clause
"""The key `sweep_order`: measurements are made in random order, which their seeds draw."""

import json
import os
import signal

import pytest

from config_test import expect_one_line
from conftest import eventually
from creation_test import measure

CONFIG = """measure: steps
ranks: [2, 3, 4]
group_size: [1, 2]
samples: 2
repetitions: 2
"""


def positions(workspace, config, *words):
    done = workspace.run("plan", workspace.write("test.yaml", config), "--format", "json", *words)
    assert done.returncode == 0, done.stderr
    return {task["run"]: task["position"] for task in json.loads(done.stdout)["tasks"]}


def planned(workspace, config, *words):
    """The names, as they come."""
    order = positions(workspace, config, *words)
    return sorted(order, key=order.get)


def test_each_repetition_is_shuffled_and_made_before_the_next(workspace):
    config = CONFIG.replace("repetitions: 2", "repetitions: 3")
    drawn = planned(workspace, config)
    written = planned(workspace, config + "sweep_order: as_written\n")
    assert sorted(drawn) == sorted(written) and drawn != written
    parts = [(drawn[i:i + 6], written[i:i + 6]) for i in range(0, 18, 6)]
    assert all(sorted(mine) == sorted(theirs) for mine, theirs in parts)
    places = [[theirs.index(name) for name in mine] for mine, theirs in parts]
    assert len({tuple(place) for place in places}) == 3


def test_the_seed_draws_it(workspace):
    first = positions(workspace, CONFIG)
    assert positions(workspace, CONFIG) == first
    other = positions(workspace, CONFIG + "seed: 2\n")
    assert list(first.values()) != list(other.values())


def test_of_a_part_it_is_the_order_of_the_whole(workspace):
    whole = planned(workspace, CONFIG)
    part = planned(workspace, CONFIG, "--only", "group_size 2")
    assert 0 < len(part) < len(whole)
    assert part == [name for name in whole if name in part]


def test_the_plan_says_so(workspace):
    workspace.write("test.yaml", CONFIG)
    assert "random" in workspace.run("plan", "test.yaml").stdout
    done = workspace.run("plan", "test.yaml", "--set", "sweep_order=as_written")
    assert "random" not in done.stdout


def test_runs_are_made_as_written_but_where_somebody_asks(workspace):
    runs = ("engine: virtual\nranks: [2, 3, 4, 5, 6, 7, 8]\nbalancers: [none, asynchronous]\n"
            "workload: exponential\nrepetitions: 2\n")
    written = positions(workspace, runs)
    assert list(written.values()) == sorted(written.values())
    drawn = positions(workspace, runs + "sweep_order: random\n")
    assert list(drawn) == list(written), "these are their names"
    for repetition in (list(drawn.values())[:14], list(drawn.values())[14:]):
        assert repetition != sorted(repetition)
    assert max(list(drawn.values())[:14]) < min(list(drawn.values())[14:])


def test_a_wrong_word_is_refused(workspace):
    workspace.write("test.yaml", CONFIG + "sweep_order: sorted\n")
    expect_one_line(workspace.run("run", "test.yaml"), "test.yaml:6: 'sorted' is no value",
                    "random | as_written")


@pytest.mark.long
@pytest.mark.mpi
def test_rows_stand_in_the_order_in_which_they_were_made(workspace):
    rows, said = measure(workspace, CONFIG, kind="steps")
    assert [row["run"] for row in rows] == planned(workspace, CONFIG)
    began = [row["began"] for row in rows]
    assert began == sorted(began)
    # What is told of them does not depend on it.
    as_written, told = measure(workspace, CONFIG, "--overwrite", "--set", "sweep_order=as_written",
                               kind="steps")
    assert [row["ranks"] for row in as_written] == ["2", "2", "3", "3", "4", "4"] * 2
    titles = [[line for line in text.splitlines() if " ranks on " in line] for text in (said, told)]
    assert titles[0] == titles[1] and [title.split()[0] for title in titles[0]] == ["2", "3", "4"]


@pytest.mark.mpi
def test_what_was_interrupted_goes_on_in_the_same_order(workspace):
    workspace.write("test.yaml", CONFIG)
    sweep = workspace.start("run", "test.yaml", "--out", "results")
    main = workspace.path / "results/steps.csv"
    assert eventually(lambda: main.exists() and main.read_text().count("\n") > 3, 60)
    os.kill(sweep.pid, signal.SIGINT)
    sweep.communicate()
    assert sweep.returncode == 130 and 3 <= len(workspace.rows("steps.csv")) < 12
    rows, _ = measure(workspace, CONFIG, "--resume", kind="steps")
    assert [row["run"] for row in rows] == planned(workspace, CONFIG)
