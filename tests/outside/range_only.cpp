// SPDX-License-Identifier: BSD-3-Clause
//
// Range communicators as a divide-and-conquer algorithm uses them: the ranks are halved until each
// is alone, and each half sums on a range communicator of its own.
#include <mpi.h>

#include <cstdio>
#include <regroup/range.hpp>

using namespace regroup;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int wrong = 0;
  {
    range::Parent parent(MPI_COMM_WORLD, Waiter(Waiting::direct, ranks));  // one for each process
    int first = 0;
    int last = ranks - 1;
    while (first < last) {
      const range::Comm half = parent.all().range(first, last);
      const int mine = parent.rank();
      int sum = 0;
      range::allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, half);
      if (2 * sum != (first + last) * (last - first + 1)) ++wrong;
      const int middle = (first + last) / 2;
      if (mine <= middle) {
        last = middle;
      } else {
        first = middle + 1;
      }
    }
    int all_wrong = 0;
    range::reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, parent.all());
    if (parent.rank() == 0) std::printf("%d wrong sums on %d ranks\n", all_wrong, ranks);
  }
  MPI_Finalize();
  return wrong;
}
