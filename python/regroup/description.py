# SPDX-License-Identifier: BSD-3-Clause
"""Reads the declarations in a file of walkers, for the command and the program of the ranks."""

import importlib.machinery
import importlib.util
import inspect
import json
import os
import sys
import traceback

from regroup import running
from regroup.options import Option, values_of
from regroup.walker import Walker, name_of, redefines

METHODS = {"execute": "self, item, team", "pack": "self", "unpack": "self, state"}  # required
classes = {}  # classes of the loaded file, by walker name


class Refused(Exception):
    """An error in a file of walkers, described in one line."""


def place_of(error, file):
    """Returns the innermost line of `file` in the traceback of an exception: "my.py:12"."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == file]
    return f"{file}:{lines[-1]}" if lines else file


def text_of(error):
    """Formats an exception in one line: "ZeroDivisionError: division by zero"."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return " ".join(f"{type(error).__name__}: {text}".rstrip(": ").split())


def load(file):
    """Imports `file` and returns its module. Raises Refused."""
    running.loading = file
    sys.path.insert(0, os.path.dirname(file))
    loader = importlib.machinery.SourceFileLoader("__walkers__", file)
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_file_location("__walkers__", file, loader=loader))
    sys.modules["__walkers__"] = module
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        if isinstance(error, FileNotFoundError) and error.filename == file:
            raise Refused(f"{file}: there is no such file") from None
        raise Refused(f"{place_of(error, file)}: {text_of(error)}") from error
    finally:
        running.loading = None
    return module


def complaint(cls):
    """Returns the error in a class of walkers; empty if there is none."""
    for method, arguments in METHODS.items():
        if not redefines(cls, method):
            return f"has no method {method}({arguments})"
    if isinstance(cls.observed, str) or not all(isinstance(name, str) for name in cls.observed):
        return "has a wrong attribute 'observed'; allowed: names, as in ('x', 'y')"
    if bool(cls.observed) != redefines(cls, "observe"):
        return ("observes and has no names of quantities in 'observed'" if not cls.observed
                else "has no method observe(self) for the quantities in 'observed'")
    if not isinstance(cls.options, dict):
        return "has a wrong attribute 'options'; allowed: a dict of options by their names"
    if "kind" in cls.options:
        return "has an option 'kind', which is the word for the walker itself; allowed: another name"
    for name, option in cls.options.items():
        if not isinstance(option, Option):
            return (f"has the option {name!r}, which is {option!r}; allowed: regroup.integer(), "
                    "real(), choice(), file()")
    if cls.warm_up and cls.warm_up not in cls.options:
        return f"has the attribute warm_up {cls.warm_up!r}, which is none of its options"
    return ""


def described(cls):
    """Returns the description of a walker for library/described_walkers.cpp."""
    return {"name": name_of(cls),
            "help": (inspect.cleandoc(cls.__doc__ or "") or cls.__name__).splitlines()[0],
            "options": [option.described(name) for name, option in cls.options.items()],
            "observed": list(cls.observed),
            "open_end": redefines(cls, "done"),
            "warm_up_option": cls.warm_up,
            "reproducible": bool(cls.reproducible)}


def describe(file):
    """Loads `file` and returns its walkers as JSON. Raises Refused."""
    file = os.path.abspath(file)
    classes.clear()
    for cls in vars(load(file)).values():
        own = isinstance(cls, type) and issubclass(cls, Walker) and cls.__module__ == "__walkers__"
        if not own or cls.__name__.startswith("_"):
            continue
        if wrong := complaint(cls):
            line = inspect.getsourcelines(cls)[1]
            raise Refused(f"{file}:{line}: the class {cls.__name__} {wrong}")
        classes[name_of(cls)] = cls
    if not classes:
        raise Refused(f"{file}: no class is derived from regroup.Walker")
    return json.dumps({"file": file, "walkers": [described(cls) for cls in classes.values()]})


def make(name, texts, chain):
    """Creates a walker of the described file, at the start of its chain."""
    cls = classes[name]
    return cls(chain, values_of(cls.options, texts))


def failure(error):
    """Formats an exception of a walker in one line, with the file and line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return text_of(error) + place
