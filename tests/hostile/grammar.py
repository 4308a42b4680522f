# SPDX-License-Identifier: BSD-3-Clause
"""Generates valid configurations from the lists that `regroup list` prints, and writes them as
YAML."""

import json
import re


class Raw(str):
    """A value that is written to YAML unchanged."""


class Option:
    """An option and its allowed values, parsed from `regroup list`."""

    def __init__(self, allowed):
        numbers = re.fullmatch(r"(integer|number) from (\S+) to (\S+)", allowed)
        self.kind = numbers.group(1) if numbers else "file" if "path" in allowed else "choice"
        self.low, self.high = map(float, numbers.groups()[1:]) if numbers else (0, 0)
        self.words = allowed.split(" | ") if self.kind == "choice" else []

    def small(self, dice):
        """Returns an allowed value that does not make a run long."""
        if self.kind == "choice":
            return dice.choice(self.words)
        most = min(self.high, self.low + 20)
        if self.kind == "integer":
            return str(dice.randint(int(self.low), int(most)))
        return f"{dice.choice([self.low, most, dice.uniform(self.low, most)]):.6g}"

    def wrong(self, dice):
        """Returns a value that is not allowed."""
        if self.kind == "choice":
            return Raw(dice.choice(["nosuch", "0", "''", "All", "~", "none|all", "[]", "{}"]))
        beyond = [f"{self.high * 2 + 1:.0f}", f"{self.low - 1:.6g}", "9" * 40, "1e999", "-1e999"]
        strange = ["nan", "inf", "-inf", "0x10", "1_000", "1,5", "''", "~", "true", "1e", "+", "²",
                   "1 2", "٣", "--1", "1.5.2", "=1+1", "1;2", '"1\\0"', "+1", "1d", "0b1", "1e+"]
        if self.kind == "integer":
            strange += ["1.5", "1e0", "1.0"]
        return Raw(dice.choice(beyond + strange))


class Catalog:
    """The output of `regroup list --format json`: lists by name, entries with their options."""

    def __init__(self, text):
        def options_in(keys):
            return {key["name"]: Option(key["allowed"]) for key in keys}

        self.lists, self.keys = {}, {}
        for found in json.loads(text)["lists"]:
            self.lists[found["word"]] = {row["name"]: options_in(row.get("options", []))
                                         for row in found.get("rows", [])}
            self.keys[found["word"]] = options_in(found.get("keys", []))

    def named(self, word):
        return self.lists[word]

    def parameters(self):
        return self.keys["parameters"]


# A configuration is a list of pairs, so that a key may occur twice. A value is a text, a list of
# values, or a Map.
class Map(list):
    """A list of (key, value) pairs."""


def options_of(catalog, list_name, name, dice):
    options = [(key, option) for key, option in catalog.named(list_name)[name].items()
               if option.kind != "file"]
    chosen = [pair for pair in options if dice.random() < 0.7]
    return [(key, values(option, dice)) for key, option in chosen]


def values(option, dice):
    """Returns one value, or a list of distinct values."""
    if dice.random() < 0.8:
        return option.small(dice)
    found = {float(v) if option.kind != "choice" else v: v
             for v in (option.small(dice) for _ in range(2))}
    return list(found.values())


def kind_of(catalog, list_name, dice, leave_out=()):
    name = dice.choice([n for n in catalog.named(list_name) if n not in leave_out])
    options = options_of(catalog, list_name, name, dice)
    return Map([("kind", name), *options]) if options or dice.random() < 0.3 else name


def balancer_of(catalog, dice):
    name = dice.choice(list(catalog.named("balancers")))
    options = options_of(catalog, "balancers", name, dice)
    return Map([(name, Map(options))]) if options else name


def name_of(balancer):
    return balancer[0][0] if isinstance(balancer, Map) else balancer


# Walkers whose options constrain each other.
CLUSTERS = ["lennard_jones", "nucleation", "trajectory", "replica_exchange"]

# Chains that exchange messages are refused with balancers that make groups wait for each other.
EXCHANGING = ["rounds", "umbrella"]
WAITING = {"collective", "batch"}


def whole(catalog, dice):
    """Returns a valid configuration of short runs in virtual time."""
    parameters = catalog.parameters()
    balancers = {name_of(b): b for b in (balancer_of(catalog, dice)
                                         for _ in range(dice.randint(1, 2)))}
    no_walkers = CLUSTERS + (EXCHANGING if WAITING & balancers.keys() else [])
    # At most one balancer of each name, since two might give equal runs.
    pairs = [("engine", "virtual"), ("ranks", values(parameters["ranks"], dice)),
             ("balancers", list(balancers.values()))]
    optional = [("experiment", lambda: dice.choice(["trial", "a b", "Prüfung", "x-1.2"])),
                ("workload", lambda: kind_of(catalog, "workloads", dice, ["trace", "recorded"])),
                ("speedup", lambda: kind_of(catalog, "speedups", dice, ["measured"])),
                ("costs", lambda: kind_of(catalog, "costs", dice, ["measured"])),
                ("walker", lambda: kind_of(catalog, "walkers", dice, no_walkers)),
                ("repetitions", lambda: str(dice.randint(1, 3))),
                ("faults", lambda: Map([("slow", Map([("rank", "0"), ("factor", str(dice.randint(1, 4)))]))])),
                ("launcher", lambda: "mpiexec -n {ranks}"),
                ("program", lambda: "/some/where/regroup-mpi"),
                ("environment", lambda: Map([("A_VARIABLE", "some thing")]))]
    optional += [(name, lambda option=option: values(option, dice))
                 for name, option in parameters.items()
                 if name not in ("ranks", "groups", "timeout_s", "walkers_in_all", "report_every",
                                 "save_every", "keep_states", "extra_items", "until_r_hat",
                                 "until_effective_samples", "chain_errors", "item_timeout_s",
                                 "on_rank_loss", "faults")]
    pairs += [(name, make()) for name, make in optional if dice.random() < 0.35]
    dice.shuffle(pairs)
    return Map(pairs)


# ---- text ----------------------------------------------------------------------------------------

def scalar(text, dice):
    """Writes `text` in one of the styles of YAML."""
    if isinstance(text, Raw):
        return text
    plain = re.fullmatch(r"[\w./-][\w ./-]*(?<! )", text)
    return dice.choice(([text] * 6 if plain else []) + [f'"{text}"', f"'{text}'"])


def flow(value, dice):
    if isinstance(value, Map):
        return "{" + ", ".join(f"{k}: {flow(v, dice)}" for k, v in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(v, dice) for v in value) + "]"
    return scalar(value, dice)


def block(value, dice, indent=""):
    """Writes `value` after its key and colon, on the same line or as a block."""
    deeper = indent + "  "
    if isinstance(value, str) or not value or dice.random() < 0.5:
        return f" {flow(value, dice)}{dice.choice([''] * 9 + ['  # why not'])}\n"
    if isinstance(value, Map):
        return "\n" + "".join(f"{deeper}{k}:{block(v, dice, deeper)}" for k, v in value)
    return "\n" + "".join(f"{deeper}-{block(v, dice, deeper)}" if isinstance(v, str)
                          else f"{deeper}- {flow(v, dice)}\n" for v in value)


def text_of(configuration, dice):
    text = "".join(f"{key}:{block(value, dice)}" for key, value in configuration)
    return dice.choice(["", "", "", "# a trial\n", "---\n"]) + text
