# SPDX-License-Identifier: BSD-3-Clause
"""The Python that runs a script: one that has the modules that the script needs."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

PACKAGES = {"matplotlib": "python3-matplotlib", "pandas": "python3-pandas",
            "jinja2": "python3-jinja2", "plotly": "python3-plotly"}
RESTARTED = "REGROUP_PYTHON_RESTARTED"  # set for the second interpreter, so that there is no third


def require(*modules):
    """Starts the script anew with the other Python, the system's or the first on the path, where this
    one lacks any of `modules`; exits with 2 and a message where neither has them."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if not missing:
        os.environ.pop(RESTARTED, None)
        return
    for python in ("/usr/bin/python3", shutil.which("python3")):
        other = python and os.path.exists(python) and not os.path.samefile(python, sys.executable)
        if other and RESTARTED not in os.environ:
            os.environ[RESTARTED] = "yes"
            os.execv(python, [python, *sys.argv])
    print(f"{Path(sys.argv[0]).stem}: {sys.executable} has no {', '.join(missing)}: install the Debian "
          f"packages {' '.join(PACKAGES[module] for module in missing)}, or let python3 be another Python",
          file=sys.stderr)
    sys.exit(2)
