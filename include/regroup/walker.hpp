// SPDX-License-Identifier: BSD-3-Clause
//
// What a walker is made of: its socket (`Walker`, `Team`, `WalkerEntry`), and what keeps its chain
// the same whoever executes it: `random_bits`, `FixedPoint`, `exact::log` and `exact::exp`,
// `metropolis_accepts`. Needs no MPI.
#pragma once

#include "kernel/chains/fixed_point.hpp"
#include "kernel/chains/walker.hpp"
#include "kernel/numbers/exact_math.hpp"
#include "kernel/numbers/random.hpp"
#include "walkers/metropolis.hpp"
