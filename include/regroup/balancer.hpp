// SPDX-License-Identifier: BSD-3-Clause
//
// What a balancer is made of: its socket (`Balancer`, `Knowledge`, `Decision`, `BalancerEntry`).
// Needs no MPI.
#pragma once

#include "kernel/balancer.hpp"
