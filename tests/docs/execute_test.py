# SPDX-License-Identifier: BSD-3-Clause
"""The commands of the documentation are executed, page by page, and print what the page says."""

import pytest

import compile_test
from commands import commands
from markdown import Page
from presumed import ELSEWHERE, ENDLESS, GIVEN, NAMES, SHORTER, STAND_INS, WANTS
from scratch import ROOT, Scratch

PAGES = [Page(path) for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))]
SHELL = ("sh", "bash")
EXECUTED = [page for page in PAGES if page.blocks_of(*SHELL) and page.path.name not in ELSEWHERE]


def assert_printed(shown, printed):
    """Every line that is shown was printed, in this order; … stands for whatever there was."""
    lines = iter(printed.splitlines())
    for line in filter(None, map(str.strip, shown.splitlines())):
        parts = [part.strip() for part in line.split("…")]
        found = line == "…" or any(all(part in other for part in parts) for other in lines)
        assert found, f"not printed, or not there: {line}\n{printed}"


@pytest.mark.parametrize("page", EXECUTED, ids=repr)
def test_commands_do_what_the_page_says(page, tmp_path):
    printed = Scratch(tmp_path).execute_page(page)
    for number, block in enumerate(page.blocks):
        if block.mark == "prints":
            assert_printed(block.code, printed[max(other for other in printed if other < number)])


def test_a_snakefile_plans_what_the_command_tells(tmp_path):
    (page,) = [page for page in PAGES if page.blocks_of("python")]
    scratch = Scratch(tmp_path)
    (snakefile,) = page.blocks_of("python")
    (tmp_path / "plan.py").write_text(snakefile.partition("\nrule ")[0] +
                                      "print(len(PLAN['shards']), part(type('', (), {'i': '2'})))\n")
    (config,) = [block for block in page.blocks if block.mark == "as"]
    (tmp_path / config.path).write_text(config.code)
    scratch.execute("python3 plan.py | grep -q '^8 .*nodes'")


def test_nothing_else_is_left_out():
    spoken = {block.language for page in PAGES for block in page.blocks if block.mark != "file"}
    # text is what commands print; the lines of cmake are in tests/program/outside_test.py.
    assert spoken == {*SHELL, "c", "cpp", "yaml", "xml", "python", "text", "cmake"}
    assert all(block.mark == "as" for page in PAGES for block in page.blocks
               if block.language == "xml")
    assert compile_test.BLOCKS


def test_what_is_presumed_is_needed():
    """No row of the lists outlives the command that it was for."""
    text = "".join(page.path.read_text() for page in PAGES)
    used = {words[0] for page in PAGES for block in page.blocks_of(*SHELL)
            for words in commands(block)}
    used |= {word for page in PAGES for block in page.blocks_of("bash") for word in block.split()}
    assert set(STAND_INS) <= used | {"jobs/setup.sh"}
    names = {page.path.name for page in PAGES}
    assert set(GIVEN) <= names and set(ELSEWHERE) <= names
    assert all(needed in text for needed in (*ENDLESS, *NAMES, *WANTS, *SHORTER))
