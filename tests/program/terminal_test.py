# SPDX-License-Identifier: BSD-3-Clause
"""Progress in a terminal: one row, redrawn at any width. The terminal is a pseudo-terminal with a
window size; a small emulator computes its visible content."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time
import unicodedata

import pytest

from conftest import REGROUP

# Ranks that do nothing for a while and write no outcome.
CONFIG = """ranks: [16, 32]
group_size: 4
workload: {{kind: lognormal, mean_items: 140, log_stdev: 1.5}}
balancers:
  - asynchronous: {{communicator: intercomm_merge}}
launcher: {}
"""
LAUNCHER = "sleep 0.5; echo 'regroup: something is wrong here, and it takes many words to say' >&2; exit 1\n"


class Screen:
    """The content of a terminal that wraps lines at its width, and rewraps them when it changes.
    Each row is [characters, whether the next row continues it]."""

    def __init__(self, width):
        self.width, self.rows, self.row, self.column, self.wraps = width, [["", False]], 0, 0, True
        self.wrapped = 0  # number of rows that were wrapped when written
        self.rest = ""

    def write(self, text):
        for token in re.findall(r"\x1b\[[?\d;]*[a-zA-Z]|.", self.rest + text, re.DOTALL):
            self.take(token)

    def take(self, token):
        if token == "\r":
            self.column = 0
        elif token == "\n":
            self.to_row(self.row + 1)
        elif token == "\x1b[K":
            self.cut()
        elif token == "\x1b[J":
            self.cut()
            del self.rows[self.row + 1:]
        elif token in ("\x1b[?7l", "\x1b[?7h"):
            self.wraps = token.endswith("h")
        elif match := re.fullmatch(r"\x1b\[(\d+)A", token):
            self.row = max(0, self.row - int(match[1]))
        elif token.startswith("\x1b"):
            raise AssertionError(f"a sequence that few terminals know: {token!r}")
        else:
            self.put(token)

    def cut(self):
        self.rows[self.row] = [self.rows[self.row][0][:self.column], False]

    def to_row(self, row):
        self.row = row
        while len(self.rows) <= row:
            self.rows.append(["", False])

    def put(self, character):
        assert unicodedata.east_asian_width(character) not in "WF"
        if self.column >= self.width:
            if not self.wraps:
                self.column = self.width - 1
            else:
                self.rows[self.row][1] = True
                self.to_row(self.row + 1)
                self.column = 0
                self.wrapped += 1
        line = self.rows[self.row][0].ljust(self.column)
        self.rows[self.row][0] = line[:self.column] + character + line[self.column + 1:]
        self.column += 1

    def resize(self, width):
        """Rewraps lines, as most terminals do: the cursor stays at its character."""
        lines, begins = [], True
        for number, (text, goes_on) in enumerate(self.rows):
            if begins:
                lines.append([text, None])
            else:
                lines[-1][0] += text
            if number == self.row:
                lines[-1][1] = len(lines[-1][0]) - len(text) + self.column
            begins = not goes_on
        self.width, self.rows = width, []
        for text, cursor in lines:
            first = len(self.rows)
            parts = [text[i:i + width] for i in range(0, len(text), width)] or [""]
            self.rows += [[part, i + 1 < len(parts)] for i, part in enumerate(parts)]
            if cursor is not None:
                self.row = first + min(max(0, cursor - 1) // width, len(parts) - 1)
                self.column = cursor - (self.row - first) * width

    def lines(self):
        return [text.rstrip() for text, _ in self.rows if text.strip()]


class Terminal:
    def __init__(self, workspace, width, **variables):
        try:
            self.master, slave = pty.openpty()
        except OSError as error:  # for example in a minimal root file system
            pytest.skip(f"{error}: nothing is mounted on /dev/pts")
        self.set_size(width)
        workspace.write("test.yaml", CONFIG.format(workspace.launcher(LAUNCHER)))
        environment = {k: v for k, v in workspace.environment.items() if k not in ("COLUMNS", "TERM")}
        self.process = subprocess.Popen(
            [REGROUP, "run", "test.yaml", "--out", "results", "--overwrite"], cwd=workspace.path, stdin=slave,
            stdout=slave, stderr=subprocess.PIPE, env={**environment, "TERM": "xterm", **variables})
        os.close(slave)
        os.set_blocking(self.master, False)

    def set_size(self, width):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))

    def read(self, seconds=1e9):
        """Returns the output within `seconds`, or until the command ends."""
        data, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                data += os.read(self.master, 1 << 16)
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:  # all writers have closed the terminal
                break
        return data

    def end(self):
        assert self.process.wait(60) == 1
        self.process.stderr.close()
        os.close(self.master)


def drawn(text):
    """Returns each text that was drawn to be overwritten."""
    return re.findall(r"\x1b\[\?7l(.*?)\x1b\[\?7h", text)


def shown(workspace, width, screen_width=None, **variables):
    terminal = Terminal(workspace, width, **variables)
    text = terminal.read().decode()
    terminal.end()
    screen = Screen(screen_width or width)
    screen.write(text)
    return drawn(text), screen


@pytest.mark.parametrize("width", [80, 25, 2])
def test_the_line_takes_one_row_and_leaves_nothing(workspace, width):
    lines, screen = shown(workspace, width)
    assert len(lines) > 5 and max(map(len, lines)) < width
    if width >= 40:
        assert all(re.match(r"\[[12]/2\] .+ … \d+ s left$", line) for line in lines)
    assert not any(" left" in line for line in screen.lines())


@pytest.mark.parametrize("width", [120, 40])
def test_permanent_lines_are_folded_between_words(workspace, width):
    _, screen = shown(workspace, width)
    told = " ".join(line.strip() for line in screen.lines())
    for word in ("[1/2] 16 ranks, G 4", "[2/2] 32 ranks, G 4", "lognormal(log_stdev=1.5 mean_items=140)",
                 "something is wrong here, and it takes many words to say"):
        assert word in told
    results = [line for line in screen.lines() if "wrong" in line or "ranks, G 4" in line]
    assert results and all(len(line) < width for line in results)


def test_a_terminal_that_does_not_know_its_width_is_not_wrapped(workspace):
    lines, screen = shown(workspace, 0, screen_width=40)
    assert 40 < max(map(len, lines)) < 80
    assert not any(" left" in line for line in screen.lines())
    lines, _ = shown(workspace, 0, screen_width=40, COLUMNS="30")
    assert max(map(len, lines)) < 30


def test_a_terminal_that_is_made_narrower_or_wider_shows_no_rest(workspace):
    terminal = Terminal(workspace, 100)
    screen = Screen(100)
    for width in (40, 20, 90):
        screen.write(terminal.read(0.2).decode())
        terminal.set_size(width)
        screen.resize(width)
    text = terminal.read().decode()
    screen.write(text)
    terminal.end()
    assert not any(" left" in line or re.match(r"\[\d/2\].*…", line) for line in screen.lines()), \
        screen.lines()


def test_a_dumb_terminal_gets_plain_lines(workspace):
    terminal = Terminal(workspace, 40, TERM="dumb")
    text = terminal.read().decode()
    terminal.end()
    assert "\x1b" not in text and text.count("something is wrong here") == 2
