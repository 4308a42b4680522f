# SPDX-License-Identifier: BSD-3-Clause
"""Formats numbers for readers."""

import math

UNITS = [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]


def digits(value, count=3):
    """Formats `value` with `count` significant digits, without exponent: 3.54, 1,210, 0.0120."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    after = count - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, after):,.{max(0, after)}f}"


def rounded(value, decimals):
    """Formats `value` with `decimals` decimals; below 1, with as many as show one to three
    significant digits: 3.54, 0.012. Only 0 is "0". It corresponds to rounded() of the command."""
    if value == 0:
        return "0"
    if not abs(value) < 1:
        return f"{value:.{decimals}f}"
    count = min(max(decimals, 1), 3)
    if abs(value) < 1e-9:
        return f"{value:.{count - 1}e}"
    return f"{value:.{max(decimals, count - 1 - math.floor(math.log10(abs(value))))}f}"


def label(value):
    """Formats a time for a picture: 3.54 s, 123.46 s; below a second 107 µs."""
    return f"{value:,.2f} s" if value >= 1 else seconds(value)


def seconds(value):
    """Formats a time in a suitable unit: 3.54 s, 107 µs."""
    if not math.isfinite(value):
        return "none"
    unit, name = next(((u, n) for u, n in UNITS if abs(value) >= u * 0.9995), UNITS[-1])
    return f"{digits(value / unit)} {name}" if value else "0 s"


def interval(low, high):
    """Formats a confidence interval of times; "too few samples" if there is none."""
    if low != low or high != high:
        return "too few samples"
    return f"{seconds(low)} … {seconds(high)}"


def times(ratio):
    """Formats a factor: 2.0, 12, 5,240."""
    return digits(ratio, 2) if ratio < 100 else digits(ratio, 3)


def number(value):
    """Formats a number unrounded, with thousands separators: 8,192."""
    return f"{value:,.10g}"


def counted(count, noun):
    """Formats a count: "1 run", "3 measurements of sort"."""
    first, *rest = noun.split(" ")
    return " ".join([f"{count:,}", first if count == 1 else f"{first}s", *rest])
