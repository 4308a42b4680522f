# SPDX-License-Identifier: BSD-3-Clause
"""Every picture as a journal prints it: its letters, its edges, its formats and its options. The
figures are looked at before they are written."""

import json
import re
import runpy
import sys
from itertools import combinations

import pandas
import pytest
from matplotlib.image import imread
from matplotlib.text import Text

from plots_test import GROUPS, HERE, PLOTS, complaint, edit, in_virtual_time, succeed, texts
from plots_test import results  # noqa: F401  a fixture
from sort_test import sorts

import common
from figures import axes, command

SCRIPTS = ["balance", "chains", "figure1", "figure2", "groups", "rbc", "scale", "sort", "speedup",
           "table1", "timeline"]
LEAST, TOLERANCE = 6, 1.5  # points; pixels, of 100 in an inch


def sample(script, results):  # noqa: F811
    """What the script reads: the sample, or what is made of it."""
    if script == "chains":
        return HERE / "data/chains"
    if script == "groups":
        (results / "groups.json").write_text(json.dumps(GROUPS))
        return results / "groups.json"
    if script == "sort":
        rows = pandas.DataFrame(sorts()).assign(run=lambda rows: rows.index.map("{:016}".format))
        rows.to_csv(results / "sort.csv", index=False)
    if script == "balance":
        edit(results, lambda runs: runs.assign(of_bound=(runs.makespan_s.replace("", "nan").astype(
            float) / 3.5).map("{:.3f}".format).where(runs.status == "ok", "")))
    if script == "scale":  # the ranks of a sweep far beyond the paper
        edit(results, lambda runs: pandas.concat([in_virtual_time(runs).assign(
            ranks=str(1024 * 2 ** i), run=runs.run.str[1:] + f"{i:x}",
            memory_mb=str(2 ** i)) for i in range(11)]))
    return results


def figure(script, monkeypatch, *arguments):
    """The figure that a script would write."""
    kept = []
    monkeypatch.setattr(common, "save", lambda drawn, _: kept.append(drawn))
    monkeypatch.setattr(sys, "argv", [f"{script}.py", *map(str, arguments)])
    runpy.run_path(str(PLOTS / f"{script}.py"), run_name="__main__")
    common.plt.close("all")
    drawn, = kept
    drawn.set_dpi(100)
    drawn.draw_without_rendering()
    return drawn


def shown(drawn):
    return [text for text in drawn.findobj(Text) if text.get_visible() and text.get_text().strip()
            and (not isinstance(text.axes, common.plt.Axes) or text.axes.get_visible())]


def tick_labels(axis):
    """The labels within the axis; matplotlib keeps some outside, which are never drawn."""
    for one, limits in ((axis.xaxis, axis.get_xlim()), (axis.yaxis, axis.get_ylim())):
        low, high = sorted(limits)
        slack = 1e-9 * (high - low)
        yield [tick.label1 if tick.label1.get_visible() else tick.label2
               for tick in one.get_major_ticks() if low - slack <= tick.get_loc() <= high + slack
               and axis.axison]


@pytest.mark.parametrize("size", ["single", "double", None])
@pytest.mark.parametrize("script", SCRIPTS)
def test_letters_can_be_read_and_nothing_is_cut_or_overlaps(
        script, size, results, monkeypatch, capsys):  # noqa: F811
    drawn = figure(script, monkeypatch, sample(script, results), *(["--size", size] if size else []))
    if size:
        assert drawn.get_figwidth() == pytest.approx(command.WIDTHS[size] / 25.4)
    check_letters(drawn)


def check_letters(drawn):
    renderer = drawn.canvas.get_renderer()
    outside = {id(tick) for axis in drawn.axes for one in (axis.xaxis, axis.yaxis)
               for tick in [*one.get_majorticklabels(), *one.get_minorticklabels(),
                            one.get_offset_text(), *(t.label2 for t in one.get_major_ticks())]}
    letters = [text for text in shown(drawn) if id(text) not in outside and (
        text.axes is None or text.axes.axison or text not in (text.axes.xaxis.label,
                                                              text.axes.yaxis.label))]
    for axis in drawn.axes:
        for labels in tick_labels(axis):
            labels = [label for label in labels if label.get_text() and label.get_visible()]
            letters += labels
            boxes = [label.get_window_extent(renderer) for label in labels
                     if not label.get_rotation()]
            assert not [(a, b) for a, b in combinations(boxes, 2) if overlap(a, b)], labels
    assert len(letters) > 5
    width, height = 100 * drawn.get_size_inches()
    for text in letters:
        assert text.get_fontsize() >= LEAST - 1e-9, text
        box = text.get_window_extent(renderer)
        assert box.x0 > -TOLERANCE and box.y0 > -TOLERANCE, text
        assert box.x1 < width + TOLERANCE and box.y1 < height + TOLERANCE, text


def overlap(a, b):
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 0.5 and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.5


@pytest.mark.parametrize("script", ["figure1", "rbc", "sort", "speedup", "figure2", "scale"])
def test_every_axis_of_numbers_has_two_labels_and_a_name(
        script, results, monkeypatch):  # noqa: F811
    for axis in figure(script, monkeypatch, sample(script, results), "--size", "single").axes:
        assert axis.get_ylabel()
        _, labels = tick_labels(axis)
        assert len([label for label in labels if label.get_text()]) >= 2, axis.get_ylabel()


def test_lines_differ_without_their_colours():
    styles = common.of_names(range(40))
    looks = {(style["marker"], str(style["linestyle"]), style["linewidth"]) for style in styles.values()}
    assert len(looks) == 40
    first, last = styles[0], styles[39]
    assert first["markersize"] > last["markersize"] and first["zorder"] < last["zorder"]


@pytest.mark.parametrize("ranks, name", [(8, "8"), (1000, "1,000"), (1024, "1 Ki"), (3072, "3,072"),
                                         (16384, "16 Ki"), (2 ** 20, "1 Mi")])
def test_powers_of_two_are_told_in_short(ranks, name):
    assert axes.count(ranks) == name


@pytest.mark.parametrize("seconds, unit", [([2e-6, 5e-5], "µs"), ([0.02, 0.05], "ms"), ([5, 9], "s"),
                                           ([float("nan"), 0], "s"), ([1e-9], "ns")])
def test_times_have_the_unit_of_their_middle(seconds, unit):
    assert axes.unit_of(seconds)[0] == unit


def test_pictures_have_real_text_and_no_dates(results):  # noqa: F811
    succeed("figure2", results)
    picture = (results / "figure2.svg").read_text()
    assert "<text" in picture and "<dc:date>" not in picture
    document = (results / "figure2.pdf").read_bytes()
    assert document.startswith(b"%PDF") and b"CreationDate" not in document
    assert b"/Subtype /Type0" in document and b"/Subtype /Type3" not in document


def test_a_title_is_another_or_none_with_what_stands_below(results):  # noqa: F811
    succeed("figure2", results, "--title", "Our balancers")
    said = texts(results, "figure2")
    assert "Our balancers" in said and any("wall clock" in text for text in said)
    succeed("figure2", results, "--title", "none")
    said = texts(results, "figure2")
    assert "none" in said, "the balancer"
    assert not any("wall clock" in text or "Execution time of" in text for text in said)


def test_a_size_in_millimetres_is_that_of_the_picture(results):  # noqa: F811
    succeed("figure2", results, "--size", "120x150", "-o", results / "x.svg")
    width, height = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"',
                              re.sub(r"\s+", " ", (results / "x.svg").read_text()[:2000])).groups()
    assert [float(width), float(height)] == pytest.approx([120 / 25.4 * 72, 150 / 25.4 * 72], rel=1e-3)


def test_a_style_file_has_the_last_word(results, tmp_path):  # noqa: F811
    (tmp_path / "mine").write_text("figure.facecolor: 336699\nfont.size: 8\n")
    succeed("figure2", results, "--style", tmp_path / "mine", "-o", results / "x.png")
    assert imread(results / "x.png")[2, 2, :3] == pytest.approx([0.2, 0.4, 0.6], abs=0.01)


def test_wrong_looks_are_told_in_one_line(results, tmp_path):  # noqa: F811
    for size in ("huge", "5x5", "84", "100x9999"):
        assert f'--size: "{size}" is none of single, double and WxH' in complaint(
            "figure2", results, "--size", size)
    assert "mm is too low for this picture" in complaint("figure2", results, "--size", "84x40")
    assert "no such file" in complaint("figure2", results, "--style", tmp_path / "nowhere")
    (tmp_path / "empty").write_text("nothing.of.this: 1\n")
    assert "sets nothing that matplotlib knows" in complaint(
        "figure2", results, "--style", tmp_path / "empty")


def test_bars_are_read_at_the_width_of_a_column(results, monkeypatch, capsys):  # noqa: F811
    edit(results, lambda runs: runs[runs.ranks == "32"])
    check_letters(figure("figure2", monkeypatch, results, "--size", "single"))


def test_figure2_marks_what_the_text_of_the_paper_tells(results):  # noqa: F811
    succeed("figure2", results)
    assert "Dinan et al. 2011, from its text" in texts(results, "figure2")
    edit(results, lambda runs: runs.assign(group_size="8"))
    succeed("figure2", results)
    assert "Dinan et al. 2011, from its text" not in texts(results, "figure2")


def test_bars_of_balancers_differ_without_their_colours(results, monkeypatch, capsys):  # noqa: F811
    edit(results, lambda runs: runs[runs.ranks == "32"])
    axis, = figure("figure2", monkeypatch, results).axes
    hatches = [bar.get_hatch() for bar in axis.patches]
    assert len(set(hatches)) == 3 and len(hatches) == 4, "shades of one balancer differ by lightness"


def test_pictures_for_print_have_300_dots_in_an_inch(results):  # noqa: F811
    succeed("figure2", results, "--size", "single", "-o", results / "x.png")
    assert imread(results / "x.png").shape[1] == int(84 / 25.4 * 300)


def test_the_foot_of_table1_stands_where_there_is_a_dash(results):  # noqa: F811
    for size, dash in (("double", True), ("single", False)):
        succeed("table1", results, "--size", size)
        assert any("has no such row" in text for text in texts(results, "table1")) == dash
        assert ("–" in texts(results, "table1")) == dash
