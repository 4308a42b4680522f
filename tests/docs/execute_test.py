# SPDX-License-Identifier: BSD-3-Clause
"""Executes the commands of the documentation, page by page, and compares their output."""

import re

import pytest

import compile_test
from commands import commands
from markdown import Page
from presumed import ELSEWHERE, GIVEN, REPLACED, SHORTER, STAND_INS
from scratch import ROOT, Scratch

PAGES = [Page(path) for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))]
SHELL = ("sh", "bash")
# Tutorials, which must work for readers who have read nothing else.
STRANGERS = ("tutorial-mpi.md", "tutorial-researcher.md")
EXECUTED = [page for page in PAGES if page.blocks_of(*SHELL) and page.path.name not in ELSEWHERE]


def assert_printed(shown, printed):
    """Checks that every line of `shown` was printed, in this order; … matches any text."""
    lines = iter(printed.splitlines())
    for line in filter(None, map(str.strip, shown.splitlines())):
        parts = [part.strip() for part in line.split("…")]
        found = line == "…" or any(all(part in other for part in parts) for other in lines)
        assert found, f"not printed, or not there: {line}\n{printed}"


def execute(page, place):
    """Executes a page and compares the output that it shows; returns the output of each block."""
    printed = Scratch(place).execute_page(page)
    for number, block in enumerate(page.blocks):
        if block.mark == "prints":
            assert_printed(block.code, printed[max(other for other in printed if other < number)])
    return printed


@pytest.mark.parametrize("page", [page for page in EXECUTED if page.path.name not in STRANGERS],
                         ids=repr)
def test_commands_work_as_the_page_shows(page, tmp_path):
    execute(page, tmp_path)


def test_a_stranger_compares_two_constructors_with_five_commands(tmp_path):
    (page,) = [page for page in EXECUTED if page.path.name == STRANGERS[0]]
    before = []
    for code in page.blocks_of(*SHELL):
        before += commands(code)
        if [words for words in before if "compare" in words]:
            break
    assert len(before) <= 5 and "compare" in before[-1], before
    printed = "".join(execute(page, tmp_path).values())
    assert "communicator: A comm_split, B create_group" in printed
    assert re.search(r"^\S.* \d+\.\d+ … \d+\.\d+ .* 8, 8  repetitions +create_median_s", printed,
                     re.MULTILINE), printed


def test_a_strangers_own_balancer_of_30_lines_is_checked(tmp_path):
    (page,) = [page for page in EXECUTED if page.path.name == STRANGERS[1]]
    lines = [line for line in "".join(page.files["examples/balancer/helpers.cpp"]).splitlines()
             if line.strip() and not line.strip().startswith("//")]
    assert len(lines) <= 30
    printed = "".join(execute(page, tmp_path).values())
    assert "helpers: no error found" in printed
    assert "helpers: wrong" in printed


def python_of(name):
    (page,) = [page for page in PAGES if page.path.name == name]
    return page, page.blocks_of("python")


def test_results_are_loaded_with_their_types(tmp_path):
    _, (loading,) = python_of("results.md")
    (tmp_path / "load.py").write_text(
        loading + "print(runs.ranks.dtype, runs.makespan_s.dtype, runs.run.dtype)\n")
    scratch = Scratch(tmp_path)
    scratch.execute("build/regroup run configs/demo.yaml --set engine=virtual")
    assert scratch.execute("/usr/bin/python3 load.py").split() == ["Int64", "Float64", "string"]


def test_a_snakefile_uses_the_plan(tmp_path):
    page, (snakefile,) = python_of("clusters.md")
    scratch = Scratch(tmp_path)
    (tmp_path / "plan.py").write_text(snakefile.partition("\nrule ")[0] +
                                      "print(len(PLAN['shards']), part(type('', (), {'i': '2'})))\n")
    (config,) = [block for block in page.blocks if block.mark == "as"]
    (tmp_path / config.path).write_text(config.code)
    scratch.execute("python3 plan.py | grep -q '^8 .*nodes'")


def test_nothing_else_is_left_out():
    spoken = {block.language for page in PAGES for block in page.blocks if block.mark != "file"}
    # text is output of commands; tests/program/outside_test.py covers the lines of cmake.
    assert spoken == {*SHELL, "c", "cpp", "yaml", "xml", "python", "text", "cmake"}
    assert all(block.mark == "as" for page in PAGES for block in page.blocks
               if block.language == "xml")
    assert compile_test.BLOCKS
    assert {page.path.name for page in PAGES for block in page.blocks
            if block.language == "python" and not block.mark} == {"clusters.md", "results.md"}


def test_what_is_presumed_is_needed():
    """Each entry of the lists in presumed.py is still used by a page."""
    text = "".join(page.path.read_text() for page in PAGES)
    used = {word for page in PAGES for block in page.blocks_of(*SHELL) for word in block.split()}
    assert set(STAND_INS) <= used
    names = {page.path.name for page in PAGES}
    assert set(GIVEN) <= names and set(ELSEWHERE) <= names
    assert all(needed in text for needed in (*REPLACED, *SHORTER))
