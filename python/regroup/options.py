# SPDX-License-Identifier: BSD-3-Clause
"""Options of walkers: their declarations in a class, and their values in a walker."""

import types
from dataclasses import dataclass

WIDE = 2**53  # configurations represent integers up to this exactly


@dataclass(frozen=True)
class Option:
    """A value of the class attribute `options`. An option without a default is mandatory."""

    type: str
    default: object
    min: float
    max: float
    words: tuple
    help: str

    def described(self, name):
        """Returns the description of the option for library/described_walkers.cpp."""
        default = "" if self.default is None else text_of(self.default)
        return {"name": name, "type": self.type, "default": default, "min": self.min,
                "max": self.max, "words": list(self.words), "help": self.help}

    def value(self, text):
        return {"integer": lambda: int(float(text)) if "e" in text else int(text),
                "real": lambda: float(text)}.get(self.type, lambda: text)()


def integer(default=None, min=-WIDE, max=WIDE, help=""):
    return Option("integer", checked(default, int), min, max, (), help)


def real(default=None, min=-1e300, max=1e300, help=""):
    return Option("real", checked(default, (int, float)), min, max, (), help)


def choice(default, words, help=""):
    return Option("choice", checked(default, str), 0, 0, tuple(words), help)


def file(help=""):
    return Option("file", None, 0, 0, (), help)


def checked(default, kind):
    if default is None or isinstance(default, kind) and not isinstance(default, bool):
        return default
    raise TypeError(f"the default {default!r} of an option is no "
                    + ("text" if kind is str else "integer" if kind is int else "number"))


def text_of(value):
    """Formats a value as in a configuration."""
    return value if isinstance(value, str) else repr(value)


def values_of(options, texts):
    """Parses the texts of `options`, a dict of Option, and returns the values as attributes."""
    return types.SimpleNamespace(**{name: option.value(texts[name])
                                    for name, option in options.items()})
