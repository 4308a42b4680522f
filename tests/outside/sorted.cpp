// SPDX-License-Identifier: BSD-3-Clause
//
// Sorts the elements of all ranks; afterwards each rank has its share, in order.
#include <mpi.h>

#include <cstdio>
#include <regroup/sorting.hpp>
#include <vector>

using namespace regroup;

/// Any type with a `<` that can be copied as bytes.
struct Star {
  double brightness;
  long long number;

  friend bool operator<(const Star& one, const Star& other) {
    return one.brightness < other.brightness;
  }
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int wrong = 0;
  {
    range::Parent parent(MPI_COMM_WORLD);  // one for each process
    std::vector<Star> stars;
    for (int i = 0; i < 1000 * parent.rank(); ++i) {
      stars.push_back({static_cast<double>(i * 7919LL % 10007), 1000LL * parent.rank() + i});
    }
    const sorting::SortFacts facts = sorting::janus_sort(stars, parent.all());
    for (std::size_t i = 1; i < stars.size(); ++i) wrong += stars[i] < stars[i - 1] ? 1 : 0;
    if (parent.rank() == 0) {
      std::printf("%d in wrong order of %zu on rank 0 of %d, after %d levels\n", wrong,
                  stars.size(), ranks, facts.levels);
    }
  }
  MPI_Finalize();
  return wrong;
}
