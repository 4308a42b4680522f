# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the repository in which the commands of a page are executed in order, with the
replacements and preparations of presumed.py."""

import os
import pathlib
import re
import shutil
import subprocess
import textwrap

from presumed import GIVEN, REPLACED, SHORTER, STAND_INS

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("REGROUP_BUILD", ROOT / "build"))
# The font cache of matplotlib, which takes seconds to create.
FONTS = os.environ.get("MPLCONFIGDIR", str(pathlib.Path.home() / ".cache/matplotlib"))

NOTHING = '#!/bin/sh\necho "not executed by the test: $0 $*"\n'
# Exit code 1 of `compare` depends on measured times and is no error of the documentation.
REGROUP = f"""#!/bin/sh
[ "$1" = compare ] || exec "{BUILD}/regroup" "$@"
"{BUILD}/regroup" "$@" || [ $? = 1 ]
"""
# Executed once per page; later calls omit pictures and report, which take longest.
LOCAL = f"""#!/bin/bash
! mkdir "$SCRATCH/.local" 2>/dev/null || exec "$SCRATCH/jobs/once.sh" "$@"
exec "$SCRATCH/build/regroup" run "$1" --resume "${{@:2}}"
"""
# Programs built from these sources exist already.
CMAKE = f"""#!/bin/bash
if [[ " $* " == *" --preset "* ]]; then
  [[ ! " $* " =~ " -B "([^ ]+) ]] || cp -r "$SCRATCH/build" "${{BASH_REMATCH[1]}}"
elif [[ $1 != --build || ! -e $2/is_there ]]; then
  exec {shutil.which("cmake")} "$@"
fi
"""

FIRST = """set -eE -o pipefail
trap 'echo "ended with $?: $BASH_COMMAND" >&2' ERR
"""


def executable(code):
    for text, other in REPLACED.items():
        code = code.replace(text, other)
    return code


def with_keys(text, keys):
    """Sets keys of a configuration to other values."""
    for key, value in keys.items():
        text, found = re.subn(rf"^{key}:.*\n(?:[ #].*\n)*", f"{key}: {value}\n", text,
                              flags=re.MULTILINE)
        text += "" if found else f"{key}: {value}\n"
    return text


def shortened(path, text):
    return with_keys(text, SHORTER.get(pathlib.PurePath(path).name, {}))


class Scratch:
    def __init__(self, path):
        self.path = path
        self.program("build/regroup", REGROUP)
        self.program("bin/cmake", CMAKE)
        self.program("jobs/local.sh", LOCAL)
        (path / "jobs/once.sh").symlink_to(ROOT / "jobs/local.sh")
        for name in STAND_INS:
            self.program(name if "/" in name else f"bin/{name}", NOTHING)
        for folder in ("configs", "docs"):
            shutil.copytree(ROOT / folder, path / folder,
                            ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "mkdocs.yml", path)
        for config in (path / "configs").glob("*.yaml"):
            config.write_text(shortened(config, config.read_text()))
        (path / "build/is_there").touch()
        self.link(BUILD, "build")
        for folder in ("jobs", "tests", "."):
            self.link(ROOT / folder, folder)
        (path / "home").mkdir()
        (path / ".blocks").mkdir()

    def program(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def link(self, folder, name):
        """Links the entries of `folder` that do not exist in the copy."""
        for entry in folder.iterdir():
            here = self.path / name / entry.name
            if not here.exists() and not re.match(r"build|results$|\.git$", entry.name):
                here.symlink_to(entry)

    def execute(self, script, files=()):
        """Executes a bash script, up to the first command that fails, and returns its output.
        `files`: output redirected by the script, for the error message."""
        environment = dict(
            os.environ, PATH=f"{self.path}/bin:{os.environ['PATH']}", HOME=str(self.path / "home"),
            SCRATCH=str(self.path), PYTHONDONTWRITEBYTECODE="1", MPLCONFIGDIR=FONTS, BENCHMARK_MIN_TIME="0.001",
            BENCHMARK_FILTER="ranks:32$|look|members:2$|stride:1",
            MPIR_CVAR_NOLOCAL="1", UCX_TLS="self,sysv")
        done = subprocess.run(["bash", "-c", FIRST + script], cwd=self.path, env=environment,
                              text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        said = "".join(file.read_text() for file in files if file.exists())
        assert done.returncode == 0, done.stdout + done.stderr + said[-5000:]
        return done.stdout

    def execute_page(self, page):
        """Executes the commands of a page and returns the output of each block."""
        script = [textwrap.dedent(GIVEN.get(page.path.name, ""))]
        printed = {}
        for number, block in enumerate(page.blocks):
            file = self.path / f".blocks/{number}"
            if block.mark == "as":
                file.write_text(shortened(block.path, block.code))
                script.append(f"mkdir -p $(dirname {block.path}); cp {file} {block.path}")
            elif block.language in ("sh", "bash"):
                script += [f"exec >{file} 2>&1", executable(block.code)]
                printed[number] = file
        self.execute("\n".join(script), printed.values())
        return {number: file.read_text() for number, file in printed.items()}
