# SPDX-License-Identifier: BSD-3-Clause
"""`regroup sort`: sorting over communicators of each strategy."""

import os
import signal
import time

import pytest

from conftest import eventually
from creation_test import line_with, measure, planned, summary

HEAD = "measure: sort\nranks: 4\nelements_per_rank: 16\ncommunicator: range\n"
NUMBER = "measure: sort\nranks: 4\ncommunicator: range\nelements_per_rank: "

# Error: (configuration, line, words of the message).
BAD_CONFIGURATIONS = {
    "unknown_strategy": (HEAD.replace("range", "rnage"), 4, "'rnage'", "create_group"),
    "strategy_of_no_parts": (HEAD.replace("range", "[range, dup]"), 4, "'dup'", "sample_sort"),
    "shared": (HEAD.replace("range", "split_type_shared"), 4, "'split_type_shared'", "range"),
    "one_rank_alone": (HEAD.replace("range", "\n  - range\n  - std_sort"), 6,
                       "communicator std_sort", "ranks"),
    "no_strategy": (NUMBER.replace("communicator: range\n", "") + "16\n", 1, "'communicator' is missing",
                    "sample_sort"),
    "unknown_input": (HEAD + "input: shuffled\n", 5, "'shuffled'", "uniform | gaussian"),
    "unknown_type": (HEAD + "element_type: string\n", 5, "'string'", "double | float"),
    "unknown_assignment": (HEAD + "assignment: best\n", 5, "'best'", "greedy | deterministic"),
    "too_many": (NUMBER + "1048577\n", 4, "'1048577'", "from 0 to 1048576"),
    "fewer_than_none": (NUMBER + "-1\n", 4, "'-1'", "from 0 to 1048576"),
    "how_many": ("measure: sort\nranks: 4\ncommunicator: range\n", 1,
                 "'elements_per_rank' is missing", "integer"),
    "other_key": (HEAD + "group_size: 2\n", 5, "unknown key 'group_size'", "elements_per_rank"),
}


@pytest.mark.parametrize("bad", BAD_CONFIGURATIONS.values(), ids=BAD_CONFIGURATIONS)
def test_a_bad_configuration_is_refused_at_its_line(workspace, bad):
    workspace.refuses(*bad)


def test_one_rank_sorts_alone_and_plain_sorts_have_no_assignment(workspace):
    plan = planned(workspace, "measure: sort\nranks: [1, 4]\ncommunicator: [range, sample_sort]\n"
                   "elements_per_rank: 16\nassignment: [greedy, deterministic]\n")
    kind = "double, uniform, elements_per_rank 16"
    assert plan == [f"1 ranks, {kind}, greedy, std_sort, #1", f"4 ranks, {kind}, greedy, range, #1",
                    f"4 ranks, {kind}, greedy, sample_sort, #1",
                    f"4 ranks, {kind}, deterministic, range, #1"]


def test_all_strategies_are_those_that_form_parts(workspace):
    plan = planned(workspace, "measure: sort\nranks: 4\ncommunicator: all\nelements_per_rank: 16\n")
    ways = [line.split(", ")[-2] for line in plan]
    assert {"range", "create_group", "comm_split", "intercomm_merge", "sample_sort"} < set(ways)
    assert not {"dup", "split_type_shared", "std_sort"} & set(ways)


SMALL = """measure: sort
ranks: [1, 4]
communicator: [range, create_group, comm_split, intercomm_merge, sample_sort]
elements_per_rank: [0, 1, 100]
samples: 2
"""


@pytest.mark.mpi
def test_sorts_become_rows_and_a_summary(workspace):
    rows, said = measure(workspace, SMALL, kind="sort")
    assert len(rows) == 3 + 5 * 3 and {row["status"] for row in rows} == {"ok"}
    for row in rows:
        divides = row["communicator"] not in ("sample_sort", "std_sort")
        assert float(row["time_min_s"]) > 0 and (row["time_low_s"] == "")
        assert (row["levels"] != "") == (row["creation_s"] != "") == divides
        assert (row["moved_bytes"] == "") == (row["received_messages_max"] == "") == (row["ranks"] == "1")
        assert (row["imbalance"] == "") == (row["elements_per_rank"] == "0")
        if divides and row["elements_per_rank"] != "0":
            assert row["imbalance"] == "1" and int(row["levels"]) >= 1
            assert int(row["received_messages_max"]) >= 1 and float(row["moved_bytes"]) > 0
            if row["communicator"] == "range":
                assert row["constructor_calls"] == "0"
            elif row["elements_per_rank"] == "100":  # otherwise, only pairs may be left
                assert int(row["constructor_calls"]) > 0
        if row["communicator"] == "sample_sort":
            assert row["constructor_calls"] == "0" and int(row["received_messages_max"]) <= 3
    assert {row["communicator"] for row in rows if row["ranks"] == "1"} == {"std_sort"}
    assert "/ range" in said and "every sort was checked" in said
    done = workspace.run("verify", "results", code=0)
    assert "18 of 18 measurements verified" in done.stdout
    assert workspace.nothing_left()


# Repeats a sort of about a second.
LONG = """measure: sort
ranks: 4
communicator: create_group
elements_per_rank: 262144
samples: 1000
"""


def sorting(workspace):
    """Starts LONG and returns the command when all ranks sort."""
    sweep = workspace.start("run", "test.yaml", "--out", "results")
    begun = lambda: list((workspace.path / "results/logs").glob("*.start"))
    assert eventually(lambda: begun() and len(workspace.processes("regroup-mpi")) == 4, 30)
    time.sleep(1)
    return sweep


@pytest.mark.mpi
def test_a_rank_that_is_killed_while_it_sorts_leaves_a_row(workspace):
    workspace.write("test.yaml", LONG)
    sweep = sorting(workspace)
    os.kill(workspace.processes("regroup-mpi")[-1], signal.SIGKILL)
    out, err = sweep.communicate(timeout=30)
    assert sweep.returncode == 1, out + err
    row, = workspace.rows("sort.csv")
    assert row["status"] == "killed" and row["message"] != "" and row["time_median_s"] == ""
    assert "killed: 4 ranks" in workspace.run("table", "results").stdout
    workspace.run("verify", "results", code=0)
    assert workspace.nothing_left()


# ---- summaries of given results ------------------------------------------------------------------

WAYS = {"create_group": 8, "range": 2, "sample_sort": 1}


def write_sorts(workspace, assignments=("greedy",), ways=WAYS):
    rows = []
    for assignment in assignments:
        for size in (1, 64):
            for way, ms in ways.items():
                plain = way == "sample_sort"
                if plain and assignment != "greedy":
                    continue
                time = 1e-3 * ms * size * (1 if assignment == "greedy" else 3)
                rows.append({
                    "ranks": 32, "cores": 2,
                    "oversubscribed": "yes", "element_type": "double", "input": "zipf",
                    "elements_per_rank": size, "assignment": assignment, "communicator": way,
                    "samples": 7, "time_min_s": 0.9 * time,
                    "time_median_s": time, "creation_s": "" if plain else 0.75 * time,
                    "constructor_calls": "" if plain else 40, "levels": "" if plain else 9,
                    "received_messages_max": "" if plain else 5, "moved_bytes": "" if plain else 4096,
                    "imbalance": 1.25 if plain else 1})
    workspace.write_rows("sort.csv", rows)


def test_the_summary_compares_times_with_range(workspace):
    write_sorts(workspace)
    text = summary(workspace)
    assert "32 ranks on 2 cores (oversubscribed), waiting: wrapper, input zipf" in text
    assert line_with(text, "n/p", "/ range").split() == [
        "n/p", "range", "create_group", "/", "range", "sample_sort", "/", "range"]
    assert line_with(text, " 64 ", "ms").split() == [
        "64", "128", "ms", "512", "ms", "4.00", "64.0", "ms", "0.50"]
    assert line_with(text, " 1 ", "75.0 %").split() == ["1", "75.0", "%", "75.0", "%"]
    assert line_with(text, " 1  create_group").split() == [
        "1", "create_group", "9", "5", "4096", "40", "1.000"]
    assert line_with(text, " 1  sample_sort").split() == ["1", "sample_sort", "1.250"]


def test_the_summary_compares_assignments_with_their_like(workspace):
    write_sorts(workspace, ("greedy", "deterministic"))
    head = line_with(summary(workspace), "n/p", "/ range")
    assert [word.strip() for word in head.split("  ") if word.strip()] == [
        "n/p", "range", "range deterministic", "create_group", "/ range", "sample_sort", "/ range",
        "create_group deterministic", "/ range"]


def test_the_summary_has_no_ratios_without_range(workspace):
    write_sorts(workspace, ways={"create_group": 8, "sample_sort": 1})
    assert "/ range" not in summary(workspace)
