// SPDX-License-Identifier: BSD-3-Clause
//
// How many items walkers have (`WorkloadEntry`), how many ranks they would like to have
// (`WantsEntry`), and what an item takes in a larger group (`SpeedupEntry`). Needs no MPI.
#pragma once

#include "kernel/items/speedup.hpp"
#include "kernel/numbers/exact_math.hpp"
#include "kernel/numbers/random.hpp"
#include "kernel/workloads/wants.hpp"
#include "kernel/workloads/workload.hpp"
