# SPDX-License-Identifier: BSD-3-Clause
"""Timelines of more groups than there are pixels."""

import numpy
import pandas
import pytest

from plots_test import LAST_ASYNCHRONOUS, complaint, edit, succeed, texts
from plots_test import results  # noqa: F401  a fixture

from figures import raster


def test_the_share_of_a_pixel_is_what_rectangles_cover_of_it():
    groups = pandas.DataFrame({"lo": [0, 4, 6], "hi": [3, 4, 7], "a": [0.0, 1.0, 3.0],
                               "b": [4.0, 2.0, 3.5]})
    found = raster.shares(groups, "a", "b", (4, 2), (0, 7), 4)
    # Two ranks and two seconds in each pixel.
    assert found == pytest.approx(numpy.array([[1, 1], [1, 1], [0.25, 0], [0, 0.25]]))


def many(groups):
    return lambda events: pandas.concat([events, pandas.DataFrame({
        "run": LAST_ASYNCHRONOUS, "begin_event": "start", "begin_s": 0,
        "group_ranks": [f"{lo}-{lo + 3}" for lo in range(0, 4 * groups, 4)],
        "walker_id": range(0, 4 * groups, 4), "items_left_begin": 9, "busy_until_s": 2, "end_event": "stop",
        "end_s": 3, "items_left_end": 0, "executed_items_min": 9, "executed_items_max": 9})])


def test_more_groups_than_pixels_are_an_image(results):  # noqa: F811
    edit(results, many(25000), "events.csv")
    succeed("timeline", results)
    picture = (results / "timeline.svg").read_text()
    assert "<image" in picture and len(picture) < 1_000_000
    assert {"working", "idle", "rank", "time in s", "64 Ki"} < set(texts(results, "timeline"))


def test_a_broken_line_among_many_is_told(results):  # noqa: F811
    edit(results, many(25000), "events.csv")
    text = (results / "events.csv").read_text()
    (results / "events.csv").write_text(text + "1,2\n")
    assert "fields instead of" in complaint("timeline", results)
    (results / "events.csv").write_text(text[:-1])
    assert "no end of line" in complaint("timeline", results)
