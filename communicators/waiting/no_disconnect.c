// SPDX-License-Identifier: BSD-3-Clause
//
// Part of programs of MPICH with the ch4:ucx device, and of the library to preload, for ranks on
// several hosts. MPI_Finalize of MPICH 4.0.2 disconnects every endpoint of UCX, and then waits for
// all ranks in a barrier of the process manager, which moves no message of UCX. Over TCP the end of
// a connection takes messages of both sides: a rank whose partner is in that barrier already waits
// for ever. All ranks have met before that, so nothing is under way that a disconnection would have
// to deliver: here it does nothing, and the program's end closes the connections.

// As declared in ucp_compat.h: no request is under way (NULL).
void* ucp_disconnect_nb(void* endpoint) {
  (void)endpoint;
  return 0;
}
