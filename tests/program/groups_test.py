# SPDX-License-Identifier: BSD-3-Clause
"""`regroup groups`: files that define communicators, checked and written."""

import json

import pytest

TWO = """\
communicators:
  - name: A
    members: [h1]
    communicators: [{name: B, members: ['h1:1']}]
  - {name: A, members: [h2]}
  - intercommunicator: JOIN
    first: {name: A, color: 0}
    second: {name: A, color: 1}
"""


def groups(workspace, *words, code=0):
    ran = workspace.run("groups", *words)
    assert ran.returncode == code, ran.stdout + ran.stderr
    return ran


def test_check_prints_the_tree(workspace):
    workspace.write("two.yaml", TWO)
    told = groups(workspace, "check", "two.yaml", "--hosts", "h1:2,h2").stdout
    assert told.splitlines() == [
        "communicator  size  ranks  on",
        "A (0)            2  0-1    h1",
        "  B              1  1      h1",
        "A (1)            1  2      h2",
        "JOIN: between A (0) and A (1)",
        "",
        "3 communicators; 0 of 3 ranks are in none"]


def test_check_tells_programs_the_same(workspace):
    workspace.write("two.yaml", TWO)
    workspace.write("hosts", "# mine\nh1 slots=2\nh2:3\n")
    told = json.loads(groups(workspace, "check", "two.yaml", "--hosts", "hosts", "--ranks", "4",
                                    "--format", "json").stdout)
    assert [one["ranks"] for one in told["communicators"]] == [[0, 1], [1], [2, 3]]
    assert told["processors"] == ["h1", "h1", "h2", "h2"]
    assert told["intercommunicators"] == [{"name": "JOIN", "first": 0, "second": 2}]


@pytest.mark.parametrize("words, complaint", [
    (["--ranks", "3"], "two.yaml:3: nobody knows who is on 'h1': no processors were named"),
    (["--hosts", "h1:2,h3"], "two.yaml:5: no process is on a processor 'h2'; there are: h1 (2), h3 (1)"),
    (["--hosts", "h1,h2"], "two.yaml:4: no process is on a processor 'h1:1'; there are: h1 (1), h2 (1)"),
    (["--hosts", "h1:2,h2", "--ranks", "9"], "9 ranks do not fit into the 3 slots of h1:2,h2"),
    (["--hosts", "h1:x"], "--hosts: 'h1:x' is no host"),
    ([], "give --ranks, or --hosts")])
def test_what_cannot_be_is_told_in_one_line(workspace, words, complaint):
    workspace.write("two.yaml", TWO)
    ran = groups(workspace, "check", "two.yaml", *words, code=2)
    assert complaint in ran.stderr and ran.stderr.count("\n") == 1
    assert ran.stdout == ""


@pytest.mark.parametrize("words, members", [
    (["--group-size", "3", "--ranks", "8"], [[0, 1, 2], [3, 4, 5], [6, 7]]),
    (["--hosts", "a:2,b,a"], [[0, 1, 3], [2]]),
    (["--machine", "node", "--ranks", "1"], [[0]])])
def test_what_make_prints_check_reads(workspace, words, members):
    workspace.write("made.yaml", groups(workspace, "make", *words).stdout)
    ranks = str(sum(map(len, members)))
    told = json.loads(groups(workspace, "check", "made.yaml", "--ranks", ranks, "--format",
                                    "json").stdout)
    assert [one["ranks"] for one in told["communicators"]] == members


@pytest.mark.parametrize("words, complaint", [
    ([], "give one of --group-size, --hosts, --machine and --run"),
    (["--group-size", "2"], "give --ranks, too"),
    (["--group-size", "2", "--ranks", "4", "--name", "8x"], "'8x' is no name"),
    (["--machine", "l3", "--ranks", "1000000"], "which of them share an L3 cache, nobody knows"),
    (["--run", "none"], "none/events.csv")])
def test_what_cannot_be_made_is_told_in_one_line(workspace, words, complaint):
    ran = groups(workspace, "make", *words, code=2)
    assert complaint in ran.stderr and ran.stderr.count("\n") == 1


def test_the_groups_that_a_run_ended_with(workspace):
    rows = {row["balancer"]: row["run"] for row in workspace.sweep(
        "engine: virtual\nranks: 16\nitem_ms: 100\nbalancers: [none, asynchronous]\n")}
    ended = "several runs; name one, with --id"
    assert ended in groups(workspace, "make", "--run", "results", code=2).stderr
    none = groups(workspace, "make", "--run", "results", "--id", rows["none"]).stdout
    assert [f"[{i}-{i + 3}]" in none for i in (0, 4, 8, 12)] == [True] * 4
    some = groups(workspace, "make", "--run", "results", "--id", rows["asynchronous"]).stdout
    assert some.count("name: GROUP") < 4
