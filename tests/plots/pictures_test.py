# SPDX-License-Identifier: BSD-3-Clause
"""Which pictures belong to which results."""

from plots_test import HERE, PLOTS, complaint, edit, in_virtual_time, other_runs, succeed
from plots_test import results  # noqa: F401  a fixture

import pictures


def names(directory):
    return [script for script, _ in pictures.of_results(directory)]


def test_every_script_that_stands_there_is_one():
    assert all((PLOTS / f"{script}.py").is_file() for script, _, _ in pictures.PICTURES)


def test_each_kind_of_results_has_its_own(results):  # noqa: F811
    assert names(results) == ["figure2", "table1", "timeline", "figure1", "rbc", "speedup"]
    assert names(HERE / "data/chains") == ["figure2", "chains"], "no table: the paper had other workloads"
    for file in ("runs.csv", "events.csv", "items.csv"):
        (results / file).unlink()
    assert names(results) == ["figure1", "rbc"]
    (results / "collectives.csv").unlink()
    edit(results, lambda rows: rows[rows.pattern == "one_group"], "creation.csv")
    assert names(results) == ["figure1"]
    (results / "creation.csv").unlink()
    assert names(results) == []


def test_a_table_without_rows_has_no_picture(results):  # noqa: F811
    edit(results, lambda rows: rows.head(0), "events.csv")
    assert "timeline" not in names(results)


def test_runs_without_items_have_no_picture_of_their_times(results):  # noqa: F811
    edit(results, lambda runs: runs.assign(ideal_s=runs.ideal_s.where(runs.ideal_s == "", "0")))
    assert "figure2" not in names(results)


def test_the_table_beside_the_paper_wants_its_numbers(results):  # noqa: F811
    edit(results, lambda runs: runs.assign(variant=runs.balancer))
    assert "table1" not in names(results), "none alone has numbers"
    edit(results, lambda runs: runs.assign(variant="collective(16), create_group"))
    assert "table1" in names(results)
    edit(results, lambda runs: runs.assign(modulus="16"))
    assert "table1" not in names(results)


def test_sweeps_over_many_ranks_in_virtual_time_are_drawn_as_such(results):  # noqa: F811
    edit(results, in_virtual_time)
    assert "scale" not in names(results), "two numbers of ranks"
    edit(results, lambda runs: other_runs(runs, ranks="64"))
    assert "scale" in names(results)


def test_many_workloads_are_a_heat_map(results):  # noqa: F811
    def many(runs):
        return other_runs(other_runs(runs.assign(of_bound="1.5"), workload="uniform"), speedup="x")
    edit(results, lambda runs: many(runs.assign(speedup="perfect")))
    assert "balance" in names(results) and "figure2" not in names(results)


def test_the_command_names_script_and_picture(results, tmp_path):  # noqa: F811
    lines = succeed("pictures", results).splitlines()
    assert lines[0] == "figure2\texecution time of each balancer" and len(lines) == 6
    assert "nowhere: no such directory" in complaint("pictures", tmp_path / "nowhere")
