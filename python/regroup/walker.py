# SPDX-License-Identifier: BSD-3-Clause
"""The base class of walkers."""

import re

import numpy as np

START = 2**64 - 1  # item number that stands for the start of a chain


class Walker:
    """One Markov chain. Each member of its group holds a copy in the same state: members share the
    work of an item and take the same step. New members of the group receive the state.

    `self.chain.number` is 0, 1, … in the run; `self.options` has the values of the options. Both
    are set before __init__(self, chain, options), which a class need not define.
    """

    options = {}  # by name: regroup.integer, real, choice or file
    observed = ()  # names of the quantities that observe() returns; "x__" is about the sampler
    reproducible = True  # chains are bitwise equal on all numbers of ranks
    warm_up = ""  # name of the option with the number of warm-up items, if there is one
    state_bytes = 1024  # approximate size of a state, for predictions

    def __new__(cls, chain, options):
        self = super().__new__(cls)
        self.chain = chain
        self.options = options
        return self

    def __init__(self, chain, options):
        pass

    def execute(self, item, team):
        """Executes one item together with the other members; see `item.number`, `item.seconds`.
        Leaves all members in the same state."""
        raise NotImplementedError

    def pack(self):
        """Returns the whole state: bytes, arrays, numbers, text; tuples, lists, dicts of them."""
        raise NotImplementedError

    def unpack(self, state):
        """Sets the state to one that pack() returned, on another member or in another run."""
        raise NotImplementedError

    def observe(self):
        """Returns the draw at the end of the last item: a number for each of `observed`, or the
        number itself if there is only one."""
        return ()

    def done(self):
        """Returns whether the chain ends after this item, even if items are left."""
        return False

    def warming_up(self):
        """Returns whether the last item was part of the warm-up, whose draws are discarded."""
        return False

    def digest(self):
        """Returns an integer that depends on the result of the last item, for the chain's hash."""
        return 0

    def joined(self, team):
        """Called on all members of `team` after they received the state, before the next item."""

    def leaving(self, team):
        """Called on all members before the walker leaves `team`, whose communicator is then freed."""

    def result(self):
        """Returns the entry in Outcome.results for an ended chain: anything that can be pickled."""
        return None

    def random(self, item=None):
        """Returns a NumPy generator for this chain and `item`, equal on all members; without
        `item`, for the start of the chain. The next call resets the generator."""
        if "_generator" not in self.__dict__:
            key = np.array([self.chain.stream, self.chain.number], dtype=np.uint64)
            self._generator = np.random.Generator(np.random.Philox(key=key, counter=0))
            self._start = self._generator.bit_generator.state
        # The lower words of the counter count draws.
        self._start["state"]["counter"][3] = START if item is None else item.number
        self._generator.bit_generator.state = self._start
        return self._generator


def name_of(cls):
    """Returns the name in configurations: the class attribute `name`, else gaussian_mixture for
    GaussianMixture."""
    return cls.__dict__.get("name") or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])",
                                              "_", cls.__name__).lower()


def redefines(cls, method):
    return getattr(cls, method) is not getattr(Walker, method)
