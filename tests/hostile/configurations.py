# SPDX-License-Identifier: BSD-3-Clause
"""Hostile configurations: each is planned, and executed if it is accepted. Earlier results and
files beside the results must not change."""

import csv
import functools
import os
import pathlib
import re
import shutil
import stat

import damage
import grammar
from command import Fault, names_place
from grammar import Raw

MOST_RUNS = 40   # in a sweep that is executed


# ---- damages of the tree: the result must be refused ---------------------------------------------

def unknown_key(pairs, catalog, dice):
    word = dice.choice(["bogus", "Ranks", "rank", "''", "0", "'ranks '", "'a\\b'", "=x", "r\u00e4nks"])
    pairs.insert(dice.randint(0, len(pairs)), (word, "1"))


def key_twice(pairs, catalog, dice):
    pairs.append(dice.choice(pairs))


def wrong_value(pairs, catalog, dice):
    name, option = dice.choice(list(catalog.parameters().items()))
    wrong = option.wrong(dice)
    # A comma separates the values of a list, which may both be valid.
    listed = Raw(f"'{wrong}'") if "," in wrong else wrong
    value = dice.choice([wrong, [option.small(dice), listed], [listed]])
    pairs[:] = [p for p in pairs if p[0] != name] + [(name, value)]


def wrong_option(pairs, catalog, dice):
    """Gives an option of a plug-in a wrong value, or the plug-in an unknown option."""
    key, word = dice.choice([("workload", "workloads"), ("speedup", "speedups"),
                              ("costs", "costs")])
    name, options = dice.choice(list(catalog.named(word).items()))
    numbers = [(k, o) for k, o in options.items() if o.kind != "file"]
    if numbers:
        option, spec = dice.choice(numbers)
        choice = [("kind", name), (option, spec.wrong(dice))]
    else:
        choice = [("kind", name), ("bogus", "1")]
    pairs[:] = [p for p in pairs if p[0] != key] + [(key, grammar.Map(choice))]


def wrong_word(pairs, catalog, dice):
    key = dice.choice(["engine", "walker", "workload", "speedup", "costs"])
    pairs[:] = [p for p in pairs if p[0] != key] + [(key, Raw(dice.choice(["bogus", "", "{}", "[]"])))]


def wrong_balancers(pairs, catalog, dice):
    value = dice.choice([
        "none", "", "[]", "{}", "[bogus]", "[[none]]", "[none, none]", "[{none: {a: 1}}]",
        "[{collective: {exchange_interval: 0}}]", "[{collective: {communicator: bogus}}]", "[{}]", "[~]",
        "[{asynchronous: {communicator: comm_split}}]", "[{collective: [1]}]", "[0]",
        "[{collective: {exchange_interval: 1}, none: {}}]", "[{collective: 16}]", "[{[a]: 1}]"])
    pairs[:] = [p for p in pairs if p[0] != "balancers"] + [("balancers", Raw(value))]


def missing(pairs, catalog, dice):
    gone = dice.choice(["ranks", "balancers"])
    pairs[:] = [p for p in pairs if p[0] != gone]


def value_twice(pairs, catalog, dice):
    value = catalog.parameters()["ranks"].small(dice)
    pairs[:] = [p for p in pairs if p[0] != "ranks"] + [("ranks", [value, value])]


def nested(pairs, catalog, dice):
    depth = dice.choice([2, 3, 65, 1000, 30000])
    left, right = dice.choice([("[", "]"), ("{a: ", "}"), ("[{a: ", "}]")])
    key = dice.choice(["ranks", "environment", "balancers", "experiment", "seed"])
    pairs[:] = [p for p in pairs if p[0] != key] + [
        (key, Raw(left * depth + "1" + right * depth))]


def too_many(pairs, catalog, dice):
    key = dice.choice(["seed", "item_ms", "timeout_s"])
    numbers = ", ".join(str(n) for n in range(1, dice.choice([10_050, 40_000])))
    pairs[:] = [p for p in pairs if p[0] != key] + [(key, Raw(f"[{numbers}]"))]


def too_many_runs(pairs, catalog, dice):
    keys = ["seed", "item_ms", "timeout_s", "jitter"]
    numbers = ", ".join(f"{n / 1000:.3f}" if n else "0.0005" for n in range(400, 1000))
    whole = ", ".join(str(n) for n in range(1, 601))
    pairs[:] = [p for p in pairs if p[0] not in keys] + [
        (key, Raw(f"[{whole if key == 'seed' else numbers}]")) for key in keys]


def huge_name(pairs, catalog, dice):
    pairs[:] = [p for p in pairs if p[0] != "experiment"]
    pairs.append(("experiment", dice.choice(["x", "\u00e4", "\U0001f600"]) * dice.choice([201, 5000])))


REFUSED = [unknown_key, key_twice, wrong_value, wrong_value, wrong_value, wrong_option, wrong_option,
           wrong_word, wrong_balancers, missing, value_twice, nested, too_many, too_many_runs,
           huge_name]


# ---- accepted configurations that fail -----------------------------------------------------------

def beyond_time(pairs, catalog, dice):
    """Sets values that are allowed, but exceed the range of virtual time together."""
    pairs[:] = [p for p in pairs if p[0] not in ("item_ms", "workload", "ranks")]
    pairs += [("ranks", "1"), ("item_ms", "1e9"), ("workload", Raw("{kind: constant, mean_items: 1e9}"))]


# ---- damages of the text -------------------------------------------------------------------------

def hostile_name(text, dice):
    """Sets a name of the experiment that is unsuitable for a directory or a cell."""
    name = dice.choice(["../../victim", "/tmp/../victim", "..", ".", "~", "a/b", "a\\nb", "a\\0b",
                        "\\e[31mred", "=1+1", "a,b", "a\\\"b", "-rf", "x" * 199, "CON", " ", "a\\tb",
                        "\u202eabc", "\u2028", "@SUM(A1)", "$(touch victim)", "`touch victim`",
                        "a;touch victim", "\\x85", "\\r", "*", "logs", "victim"])
    text = re.sub(r"(?m)^experiment:.*\n", "", text)
    return text + f'experiment: "{name}"\n'


def tokens(text, dice):
    for _ in range(dice.randint(1, 3)):
        at = dice.randint(0, len(text))
        text = text[:at] + dice.choice([
            ",", ",\n", ": ", "- ", "[", "]", "{", "}", "&a ", "*a", "<<: *a\n", "!!int ", "!x ",
            "|\n", ">-\n", "? ", "%YAML 1.2\n", "...\n", "---\n", "'", '"', "\\", "\t", "#", "@",
            "`", "\n\n", "  ", "~", "=", "\r\n", "!!binary ", "&a [*a]", "*", "&", "? - "]) + text[at:]
    return text


def numbers(text, dice):
    found = list(re.finditer(r"\d+(\.\d+)?", text))
    if not found:
        return text
    number = dice.choice(found)
    return text[:number.start()] + dice.choice([
        "0", "-1", "1e308", "1e-308", "nan", "inf", "0x1F", "017", "1_0", "2147483648", "1e6",
        "9223372036854775808", "9" * 400, "0." + "0" * 400 + "1", "+1", "1.", ".5", "1e+1", "١"]) \
        + text[number.end():]


def lines_moved(text, dice):
    lines = text.splitlines(keepends=True)
    for _ in range(dice.randint(1, 3)):
        line = lines.pop(dice.randrange(len(lines))) if dice.random() < 0.5 else dice.choice(lines)
        lines.insert(dice.randint(0, len(lines)), dice.choice(["", " ", "  ", "\t"]) + line)
    return "".join(lines)


def aliases(text, dice):
    bomb = "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{c}: &{c} [{','.join([f'*{p}'] * 9)}]\n" for p, c in zip("abcdefgh", "bcdefghi"))
    return dice.choice([
        bomb, text + bomb, "&a [*a]\n", "&a {a: *a}\n", text + "seed: &s [1, *s]\n", ",\n", "[,\n",
        "{,\n", "- ,\n", text + ",\n", "*a\n", "&a\n", "a: *b\n", "&a &b c\n", "!<tag\n", "? ? ? a\n",
        "<<: {ranks: 4}\n" + text, "base: &base {kind: cyclic}\nworkload: *base\n" + text,
        "- " * 5000, "[" * 5000, "{" * 5000, "? " * 5000, "a: " * 5000, "&a " * 5000, "!a " * 3000])


def nothing_like_it(text, dice):
    return dice.choice([
        "", "\n", " ", "#", "---", "...", "---\n---\n", "~", "[]", "{}", "''", "\0", "\ufeff", "a",
        "ranks", "- ranks", '{"ranks": 4}', "%", "%%%", "\t", "|", "null", "{? {ranks: 4}}",
        text.encode("utf-16"), text.encode("utf-32"), bytes(dice.randrange(256) for _ in range(300)),
        "\x7fELF" + "\0" * 100, "<?xml version='1.0'?><a/>", text + "\x1a", text * 2,
        "ranks: 4\n...\nbalancers: [none]\n"])


def huge(text, dice):
    return dice.choice([
        "# " + "x" * 2_000_000 + "\n" + text, text + " " * 2_000_000, text + "\n" * 2_000_000,
        text + "experiment: '" + "x" * 1_100_000 + "'\n", "x" * 1_100_000 + ": 1\n" + text,
        text + "environment: {" + "".join(f"A{i}: {i}, " for i in range(60_000)) + "B: 1}\n"])


def other_spelling(text, dice):
    """Writes the same configuration differently."""
    return dice.choice([lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t,
                        lambda t: t + "...\n", lambda t: "%YAML 1.2\n---\n" + t.replace("---\n", ""),
                        lambda t: t.rstrip("\n")])(text)


def of_bytes(way):
    """Turns a damage of bytes into a damage of text."""
    @functools.wraps(way)
    def damaged(text, dice):
        return way(text.encode("utf-8", "surrogatepass"), dice)
    return damaged


TEXT = [hostile_name, hostile_name, tokens, tokens, tokens, numbers, numbers, lines_moved, aliases,
        nothing_like_it, other_spelling, of_bytes(damage.truncated),
        *[of_bytes(damage.byte_changed)] * 2, *[of_bytes(damage.bytes_inserted)] * 4]


def hostile(catalog, dice):
    """Returns (name of the damage, bytes, whether they must be refused; None: either)."""
    pairs = grammar.whole(catalog, dice)
    kind = dice.random()
    if kind < 0.12:
        return "whole", grammar.text_of(pairs, dice).encode(), False
    if kind < 0.45:
        way = dice.choice(REFUSED)
        way(pairs, catalog, dice)
        return way.__name__, grammar.text_of(pairs, dice).encode(), True
    if kind < 0.46:
        beyond_time(pairs, catalog, dice)
        return "beyond_time", grammar.text_of(pairs, dice).encode(), None
    way = huge if kind < 0.47 else dice.choice(TEXT)
    text = way(grammar.text_of(pairs, dice), dice)
    if way is not huge and kind > 0.9 and isinstance(text, str):
        second = dice.choice(TEXT)
        text = second(text + " ", dice)
        return f"{way.__name__}, {second.__name__}", as_bytes(text), None
    return way.__name__, as_bytes(text), True if way is huge else None


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


# ---- trials --------------------------------------------------------------------------------------

BEFORE = """\
engine: virtual
ranks: 8
group_size: 2
item_ms: 1
balancers: [none, asynchronous]
"""


class Trial:
    """A directory to try configurations in. Existing results must survive every refused
    configuration."""

    def __init__(self, command, path):
        self.command = command
        self.path = pathlib.Path(path)
        self.catalog = grammar.Catalog(command("list", "--format", "json", cwd=path).out)
        (self.path / "before.yaml").write_text(BEFORE)
        command("run", "before.yaml", "--out", "before", cwd=path, codes=(0,))
        (self.path / "victim").write_text("not ours")

    def __call__(self, dice):
        name, data, refused = hostile(self.catalog, dice)
        self.data = data
        work = self.path / "work"
        shutil.rmtree(work, ignore_errors=True)
        (work / "deep").mkdir(parents=True)
        (work / "deep" / "victim").mkdir()
        (work / "deep" / "hostile.yaml").write_bytes(data)
        try:
            return name, self.judged(work / "deep", refused, dice)
        except Fault as fault:
            fault.damage = name
            raise

    def judged(self, work, refused, dice):
        plan = self.command("plan", "hostile.yaml", cwd=work, codes=(0, 2))
        if plan.code == 0 and refused:
            raise Fault("taken, but wrong", plan.out[:300])
        if plan.code == 2 and refused is False:
            raise Fault("refused, but whole", plan.err)
        if plan.code == 2:
            names_place(plan, "hostile.yaml")
            if dice.random() < 0.2:
                self.refused_run(work)
            return "refused"
        if not executable(plan.out):
            return "taken"
        self.run(work, plan, dice)
        return "executed"

    def refused_run(self, work):
        """Checks that a refused run leaves existing results unchanged."""
        shutil.copytree(self.path / "before", work / "results")
        before = contents(work)
        self.command("run", "hostile.yaml", "--out", "results", "--overwrite", cwd=work, codes=(2,))
        if contents(work) != before:
            raise Fault("a refused configuration changed files", changed(before, contents(work)))

    def run(self, work, plan, dice):
        own_directory = dice.random() < 0.5
        out = ["--out", "results"] if own_directory else []
        if own_directory:
            shutil.copytree(self.path / "before", work / "results")
        before = contents(work)
        ended = self.command("run", "hostile.yaml", "--overwrite", *out, cwd=work)
        outside = {path: data for path, data in contents(work).items()
                   if path.split("/")[0] != "results"}
        expected = {path: data for path, data in before.items()
                    if path.split("/")[0] != "results"}
        if outside != expected or (self.path / "victim").read_text() != "not ours" \
                or {p.name for p in work.parent.iterdir()} != {"deep"}:
            raise Fault("files beside the results changed", changed(expected, outside))
        if ended.code == 2:
            # The plan was accepted, so only requirements of the execution can be wrong.
            if contents(work) != before:
                raise Fault("a refused configuration changed files", ended.err)
            return
        results = work / "results" if own_directory else only_directory(work / "results")
        rows = rows_of(results / "runs.csv")
        if len({row["run"] for row in rows}) != len(rows):
            raise Fault("doubled rows", ended.out)
        if len(rows) != number_of_runs(plan.out):
            raise Fault("lost rows", f"{len(rows)} rows: {plan.out[:200]} {ended.out[-300:]}")
        bad = [row for row in rows if row["status"] != "ok"]
        if bool(bad) != (ended.code == 1):
            raise Fault("exit code", f"{ended.code} with {len(bad)} bad rows")
        for row in bad:
            if row["status"] != "timeout" and "longer than virtual time" not in row["message"]:
                raise Fault("a virtual run failed", f"{row['status']}: {row['message']}")
        self.command("verify", results, cwd=work, codes=(0,))
        self.command("table", results, cwd=work, codes=(0,))


def number_of_runs(plan):
    return int(re.search(r"(?m): (\d+) runs?\b", plan).group(1))


def executable(plan):
    """Returns whether all runs of a plan are short and in virtual time."""
    engines = re.findall(r"(?m)^ *\d+ .*?\b(mpi|virtual|simgrid), (\d+) ranks", plan)
    return 0 < len(engines) <= MOST_RUNS and all(
        engine == "virtual" and int(ranks) <= 4096 for engine, ranks in engines)


def contents(directory):
    """Returns {path: content} of `directory`; the content of special files is their type."""
    return {str(path.relative_to(directory)): content(path) for path in directory.rglob("*")}


def content(path):
    if path.is_symlink():
        return f"a link to {os.readlink(path)}"
    return path.read_bytes() if path.is_file() else f"{stat.S_IFMT(path.stat().st_mode):o}"


def changed(before, after):
    return str(sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p)))[:500]


def only_directory(results):
    found = [p.parent for p in results.rglob("runs.csv")]
    if len(found) != 1:
        raise Fault("no directory of results", str(found))
    return found[0]


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))
