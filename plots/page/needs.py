# SPDX-License-Identifier: BSD-3-Clause
"""Whether the modules that reports are made with are there."""

import importlib.util

PACKAGES = {"jinja2": "python3-jinja2", "plotly": "python3-plotly",
            "matplotlib": "python3-matplotlib", "pandas": "python3-pandas"}


def lacking():
    """What is missing, in one line with the packages of Debian that have it; "" where nothing is."""
    modules = [module for module in PACKAGES if importlib.util.find_spec(module) is None]
    if not modules:
        return ""
    return (f"this Python has no {', '.join(modules)}: install the Debian packages "
            f"{' '.join(PACKAGES[module] for module in modules)}")
