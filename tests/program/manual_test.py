# SPDX-License-Identifier: BSD-3-Clause
"""Suggestions for misspelt words, and keys that `--set` changes."""

import json

import pytest

from conftest import expect_one_line

SMALL = "engine: virtual\nranks: 8  # few\nbalancers: [none, asynchronous]\nseed: 1\n"


@pytest.mark.parametrize("words, message", [
    (["tabel", "results"], "there is no subcommand 'tabel' (did you mean 'table'?)"),
    (["run", "c.yaml", "--otu=x"], "there is no option '--otu' (did you mean '--out'?)"),
    (["groups", "chekc"], "there is no subcommand 'chekc' (did you mean 'check'?)"),
    (["list", "balancer"], "there is no list 'balancer' (did you mean 'balancers'?)"),
    (["nonsense"], "there is no subcommand 'nonsense'"),
    (["run", "c.yaml", "--set", "ranks"], "--set 'ranks': the key or the '=' is missing; allowed: KEY=VALUE"),
    (["run", "c.yaml", "--set", "rank=9"],
     "c.yaml, --set 'rank=9': unknown key 'rank' in the configuration (did you mean 'ranks'?)"),
    (["run", "c.yaml", "--set", "ranks=many"], "c.yaml, --set 'ranks=many': 'many' is not a valid value of ranks"),
    (["plan", "c.yaml", "--set", "balancers=[colective]"], "(did you mean 'collective'?)"),
    (["plan", "c.yaml", "--set", "balancers=[{asynchronous: {finished_groups: realease}}]"],
     "(did you mean 'release'?)"),
])
def test_a_misspelt_word_is_refused_with_a_suggestion(workspace, words, message):
    workspace.write("c.yaml", SMALL)
    expect_one_line(workspace.run(*words), message)
    assert not (workspace.path / "results").exists()


def test_keys_are_set_without_an_editor(workspace):
    workspace.write("c.yaml", SMALL)
    changes = ["--set", "ranks=[16, 32]", "--set", "balancers=[none]", "--set", "group_size=2"]
    tasks = json.loads(workspace.run("plan", "c.yaml", "--format", "json", *changes).stdout)["tasks"]
    assert [task["description"].split(",")[0] for task in tasks] == ["16 ranks", "32 ranks"]
    assert (workspace.path / "c.yaml").read_text() == SMALL, "the file stays as it is"


def test_keys_that_were_set_are_stored_with_the_results(workspace):
    set_16 = ("--set", "ranks=16")
    assert [row["ranks"] for row in workspace.sweep(SMALL, *set_16)] == ["16", "16"]
    workspace.run("verify", "results", code=0)
    kept = workspace.text("provenance.yaml")
    assert "ranks: 16" in kept and "ranks: 8" not in kept
    assert len(workspace.sweep(SMALL, *set_16, "--resume")) == 2
    assert len(workspace.sweep(SMALL, "--resume")) == 4
