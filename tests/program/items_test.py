# SPDX-License-Identifier: BSD-3-Clause
"""Item times: `regroup items`, and the speed-up model `measured`, which uses them."""

import pytest

from conftest import expect_one_line
from creation_test import line_with, measure, planned, summary

HEAD = "measure: items\nranks: 4\ngroup_size: [1, 2]\n"

BAD_CONFIGURATIONS = {
    "unknown_walker": (HEAD + "walker: slepe\n", 4, "'slepe'", "sleep | spin | lennard_jones"),
    "unknown_option": (HEAD + "walker: {kind: sleep, atoms: 4}\n", 4, "'atoms'", "state_bytes"),
    "walker_that_does_not_fit": (
        HEAD + "walker:\n  - sleep\n  - {kind: lennard_jones, atoms: 9, sphere_radius: 1}\n", 5,
        "9 atoms do not fit", "regroup list walkers"),
    "group_fits_nowhere": (HEAD.replace("2]", "5]"), 3, "group_size 5", "ranks"),
    "all_and_others": (HEAD.replace("2]", "all]"), 3, "'all'", "integer from 1"),
    "no_group_size": ("measure: items\nranks: 4\n", 1, "'group_size' is missing", "integer"),
    "no_items": (HEAD + "items_per_sample: 0\n", 4, "'0'", "integer from 1"),
    "key_of_runs": (HEAD + "balancers: [none]\n", 4, "unknown key 'balancers'", "walker"),
}


@pytest.mark.parametrize("bad", BAD_CONFIGURATIONS.values(), ids=BAD_CONFIGURATIONS)
def test_a_bad_configuration_is_refused_at_its_line(workspace, bad):
    workspace.refuses(*bad)


def test_walkers_and_their_options_are_crossed_and_item_ms_with_those_that_take_it(workspace):
    walkers = "walker: [spin, {kind: lennard_jones, atoms: [9, 20]}]\nitem_ms: [1, 100]\n"
    assert planned(workspace, HEAD.replace("[1, 2]", "2") + walkers) == [
        "4 ranks, T 1 ms, spin, group_size 2, range, #1",
        "4 ranks, T 100 ms, spin, group_size 2, range, #1",
        "4 ranks, T 100 ms, lennard_jones(atoms=9), group_size 2, range, #1",
        "4 ranks, T 100 ms, lennard_jones(atoms=20), group_size 2, range, #1"]


@pytest.mark.mpi
def test_times_become_rows_that_virtual_and_real_runs_take_for_their_speed_up(workspace):
    rows, said = measure(workspace, "measure: items\nranks: 2\ngroup_size: all\nwalker: sleep\n"
                         "item_ms: 4\nitems_per_sample: 2\nsamples: 6\n", kind="items")
    assert [row["group_size"] for row in rows] == ["1", "2"]
    for row in rows:
        assert row["status"] == "ok" and row["walker"] == "sleep" and row["state_bytes"] == "0"
        assert 0.004 / int(row["group_size"]) <= float(row["time_min_s"])
        assert float(row["time_low_s"]) <= float(row["time_median_s"]) <= float(row["time_high_s"])
    assert "In a run: item_ms " in said
    workspace.run("verify", "results", code=0)
    workspace.write("runs.yaml", "engine: [virtual, mpi]\nranks: 2\ngroup_size: 1\nitem_ms: 2\n"
                    "workload: {kind: constant, mean_items: 2}\nbalancers: [none]\n"
                    "speedup: {kind: measured, items_file: results/items.csv}\n")
    workspace.run("run", "runs.yaml", "--out", "runs", code=0)
    workspace.run("verify", "runs", code=0)


# ---- summary and model of given times ------------------------------------------------------------

def known(**columns):
    """Returns rows of four group sizes on 2 cores: 8, 4, 3 and 4 ms."""
    columns = {"walker": "spin(state_bytes=0)", "item_ms": "8", **columns}
    return [{"ranks": 8, "cores": 2,
             "oversubscribed": "yes", "group_size": size, "communicator": "range", "items_per_sample": 10,
             "samples": 30, "time_min_s": 0.9 * ms / 1e3, "time_median_s": ms / 1e3,
             "time_low_s": 0.95 * ms / 1e3, "time_high_s": 1.1 * ms / 1e3, **columns}
            for size, ms in ((1, 8), (2, 4), (4, 3), (8, 4))]


def test_the_summary_has_the_speed_up_and_marks_crowded_groups(workspace):
    workspace.write_rows("items.csv", known())
    text = summary(workspace)
    assert "8 ranks on 2 cores (oversubscribed), waiting: wrapper, T = 8 ms, spin" in text
    assert line_with(text, " 2 ", "2.00").split()[-3:] == ["2.00", "100", "%"]
    assert line_with(text, " 4 ", "2.67").endswith("2.67        67 %  more members than cores")
    assert "In a run: item_ms 8, with" in text
    workspace.write_rows("items.csv", known(cores=8))
    assert "more members" not in summary(workspace)


RUN = """engine: virtual
ranks: 8
group_size: 4
item_ms: 100
workload: {kind: constant, mean_items: 10}
balancers: [none]
speedup:
  kind: measured
  items_file: results/items.csv
"""


def run(workspace, config=RUN, code=0):
    done = workspace.run("run", workspace.write("run.yaml", config), "--out", "runs", "--overwrite",
                         code=code)
    return done


def test_groups_take_the_part_of_item_ms_that_was_measured(workspace):
    workspace.write_rows("items.csv", known())
    run(workspace)
    row = workspace.rows("../runs/runs.csv")[0]
    assert float(row["makespan_s"]) == pytest.approx(10 * 0.1 * 3 / 8)
    assert row["speedup"] == "measured" and row["items_setting"] == "0"
    assert row["inputs"] != ""
    workspace.run("verify", "runs", code=0)
    assert "1 problem" in workspace.run("advise", "run.yaml", "--costs", "free").stdout


def test_other_item_times_make_another_run(workspace):
    workspace.write_rows("items.csv", known())
    run(workspace)
    name = workspace.rows("../runs/runs.csv")[0]["run"]
    workspace.write_rows("items.csv", known(time_median_s=0.5))
    done = workspace.run("verify", "runs", code=0)
    assert "missing or have changed" in done.stdout
    (workspace.path / "results/items.csv").unlink()
    done = workspace.run("verify", "runs", code=0)
    assert "missing or have changed" in done.stdout
    workspace.run("table", "runs", code=0)
    workspace.write_rows("items.csv", known(time_median_s=0.5))
    run(workspace)
    assert workspace.rows("../runs/runs.csv")[0]["run"] != name


@pytest.mark.parametrize("rows, config, words", [
    (known() + known(walker="sleep(state_bytes=0)"), RUN, ["items_setting", "walker spin", "walker sleep"]),
    (known(), RUN + "  items_setting: 2\n", ["items_setting must be one of the 1 settings in it"]),
    (known()[1:], RUN, ["no row with group_size 1 ended well"]),
    (known(status="failed"), RUN, ["no row ended well"]),
    (known(time_median_s="soon"), RUN, ["items.csv:2: 'soon'", "number from 1e-09 to 1e+06"]),
    (known(), RUN.replace("items.csv", "none.csv"), ["none.csv: cannot be read"]),
    (known(), RUN.replace("results/items.csv", "/dev/zero"), ["/dev/zero: is not a regular file"]),
])
def test_times_that_do_not_fit_are_refused_at_the_line_of_the_configuration(
        workspace, rows, config, words):
    workspace.write_rows("items.csv", rows)
    expect_one_line(workspace.run("plan", workspace.write("bad.yaml", config)), "bad.yaml:8: ", *words)


def test_of_several_settings_the_one_that_was_asked_for_counts(workspace):
    workspace.write_rows("items.csv", known() + known(walker="sleep(state_bytes=0)", time_median_s=0.5))
    run(workspace, RUN + "  items_setting: 2\n")
    assert float(workspace.rows("../runs/runs.csv")[0]["makespan_s"]) == pytest.approx(10 * 0.1)
