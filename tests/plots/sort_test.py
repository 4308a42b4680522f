# SPDX-License-Identifier: BSD-3-Clause
"""The plot of sorts, on results that are known."""

import pandas
import pytest

from plots_test import complaint, succeed, texts

SIZES = (1, 16, 256, 4096)
WAYS = {"range": 1, "create_group": 8, "sample_sort": 0.5}


def row(ranks, strategy, size, **more):
    time = 1e-6 * size + 1e-3 * WAYS.get(strategy, 0.01)
    plain = strategy.endswith("_sort")
    return {"run": "", "experiment": "known", "ranks": ranks, "cores": 2, "oversubscribed": "yes",
            "element_type": "double", "input": "uniform", "elements_per_rank": size,
            "assignment": "greedy", "communicator": strategy, "caller": "" if plain else "group",
            "samples": 7, "time_min_s": 0.9 * time, "time_median_s": time,
            "time_low_s": 0.95 * time, "time_high_s": 1.1 * time,
            "creation_s": "" if plain else time / 10, "constructor_calls": "" if plain else 4,
            "levels": "" if plain else 3, "received_messages_max": "" if plain else 5,
            "moved_bytes": "" if plain else 8 * size, "imbalance": 1, "waiting": "auto",
            "waited": "wrapper", "repetition": 1, "seed": 1, "status": "ok", "message": "",
            "schema": 1, "regroup_version": "0", "mpi_library": "MPI", **more}


def sorts(**more):
    return [row(ranks, strategy, size, **more) for ranks in (16, 32) for strategy in WAYS
            for size in SIZES] + [row(1, "std_sort", size, oversubscribed="no", waited="direct",
                                      **more) for size in SIZES]


@pytest.fixture
def results(tmp_path):
    def write(rows):
        frame = pandas.DataFrame(rows)
        frame["run"] = [f"{i:016}" for i in range(len(frame))]
        frame.to_csv(tmp_path / "sort.csv", index=False)
        return tmp_path
    return write


def test_every_number_of_ranks_has_a_panel_with_times_and_ratios(results):
    directory = results(sorts())
    succeed("sort", directory)
    shown = texts(directory, "sort")
    assert {"16 ranks", "32 ranks", *WAYS, "std_sort", "time to sort in µs", "time / range"} < set(shown)
    assert shown.count("time / range") == 2 and "1 ranks" not in shown
    assert any("1–32 ranks on 2 cores (partly oversubscribed) · uniform · double" in text
               for text in shown)


def test_every_input_has_a_panel_of_its_own(results):
    directory = results(sorts() + sorts(input="zipf"))
    succeed("sort", directory)
    shown = texts(directory, "sort")
    assert shown.count("time / range") == 4 and any("zipf" in text for text in shown)


def test_assignments_are_lines_of_one_panel(results):
    directory = results(sorts() + [dict(r, assignment="deterministic") for r in sorts()
                                   if not r["communicator"].endswith("_sort")])
    succeed("sort", directory)
    shown = texts(directory, "sort")
    assert {"range", "range, deterministic", "create_group, deterministic"} < set(shown)
    assert shown.count("time / range") == 2


def test_without_range_there_are_no_ratios(results):
    directory = results([r for r in sorts() if r["communicator"] != "range"])
    succeed("sort", directory)
    shown = texts(directory, "sort")
    assert "time / range" not in shown and "create_group" in shown


def test_one_rank_alone_is_a_panel(results):
    directory = results([r for r in sorts() if r["ranks"] == 1])
    succeed("sort", directory)
    shown = texts(directory, "sort")
    assert "std_sort" in shown and "time / range" not in shown


def test_sorts_of_nothing_are_left_out_and_what_failed_is_told(results):
    nothing = [dict(row(16, "range", 0), imbalance="")]
    directory = results(sorts() + nothing + [dict(row(16, "range", 64), status="failed")])
    succeed("sort", directory)
    shown = texts(directory, "sort")
    assert "0" not in shown and any("1 of 30 runs did not finish (1 failed)" in t for t in shown)
    assert "no sort of elements with status ok (looked at 1 rows)" in complaint(
        "sort", results(nothing))


@pytest.mark.parametrize("change, words", [
    ({"time_median_s": "soon"}, 'column time_median_s: "soon" is not a number'),
    ({"time_median_s": "0"}, "column time_median_s: all must be above 0"),
    ({"elements_per_rank": ""}, "column elements_per_rank is empty")])
def test_what_is_no_result_is_told_in_one_line(results, change, words):
    assert words in complaint("sort", results([dict(row(4, "range", 16), **change)]))
