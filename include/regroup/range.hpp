// SPDX-License-Identifier: BSD-3-Clause
//
// Range communicators, which are made without communication: `range::Parent`, `range::Comm`,
// messages, collective operations, and `range::icreate_group`. A library of their own,
// Regroup::range, which needs nothing but MPI.
#pragma once

#include "communicators/range/collectives.hpp"
#include "communicators/range/creation.hpp"
#include "communicators/range/p2p.hpp"
