# SPDX-License-Identifier: BSD-3-Clause
"""Links, files, commands and examples of the documentation exist."""

import csv
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from commands import Checker, commands
from markdown import Page

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("REGROUP_BUILD", ROOT / "build"))
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [Page(path) for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS)]
BY_PATH = {page.path: page for page in PAGES}
# Files that the reader of a page writes.
NOT_THERE = {"balancers/one_by_one.hpp"}
COMMAND = re.compile(r"(build[\w-]*/)?regroup [a-z]|(jobs|plots|tests|docs)/[\w/]+\.(sh|py) |"
                     r"cmake |ctest ")
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=repr)

checker = Checker(ROOT, BUILD)


def page(name):
    return BY_PATH[ROOT / "docs" / name]


@EVERY_PAGE
def test_links_lead_somewhere(page):
    dead = []
    for link in page.links:
        if re.match(r"https?://", link):
            continue
        file, _, anchor = link.partition("#")
        target = (page.path.parent / file).resolve() if file else page.path
        if not target.exists():
            dead.append(link)
        elif anchor and anchor not in (BY_PATH.get(target) or Page(target)).anchors:
            dead.append(f"{link}: no such heading")
    assert not dead


@EVERY_PAGE
def test_files_that_are_named_are_there(page):
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"build", "results"}
    missing = []
    for code in page.code:
        name = code.split()[0]
        if not re.fullmatch(r"[\w.*-]+(/[\w.*-]+)*/?", name) or name.split("/")[0] not in folders:
            continue
        written_by_cmake = (BUILD / name).is_file()
        if "/" in name and name not in NOT_THERE and not written_by_cmake:
            if not list(ROOT.glob(name)):
                missing.append(name)
    assert not missing


@EVERY_PAGE
def test_commands_exist(page):
    wrong = {}
    for block in page.blocks_of("sh"):
        for words in commands(block):
            if fault := checker.wrong(words):
                wrong[" ".join(words)] = fault
    for code in page.code:
        if COMMAND.match(code):
            for words in commands(code):
                if fault := checker.wrong(words):
                    wrong[code] = fault
    assert not wrong


def expect_commands(lines):
    wrong = {line: checker.wrong(words) for line in lines for words in commands(line)}
    assert wrong and not {line: fault for line, fault in wrong.items() if fault}


def test_commands_in_configurations_exist():
    text = "".join(path.read_text() for path in (ROOT / "configs").glob("*.yaml"))
    expect_commands(re.findall(r"^#   ((?:build|plots|jobs|cmake)\b.*)", text, re.MULTILINE))


def test_commands_in_the_help_exist():
    program = BUILD / "regroup"
    found = re.findall(rf"^  {re.escape(str(program))}( \w+(?: \S+)*)", checker.help(program), re.MULTILINE)
    assert found
    expect_commands([f"build/regroup{words}" for words in found])


def test_options_that_are_named_exist():
    options = checker.options_of_all()
    named = {code.split()[0] for page in PAGES for code in page.code if code.startswith("--")}
    assert {option.split("=")[0] for option in named} - {"--component"} <= options  # of cmake


@EVERY_PAGE
def test_pieces_of_configurations_can_be_read(page, tmp_path):
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    for block in page.blocks:
        if block.mark == "as":
            file = tmp_path / block.path
            file.parent.mkdir(exist_ok=True)
            file.write_text(block.code)
            if file.suffix == ".py":
                environment["REGROUP_WALKERS"] = str(file)
    for number, piece in enumerate(page.blocks_of("yaml")):
        for key, value in (("ranks", 32), ("balancers", "[none]")):
            # Measurements set their own ranks and have no balancers.
            if not re.search(rf"^({key}|measure):", piece, re.MULTILINE):
                piece += f"{key}: {value}\n"
        file = tmp_path / f"{number}.yaml"
        file.write_text(piece)
        done = subprocess.run([BUILD / "regroup", "plan", file], capture_output=True, text=True, env=environment)
        to_be_measured = "/results/" in done.stderr and "cannot be read" in done.stderr
        assert done.returncode == 0 or to_be_measured, piece + done.stderr


def test_listed_columns_are_those_of_the_files(tmp_path):
    (tmp_path / "small.yaml").write_text("engine: virtual\nranks: 8\nbalancers: [none]\n")
    subprocess.run([BUILD / "regroup", "run", "small.yaml", "--out", "results"], cwd=tmp_path,
                   check=True, capture_output=True)
    for file in ("runs.csv", "regroups.csv", "events.csv"):
        listed = subprocess.run([BUILD / "regroup", "list", file, "--format", "markdown"], check=True,
                                capture_output=True, text=True).stdout
        with open(tmp_path / "results" / file, newline="") as table:
            assert re.findall(r"^\| `(\w+)` \|", listed, re.MULTILINE) == next(csv.reader(table))


def test_every_page_can_be_found():
    site = (ROOT / "mkdocs.yml").read_text()
    for path in DOCS:
        assert re.search(rf"- {path.name}$", site, re.MULTILINE), f"mkdocs.yml lacks {path.name}"
        if path.name != "index.md":
            assert path.name in page("index.md").links


def test_the_strategy_of_the_example_is_the_one_that_is_there():
    source = (ROOT / "communicators/strategies.cpp").read_text()
    _balancer, _its_row, *strategy = page("extending.md").blocks_of("cpp")
    assert len(strategy) == 3 and all(piece in source for piece in strategy)


@EVERY_PAGE
def test_blocks_of_a_file_are_that_file(page):
    for name, blocks in page.files.items():
        lines = [line for line in (ROOT / name).read_text().splitlines() if line]
        shown = [line for block in blocks for line in block.splitlines() if line]
        assert shown == [line for line in lines if not re.match("(//|#) SPDX", line)], name


def test_the_project_outside_is_documented():
    shown = {ROOT / name for page in PAGES for name in page.files}
    assert set((ROOT / "tests/outside").iterdir()) - shown == {ROOT / "tests/outside/extras.cpp"}


def test_the_site_is_built_and_loads_nothing_from_elsewhere(tmp_path):
    if not shutil.which("mkdocs"):
        pytest.skip("mkdocs is not installed (Debian: apt-get install mkdocs)")
    done = subprocess.run(["mkdocs", "build", "--strict", "--site-dir", tmp_path / "site"], cwd=ROOT,
                          capture_output=True, text=True,
                          env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1",
                                   REGROUP=str(BUILD / "regroup")))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "site/search/search_index.json").stat().st_size > 10_000
    for html in (tmp_path / "site").glob("*.html"):
        loaded = re.findall(r"<(?:script|link|img)\b[^>]*?(?:src|href)=\"([^\"]*)\"", html.read_text())
        assert loaded and not [url for url in loaded if re.match(r"(https?:)?//", url)], html
