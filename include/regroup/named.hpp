// SPDX-License-Identifier: BSD-3-Clause
//
// Communicators that a file defines by name: `Definitions` and `NamedCommunicators`. Programs that
// know nothing of Regroup include regroup/mpi.h instead of mpi.h. Link with Regroup::named.
#pragma once

#include "communicators/named/named.hpp"
