// SPDX-License-Identifier: BSD-3-Clause
//
// What a communicator strategy is made of: its row (`Strategy`), and what its code takes and
// answers (`MakeCommunicator`, `Site`, `Members`, `GroupComm`, `CommHandle`, `group_of`), and
// `to_mpi`, which makes communicators of MPI of range communicators.
#pragma once

#include "communicators/make.hpp"
#include "communicators/mpi_group.hpp"
#include "communicators/strategies.hpp"
#include "communicators/to_mpi.hpp"
