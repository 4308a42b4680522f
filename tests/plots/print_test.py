# SPDX-License-Identifier: BSD-3-Clause
"""Checks every picture as a journal prints it: files, fonts, edges and options. Figures are
inspected before they are written."""

import errno
import os
import re
import runpy
import subprocess
import sys
from itertools import combinations

import pytest
from matplotlib.image import imread
from matplotlib.text import Text
from scripts import KINDS, ONE_RANK_COUNT, PLOTS, complaint, drawn, succeed, texts

import common
from figures import axes, command, page

SCRIPTS = ["balance", "chains", "faults", "figure1", "figure2", "learning", "rbc", "scale", "sort", "speedup", "table1",
           "timeline"]
TOLERANCE = 1.5  # pixels, at 100 per inch


@pytest.mark.parametrize("script", SCRIPTS)
def test_equal_results_make_three_equal_pictures_beside_them(script, sample):
    results = sample(script)
    beside = results if results.is_dir() else results.parent
    printed = succeed(script, results)
    for kind in KINDS:
        assert str(beside / f"{script}.{kind}") in printed.splitlines()
    assert imread(beside / f"{script}.png").std() > 0.05 and len(texts(beside / f"{script}.svg")) > 5
    succeed(script, results, "-o", beside / "again")
    for kind in KINDS:
        assert (beside / f"{script}.{kind}").read_bytes() == (beside / f"again.{kind}").read_bytes()


@pytest.fixture(scope="module")
def figures():
    """A cache of figures of samples."""
    return {}


def figure_of_sample(script, size, figures, sample, monkeypatch):
    """Returns the figure of a sample, which is drawn only once."""
    if (script, size) not in figures:
        figures[script, size] = figure(script, monkeypatch, sample(script), *(["--size", size] if size else []))
    return figures[script, size]


def figure(script, monkeypatch, *arguments):
    """Returns the figure that a script would write."""
    kept = []
    monkeypatch.setattr(common, "save", lambda made, _: kept.append(made))
    monkeypatch.setattr(sys, "argv", [f"{script}.py", *map(str, arguments)])
    runpy.run_path(str(PLOTS / f"{script}.py"), run_name="__main__")
    common.plt.close("all")
    made, = kept
    made.set_dpi(100)
    made.draw_without_rendering()
    return made


def tick_labels(axis):
    """Yields the tick labels within the axis limits; matplotlib never draws the others."""
    for one, limits in ((axis.xaxis, axis.get_xlim()), (axis.yaxis, axis.get_ylim())):
        low, high = sorted(limits)
        slack = 1e-9 * (high - low)
        yield [tick.label1 if tick.label1.get_visible() else tick.label2
               for tick in one.get_major_ticks() if low - slack <= tick.get_loc() <= high + slack
               and axis.axison]


@pytest.mark.parametrize("size", ["single", "double", None])
@pytest.mark.parametrize("script", SCRIPTS)
def test_letters_can_be_read_and_nothing_is_cut_or_overlaps(script, size, figures, sample, monkeypatch, capsys):
    made = figure_of_sample(script, size, figures, sample, monkeypatch)
    if size:
        assert made.get_figwidth() == pytest.approx(command.WIDTHS[size] / 25.4)
    check_letters(made)


def check_letters(made):
    renderer = made.canvas.get_renderer()
    outside = {id(tick) for axis in made.axes for one in (axis.xaxis, axis.yaxis)
               for tick in [*one.get_majorticklabels(), *one.get_minorticklabels(),
                            one.get_offset_text(), *(t.label2 for t in one.get_major_ticks())]}
    shown = [text for text in made.findobj(Text) if text.get_visible() and text.get_text().strip()
             and (not isinstance(text.axes, common.plt.Axes) or text.axes.get_visible())]
    letters = [text for text in shown if id(text) not in outside and (
        text.axes is None or text.axes.axison or text not in (text.axes.xaxis.label,
                                                              text.axes.yaxis.label))]
    for axis in made.axes:
        for labels in tick_labels(axis):
            labels = [label for label in labels if label.get_text() and label.get_visible()]
            letters += labels
            boxes = [label.get_window_extent(renderer) for label in labels if not label.get_rotation()]
            assert not [(a, b) for a, b in combinations(boxes, 2) if overlap(a, b)], labels
    assert len(letters) > 5
    width, height = 100 * made.get_size_inches()
    for text in letters:
        assert text.get_fontsize() >= page.LEAST - 1e-9, text
        box = text.get_window_extent(renderer)
        assert box.x0 > -TOLERANCE and box.y0 > -TOLERANCE, text
        assert box.x1 < width + TOLERANCE and box.y1 < height + TOLERANCE, text


def overlap(a, b):
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 0.5 and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.5


def test_bars_can_be_read_in_a_column_and_differ_without_their_colours(copy, monkeypatch, capsys):
    made = figure("figure2", monkeypatch, copy(ONE_RANK_COUNT), "--size", "single")
    check_letters(made)
    hatches = [bar.get_hatch() for bar in made.axes[0].patches]
    assert len(set(hatches)) == 3 and len(hatches) == 4, "shades of one balancer differ by lightness"


@pytest.mark.parametrize("script", ["figure1", "rbc", "sort", "speedup", "figure2", "scale"])
def test_every_axis_of_numbers_has_two_labels_and_a_name(script, figures, sample, monkeypatch):
    for axis in figure_of_sample(script, "single", figures, sample, monkeypatch).axes:
        assert axis.get_ylabel()
        _, labels = tick_labels(axis)
        assert len([label for label in labels if label.get_text()]) >= 2, axis.get_ylabel()


def test_lines_differ_without_their_colours():
    styles = common.of_names(range(40))
    looks = {(style["marker"], str(style["linestyle"]), style["linewidth"]) for style in styles.values()}
    assert len(looks) == 40
    assert styles[0]["markersize"] > styles[39]["markersize"] and styles[0]["zorder"] < styles[39]["zorder"]
    assert len(set(common.colours(range(100)).values())) == 100


@pytest.mark.parametrize("ranks, name", [(8, "8"), (1000, "1,000"), (2 ** 20, "1,048,576")])
def test_thousands_have_commas(ranks, name):
    assert axes.count(ranks) == name


@pytest.mark.parametrize("seconds, unit", [([2e-6, 5e-5], "µs"), ([0.02, 0.05], "ms"), ([5, 9], "s"),
                                           ([float("nan"), 0], "s"), ([1e-9], "ns")])
def test_times_have_the_unit_of_their_middle(seconds, unit):
    assert axes.unit_of(seconds)[0] == unit


# ---- options and files ---------------------------------------------------------------------------

def test_pictures_have_real_text_and_no_dates(runs):
    succeed("figure2", runs)
    picture = (runs / "figure2.svg").read_text()
    assert "<text" in picture and "<dc:date>" not in picture
    document = (runs / "figure2.pdf").read_bytes()
    assert document.startswith(b"%PDF") and b"CreationDate" not in document
    assert b"/Subtype /Type0" in document and b"/Subtype /Type3" not in document


def test_a_title_is_another_or_none_with_the_line_below(runs):
    said = drawn("figure2", runs, "--title", "Our balancers")
    assert "Our balancers" in said and any("virtual clock" in text for text in said)
    said = drawn("figure2", runs, "--title", "none")
    assert "none" in said, "the balancer"
    assert not any("virtual clock" in text or "Execution time of" in text for text in said)


def test_sizes_are_in_millimetres_and_have_300_dots_in_an_inch(runs):
    succeed("figure2", runs, "--size", "120x150", "-o", runs / "x.svg")
    width, height = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"',
                              re.sub(r"\s+", " ", (runs / "x.svg").read_text()[:2000])).groups()
    assert [float(width), float(height)] == pytest.approx([120 / 25.4 * 72, 150 / 25.4 * 72], rel=1e-3)
    succeed("figure2", runs, "--size", "single", "-o", runs / "x.png")
    assert imread(runs / "x.png").shape[1] == int(84 / 25.4 * 300)


def test_a_style_file_has_the_last_word(runs, tmp_path):
    (tmp_path / "mine").write_text("figure.facecolor: 336699\nfont.size: 8\n")
    succeed("figure2", runs, "--style", tmp_path / "mine", "-o", runs / "x.png")
    assert imread(runs / "x.png")[2, 2, :3] == pytest.approx([0.2, 0.4, 0.6], abs=0.01)


def with_settings_of_a_user(results, directory, text, *arguments):
    (directory / "matplotlibrc").write_text(text)
    return subprocess.run(["/usr/bin/python3", PLOTS / "figure2.py", results, *arguments], text=True,
                          capture_output=True, env=os.environ | {"MATPLOTLIBRC": str(directory)})


OF_A_USER = "figure.facecolor: 336699\nlines.linewidth: 9\nfont.size: 30\nfont.family: serif\n"


def test_settings_of_a_user_change_no_picture(runs, tmp_path):
    pictures = []
    for text in ("", OF_A_USER + "text.usetex: True\n"):
        done = with_settings_of_a_user(runs, tmp_path, text)
        assert (done.returncode, done.stderr) == (0, "")
        pictures.append([(runs / f"figure2.{kind}").read_bytes() for kind in KINDS])
    assert pictures[0] == pictures[1]


def test_settings_of_a_user_are_asked_for(runs, tmp_path):
    done = with_settings_of_a_user(runs, tmp_path, OF_A_USER.replace("30", "8"), "--style", "user", "-o", runs / "x.png")
    assert (done.returncode, done.stderr) == (0, "")
    assert imread(runs / "x.png")[2, 2, :3] == pytest.approx([0.2, 0.4, 0.6], abs=0.01)
    done = with_settings_of_a_user(runs, tmp_path, "text.usetex: True\n", "--style", "user", "-o", runs / "x.png")
    assert done.returncode == 0 and done.stderr.count("\n") == 1 and "text.usetex" in done.stderr


def test_wrong_options_are_reported_in_one_line(runs, tmp_path):
    for size in ("huge", "5x5", "84", "100x9999"):
        assert f'--size: "{size}" is none of' in complaint("figure2", runs, "--size", size)
    assert "is too low for this picture" in complaint("figure2", runs, "--size", "84x40")
    assert "no such file" in complaint("figure2", runs, "--style", tmp_path / "nowhere")
    (tmp_path / "empty").write_text("nothing.of.this: 1\n")
    assert "sets nothing" in complaint("figure2", runs, "--style", tmp_path / "empty")
    for name in ("x.eps", "x.PNG", "x.jpeg"):
        assert f'-o: "{name}" ends in none of' in complaint("figure2", runs, "-o", name)
    assert "unrecognized arguments: --colour" in complaint("figure2", runs, "--colour")
    assert "No such file or directory; -o" in complaint("figure2", runs, "-o", runs / "no/x.png")


@pytest.mark.parametrize("file", ["picture", "picture.png", "picture.svg", "version-1.2"])
def test_output_names_one_picture_or_all(file, runs):
    succeed("figure2", runs, "-o", runs / file)
    expected = {file} if file[-4:] in (".png", ".svg") else {f"{file}.{kind}" for kind in KINDS}
    assert {path.name for path in runs.glob(f"{file[:7]}*")} == expected


def test_a_file_that_cannot_be_written_leaves_the_one_before(tmp_path):
    (tmp_path / "picture.png").write_text("good")

    def fill(path):
        path.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(common.InputError, match="cannot write .*/picture.png: No space left on device"):
        common.replace(tmp_path / "picture.png", fill)
    assert [path.name for path in tmp_path.iterdir()] == ["picture.png"]
    assert (tmp_path / "picture.png").read_text() == "good"


def test_a_pipe_is_written_directly(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    common.replace(tmp_path / "pipe", lambda path: path.write_text("picture"))
    assert os.read(reader, 99) == b"picture" and (tmp_path / "pipe").is_fifo()
    os.close(reader)


def test_matplotlib_prints_nothing_about_its_caches(runs, tmp_path):
    (tmp_path / "file").write_text("")
    done = subprocess.run(["/usr/bin/python3", PLOTS / "figure2.py", runs], text=True, capture_output=True,
                          env=os.environ | {"MPLCONFIGDIR": str(tmp_path / "file/within")})
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_module_is_named_with_its_package(runs):
    done = subprocess.run(["/usr/bin/python3", "-S", PLOTS / "figure2.py", runs], text=True, capture_output=True,
                          env=os.environ | {"REGROUP_PYTHON_RESTARTED": "yes"})
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "python3-matplotlib python3-pandas" in done.stderr
