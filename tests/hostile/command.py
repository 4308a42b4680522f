# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command on hostile input and checks the properties that must hold for every input."""

import dataclasses
import os
import re
import resource
import signal
import subprocess
import tempfile

MEMORY = 1 << 30  # bytes of address space
SECONDS = 60
PREFIX = "regroup: "
FAULTS_OF_OURS = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error:|internal error")
# Control characters act on terminals; the last range marks bytes that are not UTF-8.
NO_PLAIN_TEXT = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]")


class Fault(Exception):
    """A failed check: its kind, which is counted, and details."""

    def __init__(self, kind, details):
        super().__init__(kind, details)
        self.kind = kind

    def __str__(self):
        return "{}: {}".format(*self.args)


@dataclasses.dataclass
class Ended:
    words: list
    code: int
    out: str
    err: str


class Command:
    """The `regroup` command at `path`."""

    def __init__(self, path):
        self.path = str(path)
        with open(self.path, "rb") as program:
            self.sanitized = b"__asan_init" in program.read()

    def limits(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not self.sanitized:  # sanitizers reserve terabytes of addresses for shadow memory
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def __call__(self, *words, cwd, codes=(0, 1, 2), environment=None):
        """Runs the command, checks it, and returns its exit code and output."""
        variables = dict(os.environ, ASAN_OPTIONS="hard_rss_limit_mb=1000:detect_leaks=0",
                         **(environment or {}))
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                [self.path, *map(str, words)], cwd=cwd, env=variables, stdin=subprocess.DEVNULL,
                stdout=out, stderr=err, preexec_fn=self.limits)
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise Fault("hang", f"{words} took more than {SECONDS} s") from None
            out.seek(0)
            err.seek(0)
            ended = Ended(list(words), process.returncode, out.read(1 << 22).decode("utf-8", "surrogateescape"),
                          err.read(1 << 16).decode("utf-8", "surrogateescape"))
        check(ended, codes)
        return ended


def check(ended, codes):
    words, err = ended.words, ended.err
    shown = f"{words[0]} ended with {ended.code}: {err[:600]!r}"
    if FAULTS_OF_OURS.search(err):
        raise Fault("sanitizer or internal error", shown)
    if ended.code < 0:
        name = signal.Signals(-ended.code).name
        raise Fault("crash", f"{name}: {shown}")
    if ended.code not in codes:
        raise Fault("exit code", shown)
    for text, name in ((err, "stderr"), (ended.out, "stdout")):
        found = NO_PLAIN_TEXT.search(text)
        if found:
            at = max(0, found.start() - 80)
            raise Fault("no plain text", f"{words[0]}, {name}: {text[at:at + 160]!r}")
    if ended.code == 2:
        check_complaint(ended, shown)


def check_complaint(ended, shown):
    """Checks that a user's error gives one message and no other output."""
    complaints = [line for line in ended.err.split("\n") if line]
    if len(complaints) != 1 or not ended.err.endswith("\n"):
        raise Fault("not one message", shown)
    if not complaints[0].startswith(PREFIX):
        raise Fault("message without its prefix", shown)
    if len(complaints[0]) > 2000:
        raise Fault("endless message", shown)
    if ended.out:
        raise Fault("output before a refusal", f"{shown} after {ended.out[-200:]!r}")


def names_place(ended, *files):
    """Checks that a message names one of `files`; returns whether it also names the line."""
    message = ended.err[len(PREFIX):]
    for file in files:
        at = message.find(f"{file}:")
        if at >= 0:
            return re.match(r"\d+: ", message[at + len(file) + 1:]) is not None
    raise Fault("message without the file", f"{ended.words[0]}: {ended.err!r}")
