# SPDX-License-Identifier: BSD-3-Clause
"""The base class of walkers."""

import re

import numpy as np

START = 2**64 - 1  # stands for the number of an item before the first


class Walker:
    """One Markov chain. Each member of its group holds an object of it, all in the same state:
    members share the work of an item and take the same step. Whoever joins gets the state.

    `self.chain.number` is 0, 1, … in the run; `self.options` has the values of the options. Both
    are set before __init__(self, chain, options), which a class need not define.
    """

    options = {}  # by name: regroup.integer, real, choice or file
    observed = ()  # names of the quantities that observe() returns; "x__" is about the sampler
    reproducible = True  # chains are the same, bit by bit, whoever executes them
    warm_up = ""  # the option with the number of items of the warm-up, if there is one
    state_bytes = 1024  # about; predictions use it

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
        """The whole state: bytes, arrays, numbers, text, and tuples, lists and dicts of them."""
        raise NotImplementedError

    def unpack(self, state):
        """Takes over a state that pack() returned on another member."""
        raise NotImplementedError

    def observe(self):
        """The draw with which the last item ended: a number for each quantity of `observed`, or
        the number itself where there is one."""
        return ()

    def done(self):
        """Whether the chain ends after this item, whatever items are left."""
        return False

    def warming_up(self):
        """Whether the last item was part of the warm-up, whose draws do not count."""
        return False

    def digest(self):
        """An integer that depends on the result of the last item, for the hash of the chain."""
        return 0

    def joined(self, team):
        """Called on all members of `team` when their walker has its state, before its next item."""

    def leaving(self, team):
        """Called on all members before the walker leaves `team`, whose communicator is then freed."""

    def result(self):
        """What regroup.run() returns of a chain that has ended: anything that can be pickled."""
        return None

    def random(self, item=None):
        """A NumPy generator for this chain and `item`, the same on all members; without an item,
        for the start of the chain. The next call resets it."""
        if "_generator" not in self.__dict__:
            key = np.array([self.chain.stream, self.chain.number], dtype=np.uint64)
            self._generator = np.random.Generator(np.random.Philox(key=key, counter=0))
            self._start = self._generator.bit_generator.state
        # The lowest words count draws.
        self._start["state"]["counter"][3] = START if item is None else item.number
        self._generator.bit_generator.state = self._start
        return self._generator


def name_of(cls):
    """The name in configurations: the class attribute `name`, or GaussianMixture as
    gaussian_mixture."""
    return cls.__dict__.get("name") or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])",
                                              "_", cls.__name__).lower()


def redefines(cls, method):
    return getattr(cls, method) is not getattr(Walker, method)
