# SPDX-License-Identifier: BSD-3-Clause
"""Runs the picture scripts on damaged results, in this process. A script may only succeed or fail
with one line."""

import contextlib
import importlib
import io
import os
import pathlib
import resource
import signal
import sys
import traceback
import warnings

from command import Fault

PLOTS = pathlib.Path(__file__).resolve().parents[2] / "plots"
SCRIPTS = {"runs.csv": ["figure2", "table1", "timeline", "scale"],
           "creation.csv": ["figure1", "rbc"], "collectives.csv": ["rbc"], "items.csv": ["speedup"],
           "sort.csv": ["sort"],
           "chains.csv": ["chains"]}
SECONDS = 60
MEMORY = 4 << 30  # bytes of address space, in case a script reads without end


def module(name):
    if str(PLOTS) not in sys.path:
        sys.path.insert(0, str(PLOTS))
    os.environ.setdefault("MPLCONFIGDIR", "/tmp")
    return importlib.import_module(name)


def check(results, drawn):
    """Runs every script whose file exists in `results`; draws the figures if `drawn`."""
    for file, names in SCRIPTS.items():
        if not os.path.lexists(results / file):
            continue
        for name in names:
            check_script(module(name), module("common"), results, drawn)


def check_script(script, common, results, drawn):
    name = script.__name__
    with replaced(script, common, drawn), warnings.catch_warnings(), \
            time_limit(name), memory_limit():
        warnings.simplefilter("ignore")
        sys.argv = [f"{name}.py", str(results), "-o", str(results.parent / "picture.png")]
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                script.main()
        except (common.InputError, OSError) as error:
            if "\n" in str(error):
                raise Fault("plots: not one message", f"{name}: {error}") from None
        except Fault:
            raise
        except Exception:
            raise Fault("plots: crash", f"{name}: {traceback.format_exc(limit=-3)}") from None
        finally:
            common.plt.close("all")


@contextlib.contextmanager
def replaced(script, common, drawn):
    """Disables drawing, which takes most of the time, unless `drawn`."""
    changed = [(common, "save")] + [(script, name) for name in ("draw", "draw_lines", "draw_bars")
                                    if hasattr(script, name)]
    kept = [getattr(owner, name) for owner, name in changed]
    try:
        if not drawn:
            for owner, name in changed:
                setattr(owner, name, lambda *_: None)
        yield
    finally:
        for (owner, name), value in zip(changed, kept):
            setattr(owner, name, value)


@contextlib.contextmanager
def time_limit(name):
    def hangs(*_):
        raise Fault("plots: hang", f"{name} took more than {SECONDS} s")
    signal.signal(signal.SIGALRM, hangs)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


@contextlib.contextmanager
def memory_limit():
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
