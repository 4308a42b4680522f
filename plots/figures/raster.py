# SPDX-License-Identifier: BSD-3-Clause
"""Many groups as an image: what share of each pixel they were at work, and without work."""

import numpy


def shares(groups, begin, end, shape, ranks, seconds):
    """The share of each pixel of an image of `shape` (rows, columns), over the ranks from ranks[0]
    to ranks[1], both with them, and `seconds` from 0, that `groups` cover from the times `begin` to
    `end`. A group covers a rectangle; its corners are spread over the four pixels around each, and
    two running sums fill it. Its error is that of rounding."""
    rows, columns = shape
    corners = numpy.zeros((rows + 2, columns + 2))
    height = rows / (ranks[1] - ranks[0] + 1)
    top, bottom = ((groups.lo - ranks[0]) * height, (groups.hi + 1 - ranks[0]) * height)
    left, right = (groups[side] * (columns / seconds) for side in (begin, end))
    for y, x, sign in ((top, left, 1), (top, right, -1), (bottom, left, -1), (bottom, right, 1)):
        y, x = y.to_numpy().clip(0, rows), x.to_numpy().clip(0, columns)
        row, column = y.astype(int), x.astype(int)
        below, beyond = y - row, x - column
        for i, part in ((0, 1 - below), (1, below)):
            for j, share in ((0, 1 - beyond), (1, beyond)):
                corners.ravel()[:] += numpy.bincount(
                    (row + i) * (columns + 2) + column + j, sign * part * share, corners.size)
    return corners.cumsum(0).cumsum(1)[:rows, :columns].clip(0, 1)
