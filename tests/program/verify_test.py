# SPDX-License-Identifier: BSD-3-Clause
"""What `regroup verify` says of results that are old, unfinished, or read files that are gone."""

import csv
import re
import signal
import threading

from conftest import eventually

SMALL = """engine: virtual
ranks: 16
workload: {kind: exponential, mean_items: 8}
seed: [1, 2, 3]
balancers: [none, collective: {exchange_interval: 2}]
"""


def verify(workspace, code=0):
    done = workspace.run("verify", "results")
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def without_column(workspace, file, column):
    rows = workspace.rows(file)
    columns = [name for name in rows[0] if name != column]
    with open(workspace.path / "results" / file, "w", newline="") as out:
        writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def test_results_of_versions_without_some_columns_are_checked_as_far_as_they_go(workspace):
    workspace.sweep(SMALL)
    for column in ("inputs_hash", "invocation", "events_rows", "regroups_rows"):
        without_column(workspace, "runs.csv", column)
        assert f"not checked: column '{column}'" in verify(workspace)
    workspace.change("runs.csv", 1, "makespan_s", "1")
    assert re.search(r"runs\.csv:3: .*makespan_s is '1' instead of '\d", verify(workspace, 1))


def test_a_parameter_that_results_do_not_know_was_as_is_usual(workspace):
    workspace.sweep(SMALL)
    table = workspace.run("table", "results").stdout
    for file in ("runs.csv", "events.csv", "regroups.csv"):  # names were made without them, too
        path = workspace.path / "results" / file
        path.write_text(re.sub(r"(?m)^[0-9a-f]{16},", lambda name: name[0][::-1][1:] + ",",
                               path.read_text()))
    for column in ("invocation", "jitter", "waiting", "finished_groups"):
        without_column(workspace, "runs.csv", column)
    assert workspace.run("table", "results").stdout == table
    told = verify(workspace)
    assert "not checked: names of runs of which no column tells some parameters (6 times)" in told
    assert "6 of 6 runs verified" in told


def test_at_most_twenty_violations_are_told_one_by_one(workspace):
    workspace.sweep(SMALL + "group_size: [1, 2, 3, 4]\n")
    for row in range(24):
        workspace.change("runs.csv", row, "clock", "wall")
    lines = verify(workspace, 1).splitlines()
    assert len([line for line in lines if line.startswith("results/runs.csv:")]) == 20
    # The checksum of the file is one more.
    assert "… and 5 more" in lines and "results: 25 violations" in lines


def test_violations_are_lines_of_plain_text_whatever_they_quote(workspace):
    workspace.sweep(SMALL)
    sums = workspace.path / "results/checksums"
    sums.write_bytes(sums.read_bytes().replace(b"\n", b"\x97", 1))
    with open(workspace.path / "results/provenance.yaml", "a") as provenance:
        provenance.write('---\ninvocation: "2\\e[31m\\nx"\nchanged_before: ["\\e[2J"]\n' * 2)
    told = verify(workspace, 1)
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f]", told)
    assert "invocation 2\ufffd[31m\ufffdx stands there before\n" in told
    assert ": \ufffd[2J had been changed then (2 times)\n" in told
    assert re.search("^results/.*\ufffd.*: there is no such file, but a checksum", told, re.MULTILINE)


TRACE = """engine: virtual
ranks: 8
group_size: 2
workload: {kind: trace, trace_file: items.csv}
balancers: [none, collective: {exchange_interval: 2}]
"""


def test_runs_whose_files_are_gone_or_have_changed_are_checked_without_them(workspace):
    items = workspace.path / "items.csv"
    items.write_text("items\n3\n1\n4\n1\n")
    workspace.sweep(TRACE)
    assert "not checked" not in verify(workspace)
    items.write_text("items\n3\n1\n4\n2\n")
    told = verify(workspace)
    assert "the items of runs that read files which are gone or have changed (2 times)" in told
    items.unlink()
    told = verify(workspace)
    assert "times of runs in virtual time" in told and "2 of 2 runs verified" in told
    workspace.change("events.csv", 2, "busy_until_s", "1e-3")
    assert re.search(r"events\.csv:4: .* which take", verify(workspace, 1))


def test_a_sweep_that_was_killed_has_not_ended_and_is_not_called_tampered_with(workspace):
    workspace.write("test.yaml", SMALL + "repetitions: 10000\n")
    sweep = workspace.start("run", "test.yaml", "--out", "results")
    threading.Thread(target=sweep.stdout.read, daemon=True).start()  # else it waits for us
    runs = workspace.path / "results/runs.csv"
    sums = workspace.path / "results/checksums"
    assert eventually(sums.exists)
    at_first = sums.read_text()
    assert eventually(lambda: sums.read_text() != at_first, 30), "they are written once a second"
    sweep.send_signal(signal.SIGKILL)
    sweep.wait(timeout=30)
    assert "the sweep has not ended" in verify(workspace)
    # A row that is neither the last nor new is as it was, all the same.
    whole = runs.read_text()
    runs.write_text(re.sub(r",[\d.e-]+,,ok,", ",9.5,,ok,", whole, count=1))
    assert "runs.csv: it is not as it was written" in verify(workspace, 1)
    runs.write_text(whole)
    workspace.sweep(SMALL + "repetitions: 1\n", "--resume")
    assert "not checked" not in verify(workspace)
