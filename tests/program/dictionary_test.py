# SPDX-License-Identifier: BSD-3-Clause
"""Machine-readable results: the dictionary of columns, the schema, and tables of plain numbers."""

import csv
import io
import json
import re
import subprocess

import pytest

from conftest import REGROUP

SCHEMA = json.loads(subprocess.run([REGROUP, "list", "--format", "json"], check=True,
                                   capture_output=True).stdout)["schema"]


RUNS = """engine: virtual
ranks: [8, 16]
item_ms: 1
workload: {kind: exponential, mean_items: 8}
repetitions: 2
balancers: [none, collective: {exchange_interval: 2}, asynchronous]
"""
CREATION = """measure: creation
ranks: 2
communicator: [create_group, range, split_type_hw_guided]
group_size: 2
samples: 6
item_ms: 0
late_ms: 0
"""


@pytest.mark.parametrize("word", ["runs.csv", "creation.csv", "collectives.csv", "sort.csv",
                                  "events.csv", "table.csv"])
def test_every_column_has_a_name_of_its_own_and_a_meaning(workspace, word):
    (found,) = json.loads(workspace.run("list", word, "--format", "json").stdout)["lists"]
    names = [column["name"] for column in found["columns"]]
    assert len(set(names)) == len(names) and all(re.fullmatch(r"[a-z][a-z0-9_]*", n) for n in names)
    assert all(column["meaning"] for column in found["columns"])


# ---- the table ------------------------------------------------------------------------------------

def rows_of(workspace):
    done = workspace.run("table", "results", "--format", "csv", code=0)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test_the_table_has_the_same_rows_as_csv_and_as_json(workspace):
    workspace.sweep(RUNS)
    done = workspace.run("table", "results", "--format", "json")
    found = json.loads(done.stdout)
    (listed,) = json.loads(workspace.run("list", "table.csv", "--format", "json").stdout)["lists"]
    types = {column["name"]: column["type"] for column in listed["columns"]}
    assert found["schema"] == SCHEMA and len(found["rows"]) == 6
    for row, cells in zip(found["rows"], rows_of(workspace), strict=True):
        assert list(row) == list(cells) == list(types)
        for name, cell in cells.items():
            if cell == "":
                assert row[name] is None
            elif types[name] in ("integer", "number"):
                assert float(cell) == row[name] and not isinstance(row[name], str), name
                assert types[name] == "number" or isinstance(row[name], int), name
            else:
                assert row[name] == cell


def test_a_range_of_the_table_is_two_numbers(workspace):
    runs = workspace.sweep(RUNS + "seed: [1, 2]\n")
    text = workspace.run("table", "results").stdout
    assert re.search(r" \d\.\d{4}-\d\.\d{4} ", text) and "of_ideal_range" in text
    for row in rows_of(workspace):
        own = [run for run in runs if run["balancer"] == row["balancer"].split("(")[0] and run["ranks"] == row["ranks"]]
        ratios = sorted(float(run["makespan_s"]) / float(run["ideal_s"]) for run in own)
        assert (float(row["of_ideal_min"]), float(row["of_ideal_max"])) == pytest.approx(
            (ratios[0], ratios[-1]))
        assert (row["runs_ok"], row["runs"], row["problems"]) == ("4", "4", "4")
        assert row["makespan_s"] == row["makespan_min_s"] == ""  # of different problems
        assert row["group_size"] == "4" and row["item_ms"] == "1"


# ---- the schema -----------------------------------------------------------------------------------

READERS = [["table", "results"], ["table", "results", "--format", "json"], ["verify", "results"],
           ["compare", "results", "results"], ["trace", "results"], ["merge", "other", "results"],
           ["run", "test.yaml", "--out", "results", "--resume"]]
@pytest.mark.parametrize("words", READERS)
def test_results_of_another_schema_are_refused(workspace, words):
    workspace.sweep(RUNS)
    path = workspace.path / "results/provenance.yaml"
    path.write_text(path.read_text().replace(f"\nschema: {SCHEMA}\n", "\nschema: 77\n"))
    before = workspace.text()
    done = workspace.run(*words, code=2)
    assert done.stdout == "" and workspace.text() == before
    assert "results/provenance.yaml:2: " in done.stderr and "schema 77" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_provenance_and_all_json_say_the_schema(workspace):
    workspace.sweep(RUNS)
    assert re.search(rf"^schema: {SCHEMA}$", workspace.text("provenance.yaml"), re.MULTILINE)
    workspace.write("groups.yaml", "communicators: [{name: A, members: [0-3]}]\n")
    for words in (["list", "--format", "json"], ["table", "results", "--format", "json"],
                  ["plan", "test.yaml", "--format", "json"], ["advise", "test.yaml", "--format", "json"],
                  ["compare", "results", "results", "--format", "json"],
                  ["reproduce", "figure2", "--format", "json"]):
        done = workspace.run(*words, code=0)
        assert json.loads(done.stdout)["schema"] == SCHEMA, words


# ---- the paper's claims ---------------------------------------------------------------------------

def test_the_claims_of_the_paper_come_as_json(workspace):
    text = workspace.run("reproduce", "table1")
    done = workspace.run("reproduce", "table1", "--format", "json")
    found = json.loads(done.stdout)
    assert done.returncode == text.returncode == 0 and found["missed"] is False
    assert [claim["claim"].strip() for claim in found["claims"]] == [
        re.split(r"\s{2,}", line.strip())[0] for line in text.stdout.splitlines()
        if re.match(r"  \S|    its", line) and not line.startswith("  claim ")]
    first = next(claim for claim in found["claims"] if claim["claim"] == "collective(64)")
    assert first["paper"] == {"text": "3.75 / 1.20 / 2 / 5", "regroups_avg": 3.75,
                              "regroups_stdev": 1.2, "regroups_min": 2, "regroups_max": 5}
    assert first["ours"]["regroups_avg"] == 3.75
    assert first["verdict"] == "met" and first["explanation"] == "exact"
    assert {claim["verdict"] for claim in found["claims"]} == {"met"}


@pytest.mark.mpi
def test_rows_of_measurements_are_numbers_and_words_as_json(workspace):
    workspace.run("run", workspace.write("test.yaml", CREATION), "--out", "results", code=0)
    told = json.loads(workspace.run("table", "results", "--format", "json").stdout)
    rows = list(csv.DictReader(io.StringIO(
        workspace.run("table", "results", "--format", "csv").stdout)))
    assert told["schema"] == SCHEMA and len(told["rows"]) == len(rows) == 3
    for one, other in zip(told["rows"], rows):
        assert list(one) == list(other) and one["communicator"] == other["communicator"]
        assert one["ranks"] == 2 and one["busy_create_s"] is None
        assert other["create_median_s"] in ("", str(one["create_median_s"]))
