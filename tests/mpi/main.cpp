// SPDX-License-Identifier: BSD-3-Clause
//
// The main program of all tests on MPI processes but those with threads.
#include "tests/mpi/run_tests.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  const int failed = regroup::run_tests();
  MPI_Finalize();
  return failed;
}
