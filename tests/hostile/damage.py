# SPDX-License-Identifier: BSD-3-Clause
"""Ways to damage a file of results. Each takes the bytes of a file and dice, and returns bytes."""

import csv
import io

CELLS = ["", "0", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf", "NaN", "abc", "=1+1",
         "@SUM(1)", "9" * 30, "9223372036854775808", "-9223372036854775809", "2147483648", "0x10",
         "1_000", "1,5", "1e", "ok", "failed", "killed", "unsupported", "none", "asynchronous", "mpi",
         "simgrid", "a\nb", "a\"b", " 1", "1 ", "+1", "\x1b[31m", "a\0b", "\u202e", "ä", "\ufeff",
         "../..", "x" * 5000, "1.0000000000000002", "true", "yes", "stop", "regroup", "start", "0-3 8-11", "trace",
         "measured", "range", "wrapper", "1e15", "1e16", "1048576", "1048577"]


def table(data):
    return list(csv.reader(io.StringIO(data.decode("utf-8", "surrogateescape"))))


def text_of(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", "surrogateescape")


def lines(data):
    return data.splitlines(keepends=True)


def byte_changed(data, dice):
    at = dice.randrange(len(data))
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1:]


def byte_dropped(data, dice):
    at = dice.randrange(len(data))
    return data[:at] + data[at + 1:]


def bytes_inserted(data, dice):
    at = dice.randint(0, len(data))
    return data[:at] + dice.choice([
        b"\0", b'"', b'"', b",", b"\n", b"\r", b"\xe4", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b",
        b'""', b",,", b"\n\n", b" ", b"\x80" * 9, b"\xc0\x80", b"\0" * 4096, b"\x07", b"\x7f",
        b"\xed\xa0\x80", b"\xf5\x80\x80\x80", *(c.encode() for c in "\x85\u2028\u202e\ufeff")]) + data[at:]


def truncated(data, dice):
    return data[:dice.randint(0, len(data) - 1)]


def last_newline_gone(data, dice):
    return data.rstrip(b"\n")


def quote_opened(data, dice):
    """Inserts a quote at the beginning of a cell, where it opens a quoted cell."""
    starts = [i + 1 for i, c in enumerate(data[:-1]) if c in b",\n"] or [0]
    at = dice.choice(starts)
    return data[:at] + b'"' + data[at:]


def cell_dropped(data, dice):
    return changed_row(data, dice, lambda row: row.pop(dice.randrange(len(row))))


def cell_added(data, dice):
    return changed_row(data, dice,
                       lambda row: row.insert(dice.randint(0, len(row)), dice.choice(CELLS)))


def cell_changed(data, dice):
    def change(row):
        row[dice.randrange(len(row))] = dice.choice(CELLS)
    return changed_row(data, dice, change)


def digit_changed(data, dice):
    places = [i for i, c in enumerate(data) if 48 <= c <= 57]
    if not places:
        return byte_changed(data, dice)
    at = dice.choice(places)
    return data[:at] + bytes([48 + (data[at] - 48 + dice.randint(1, 9)) % 10]) + data[at + 1:]


def changed_row(data, dice, change):
    rows = [row for row in table(data) if row]
    if rows:
        change(dice.choice(rows))
    return text_of(rows)


def row_dropped(data, dice):
    rows = lines(data)
    del rows[dice.randrange(len(rows))]
    return b"".join(rows)


def row_doubled(data, dice):
    rows = lines(data)
    rows.insert(dice.randint(1, len(rows)), dice.choice(rows))
    return b"".join(rows)


def rows_swapped(data, dice):
    rows = lines(data)
    i, j = dice.randrange(len(rows)), dice.randrange(len(rows))
    rows[i], rows[j] = rows[j], rows[i]
    return b"".join(rows)


def run_renamed(data, dice):
    """Gives one row, or all rows, of a run an unknown name."""
    rows = table(data)
    name = dice.choice(["0" * 16, "", "f00d", "../x", rows[-1][0]])
    chosen = dice.choice(rows[1:] or rows)[0]
    for row in rows[1:]:
        if row and row[0] == chosen:
            row[0] = name
            if dice.random() < 0.5:
                break
    return text_of(rows)


def column_dropped(data, dice):
    rows = table(data)
    at = dice.randrange(len(rows[0]))
    return text_of([row[:at] + row[at + 1:] for row in rows])


def column_doubled(data, dice):
    rows = table(data)
    at = dice.randrange(len(rows[0]))
    return text_of([row + row[at:at + 1] for row in rows])


def header_changed(data, dice):
    rows = table(data)
    rows[0][dice.randrange(len(rows[0]))] = dice.choice(["", "x", "run", "status", "ranks", "RUN"])
    return text_of(rows)


def spreadsheet(data, dice):
    """Changes a file as spreadsheet programs and editors do when they save it."""
    return dice.choice([
        lambda d: d.replace(b"\n", b"\r\n"), lambda d: b"\xef\xbb\xbf" + d,
        lambda d: d.replace(b",", b";"), lambda d: d.replace(b",", b"\t"),
        lambda d: b"\n".join(b",".join(b'"' + c + b'"' for c in line.split(b","))
                             for line in d.splitlines()) + b"\n",
        lambda d: d.decode("utf-8", "replace").encode("utf-16"),
        lambda d: d.replace(b".", b","), lambda d: d + b",,,,\n", lambda d: d + b"\n\n\n",
        lambda d: b"\n" + d, lambda d: b"# a comment\n" + d])(data)


def torn(data, dice):
    """Leaves the content that a full disk or a machine crash may leave."""
    at = dice.randint(0, len(data))
    return dice.choice([data[:at] + b"\0" * (len(data) - at), data[:at] + data[:at][-40:],
                        data[:at] + b"\n", data[at:], b"", data[:at] + data])


def endless(data, dice):
    return dice.choice([
        data + b"x" * 3_000_000 + b"\n", data + b'"' + b"y\n" * 1_000_000 + b'"\n',
        data + lines(data)[-1] * (2_000_000 // len(lines(data)[-1])), data + b"," * 2_000_000,
        data + b"\n" * 2_000_000])


WAYS = [byte_changed, byte_changed, byte_dropped, bytes_inserted, bytes_inserted, truncated,
        last_newline_gone, quote_opened, quote_opened, cell_dropped, cell_added, cell_changed,
        cell_changed, cell_changed, digit_changed, digit_changed, row_dropped, row_dropped,
        row_doubled, rows_swapped, run_renamed, column_dropped, column_doubled, header_changed,
        spreadsheet, torn]
RARE = [endless]


def damage(data, dice):
    """Returns (name of the damage, damaged bytes)."""
    way = dice.choice(RARE) if dice.random() < 0.01 else dice.choice(WAYS)
    return way.__name__, way(data, dice) if data else b"\0"
