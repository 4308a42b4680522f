# SPDX-License-Identifier: BSD-3-Clause
"""regroup.run(): runs an ensemble of chains on the processes started by the MPI launcher."""

import atexit
import json
import pickle
import sys
import traceback
from dataclasses import dataclass, field

from regroup import _engine

loading = None  # the file of walkers that the command is loading
hooked = False  # whether an uncaught exception aborts all ranks


class ConfigurationError(ValueError):
    """An invalid configuration. All ranks raise it before any chain starts."""


class WalkerError(RuntimeError):
    """A walker raised an exception; the message names chain and item."""


@dataclass(frozen=True)
class Quantity:
    """Estimates of a quantity from all chains (docs/walkers.md); NaN if there is no estimate."""

    mean: float
    sd: float
    r_hat: float
    bulk_ess: float
    tail_ess: float
    mcse: float


@dataclass
class Outcome:
    """The result of a run, on rank 0."""

    makespan_s: float  # from the common start to the end of the last item
    chains_hash: str  # equal for equal chains; empty if they are not reproducible
    quantities: dict  # name: Quantity; with report_every
    draws: list  # an array per chain with a row per draw; with report_every
    regroupings: int  # number of groups formed by regrouping
    failures: dict  # failed chain: (item, reason); with chain_errors="end_chain"
    enough_items: int  # items per chain after which the run ended early; 0 if it did not
    waiting: str  # how ranks waited: direct, polite or wrapper
    results: list = field(default_factory=list)  # of Walker.result(), per chain; None: failed


def initialise():
    """Initializes MPI if necessary. From then on, an uncaught exception aborts all ranks."""
    global hooked
    if _engine.initialise():
        atexit.register(_engine.finalise)
    if hooked:
        return
    hooked = True
    previous = sys.excepthook

    def end_all(kind, error, trace):
        if issubclass(kind, ConfigurationError):
            if _engine.rank() == 0 and _engine.rank_by_launcher() <= 0:
                print(f"regroup: {error}", file=sys.stderr)
            sys.stdout.flush()
            sys.stderr.flush()
            _engine.finalise()
            sys.exit(2)  # after os._exit, mpiexec of MPICH 4.2 sometimes exits with 0
        if _engine.size() == 1:
            return previous(kind, error, trace)
        sys.stdout.flush()
        # In one write, so that tracebacks of several ranks do not mix.
        sys.stderr.write("".join(traceback.format_exception(kind, error, trace)))
        sys.stderr.flush()
        _engine.abort_all_ranks()

    sys.excepthook = end_all


def maker_of(walkers, options):
    """Returns (factory of walkers, identity to compare between ranks, class or None)."""
    from regroup import description
    from regroup.options import text_of, values_of
    from regroup.walker import Walker

    if not (isinstance(walkers, type) and issubclass(walkers, Walker)):
        if options:
            raise ConfigurationError("options are given, and walkers is no class that has some")
        if not callable(walkers):
            raise ConfigurationError(
                f"walkers is {walkers!r}; allowed: a class derived from regroup.Walker, or a "
                "function that returns the walker of a chain")
        return walkers, ["function"], None
    if wrong := description.complaint(walkers):
        raise ConfigurationError(f"the class {walkers.__name__} {wrong}")
    row = description.described(walkers)
    text = json.dumps({"file": "", "walkers": [row]})
    try:
        texts = _engine.option_texts(text, {name: text_of(one) for name, one in options.items()})
    except ValueError as error:
        raise ConfigurationError(str(error)) from None
    return lambda chain: walkers(chain, values_of(walkers.options, texts)), [row, texts], walkers


def prepared(configuration, walkers, keywords):
    """Returns (engine settings, factory of walkers, text that must be equal on all ranks)."""
    if configuration is not None and not isinstance(configuration, dict):
        raise ConfigurationError(f"the configuration is {configuration!r}; allowed: a dict")
    settings = {**(configuration or {}), **keywords}
    _engine.check_names(list(map(str, settings)))
    make, identity, cls = maker_of(walkers, settings.pop("options", None) or {})
    if cls is not None:
        settings.setdefault("quantities", list(cls.observed))
        settings.setdefault("reproducible", bool(cls.reproducible))
    if "items" in settings:
        settings["items"] = [int(number) for number in settings["items"]]
    balancer = settings.get("balancer", "spread")
    if isinstance(balancer, dict):
        ((name, values),) = balancer.items()
        balancer = (name, {key: str(one) for key, one in (values or {}).items()})
    else:
        balancer = (balancer, {})
    settings["balancer"] = balancer
    return settings, make, repr((sorted(settings.items()), identity))


def run(configuration=None, walkers=None, **keywords):
    """Runs chains. Collective over all processes. `walkers`: a class derived from regroup.Walker,
    or a function of the chain that returns a walker. `configuration`: a dict; keywords override it.

    items: a number for each chain (required); options: of the class; group_size, balancer (a name,
    or {name: {option: value}}), communicator, item_ms, seed, waiting, report_every, thin,
    keep_draws, save_every, states (a directory from which chains continue), until_r_hat,
    until_effective_samples, chain_errors: as in docs/configuration.md. For a function instead of a
    class also quantities (names of observed quantities) and reproducible.

    Returns an Outcome on rank 0, None on the others. Raises ConfigurationError on all ranks. If a
    walker raises an exception, it is printed and all ranks end; a single rank raises WalkerError.
    With chain_errors="end_chain", only its chain ends, and has None in Outcome.results."""
    if loading:
        raise RuntimeError("regroup.run() is called while the command reads the walkers of this "
                           'file; put the call below `if __name__ == "__main__":`')
    initialise()
    problem, settings, make, identity = "", {}, None, ""
    try:
        settings, make, identity = prepared(configuration, walkers, keywords)
    except (AttributeError, TypeError, ValueError) as error:
        problem = str(error)
    results = []

    def at_end(number, walker):
        results.append((number, walker.result()))

    try:
        _engine.agree(problem, identity)
        found = _engine.execute(settings, make, at_end)
    except ValueError as error:
        raise ConfigurationError(str(error)) from None
    except RuntimeError as error:
        raise WalkerError(str(error)) from _engine.last_error()
    _engine.last_error()  # discards it: reasons of failed chains are in the outcome
    gathered = _engine.gather(pickle.dumps(results))
    if found is None:
        return None
    found["quantities"] = {name: Quantity(*figures) for name, figures in found["quantities"].items()}
    ended = dict(one for part in gathered for one in pickle.loads(part))
    return Outcome(**found, results=[ended.get(number) for number in range(len(settings["items"]))])
