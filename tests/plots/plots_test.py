# SPDX-License-Identifier: BSD-3-Clause
"""The content of each picture, and what scripts report about results that they cannot draw."""

import re
import shlex
from xml.etree import ElementTree

import numpy
import pandas
import pytest
from matplotlib.image import imread
from scripts import (ONE_RANK_COUNT, PLOTS, PROBLEMS, RUNS, SCALE, WAYS, WORKLOADS, collectives, complaint, creations,
                     drawn, edit, items, measured, sorts, succeed, table)

import common
import learning
import pictures
from figures import events, heat_map
from page import units

OF_TABLES = ["figure2", "table1", "balance", "figure1", "rbc", "sort", "speedup"]
LAST = "asynchronous(merge)"
LONGEST = "collective(16)"  # variant with the longest run that creates communicators


# ---- errors --------------------------------------------------------------------------------------

@pytest.mark.parametrize("script", OF_TABLES)
def test_every_script_reports_missing_or_damaged_results_in_one_line(script, sample, tmp_path):
    assert "nowhere: no such file or directory" in complaint(script, tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    assert "empty: there are no results" in complaint(script, tmp_path / "empty")
    (tmp_path / "x.csv").write_text("")
    assert "x.csv: not a CSV file" in complaint(script, tmp_path / "x.csv")
    (tmp_path / "x.csv").write_bytes(bytes(range(256)))
    assert "x.csv: " in complaint(script, tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text("panel,cores,oversubscribed\n,2,no\n")
    assert "x.csv: column ranks is missing" in complaint(script, tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text("panel,ranks,cores,oversubscribed\n,many,2,no\n")
    assert "x.csv: column ranks has words" in complaint(script, tmp_path / "x.csv")


@pytest.mark.parametrize("script", ["figure2", "timeline"])
def test_runs_that_regroup_does_not_read_are_reported_in_its_words(script, runs):
    path = runs / "runs.csv"
    text = path.read_text()
    path.write_text(text[:-1] + ",1\n")
    assert "runs.csv:" in complaint(script, runs)
    path.write_text(text[:-30])
    assert "runs.csv" in complaint(script, runs)
    path.write_text(text)
    edit(path, lambda rows: rows.assign(status="killed"))
    assert "no task ended well" in complaint(script, runs)
    path.unlink()
    assert "there are no results" in complaint(script, runs)


@pytest.mark.parametrize("script, rows, message", [
    ("figure1", lambda: [row for row in creations() if row["pattern"] != "one_group"],
     "no row with pattern one_group or pairs"),
    ("rbc", lambda: collectives(creation="x"), "belongs to a panel"),
    ("rbc", lambda: items({1: 1}), "neither creation nor collectives"),
    ("sort", lambda: sorts(elements_per_rank=0), "no sort of elements with status ok")])
def test_measurements_without_anything_to_draw_are_reported(script, rows, message, tmp_path):
    assert message in complaint(script, table(tmp_path / "x.csv", rows()))


def test_a_directory_and_the_saved_table_make_the_same_picture(runs, tmp_path):
    (tmp_path / "saved.csv").write_text(common.answer("table", runs, "--format", "csv"))
    assert drawn("figure2", runs) == drawn("figure2", tmp_path / "saved.csv")


# ---- which pictures fit results ------------------------------------------------------------------

@pytest.mark.parametrize("text, names", [
    (RUNS, ["figure2", "table1", "timeline"]), (PROBLEMS, ["figure2", "timeline"]),
    (WORKLOADS, ["balance", "timeline"]), (SCALE, ["figure2", "scale", "table1"])])
def test_pictures_fit_results_of_runs(text, names, made):
    assert [script for script, _ in pictures.of_results(made(text))] == names
    printed = succeed("pictures", made(text)).splitlines()
    assert [line.partition("\t")[0] for line in printed] == names


@pytest.mark.parametrize("rows, names", [
    (creations, ["figure1", "rbc"]), (collectives, ["rbc"]), (sorts, ["sort"]), (lambda: items({1: 1}), ["speedup"]),
    (lambda: [measured("create", 1, pattern="one_group", communicator="dup", group_size=2)], ["figure1"])])
def test_pictures_fit_measurements(rows, names, tmp_path):
    assert [script for script, _ in pictures.of_results(table(tmp_path / "x.csv", rows()))] == names
    assert all((PLOTS / f"{script}.py").is_file() for script in names)


# ---- runs: figure2, balance, scale, table1 -------------------------------------------------------

def test_figure2_names_its_lines_and_counts_the_runs_that_failed(runs):
    edit(runs / "runs.csv", lambda rows: rows.assign(status=rows.status.where(rows.index > 0, "timeout")))
    shown = drawn("figure2", runs)
    assert {"none", "collective(16)", "asynchronous(release)", LAST, "ideal", "above the ideal in %"} < set(shown)
    assert any(re.fullmatch(r"1 of \d+ runs did not finish \(1 timeout\) and are left out.", text) for text in shown)
    assert any(text.startswith("virtual clock · T = 100 ms · G = 4 · cyclic workload · 16–32 ranks · 2 repetitions")
               for text in shown)


def test_figure2_shows_a_single_rank_count_as_bars_with_values(copy):
    shown = drawn("figure2", copy(ONE_RANK_COUNT))
    assert {"ideal 3.50 s", "7.00 s", "2.00 × ideal", "3.52 s", "1.01 × ideal"} < set(shown)


def test_short_times_have_digits(copy):
    results = copy(ONE_RANK_COUNT.replace("100", "0.001"))
    assert {"ideal 35.0 µs", "70.0 µs", "2.00 × ideal", "35.2 µs"} < set(drawn("figure2", results))
    shown = drawn("timeline", results)
    assert "ideal 35.0 µs" in shown and any(re.fullmatch(r"makespan \d\d\.\d µs", text) for text in shown), shown


@pytest.mark.parametrize("value, decimals, text", [
    (3.5599, 2, "3.56"), (123.456, 2, "123.46"), (0.5, 2, "0.50"), (0.00123, 2, "0.0012"), (0.04, 1, "0.04"),
    (3.5e-6, 4, "0.00000350"), (-0.00123, 2, "-0.0012"), (1e-12, 3, "1.00e-12"), (0, 2, "0")])
def test_small_numbers_have_more_decimals(value, decimals, text):
    assert units.rounded(value, decimals) == text


@pytest.mark.parametrize("value, text", [
    (3.5599, "3.56 s"), (123.456, "123.46 s"), (0.3559, "356 ms"), (12.3e-6, "12.3 µs"), (1e-9, "1.00 ns"), (0, "0 s")])
def test_labels_of_times_have_digits(value, text):
    assert units.label(value) == text


def test_figure2_has_a_panel_for_each_setting(copy):
    assert {"T = 50 ms", "T = 100 ms"} < set(drawn("figure2", copy(RUNS.replace("100", "[50, 100]"))))


def test_the_bound_stands_where_the_speedup_is_not_perfect(copy):
    results = copy(ONE_RANK_COUNT + "speedup: [perfect, amdahl]\n")
    shown = " ".join(drawn("figure2", results))
    for text in ("perfect speed-up", "ideal 3.50 s", "amdahl speed-up", "× bound"):
        assert text in shown
    assert any(text.startswith("bound ") for text in drawn("timeline", results))


def test_figure2_shows_different_problems_as_ratios_to_their_own_ideals(copy):
    results = copy(PROBLEMS)
    shown = drawn("figure2", results)
    assert "execution time / ideal of each problem" in shown and "execution time in s" not in shown
    assert "single problem" in shown and any("2 problems" in text for text in shown)
    assert not [text for text in shown if re.search(r"\d s$", text)]
    assert any(re.fullmatch(r"ideal \d\.\d\d s", text) for text in drawn("timeline", results))


def test_runs_without_items_have_no_picture_of_their_times(runs, tmp_path):
    saved = tmp_path / "saved.csv"
    saved.write_text(common.answer("table", runs, "--format", "csv"))
    some = (lambda rows: rows.ranks == "16"), (lambda rows: rows.ranks != "")
    for chosen in some:
        edit(saved, lambda rows: rows.assign(**{c: rows[c].mask(chosen(rows), "0") for c in ("ideal_s", "of_ideal")}))
        if chosen is some[0]:
            drawn("figure2", saved)
    assert "no run has any items" in complaint("figure2", saved)
    assert "figure2" not in [script for script, _ in pictures.of_results(saved)]


def test_figure2_and_table1_show_the_paper_only_beside_its_experiment(copy):
    for text, same in ((RUNS, True), (RUNS.replace("group_size: 4", "group_size: 8"), False)):
        results = copy(text)
        assert ("Dinan et al. 2011, from its text" in drawn("figure2", results)) == same
        shown = drawn("table1", results)
        assert ("14.38" in shown) == same, "of asynchronous(merge)"


def test_table1_picks_rank_counts_and_explains_its_dashes(runs):
    for size, dash in (("double", True), ("single", False)):
        shown = drawn("table1", runs, "--size", size, "--ranks", "16")
        assert any("has no such row" in text for text in shown) == dash == ("–" in shown)
        assert any("16 ranks" in text for text in shown)
    assert "no finished run with 17 ranks (there are: 16, 32)" in complaint("table1", runs, "--ranks", "17")


def test_balance_shows_each_workload_as_picture_and_as_table(copy):
    results = copy(WORKLOADS)
    shown = drawn("balance", results)
    assert {"uniform workload", "constant workload", "exponential workload", "pareto workload", "none"} < set(shown)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in succeed("balance", results, "--table").splitlines()]
    assert rows[0] == ["", "none", "collective(16)", "asynchronous(merge)", "asynchronous(release)"]
    assert [cell for row in rows if row[0] == "constant workload" for cell in row[1:]] == ["1.000"] * 4


def test_scale_has_a_row_for_each_setting_and_wants_virtual_runs_with_memory(copy, runs):
    assert "no memory_mb" in complaint("scale", runs)
    shown = drawn("scale", copy(SCALE.replace("item_ms: 100", "item_ms: [50, 100]")))
    assert {"T = 50 ms", "T = 100 ms", "makespan / ideal", "collective(16)"} < set(shown)
    assert shown.count("peak memory in MB") == 2


# ---- variants and strategies unknown to the scripts ----------------------------------------------

def colours(runs, names, tmp_path, communicator="create_group"):
    """Returns {label: colour} of a table with a run of each of these variants."""
    saved = tmp_path / "saved.csv"
    saved.write_text(common.answer("table", runs, "--format", "csv"))
    edit(saved, lambda rows: pandas.concat([rows.head(1)] * len(names)).assign(
        variant=names, label=names, balancer=[name.split("(")[0] for name in names], communicator=communicator))
    return {label: colour for label, colour, _ in common.variants(common.read_table(saved)[0])}


def test_variants_come_as_in_the_results_but_those_of_one_balancer_by_size(runs, tmp_path):
    found = colours(runs, ["z", "a(10)", "a(9)", "a(9, x=0.5)", "a(9, x=1e-06)"], tmp_path)
    assert list(found) == ["z", "a(9)", "a(9, x=1e-06)", "a(9, x=0.5)", "a(10)"]


def test_no_two_variants_have_the_same_colour_and_none_without_communicator_has_any(runs, tmp_path):
    names = [f"balancer{i}({j})" for i in range(30) for j in range(30)]
    assert len(set(colours(runs, names, tmp_path).values())) == len(names)
    greys = colours(runs, ["none", "a(1)", "a(2)"], tmp_path, communicator="").values()
    assert len(set(greys)) == 3 and all(grey[1:3] == grey[3:5] == grey[5:7] for grey in greys)


# ---- learning ------------------------------------------------------------------------------------

def test_learning_shows_the_sizes_of_the_groups_of_a_run(runs):
    shown = drawn("learning", runs)
    assert any(text.startswith("What group sizes were worth to") for text in shown)
    assert {"group", "fit", "chains that began", "chains that ended", "group size in ranks"} < set(shown)


@pytest.mark.parametrize("time", [lambda g: 8 / g, lambda g: 8 / g + 1 * (g > 1), lambda g: 1 / g + 3 * (g - 1)])
def test_the_fit_finds_the_law_of_item_times(time):
    sizes = numpy.array([1, 2, 4, 8])
    assert learning.fit(sizes, time(sizes), numpy.ones(4))(numpy.array([3, 16])) == pytest.approx(
        time(numpy.array([3, 16])))


# ---- timeline ------------------------------------------------------------------------------------

def longest_run(results, label=LONGEST):
    runs = common.read_runs(results)
    return runs.loc[runs.makespan_s[runs.label == label].idxmax()].run


def test_timeline_shows_the_longest_run_that_forms_communicators_and_says_so(runs):
    shown = drawn("timeline", runs)
    assert f"Timeline of {LONGEST}" in shown
    assert f"run {longest_run(runs)}, the longest of " in " ".join(shown)
    assert {"idle", "regrouping", "regrouped", "ideal 3.50 s", "rank", "time in s", "walker 20, 200 items"} < set(shown)


def test_timeline_lists_runs_and_shows_the_one_that_is_asked_for(runs):
    listed = succeed("timeline", runs, "--list")
    name = longest_run(runs, "none")
    assert name in listed and {"none", "collective(16)", LAST} < set(listed.split())
    shown = drawn("timeline", runs, "--run", name)
    assert "Timeline of none" in shown and "regrouped" not in shown


def test_timeline_shows_a_part_of_the_ranks(runs):
    shown = drawn("timeline", runs, "--ranks", "8", "15")
    assert "walker 12, 120 items" in shown and "walker 20, 200 items" not in shown
    assert "no ranks 40 to 50 in this run, whose ranks are 0 to 31" in complaint("timeline", runs, "--ranks", "40", "50")


def with_groups(results, rows):
    """Replaces the groups of a run and returns the run."""
    name = longest_run(results, LAST)
    columns = ["begin_event", "begin_s", "group_ranks", "walker_id", "items_left_begin", "busy_until_s",
               "end_event", "end_s", "items_left_end"]
    frame = pandas.DataFrame(rows, columns=columns).assign(run=name)
    edit(results / "events.csv", lambda events: pandas.concat([events.head(0), frame]))
    return name


# Two groups whose ranks have gaps; the second has no walker until it receives one.
DIVIDED = [("start", 0, "0-7", "0", 90, 1, "regroup", 1, 60),
           ("regroup", 1.2, "0 2 4-5", "0", 60, 2.4, "regroup", 2.4, 30),
           ("regroup", 1.2, "1 3 6-7", "", 0, 1.2, "regroup", 2.4, 0),
           ("regroup", 2.6, "0 2 4-5", "", 0, 2.6, "stop", 2.6, 0),
           ("regroup", 2.6, "1 3 6-7", "0", 30, 3.5, "stop", 3.5, 0)]


def areas(path, colour):
    """Returns (left, top, right, bottom) in points of each rectangle with this colour."""
    shapes = [shape for shape in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}path")
              if f"fill: {colour}" in shape.get("style", "").lower() and "clip-path" in shape.attrib]
    corners = [list(zip(*[map(float, pair) for pair in re.findall(r"[ML] ([\d.]+) ([\d.]+)", shape.get("d"))]))
               for shape in shapes]
    return sorted((min(xs), min(ys), max(xs), max(ys)) for xs, ys in corners)


def test_timeline_draws_a_rectangle_for_each_range_of_a_group_and_no_walker_as_idle(runs):
    name = with_groups(runs, DIVIDED)
    shown = drawn("timeline", runs, "--run", name)
    working = areas(runs / "timeline.svg", "#77aadd")
    top, rank = working[0][1], (working[0][3] - working[0][1]) / 8
    assert [(round((y0 - top) / rank, 2), round((y1 - top) / rank, 2)) for _, y0, _, y1 in working] == \
        [(0, 8), (0, 1), (2, 3), (4, 6), (1, 2), (3, 4), (6, 8)]
    assert not areas(runs / "timeline.svg", "#ee8866"), "there is one walker only"
    assert {"walker 0, 60 items", "idle", "working"} < set(shown) and not any("walker -1" in text for text in shown)


def test_timeline_leaves_no_room_empty(runs):
    name = with_groups(runs, DIVIDED)
    drawn("timeline", runs, "--run", name)
    page = ElementTree.parse(runs / "timeline.svg").getroot()
    width, height = (float(page.get(side).removesuffix("pt")) for side in ("width", "height"))
    left, top, right, bottom = zip(*areas(runs / "timeline.svg", "#77aadd"))
    assert max(right) - min(left) > 0.9 * width and max(bottom) - min(top) > 0.7 * height


@pytest.mark.parametrize("groups", [2048, 25000])
def test_timeline_of_many_groups_has_no_numbers_and_stays_small(runs, groups):
    name = with_groups(runs, [("start", 0, f"{lo}-{lo + 3}", str(lo), 9, 2, "stop", 3, 0) for lo in range(0, 4 * groups, 4)])
    shown = drawn("timeline", runs, "--run", name)
    picture = (runs / "timeline.svg").read_text()
    assert not [text for text in shown if text.startswith("walker")] and len(picture) < 2_000_000
    assert ("<image" in picture and "65,536" in shown) == (groups > 20000)


def test_the_share_of_a_pixel_is_the_part_that_rectangles_cover():
    groups = pandas.DataFrame({"lo": [0, 4, 6], "hi": [3, 4, 7], "a": [0.0, 1.0, 3.0], "b": [4.0, 2.0, 3.5]})
    found = events.shares(groups, "a", "b", (4, 2), (0, 7), 4)  # two ranks and two seconds in each pixel
    assert abs(found - [[1, 1], [1, 1], [0.25, 0], [0, 0.25]]).max() < 1e-12


def test_timeline_reports_unknown_runs_and_missing_or_damaged_events(runs):
    assert "no finished run is called abc (--list" in complaint("timeline", runs, "--run", "abc")
    text = (runs / "events.csv").read_text()
    name = longest_run(runs)
    for column, value in (("busy_until_s", ""), ("group_ranks", "8-11,17"), ("group_ranks", ""), ("group_ranks", "8-")):
        edit(runs / "events.csv", lambda rows: rows.assign(**{column: value}))
        assert f"events.csv: a row of run {name} lacks ranks, as in" in complaint("timeline", runs)
        (runs / "events.csv").write_text(text)
    edit(runs / "events.csv", lambda rows: rows[rows.run != name])
    assert f"events.csv: no rows of run {name}" in complaint("timeline", runs)
    (runs / "events.csv").write_text(text.replace("busy_until_s", "busy"))
    assert "events.csv: " in complaint("timeline", runs)
    (runs / "events.csv").unlink()
    assert "events.csv: no such file" in complaint("timeline", runs)


def test_timeline_names_the_key_that_writes_groups(copy):
    assert "run with --set events=all" in complaint("timeline", copy(RUNS + "events: none\n"))


# ---- measurements --------------------------------------------------------------------------------

def test_figure1_has_a_panel_for_each_number_of_ranks_and_each_setting(tmp_path):
    shown = drawn("figure1", table(tmp_path / "x.csv", creations() + creations(panel="wrapper waiting")))
    assert {"comm_split", "create_group", "range", "8 ranks", "wrapper waiting, 16 ranks", "2", "8",
            "group size in ranks", "time to create in µs"} < set(shown)
    assert any(text.startswith("8–16 ranks on 2 cores (oversubscribed)") for text in shown)


def test_figure1_draws_sets_of_ranges_where_no_group_is_a_range(tmp_path):
    shown = drawn("figure1", table(tmp_path / "x.csv", [row | {"pattern": "pairs"} for row in creations()]))
    assert any("ranges with gaps" in text for text in shown)


@pytest.mark.parametrize("script, rows, low", [("figure1", creations, "create_low_s"), ("rbc", creations, "create_low_s"),
                                               ("rbc", collectives, "time_low_s"), ("sort", sorts, "time_low_s")])
def test_medians_of_too_few_samples_have_no_band_and_the_foot_says_so(script, rows, low, tmp_path):
    few = table(tmp_path / "x.csv", rows(**{low: "", low.replace("low", "high"): ""}))
    assert any("medians have no interval: fewer than 6 samples" in text for text in drawn(script, few))


def test_rbc_has_a_panel_for_each_figure_and_names_those_without_data(tmp_path):
    (tmp_path / "a").mkdir()
    operations, groups = table(tmp_path / "x.csv", collectives()), table(tmp_path / "a/y.csv", creations(communicator="teleport"))
    first, second = {"Scan", "Communicator and broadcast", "Broadcast", "Reduce", "Gather"}, {"Two halves", "Overlapping groups"}
    shown = drawn("rbc", operations, groups)
    assert first | second | {"range", "create_group", "teleport, alternating", "teleport, cascaded"} < set(shown)
    assert shown.count("range") == 1 and not any("No data" in text for text in shown)
    shown = drawn("rbc", operations)
    assert "No data for: Two halves, Overlapping groups." in shown and not second & set(shown)


def serial(shown):
    return [text for text in shown if text.startswith("Amdahl,")]


@pytest.mark.parametrize("times, cores, fraction", [
    ({n: 0.1 * (0.25 + 0.75 / n) for n in (1, 2, 4, 8)}, 8, "25.0"), ({1: 1, 2: 0.5, 4: 0.25}, 8, "0.0"),
    ({1: 1, 2: 0.3, 4: 0.1}, 8, "0.0"), ({1: 1, 2: 2, 4: 3}, 8, "100.0"), ({1: 1, 2: 0.5, 4: 3, 8: 9}, 2, "0.0")])
def test_speedup_fits_amdahls_law_to_groups_whose_members_have_cores(times, cores, fraction, tmp_path):
    shown = drawn("speedup", table(tmp_path / "x.csv", items(times, cores=cores)))
    assert serial(shown) == [f"Amdahl, {fraction} % serial"]
    assert ("more members than 2 cores" in shown) == (max(times) > cores)


def test_speedup_has_a_panel_for_each_walker_and_draws_a_single_size(tmp_path):
    rows = items({1: 1, 2: 0.6}, panel="T = 2 ms, spin") + items({1: 1, 2: 0.6}, panel="lennard_jones", walker="lennard_jones")
    shown = drawn("speedup", table(tmp_path / "x.csv", rows))
    assert {"T = 2 ms, spin", "lennard_jones"} < set(shown) and len(serial(shown)) == 2
    assert shown.count("measured") == shown.count("ideal") == shown.count("Amdahl's law") == 1
    shown = drawn("speedup", table(tmp_path / "x.csv", items({4: 1})))
    assert serial(shown) == [] and "measured, members share cores" in shown


def test_sort_has_times_and_ratios_for_each_number_of_ranks_and_input(tmp_path):
    shown = drawn("sort", table(tmp_path / "x.csv", sorts()))
    assert {"16 ranks", "32 ranks", *WAYS, "std_sort", "time to sort in µs", "time / range"} < set(shown)
    assert shown.count("time / range") == 2 and "1 ranks" not in shown
    assert any("1–32 ranks on 2 cores (partly oversubscribed) · uniform · double" in text for text in shown)
    shown = drawn("sort", table(tmp_path / "x.csv", sorts() + sorts(input="zipf", panel="input zipf")))
    assert shown.count("time / range") == 4 and any("zipf" in text for text in shown)


def test_sort_draws_assignments_as_lines_and_no_ratios_without_range(tmp_path):
    other = [dict(row, assignment="deterministic") for row in sorts() if not row["communicator"].endswith("_sort")]
    shown = drawn("sort", table(tmp_path / "x.csv", sorts() + other))
    assert {"range", "range, deterministic", "create_group, deterministic"} < set(shown)
    assert shown.count("time / range") == 2
    for kept in (lambda row: row["communicator"] != "range", lambda row: row["ranks"] == 1):
        assert "time / range" not in drawn("sort", table(tmp_path / "x.csv", filter(kept, sorts())))


# ---- output files --------------------------------------------------------------------------------

def test_a_link_beside_results_is_replaced_and_not_followed(runs):
    (runs / "victim").write_text("as it was")
    (runs / "figure2.png").symlink_to("victim")
    succeed("figure2", runs)
    assert (runs / "victim").read_text() == "as it was" and imread(runs / "figure2.png").std() > 0


# ---- parts of results, and too many results ------------------------------------------------------

MANY = RUNS.replace("item_ms: 100", "item_ms: [1, 2, 3, 4, 5]").replace("group_size: 4", "group_size: [2, 4, 8]") \
    .replace("repetitions: 2", "events: none")


@pytest.mark.parametrize("script", ["figure2", "table1"])
def test_a_picture_of_many_panels_is_a_summary_that_names_the_command_for_a_part(script, made):
    results = made(MANY)
    shown = drawn(script, results)
    assert {"cyclic", "none", "collective(16)", LAST} < set(shown)
    (note,) = [text for text in shown if "15 panels are too many" in text]
    _, _, command = note.partition(f"plots/{script}.py ")
    words = shlex.split(command)
    assert words[0] == str(results) and "--where" in words
    part = drawn(script, results, *words[1:])
    assert not any("too many" in text for text in part) and any(text.startswith("G = ") for text in part)


def test_a_summary_is_of_the_ranks_that_are_shown(made):
    for ranks in (16, 32):
        printed = common.answer("table", made(MANY), "--by", "workload,balancer", "--where", f"ranks={ranks}", "--format", "csv")
        worst = {row.split(",")[1]: float(row.split(",")[3]) for row in printed.splitlines()[1:]}
        shown = drawn("table1", made(MANY), "--ranks", ranks)
        assert any(f"({heat_map.shown(worst['none'])})" in text for text in shown)
        assert any(text.endswith(f"({heat_map.shown(worst[LAST])})") for text in shown)


def test_balance_summarises_many_rows_with_the_figures_of_the_table(made, monkeypatch):
    results = made(MANY)
    printed = common.answer("table", results, "--by", "workload,balancer").splitlines()
    shown = drawn("balance", results)
    assert "30 rows" not in " ".join(shown), "which can be read"
    monkeypatch.setattr("figures.summary.MOST_ROWS", 29)
    shown = drawn("balance", results)
    assert any("30 rows are too many" in text for text in shown)
    for line in printed[printed.index("") + 2:]:
        name, median, worst = line.split()[1:4]
        assert name in shown and any(re.fullmatch(rf"{median[:4]}\d* \({worst[:4]}\d*\)", text) for text in shown), line


def test_a_saved_table_and_measurements_show_the_first_panels(made, tmp_path):
    saved = tmp_path / "saved.csv"
    saved.write_text(common.answer("table", made(MANY), "--format", "csv"))
    assert any(text.startswith("The first 12 of 15 panels.") for text in drawn("figure2", saved))
    assert "--where chooses from a directory" in complaint("figure2", saved, "--where", "ranks=16")
    several = [row for i in range(7) for row in creations(panel=f"panel {i}")]
    shown = drawn("figure1", table(tmp_path / "x.csv", several))
    assert any("The first 12 of 14 panels" in text for text in shown) and "panel 6, 8 ranks" not in shown


def test_where_chooses_what_is_drawn_and_counted(runs):
    edit(runs / "runs.csv", lambda rows: rows.assign(status=rows.status.where(rows.index > 0, "timeout")))
    assert any("16–32 ranks" in text for text in drawn("figure2", runs))
    shown = drawn("figure2", runs, "--where", "ranks=32", "--where", "balancer=none,asynchronous")
    assert any("· 32 ranks ·" in text for text in shown) and "collective(16)" not in shown
    assert not any("did not finish" in text for text in shown), "the failed run has 16 ranks"
    assert "there are: 16, 32" in complaint("figure2", runs, "--where", "ranks=8")
