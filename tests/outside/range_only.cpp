// SPDX-License-Identifier: BSD-3-Clause
//
// Range communicators as a divide-and-conquer algorithm uses them: the ranks are halved until each
// is alone, and each half sums on a range communicator of its own. At last every rank but the one
// in the middle sums.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <regroup/range.hpp>

using namespace regroup;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    range::Parent parent(MPI_COMM_WORLD);  // one for each process
    const range::Comm all = parent.all();
    const int mine = all.rank();
    int first = 0;
    int last = all.size() - 1;
    int sum = 0;
    while (first < last) {
      const range::Comm half = all.range(first, last);
      range::allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, half);
      if (2 * sum != (first + last) * (last - first + 1)) ++wrong;
      const int middle = (first + last) / 2;
      if (mine <= middle) {
        last = middle;
      } else {
        first = middle + 1;
      }
    }
    const int middle = all.size() / 2;
    if (middle > 0 && middle + 1 < all.size() && mine != middle) {
      const std::array sides{RankRange{0, middle - 1}, RankRange{middle + 1, all.size() - 1}};
      range::allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all.subset(sides));
      if (2 * (sum + middle) != all.size() * (all.size() - 1)) ++wrong;
    }
    int all_wrong = 0;
    range::reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, all);
    if (mine == 0) std::printf("%d wrong sums on %d ranks\n", all_wrong, all.size());
  }
  MPI_Finalize();
  return wrong;
}
