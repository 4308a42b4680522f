// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <cstdio>
#include <regroup/range.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    regroup::range::Parent parent(MPI_COMM_WORLD, regroup::Waiter(regroup::Waiting::polite, 4));
    const regroup::range::Comm low = parent.all().range(0, 1);
    int sum = 0;
    const int mine = parent.rank() + 1;
    if (low.rank() >= 0) regroup::range::allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, low);
    if (parent.rank() == 0) std::printf("the sum over ranks 0 and 1 is %d\n", sum);
  }
  MPI_Finalize();
}
