# SPDX-License-Identifier: BSD-3-Clause
"""Finds commands in the documentation and checks them."""

import functools
import json
import os
import re
import shlex
import subprocess

# Programs that are not part of Regroup; their arguments are not checked.
OTHERS = {"/usr/bin/python3", "apt-get", "cat", "clang-format", "cp", "export", "git", "mkdocs", "module",
          "mpicxx.mpich", "python3", "sed", "source"}
# Programs that readers of the pages build: programs like regroup, and applications.
OUTSIDE = {"build/posterior", "build-mine/mine"}
APPLICATIONS = {"build/own_main", "build/evaluate", "./range_only"}
# They start the program that follows their own options.
LAUNCHERS = {"mpiexec", "mpiexec.mpich", "salloc", "sbatch"}
TEMPLATES = {"jobs/slurm.sh", "jobs/slurm_array.sh"}
# Files that the reader writes.
INVENTED = {"configs/mine.yaml"}


def commands(text):
    """Yields the words of each shell command in `text`."""
    for line in text.replace("\\\n", " ").splitlines():
        words = []
        for word in [*shlex.split(line, comments=True), "&&"]:
            if word in ("&&", ";", "|"):
                if words:
                    yield words
                words = []
            elif words or not re.fullmatch(r"\w+=.*", word):
                words.append(word)


class Checker:
    def __init__(self, root, build):
        self.root = root
        self.regroup = build / "regroup"
        presets = json.loads((root / "CMakePresets.json").read_text())
        self.presets = {kind: {preset["name"] for preset in presets[f"{kind}Presets"]}
                        for kind in ("configure", "build", "test")}

    @functools.cache
    def help(self, *words):
        done = subprocess.run([*words, "--help"], cwd=self.root, capture_output=True, text=True,
                              env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def subcommands(self, *of):
        """Returns the subcommands of the command, or of its subcommand `of`."""
        lists = re.findall(r"^(?:Prepare|Run|Evaluate|Check|Subcommands):\n((?:  .*\n)+)", self.help(self.regroup, *of),
                           re.MULTILINE)
        return re.findall(r"^  (\w+) ", "".join(lists), re.MULTILINE)

    def options_of_all(self):
        """Returns the options of all programs and scripts of Regroup."""
        helps = [self.help(self.regroup)]
        for command in self.subcommands():
            helps.append(self.help(self.regroup, command))
            helps += [self.help(self.regroup, command, inner) for inner in self.subcommands(command)]
        scripts = [*self.root.glob("plots/*.py"), *self.root.glob("*/*.sh")]
        for script in sorted(path.relative_to(self.root) for path in scripts):
            if os.access(self.root / script, os.X_OK) and str(script) not in TEMPLATES:
                helps.append(self.help(f"./{script}"))
        return set(re.findall(r"--[a-z][\w-]*", "".join(helps)))

    def wrong(self, words):
        """Returns the error in a command; empty if there is none."""
        program, *rest = words
        if program in OTHERS | APPLICATIONS:
            return ""
        if program in LAUNCHERS:
            at = next((i for i, word in enumerate(rest) if "/" in word and "=" not in word), None)
            return "it starts nothing" if at is None else self.wrong(rest[at:])
        if program in ("cmake", "ctest"):
            return self.wrong_preset(program, rest)
        if program in OUTSIDE:
            program = "build/regroup"  # it has the same subcommands
        if re.fullmatch(r"(build(-\w+)?/)?regroup", program):
            return self.wrong_subcommand(rest)
        if found := re.fullmatch(r"build(?:-\w+)?/(\w+_(?:micro|fuzz))", program):
            sources = list(self.root.glob(f"tests/*/{found[1]}.cpp"))
            return "" if sources else f"there is no {found[1]}.cpp"
        if program == "build/mpi_tests":
            return ""
        if not re.fullmatch(r"[\w/]+\.(sh|py)", program):
            return "tests/docs/commands.py does not know this program"
        return self.wrong_script(program, rest)

    def wrong_preset(self, program, words):
        if "--preset" not in words:
            known = {"-B", "-D", "-S", "--build", "--install", "--prefix", "--target", "--component"}
            strange = [word for word in words if word.startswith("-") and word not in known]
            return f"there is no option {strange[0]}" if strange else ""
        kind = "test" if program == "ctest" else "build" if "--build" in words else "configure"
        name = words[words.index("--preset") + 1]
        return "" if name in self.presets[kind] else f"there is no {kind} preset {name}"

    def wrong_subcommand(self, words):
        if not words or words[0].startswith("--"):
            return self.wrong_words(words, self.help(self.regroup))
        if words[0] not in self.subcommands():
            return f"there is no subcommand {words[0]}"
        if words[0] == "list" and words[1:] and words[1] != "WORD":
            done = subprocess.run([self.regroup, *words], cwd=self.root, capture_output=True, text=True)
            return done.stderr
        depth = 2 if words[1:] and words[1] in self.subcommands(words[0]) else 1
        return self.wrong_words(words[depth:], self.help(self.regroup, *words[:depth]))

    def wrong_script(self, program, words):
        path = self.root / program
        if not path.is_file() or not os.access(path, os.X_OK):
            return f"{program} is no program"
        if program in TEMPLATES:
            return self.wrong_words(words, "")
        known = self.help(f"./{program}") + " --help"
        if program == "jobs/local.sh":
            known += self.help(self.regroup, "run")
        return self.wrong_words(words, known)

    def wrong_words(self, words, known):
        for word in words:
            option = word.split("=")[0]
            if option.startswith("-") and not re.search(rf"(?<![\w-]){option}(?![\w-])", known):
                return f"there is no option {option}"
            if word.startswith("configs/") and not (word in INVENTED or (self.root / word).exists()):
                return f"there is no {word}"
        return ""
