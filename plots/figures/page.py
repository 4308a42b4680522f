# SPDX-License-Identifier: BSD-3-Clause
"""A picture of a given width, with texts at top and bottom, panels and a legend, and its output
files. Sizes are in inches, font sizes in points. Fonts shrink with the width, but never below
6 points."""

import contextlib
import logging
import math
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from figures import axes
from figures.command import KINDS, InputError, script

INK, GREY, PALE, WARNING = "#222222", "#666666", "#dddddd", "#B03A00"
LEAST = 6  # points
MARGIN = 0.08
HIGHEST = 240  # mm: the height of a journal page
# Without dates and versions, equal results give equal files.
METADATA = {"png": {"Software": None}, "svg": {"Date": None},
            "pdf": {"CreationDate": None, "Producer": None, "Creator": None}}

matplotlib.rcdefaults()  # ignores the user's matplotlibrc
plt.rcParams.update({
    "font.family": "DejaVu Sans", "text.color": INK,
    "axes.edgecolor": GREY, "axes.labelcolor": INK, "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.titlesize": "medium",
    "axes.labelsize": "medium", "xtick.labelsize": "medium", "ytick.labelsize": "medium",
    "grid.color": PALE, "grid.linewidth": 0.7,
    "xtick.color": GREY, "ytick.color": GREY, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "legend.frameon": False, "legend.fontsize": "medium", "figure.dpi": 100, "savefig.dpi": 160,
    "hatch.linewidth": 0.5, "svg.hashsalt": "regroup", "svg.fonttype": "none", "pdf.fonttype": 42,
})


class Page:
    """Lays out texts and panels; `finish` positions all of them."""

    def __init__(self, arguments, title, subtitle="", note="", width=8.0):
        self.width, self.height = arguments.size or (width, None)
        given = _style(arguments.style)
        # For widths from a journal column to a screen.
        fitting = 6.8 if self.width < 4.5 else 7.8 if self.width < 7.4 else 9.2
        print_dpi = {"savefig.dpi": 300} if arguments.size else {}
        plt.rcParams.update({"font.size": fitting, **print_dpi, **given})
        self.base = plt.rcParams["font.size"]
        self.small = max(LEAST, 0.9 * self.base) if self.base >= LEAST else self.base
        if arguments.title == "none":
            title, subtitle = "", ""
        self.texts = [(arguments.title if title and arguments.title else title,
                       {"size": 1.3 * self.base, "weight": "bold"}),
                      (subtitle, {"size": self.small, "color": GREY})]
        self.note = note
        self.across = 1  # panels beside each other
        self.figure = plt.figure(figsize=(self.width, self.height or 4))

    @property
    def narrow(self):
        return self.width < 4.5

    def panels(self, number, height, least=2.6, most=2, parts=(1,)):
        """Returns a list of axes for each of `number` panels. The axes of a panel are stacked and
        divide its `height` in the ratio of `parts`. A panel is at least `least` wide, and a row
        has at most `most` panels."""
        self.across = max(1, min(number, most, int(self.width / least)))
        rows = math.ceil(number / self.across)
        self.content = rows * height
        grid = self.figure.add_gridspec(rows * len(parts), self.across,
                                        height_ratios=list(parts) * rows)
        found = []
        for i in range(number):
            row, column = divmod(i, self.across)
            own = []
            for part in range(len(parts)):
                own.append(self.figure.add_subplot(grid[row * len(parts) + part, column],
                                                   sharex=own[0] if own else None))
            found.append(own)
        return found

    def stacks(self, heights):
        """Returns stacks of axes with these `heights`, a list for each stack. Stacks are side by
        side if there is room."""
        if self.width < 6:
            every = [height for stack in heights for height in stack]
            grid = self.figure.add_gridspec(len(every), 1, height_ratios=every)
            self.content = sum(every)
            places = iter(self.figure.add_subplot(cell) for cell in grid)
            return [[next(places) for _ in stack] for stack in heights]
        self.across = len(heights)
        self.content = max(sum(stack) for stack in heights)
        outer = self.figure.add_gridspec(1, len(heights))
        return [[self.figure.add_subplot(cell) for cell in
                 outer[i].subgridspec(len(stack), 1, height_ratios=stack)]
                for i, stack in enumerate(heights)]

    def sheet(self):
        """Returns one axis without lines, in inches from its top left. The caller sets `content`
        and the limits of y to its height."""
        self.free = self.figure.add_axes([0, 0, 1, 1], xlim=(0, self.width))
        self.free.axis("off")
        return self.free

    def finish(self, handles=(), shared=()):
        """Positions everything, with a legend of `handles`, and returns the figure. The axes in
        each element of `shared` get one scale."""
        for together in shared:
            axes.one_scale(together)
        header = self._header()
        foot = self._foot()
        legend = self._legend(handles)
        around = header + foot + legend
        if not self.height:
            self.height = around + self.content
        elif self.height - around < 0.4 * self.content:
            raise InputError(f"--size: {25.4 * self.height:.0f} mm is too low for this picture, which "
                             f"would like {25.4 * (around + self.content):.0f} mm")
        self.figure.set_size_inches(self.width, self.height)
        self._write(header, foot, legend, handles)
        bottom, top = (foot + legend) / self.height, 1 - header / self.height
        if hasattr(self, "free"):
            self.free.set_position([0, bottom, 1, top - bottom])
        else:
            pad = MARGIN / 2
            self.figure.set_layout_engine("constrained", rect=(0, bottom, 1, top - bottom),
                                          w_pad=pad, h_pad=pad, wspace=0.03, hspace=0.02)
            axes.thin(self.figure)
            self._fix()
        return self.figure

    def _fix(self):
        """Rounds the computed positions, because their last digits vary between calls."""
        self.figure.draw_without_rendering()
        places = [(axis, axis.get_position()) for axis in self.figure.axes]
        self.figure.set_layout_engine("none")
        for axis, place in places:
            axis.set_position([round(side, 4) for side in place.bounds])

    # ---- texts -----------------------------------------------------------------------------------

    def wrap(self, text, size=None, width=None, weight="normal"):
        """Wraps `text` to `width`, by default that of the page."""
        return wrap(text, size or self.base, width or self.width - 2 * MARGIN, weight)

    def title(self, axis, text):
        """Sets the title of a panel."""
        if text:
            room = self.width / self.across - 0.65
            lines = [self.wrap(line, None, room, "bold") for line in text.split("\n")]
            axis.set_title("\n".join(lines), pad=6)

    def _header(self):
        height = MARGIN
        self.lines = []
        for text, style in self.texts:
            if text:
                wrapped = self.wrap(text, style["size"], None, style.get("weight", "normal"))
                self.lines.append((height, wrapped, style))
                height += _height(wrapped, style["size"]) + 0.05
        return height + (0.06 if self.lines else 0)

    def _foot(self):
        self.note = self.wrap(self.note, self.small) if self.note else ""
        return _height(self.note, self.small) + MARGIN if self.note else MARGIN / 2

    def _legend(self, handles):
        """Wraps the labels of the legend and returns its height."""
        if not handles:
            return 0
        room = self.width - 2 * MARGIN - 0.5
        labels = [wrap(handle.get_label(), self.base, room) for handle in handles]
        for handle, label in zip(handles, labels):
            handle.set_label(label)
        widest = max(text_width(line, self.base) for label in labels for line in label.split("\n"))
        self.beside = max(1, min(len(handles), int((room + 0.5) / (widest + 0.55))))
        rows = [labels[i::math.ceil(len(labels) / self.beside)]
                for i in range(math.ceil(len(labels) / self.beside))]
        lines = sum(max(label.count("\n") + 1 for label in row) for row in rows)
        return lines * 1.42 * self.base / 72 + 0.08

    def _write(self, header, foot, legend, handles):
        left = MARGIN / self.width
        for y, text, style in self.lines:
            self.figure.text(left, 1 - y / self.height, text, va="top", linespacing=1.15, **style)
        if self.note:
            self.figure.text(left, 0.6 * MARGIN / self.height, self.note, size=self.small, va="bottom",
                             color=WARNING, linespacing=1.15)
        if handles:
            drawn = self.figure.legend(
                handles=list(handles), loc="lower left", ncol=self.beside, handlelength=3,
                bbox_to_anchor=(left, (foot + 0.02) / self.height), borderpad=0, borderaxespad=0,
                columnspacing=0.9, handletextpad=0.5, labelspacing=0.35)
            drawn.set_in_layout(False)


def _style(path):
    """Returns the settings of the style file `path`; `user`: those of the user's matplotlibrc."""
    if path is None:
        return {}
    if str(path) == "user":
        path = matplotlib.matplotlib_fname()
    logging.getLogger("matplotlib").setLevel(logging.CRITICAL)  # it logs errors and continues
    try:
        given = dict(matplotlib.rc_params_from_file(path, use_default_template=False))
    except FileNotFoundError:
        raise InputError(f"--style: {path}: no such file") from None
    except (ValueError, KeyError) as error:
        raise InputError(f"--style: {path}: {' '.join(str(error).split())}") from None
    if not given:
        raise InputError(f"--style: {path}: sets nothing that matplotlib knows")
    if given.pop("text.usetex", False):
        print(f"{script()}: --style: text.usetex is ignored: the texts of pictures are not TeX", file=sys.stderr)
    return given


def _height(text, size):
    return (text.count("\n") + 1) * 1.38 * size / 72


def text_width(text, size, weight="normal"):
    """Returns the width of `text` in inches; `size` is in points."""
    if not text.strip():
        return 0
    letters = FontProperties(family=plt.rcParams["font.family"], weight=weight, size=size)
    return text_to_path.get_text_width_height_descent(text, letters, False)[0] / 72


def wrap(text, size, width, weight="normal"):
    """Breaks `text` at spaces, so that lines fit into `width`; longer words are split."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or text_width(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(piece for line in lines for piece in _pieces(line, size, width, weight))


def _pieces(line, size, width, weight):
    """Yields the pieces of a line that is wider than `width`."""
    while text_width(line, size, weight) > width and len(line) > 1:
        fits = next(n for n in range(len(line) - 1, 0, -1)
                    if n == 1 or text_width(line[:n], size, weight) <= width)
        yield line[:fits]
        line = line[fits:]
    yield line


# ---- files ---------------------------------------------------------------------------------------

def save(figure, arguments):
    """Writes `figure` as PNG, SVG and PDF, or in the format of --output, and prints the paths."""
    height = 25.4 * figure.get_figheight()
    if arguments.size and not arguments.size[1] and height > HIGHEST:
        print(f"{script()}: this picture is {height:,.0f} mm high, and a page {HIGHEST}: --size double may "
              "be lower; else draw results of fewer settings, each in a directory of its own",
              file=sys.stderr)
    beside = arguments.results if arguments.results.is_dir() else arguments.results.parent
    target = arguments.output or beside / script()
    kinds = KINDS
    if target.suffix[1:] in KINDS:
        kinds, target = [target.suffix[1:]], target.with_suffix("")
    for kind in kinds:
        path = target.with_name(f"{target.name}.{kind}")
        replace(path, lambda part, kind=kind: figure.savefig(part, format=kind,
                                                             metadata=METADATA[kind]))
        print(path)


def replace(path, write):
    """Replaces a file atomically: `write` creates a temporary file, which is renamed to `path`.
    Special files such as /dev/stdout are written directly."""
    special = path.exists() and not path.is_file() and not path.is_dir()
    part = path if special else path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(part)
        if not special:
            os.replace(part, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}; -o writes it elsewhere") from None
    finally:
        if not special:
            with contextlib.suppress(OSError):
                part.unlink()
