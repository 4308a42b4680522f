# SPDX-License-Identifier: BSD-3-Clause
"""Measurements; items_test.py and sort_test.py test two kinds further."""

import os
import re

import pytest

from conftest import MPICH, expect_one_line

HEAD = "measure: creation\nranks: 4\ncommunicator: range\ngroup_size: 2\n"
COLLECTIVES = "measure: collectives\nranks: 4\noperation: bcast\ncommunicator: range\n"

# Error: (configuration, line, words of the message).
BAD_CONFIGURATIONS = {
    "unknown_measure": ("measure: creations\n", 1, "'creations'", "creation | collectives"),
    "unknown_key": (HEAD + "workload: cyclic\n", 5, "unknown key 'workload'", "communicator"),
    "no_ranks": ("measure: creation\ncommunicator: range\n", 1, "'ranks' is missing", "integer"),
    "no_strategy": ("measure: creation\nranks: 4\n", 1, "'communicator' is missing", "range"),
    "no_group_size": (
        "measure: creation\nranks: 4\ncommunicator: range\n", 1, "'group_size' is missing", "integer"),
    "unknown_strategy": (
        "measure: creation\nranks: 4\ncommunicator: rnage\n", 3, "'rnage'", "create_group"),
    "all_and_others": (
        "measure: creation\nranks: 4\ncommunicator: [all, range]\n", 3, "'all' and other values", "alone"),
    "unknown_pattern": (HEAD + "pattern: circle\n", 5, "'circle'", "disjoint | halves"),
    "group_fits_nowhere": (
        "measure: creation\nranks: [2, 4]\ncommunicator: range\ngroup_size:\n  - 4\n  - 5\n", 6,
        "group_size 5", "ranks"),
    "no_samples": (HEAD + "samples: 0\n", 5, "'0'", "integer from 1"),
    "unknown_order": (HEAD + "sweep_order: sorted\n", 5, "'sorted' is not a valid value", "random | as_written"),
    "no_bytes": (COLLECTIVES + "bytes:\n  - 8\n  - 8:1X\n", 7, "'8:1X' is not a valid value of bytes", "8:1M"),
    "too_many_bytes": (COLLECTIVES + "bytes: 8:1G\n", 5, "'8:1G'", "134217728"),
    "no_power_of_two": (COLLECTIVES + "bytes: [12, 12:64]\n", 5, "'12:64'", "powers of two"),
    "falling_range": (COLLECTIVES + "bytes: 64:8\n", 5, "'64:8'", "powers of two"),
    "bytes_twice": (COLLECTIVES + "bytes: [8, 4:16]\n", 5, "contains '8' twice", "once"),
    "unknown_operation": (COLLECTIVES.replace("bcast", "alltoal"), 3, "'alltoal'", "alltoall | alltoallv"),
    "negative_item": (HEAD + "item_ms: -1\n", 5, "'-1'", "number from"),
    "list_of_repetitions": (HEAD + "repetitions: [1, 2]\n", 5, "is a list", "one number"),
}

SMALL = """measure: creation
ranks: 3
communicator: [create_group, range]
group_size: [2, 3]
samples: 2
"""


def measure(workspace, config, *arguments, kind="creation", code=0):
    """Runs the measurements of the text `config`; returns the rows and the output."""
    done = workspace.run("run", workspace.write("test.yaml", config), "--out", "results", *arguments,
                         code=code)
    return workspace.rows(f"{kind}.csv"), done.stdout


def planned(workspace, config):
    """Returns the descriptions of the measurements of a configuration."""
    done = workspace.run("plan", workspace.write("test.yaml", config), code=0)
    return [line.split(" s  ")[-1].strip() for line in done.stdout.splitlines() if ", #" in line]


@pytest.mark.parametrize("bad", BAD_CONFIGURATIONS.values(), ids=BAD_CONFIGURATIONS)
def test_a_bad_configuration_is_refused_at_its_line(workspace, bad):
    workspace.refuses(*bad)


def test_options_without_effect_are_planned_once(workspace):
    assert planned(workspace, "measure: creation\nranks: [8, 4]\ncommunicator: [range, dup]\n"
                   "pattern: [halves, cascaded]\n") == [
        "8 ranks, range, halves, group_size 4, #1", "8 ranks, range, cascaded, group_size 4, #1",
        "8 ranks, dup, one_group, group_size 8, #1", "4 ranks, range, halves, group_size 2, #1",
        "4 ranks, range, cascaded, group_size 4, #1", "4 ranks, dup, one_group, group_size 4, #1"]
    assert planned(workspace, "measure: collectives\nranks: 4\noperation: [barrier, bcast]\n"
                   "communicator: range\ngroup_size: 4\nbytes: [16, 1K:2K]\n") == [
        "4 ranks, barrier, range, group_size 4, bytes 0, before, #1",
        "4 ranks, bcast, range, group_size 4, bytes 16, before, #1",
        "4 ranks, bcast, range, group_size 4, bytes 1024, before, #1",
        "4 ranks, bcast, range, group_size 4, bytes 2048, before, #1"]


def test_all_stands_for_every_word(workspace):
    plan = planned(workspace, "measure: creation\nranks: 4\ncommunicator: all\npattern: all\n"
                   "group_size: 2\n")
    for word in ("create_group", "idup_with_info", "random_subset", "alternating"):
        assert any(word in line for line in plan)
    assert len([line for line in plan if ", dup," in line]) == 1


def test_all_group_sizes_are_powers_of_two_up_to_the_ranks(workspace):
    assert planned(workspace, "measure: steps\nranks: [2, 6]\ngroup_size: all\n") == [
        f"{ranks} ranks, group_size {size}, #1" for ranks, sizes in ((2, (1, 2)), (6, (1, 2, 4)))
        for size in sizes]


@pytest.mark.mpi
def test_measurements_become_rows_and_a_summary(workspace):
    rows, said = measure(workspace, SMALL + "sweep_order: as_written\n")
    assert [(row["communicator"], row["group_size"]) for row in rows] == [
        ("create_group", "2"), ("create_group", "3"), ("range", "2"), ("range", "3")]
    for row in rows:
        assert row["status"] == "ok" and row["pattern"] == "one_group"
        assert float(row["create_median_s"]) > 0 and float(row["wall_s"]) > 0
        assert row["formed_groups"] == "1" and row["formed_ranks_max"] == row["group_size"]
    assert "4 measurements in" in said and "Time to create one group" in said
    assert workspace.run("table", "results").stdout.strip() in said
    assert os.listdir(workspace.path / "results" / "logs") == []
    assert workspace.nothing_left()


@pytest.mark.mpi
@pytest.mark.parametrize("environment, formed", [
    ("", "4"), ("environment: {MPIR_CVAR_NOLOCAL: '1'}\n", "1")])
def test_the_size_of_a_machine_s_groups_is_measured(
        workspace, environment, formed):
    config = "measure: creation\nranks: 4\ncommunicator: split_type_shared\nsamples: 2\n" + environment
    rows, said = measure(workspace, config)
    if not MPICH:  # only MPICH has the variable
        formed = "4"
    assert [(row["group_size"], row["formed_ranks_min"], row["formed_ranks_max"]) for row in rows] == [
        ("4", formed, formed)]
    header = said[said.index("Time to create one group"):].splitlines()[1]
    assert header.split() == ["communicator", formed]


@pytest.mark.mpi
def test_an_impossible_measurement_is_a_row_with_the_reason(workspace):
    rows, said = measure(workspace, "measure: creation\nranks: 8\ncommunicator: range\ngroup_size: 4\n"
                         "pattern: across_nodes\nsamples: 1\n", code=1)
    assert [row["status"] for row in rows] == ["unsupported"]
    assert "no group of 4 is across_nodes" in rows[0]["message"]
    assert rows[0]["create_median_s"] == "" and rows[0]["waited"] == ""
    assert "1 unsupported: no group of 4 is" in said
    assert workspace.rows("samples.csv") == []
    workspace.run("verify", "results", code=0)


@pytest.mark.mpi
def test_a_launcher_that_fails_is_a_row_and_retry_does_it_again(workspace):
    launcher = workspace.launcher("echo 'all is lost'; exit 1\n")
    rows, said = measure(workspace, SMALL + f"launcher: {launcher}\n", code=1)
    assert {row["status"] for row in rows} == {"failed"}
    assert "all is lost" in rows[0]["message"]
    assert "failed: 3 ranks, create_group, one_group, group_size 2" in said
    rows, _ = measure(workspace, SMALL, "--resume")
    assert {row["status"] for row in rows} == {"failed"}
    rows, _ = measure(workspace, SMALL, "--retry")
    assert {row["status"] for row in rows} == {"ok"}


@pytest.mark.mpi
def test_only_selects_measurements_and_resume_does_the_rest(workspace):
    rows, _ = measure(workspace, SMALL, "--only", "range")
    assert [row["communicator"] for row in rows] == ["range", "range"]
    before = workspace.text("creation.csv")
    rows, _ = measure(workspace, SMALL, "--resume")
    assert [row["communicator"] for row in rows] == ["range", "range", "create_group", "create_group"]
    whole = workspace.text("creation.csv")
    assert whole.startswith(before)
    _, said = measure(workspace, SMALL, "--resume")
    assert workspace.text("creation.csv") == whole
    assert "0 of 4 measurements to do" in said and "Time to create one group" in said
    done = workspace.run("run", "test.yaml", "--out", "results")
    expect_one_line(done, "--overwrite", "--resume")


# ---- summaries of given results ------------------------------------------------------------------

SIZES = (2, 4, 8, 16)
MILLISECONDS = {"comm_create": (4, 4, 4, 4), "comm_split": (5, 3, 6, 6),
                "create_group": (1, 2, 3, 5), "intercomm_merge": (2, 3, 2.5, 9),
                "range": (0.0002, 0.0002, 0.0002, 0.0002)}


def bystander(seconds):
    """Returns the columns of the delay of a rank outside the group, with an interval of ±20 µs."""
    return {"bystander_s": seconds, "bystander_low_s": seconds - 20e-6,
            "bystander_high_s": seconds + 20e-6}


def write_creation(workspace, change=lambda row: row):
    """Writes results of the strategies above, with intervals of ±10 %."""
    rows = []
    for strategy, times in MILLISECONDS.items():
        for size, time in zip(SIZES, times):
            rows.append(change({
                "ranks": 32, "cores": 2,
                "oversubscribed": "yes", "communicator": strategy,
                "pattern": "one_group", "group_size": size, "samples": 30, "item_ms": 2,
                "late_ms": 5, "attributes": 0, "in_flight": 0, "storm_regroupings": 0,
                "create_median_s": time / 1e3, "create_low_s": 0.9 * time / 1e3,
                "create_high_s": 1.1 * time / 1e3, "free_median_s": time / 1e4,
                **bystander(0.002 if strategy.startswith("comm") else 1e-6)}))
    workspace.write_rows("creation.csv", rows)


def summary(workspace):
    done = workspace.run("table", "results", code=0)
    return done.stdout


def settings_in(text):
    return re.split(r"(?m)^(?=\d+ ranks on )", text)[1:]


def line_with(text, *words):
    found = [line for line in text.splitlines() if all(word in line for word in words)]
    assert found, f"{words} in\n{text}"
    return found[0]


def test_the_summary_names_the_cheapest_constructors(workspace):
    write_creation(workspace)
    text = summary(workspace)
    assert "32 ranks on 2 cores (oversubscribed), waiting: wrapper" in text
    assert line_with(text, "communicator").split()[1:] == [str(size) for size in SIZES]
    assert line_with(text, "comm_split").split() == ["comm_split", "5.00", "ms", "3.00", "ms",
                                                     "6.00", "ms", "6.00", "ms"]
    assert line_with(text, " 8  intercomm_merge").split() == [
        "8", "intercomm_merge", "2.50", "ms", "range", "200", "ns"]
    assert line_with(text, " 16  comm_create").split() == [
        "16", "comm_create", "4.00", "ms", "range", "200", "ns"]


def test_the_summary_names_where_parent_collective_constructors_catch_up(workspace):
    write_creation(workspace)
    text = summary(workspace)
    line_with(text, "comm_create against create_group: from 16 ranks on",
              "(at 16: 4.00 ms and 5.00 ms)")
    line_with(text, "comm_split against create_group: never up to 16",
              "(at 16: 6.00 ms and 5.00 ms)")


def test_the_summary_judges_the_guidelines(workspace):
    write_creation(workspace)
    text = summary(workspace)
    line_with(text, "create_group <= intercomm_merge", "holds within the 95 % intervals",
              "create_group 3.00 ms and intercomm_merge 2.50 ms at 8")
    line_with(text, "comm_create <= comm_split", "VIOLATED",
              "comm_create 4.00 ms and comm_split 3.00 ms at 4")
    line_with(text, "range <= every other", "holds; closest", "create_group 1.00 ms at 2")
    line_with(text, "15000 times cheaper than create_group", "from 8 ranks on",
              "(220 ns and 3.30 ms at 8)")


def test_the_loss_of_a_bystander_has_an_interval(workspace):
    write_creation(workspace, lambda row: dict(row, **(
        bystander(-3e-6) if row["communicator"] == "range" else {})))
    text = summary(workspace)
    losses = text.split("Time that a rank outside loses")[1]
    assert "95 % interval" in losses
    line_with(losses, "comm_split", "2.00 [1.98, 2.02] ms")
    line_with(losses, "create_group", "1.0 [-19.0, 21.0] µs")
    line_with(losses, "parent-collective: from 2.00 ms", "to 2.00 ms", "8 of 8 intervals are above 0")
    line_with(losses, "group-collective: from -3.00 µs (range, 2) to 1.00 µs",
              "0 of 12 intervals are above 0")


def without_intervals(row):
    """Changes a row to one of fewer than six samples."""
    return {column: "" if column.endswith(("_low_s", "_high_s")) else 5 if column == "samples"
            else cell for column, cell in row.items()}


def test_too_few_samples_have_no_verdict(workspace):
    write_creation(workspace, without_intervals)
    text = summary(workspace)
    assert "VIOLATED" not in text and "holds" not in text
    for guideline in ("create_group <= intercomm_merge", "comm_create <= comm_split", "range <="):
        line_with(text, guideline, "too few samples (fewer than 6) at 2, 4, 8, 16")
    losses = text.split("Time that a rank outside loses")[1]
    line_with(losses, "comm_split", "2.00 ms (too few)")
    line_with(losses, "parent-collective: from 2.00 ms", "too few samples")


def checked(workspace, *arguments):
    done = workspace.run("table", "results", "--check", *arguments)
    assert "Guidelines" in done.stdout
    return done


def test_check_answers_whether_the_guidelines_hold(workspace):
    write_creation(workspace)
    assert checked(workspace).returncode == 1
    write_creation(workspace, lambda row: dict(row, communicator="dup") if row["communicator"] in (
        "comm_split", "intercomm_merge") else row)
    assert checked(workspace).returncode == 0
    write_creation(workspace, lambda row: dict(without_intervals(row), samples=30) if (
        row["group_size"] == 4) else row)
    done = checked(workspace)
    assert done.returncode == 2 and "too few samples" in done.stderr
    line_with(done.stdout, "comm_create <= comm_split", "holds; closest", "too few samples",
              "at 4")


def test_check_has_to_have_something_to_judge(workspace):
    write_creation(workspace, lambda row: dict(row, communicator="range"))
    done = workspace.run("table", "results", "--check", code=2)
    assert "no guideline" in done.stderr
    os.remove(workspace.path / "results/creation.csv")
    expect_one_line(workspace.run("table", "results", "--check"), "creation.csv")


def test_the_summary_takes_medians_over_repetitions_and_keeps_settings_apart(workspace):
    write_creation(workspace)
    rows = workspace.rows("creation.csv")
    twice = [dict(row, run="1" + row["run"][1:], repetition=2,
                  create_median_s=3 * float(row["create_median_s"])) for row in rows]
    other = [dict(row, run="2" + row["run"][1:], ranks=64) for row in rows]
    workspace.write_rows("creation.csv", rows + twice + other)
    text = summary(workspace)
    assert line_with(text, "create_group", "10.0 ms").split()[1:3] == ["2.00", "ms"]
    assert line_with(text.split("\n64 ranks")[1], "create_group").split()[1:3] == ["1.00", "ms"]


@pytest.mark.parametrize("column, value", [
    ("cores", 64), ("waited", "direct"), ("samples", 99),
    ("item_ms", 9)])
def test_the_summary_keeps_measurements_under_other_conditions_apart(workspace, column, value):
    write_creation(workspace)
    rows = workspace.rows("creation.csv")
    other = [dict(row, run="1" + row["run"][1:],
                  **{column: value, "create_median_s": 3 * float(row["create_median_s"])})
             for row in rows]
    workspace.write_rows("creation.csv", rows + other)
    text = summary(workspace)
    first, second = settings_in(text)
    assert str(value) in second.splitlines()[0] and str(value) not in first.splitlines()[0]
    assert line_with(first, "create_group", "ms").split()[1:3] == ["1.00", "ms"]
    assert line_with(second, "create_group", "ms").split()[1:3] == ["3.00", "ms"]


def test_the_summary_has_the_limits_of_communicators(workspace):
    write_creation(workspace, lambda row: dict(
        row, communicators_limit_local=2046, communicators_limit_common=2045, storm_alive=140,
        storm_limit_local=1906, storm_limit_common=1802, storm_lost=103, storm_leaked=0) if row["communicator"] == "create_group" else row)
    table = summary(workspace).split("Communicators that can be alive")[1].splitlines()
    assert table[2].split() == ["create_group", "2046", "2045", "140", "1906", "1802", "103", "0"]
    assert not any(line.startswith("comm_split") for line in table)


def test_the_summary_pools_seeds_only_where_they_draw_no_groups(workspace):
    write_creation(workspace, lambda row: dict(row, pattern="random_subset") if row["communicator"] in (
        "comm_create", "comm_split") else row)
    rows = workspace.rows("creation.csv")
    twice = [dict(row, run="1" + row["run"][1:], seed=2,
                  create_median_s=3 * float(row["create_median_s"])) for row in rows]
    workspace.write_rows("creation.csv", rows + twice)
    settings = settings_in(summary(workspace))
    titles = [setting.splitlines()[0] for setting in settings]
    ends = ["groups of seed 1: medians", ": medians over 2 seeds", "groups of seed 2: medians"]
    assert len(titles) == 3 and all(title.endswith(end) for title, end in zip(titles, ends)), titles
    assert "groups of seed" not in titles[1]
    assert line_with(settings[0], "random_subset  ", " 2 ").split()[2:4] == ["4.00", "ms"]
    assert line_with(settings[1], "create_group ").split()[1:3] == ["2.00", "ms"]
    assert line_with(settings[2], "random_subset  ", " 2 ").split()[2:4] == ["12.0", "ms"]


def test_the_summary_has_other_patterns_and_failures(workspace):
    def change(row):
        if row["communicator"] == "range":
            row.update(status="unsupported", message="no such thing")
        elif row["communicator"] == "comm_split":
            row["pattern"] = "random_subset"
        elif row["communicator"] == "comm_create" and row["group_size"] == 8:
            row.update(status="timeout", message="not finished after 3 s")
        return row
    write_creation(workspace, change)
    text = summary(workspace)
    assert line_with(text, "random_subset", "3.00").split() == ["random_subset", "4", "3.00", "ms"]
    assert "range <=" not in text and "times cheaper" not in text
    line_with(text, "timeout: 32 ranks, comm_create, one_group, group_size 8, #1: not finished")
    line_with(text, "4 unsupported: no such thing")


def test_the_summary_of_collectives_compares_range_with_native(workspace):
    rows = [{"ranks": 16, "cores": 2, "operation": "scan",
             "communicator": communicator, "group_size": 16, "bytes": elements, "calls_per_sample": 1,
             "creation": "before", "samples": 30, "time_median_s": time}
            for communicator, elements, time in (
                [("create_group", 1, 1e-4), ("range", 1, 5e-5), ("create_group", 8, 2e-4),
                 ("range", 8, 3e-4)])]
    workspace.write_rows("collectives.csv", rows)
    text = summary(workspace)
    assert line_with(text, "scan", " 1 ").split() == [
        "scan", "1", "100", "µs", "50.0", "µs", "0.50"]
    assert line_with(text, "scan", " 8 ").split()[-1] == "1.50"


@pytest.mark.parametrize("row, column, value, word", [
    (1, "create_median_s", "abc", "creation.csv:3: 'abc'"),
    (0, "ranks", "0", "creation.csv:2: '0'"),
    (2, "communicator", "foo", "creation.csv:4: 'foo'"),
    (2, "status", "foo", "creation.csv:4: 'foo'"),
    (-1, "status", "foo", "creation.csv:1: there is no column 'status'"),
])
def test_damaged_results_are_refused_at_their_line(workspace, row, column, value, word):
    write_creation(workspace)
    workspace.change("creation.csv", row, column, value)
    expect_one_line(workspace.run("table", "results"), word)


def test_the_summary_has_one_format(workspace):
    write_creation(workspace)
    expect_one_line(workspace.run("table", "results", "--format", "latex"), "latex", "text, csv, json")
