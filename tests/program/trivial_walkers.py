# SPDX-License-Identifier: BSD-3-Clause
"""Walkers whose items cost only the calls; python_rivals.cpp has the same walkers in C++."""

import numpy as np
import regroup


class Empty(regroup.Walker):
    """does nothing"""

    def execute(self, item, team):
        pass

    def pack(self):
        return b""

    def unpack(self, state):
        pass


class Ten(Empty):
    """adds ten numbers over all members"""

    numbers = np.zeros(10)

    def execute(self, item, team):
        team.allreduce(self.numbers)
