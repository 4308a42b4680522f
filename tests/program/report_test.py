# SPDX-License-Identifier: BSD-3-Clause
"""The report page: its content, its validity, and its display in a browser."""

import base64
import csv
import re
import shutil
import subprocess
import time

import pytest

from browser import Browser
from conftest import Workspace, eventually
from report_page import RUNS, data, make, report


@pytest.fixture
def runs(workspace):
    make(workspace, "results", RUNS)
    return workspace


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """A workspace with results and their page, which tests only read; and the page."""
    workspace = Workspace(tmp_path_factory.mktemp("reported"))
    make(workspace, "results", RUNS)
    return workspace, report(workspace, "results")


def test_runs_come_with_sentence_table_pictures_timeline_and_origin(reported):
    runs, page = reported
    said = page.said()
    assert "asynchronous(release), create_group takes 3.52 s, 1.006 × ideal, 2.0 × faster than none." in said
    assert "2.625 0.4841 2 3 2.62 / 0.48 / 2 / 3" in said
    assert [one["alt"].split(". ")[0] for one in page.all("img")] == [
        "Picture: Execution time of each balancer", "Picture: Regroupings per process, beside the paper's",
        "Picture: What every rank did in one run, and when"]
    assert "experiment small" in said and "run results.yaml --out results" in said
    assert "workload: {kind: cyclic, multiplier: 10, modulus: 32}" in said
    (side,) = data(page)
    assert {run["title"].split(",")[0] for run in side["runs"]} == {"none", "collective(128)",
                                                                      "asynchronous(release)"}
    first = side["runs"][0]
    assert first["title"].startswith("asynchronous(release), create_group, 32 ranks: 3.52 s"), "that of the sentence"
    assert first["ranks"] == 32 and first["least"] == 3.5
    rows = [row for row in csv.DictReader((runs.path / "results/events.csv").open())
            if row["run"] == first["run"]]
    assert sorted(first["bars"]["begin"]) == sorted(round(float(row["begin_s"]), 6) for row in rows)
    assert sum(first["bars"]["formed"]) == sum(row["begin_event"] == "regroup" for row in rows)


def test_the_timelines_are_of_the_run_that_the_sentence_is_about(workspace):
    make(workspace, "results", RUNS.replace("balancers:", "balancers:\n  - asynchronous: {communicator: "
                                            "create_group}", 1).rpartition("  - asynchronous")[0])
    page = report(workspace, "results")
    shown = data(page)[0]["runs"][0]
    assert shown["title"].startswith("asynchronous(release), create_group, 32 ranks: 3.52 s")
    assert f"run {shown['run']}" in drawn(page, "What every rank did")


def test_the_sentence_names_no_winner_where_times_of_runs_overlap(workspace):
    overlapping = "balancers: [two_sided: {communicator: range}, asynchronous: {communicator: range}]\n"
    make(workspace, "results", "engine: virtual\nranks: 16\njitter: 1\nrepetitions: 6\n"
         "workload: {kind: cyclic, multiplier: 2, modulus: 8}\n" + overlapping)
    said = report(workspace, "results").said()
    assert "No difference found between" in said and " is fastest" not in said


def test_short_runs_have_digits_and_bars(workspace):
    make(workspace, "results", RUNS.replace("item_ms: 100", "item_ms: 0.001"))
    page = report(workspace, "results")
    first = data(page)[0]["runs"][0]
    rows = [row for row in csv.DictReader((workspace.path / "results/events.csv").open()) if row["run"] == first["run"]]
    assert sorted(first["bars"]["end"]) == pytest.approx(sorted(float(row["end_s"]) for row in rows), abs=1e-9)
    said = page.said()
    assert "takes 35.2 µs, 1.006 × ideal" in said and "0.0000352" in said and not re.search(r"\b0\.0+ s", said)
    assert "makespan 35.2 µs" in drawn(page, "What every rank did")


def drawn(page, shows):
    """Returns the SVG of a picture."""
    (address,) = [one["src"] for one in page.all("img") if shows in one["alt"]]
    return base64.b64decode(address.partition(",")[2]).decode()


def test_titles_distinguish_settings(workspace):
    make(workspace, "results", RUNS.replace(
        "workload: {kind: cyclic, multiplier: 10, modulus: 32}",
        "workload: [uniform, {kind: cyclic, multiplier: 10, modulus: 32}]").replace(
            "ranks: 32", "ranks: [16, 32]"))
    titles = [run["title"].partition(":")[0] for run in data(report(workspace, "results"))[0]["runs"]]
    assert titles[0] == "asynchronous(release), create_group, uniform workload, 32 ranks"
    assert "none, uniform workload, 32 ranks" in titles
    assert "asynchronous(release), create_group, cyclic workload, 32 ranks" in titles
    assert len(titles) == 4 == len(set(titles))


def test_the_timeline_shows_the_runs_that_are_asked_for(runs):
    names = [runs.rows()[row]["run"] for row in (1, 0)]
    page = report(runs, "results", "--run", names[0], "--run", names[1])
    assert [run["run"] for side in data(page) for run in side["runs"]] == names


def test_the_page_is_written_beside_the_results(runs):
    target = runs.path / "elsewhere"
    target.write_text("theirs")
    (runs.path / "results/report.html").symlink_to(target)
    done = runs.run("report", "results", timeout=120)
    assert done.stdout == "results/report.html\n" and target.read_text() == "theirs"
    assert (runs.path / "results/report.html").read_text().startswith("<!DOCTYPE html>")


MEASUREMENTS = {
    "creation": ("communicator: [range, create_group]\ngroup_size: 4\nitem_ms: 0\nlate_ms: 0\n",
                 r"group of 4 of 4 ranks is fastest with \w+: [\d.]+ .?s, [\d.,]+ × less than with \w+"),
    "collectives": ("communicator: [range, create_group]\ngroup_size: 4\noperation: [bcast, scan]\nbytes: 64\n",
                    r"\w+ is fastest in [12] of 2 operations"),
    "steps": ("group_size: 2\n", r"4 ranks in groups of 2, .* a message [\d.]+ .?s"),
    "items": ("walker: spin\nitem_ms: 1\ngroup_size: [1, 2, 4]\n", r"item of spin takes [\d.]+ .?s in groups of [124]"),
    "sort": ("elements_per_rank: 16\ncommunicator: [range, create_group]\n", r"16 double per rank .* is fastest with"),
}


def measure(workspace, kind):
    text, _ = MEASUREMENTS[kind]
    return make(workspace, "m", f"measure: {kind}\nranks: 4\nsamples: 6\n{text}")


@pytest.mark.mpi
@pytest.mark.parametrize("kind", MEASUREMENTS)
def test_measurements_come_with_sentence_table_and_picture(workspace, kind):
    page = report(workspace, measure(workspace, kind))
    assert re.search(MEASUREMENTS[kind][1], page.said()), page.said()[:400]
    assert page.all("table") and bool(page.all("img")) == (kind != "steps")
    assert f"measurements of {kind}" in page.said() and "id=\"plotly\"" not in page.text, "nothing needs it"


def test_two_directories_stand_beside_each_other_with_their_ratios(runs):
    make(runs, "other", RUNS.replace("item_ms: 100", "item_ms: 110"))
    page = report(runs, "results", "other")
    said = page.said()
    assert "Of 3 times compared, B is worse in 3; the median of B / A is 1.100." in said
    assert "item_ms: A 100, B 110" in said
    assert "worse 1.100 exact 7.00 s 7.70 s makespan_s" in said
    assert "Table of A: results" in said and "Table of B: other" in said
    assert [side["side"] for side in data(page)] == ["A", "B"]


@pytest.mark.mpi
def test_the_page_gives_the_reason_why_nothing_is_compared(runs):
    assert "Not compared: results " in report(runs, "results", measure(runs, "items")).said()


def test_names_and_messages_are_no_markup(workspace):
    hostile = "</script><img src=x onerror=alert(1)>"
    make(workspace, "results", RUNS.replace("experiment: small", f"experiment: '{hostile.replace('/', '')}'"))
    workspace.change("runs.csv", 1, "status", "timeout")
    workspace.change("runs.csv", 1, "message", hostile)
    page = report(workspace, "results")
    assert f"1 run of 3 did not end well (timeout): {hostile}" in page.said() and hostile not in page.text
    assert f"experiment {hostile.replace('/', '')}" in page.said()
    assert not any("onerror" in attributes for _, attributes in page.tags)


def test_bad_input_is_refused_in_one_line(runs):
    results = runs.path / "results"

    def refused(message, *words):
        done = runs.run("report", *words, timeout=120, code=2)
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1 and message in done.stderr, done.stderr

    refused("nowhere: no such directory", "nowhere")
    refused("a: no results: there is none of runs.csv, creation.csv", _empty(runs, "a"))
    refused("no finished run is called nope", "results", "--run", "nope")
    refused("cannot write nowhere/page.html: No such file or directory; -o writes it elsewhere", "results",
            "-o", "nowhere/page.html")
    text = (results / "runs.csv").read_text()
    (results / "runs.csv").write_text(text.splitlines()[0] + "\n")
    refused("results/runs.csv: there are no r", "results")
    (results / "runs.csv").write_text(text[:-40])
    refused("results/runs.csv", "results")
    assert not (results / "report.html").exists()


def _empty(workspace, name):
    (workspace.path / name).mkdir()
    return name


# ---- in a browser --------------------------------------------------------------------------------

def shown(workspace):
    """Returns the attributes of <html> and the page after its scripts ended without a message."""
    browser = shutil.which("chromium")
    assert browser, "there is no chromium: jobs/setup.sh --tests installs it"
    address = f"file://{workspace.path}/page.html"
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
         f"--user-data-dir={workspace.path}/browser", "--virtual-time-budget=60000", "--dump-dom", address],
        capture_output=True, text=True, timeout=180)
    assert "CONSOLE" not in done.stderr, done.stderr
    start = re.search(r"<html([^>]*)>", done.stdout)[1]
    return dict(re.findall(r'([\w-]+)="([^"]*)"', start)), done.stdout


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """One browser for all tests, since it takes seconds to start."""
    with Browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


def opened(browser, workspace, address="", timeline="ready"):
    """Like shown(), for the attributes data-…, in the open browser."""
    browser.open(f"file://{workspace.path}/page.html{address}")
    browser.wait_for("location.protocol === 'file:' && document.readyState === 'complete' && "
                     f"document.documentElement.dataset.timeline === '{timeline}'")
    return (browser.value("({...document.documentElement.dataset})"),
            browser.value("document.documentElement.outerHTML"))


def test_a_browser_shows_the_timeline_without_a_complaint(reported):
    runs, _ = reported
    root, page = shown(runs)
    assert root["data-timeline"] == "ready" and "data-error" not in root
    assert float(root["data-zoom"].split(",")[1]) == pytest.approx(1.02 * 3.522, abs=0.01)
    assert page.count("<option") == 3 and 'xlink:href="data:image/png;base64,' in page
    assert "32 ranks." in re.search(r'class="reading"[^>]*>([^<]*)<', page)[1]


def test_the_address_selects_run_ranks_and_times(reported, browser):
    runs, _ = reported
    name = runs.rows()[0]["run"]
    root, page = opened(browser, runs, f"#zoom=1.5,2.5&ranks=8,15&runA={name}")
    assert root["zoom"] == "1.5,2.5" and "error" not in root
    assert "none, 32 ranks: 7.00 s" in re.search(r'class="reading"[^>]*>([^<]*)<', page)[1]


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A workspace with a page of two directories, which tests only read."""
    workspace = Workspace(tmp_path_factory.mktemp("pair"))
    make(workspace, f"results_of_{30 * 'x'}", RUNS)
    make(workspace, "other", RUNS.replace("item_ms: 100", "item_ms: 200"))
    report(workspace, f"results_of_{30 * 'x'}", "other")
    return workspace


def test_timelines_beside_each_other_have_the_scale_of_the_longest_that_is_shown(pair, browser):
    none = next(row["run"] for row in csv.DictReader((pair.path / "other/runs.csv").open()) if row["balancer"] == "none")
    for fragment, longest in (("", 7.044), (f"#runB={none}", 14)):
        root, page = opened(browser, pair, fragment)
        assert float(root["zoom"].split(",")[1]) == pytest.approx(1.02 * longest, abs=0.01)
        ticks = re.findall(r'class="xtick"><text[^>]*>([^<]*)<', page)
        assert len(ticks) % 2 == 0 and ticks[:len(ticks) // 2] == ticks[len(ticks) // 2:]


LABELS = "[...document.querySelectorAll('.ytick text')].map(one => one.textContent).join(' ')"


def test_the_axis_of_ranks_has_whole_ranks(reported, browser):
    runs, _ = reported
    for asked, labels in {"0,0": "0", "0,4": "0 1 2 3 4", "15,17": "15 16 17", "28,31": "28 29 30 31",
                          "0,31": "0 4 8 12 16 20 24 28"}.items():
        browser.open(f"file://{runs.path}/page.html?{asked}#ranks={asked}")
        browser.wait_for(f"location.search === '?{asked}' && "
                         "document.documentElement.dataset.timeline === 'ready'")
        assert browser.value(LABELS) == labels, asked


def test_zooming_keeps_whole_ranks_and_the_key_beside_the_axis(reported, browser):
    runs, _ = reported
    browser.open(f"file://{runs.path}/page.html")
    browser.wait_for("document.documentElement.dataset.timeline === 'ready'")
    for _ in range(6):
        browser.value("document.querySelector('[data-do=in]').click()")
    browser.wait_for(f"{LABELS} === '15' || {LABELS} === '16'")
    assert browser.value("document.querySelector('.xtitle').getBoundingClientRect().bottom < "
                         "document.querySelector('.keys').getBoundingClientRect().top")


@pytest.mark.mpi
def test_a_page_without_runs_needs_nothing_of_the_browser(workspace, browser):
    report(workspace, measure(workspace, "items"))
    _, page = opened(browser, workspace, timeline="none")
    assert "<th scope=\"col\"><button" in page


def test_mouse_and_keyboard_zoom_and_read(reported, browser):
    runs, _ = reported
    browser.open(f"file://{runs.path}/page.html")
    browser.wait_for("document.documentElement.dataset.timeline === 'ready'")
    x, y, width, height = browser.value(
        "(() => { document.querySelector('.plot').scrollIntoView(); const box = document.querySelector("
        "'.nsewdrag').getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; })()")
    browser.mouse("mouseMoved", x + 0.01 * width, y + 0.99 * height)
    browser.wait_for("document.querySelector('.reading').textContent.startsWith("
                     "'Ranks 28–31 · from 0 s to 3.')")
    for kind, at in (("mousePressed", 0.25), ("mouseMoved", 0.4), ("mouseMoved", 0.5), ("mouseReleased", 0.5)):
        browser.mouse(kind, x + at * width, y + at * height)
    browser.wait_for("location.hash.startsWith('#zoom=')")
    low, high = map(float, browser.value("document.documentElement.dataset.zoom").split(","))
    assert (low, high) == pytest.approx((0.25 * 3.592, 0.5 * 3.592), abs=0.05)
    press = "document.querySelector('.plot').dispatchEvent(new KeyboardEvent('keydown', {key: '%s'}))"
    browser.value(press % "0")
    browser.wait_for("!location.hash.includes('zoom=')")
    browser.value("document.querySelector('.reading').textContent = 'before'")
    browser.value(press % "n")
    browser.wait_for("document.querySelector('.reading').textContent.startsWith('Ranks ')")
    assert browser.value("document.documentElement.dataset.error ?? ''") == ""


def test_two_timelines_come_to_rest_after_a_zoom_and_a_new_size(pair, browser):
    opened(browser, pair)
    browser.value("""window.changes = 0;
        new MutationObserver(list => { window.changes += list.length; }).observe(
            document, {subtree: true, childList: true, attributes: true, characterData: true});
        for (const name of ["replaceState", "pushState"]) {
          const real = history[name].bind(history);
          history[name] = (...words) => { ++window.changes; real(...words); };
        }""")

    def comes_to_rest():
        browser.wait_for("window.changes > 0")
        browser.value("window.changes = 0")
        assert eventually(lambda: time.sleep(1) or browser.value("[window.changes, window.changes = 0][0]") == 0)

    for side in "BA":
        browser.value(f"document.querySelector('[data-side={side}] [data-do=in]').click()")
        comes_to_rest()
        words = browser.value("location.hash")
        assert "zoom=" in words and "ranks=" in words
        a, b = (browser.value(f"[...document.querySelectorAll('#plot-{name} .xtick, #plot-{name} .ytick')]"
                              ".map(one => one.textContent).join(' ')") for name in "AB")
        assert a == b, "the same part of both"
    browser.resize(700, 900)
    comes_to_rest()
    assert browser.value("location.hash") == words


def test_every_row_and_column_can_be_reached_and_a_sign_says_where_more_is(pair, browser):
    boxes = """[...document.querySelectorAll('.scroll')].filter(box => box.clientWidth).map(box => {
        const sign = box.nextElementSibling, said = [];
        for (const at of [0, 1e6]) {
          box.scrollTo(at, at);
          box.dispatchEvent(new Event('scroll'));
          const edge = box.getBoundingClientRect(), last = box.querySelector('tbody tr:last-child > :last-child');
          const end = last?.getBoundingClientRect();
          said.push({sign: sign.hidden ? '' : sign.textContent,
                     right: box.scrollLeft + box.clientWidth < box.scrollWidth - 1,
                     below: box.scrollTop + box.clientHeight < box.scrollHeight - 1,
                     last: !last || end.right <= edge.right + 1 && end.bottom <= edge.bottom + 1});
        }
        return said; })"""
    seen = set()
    opened(browser, pair)
    for width in (1280, 400):
        browser.resize(width, 170)  # too low for the tables
        assert browser.value("document.documentElement.scrollWidth <= innerWidth")
        for first, last in browser.value(boxes):
            for one in (first, last):
                assert ("right" in one["sign"]) == one["right"] and ("below" in one["sign"]) == one["below"]
                seen |= {(width, way) for way in ("right", "below") if one[way]}
            assert last["last"] and not last["right"] and not last["below"]
    assert {(1280, "below"), (400, "right")} <= seen
