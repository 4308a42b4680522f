// SPDX-License-Identifier: BSD-3-Clause
//
// Compares each collective of range communicators with the MPI library's nonblocking counterpart;
// the same Waiter waits for both.
//
//   mpiexec -n 16 build/collectives_micro [--benchmark_filter=bcast]
//
// One iteration is a batch of range collectives followed by a batch of MPI's; the root advances by
// one rank per operation. Times are per operation, the maximum over ranks. `Time` is the mean over
// iterations for range communicators; `range_s` and `mpi_s` are medians in seconds, and `ratio` is
// their quotient: below 1, the range communicator is faster. If ranks outnumber cores, waiting is
// polite.

#include <functional>
#include <string>
#include <vector>

#include "regroup/range.hpp"
#include "tests/micro/mpi_main.hpp"

namespace {

using namespace regroup;

struct Buffers {
  std::vector<double> in;
  std::vector<double> out;
  std::vector<int> counts;  // of gatherv
  std::vector<int> places;
};

/// One collective: the calls for a range communicator and for MPI, which only starts it.
struct Pair {
  const char* name;
  std::function<void(Buffers&, int n, int root, const range::Comm&)> range;
  std::function<void(Buffers&, int n, int root, MPI_Request*)> mpi;
};

const MPI_Datatype type = MPI_DOUBLE;
const MPI_Comm all = MPI_COMM_WORLD;

std::vector<Pair> pairs() {
  return {
      {"bcast",
       [](Buffers& b, int n, int root, const range::Comm& c) {
         bcast(b.in.data(), n, type, root, c);
       },
       [](Buffers& b, int n, int root, MPI_Request* r) {
         MPI_Ibcast(b.in.data(), n, type, root, all, r);
       }},
      {"reduce",
       [](Buffers& b, int n, int root, const range::Comm& c) {
         reduce(b.in.data(), b.out.data(), n, type, MPI_SUM, root, c);
       },
       [](Buffers& b, int n, int root, MPI_Request* r) {
         MPI_Ireduce(b.in.data(), b.out.data(), n, type, MPI_SUM, root, all, r);
       }},
      {"allreduce",
       [](Buffers& b, int n, int, const range::Comm& c) {
         allreduce(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       },
       [](Buffers& b, int n, int, MPI_Request* r) {
         MPI_Iallreduce(b.in.data(), b.out.data(), n, type, MPI_SUM, all, r);
       }},
      {"scan",
       [](Buffers& b, int n, int, const range::Comm& c) {
         scan(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       },
       [](Buffers& b, int n, int, MPI_Request* r) {
         MPI_Iscan(b.in.data(), b.out.data(), n, type, MPI_SUM, all, r);
       }},
      {"exscan",
       [](Buffers& b, int n, int, const range::Comm& c) {
         exscan(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       },
       [](Buffers& b, int n, int, MPI_Request* r) {
         MPI_Iexscan(b.in.data(), b.out.data(), n, type, MPI_SUM, all, r);
       }},
      {"gather",
       [](Buffers& b, int n, int root, const range::Comm& c) {
         gather(b.in.data(), n, type, b.out.data(), n, type, root, c);
       },
       [](Buffers& b, int n, int root, MPI_Request* r) {
         MPI_Igather(b.in.data(), n, type, b.out.data(), n, type, root, all, r);
       }},
      {"gatherv",
       [](Buffers& b, int n, int root, const range::Comm& c) {
         gatherv(b.in.data(), n, type, b.out.data(), b.counts.data(), b.places.data(), type, root,
                 c);
       },
       [](Buffers& b, int n, int root, MPI_Request* r) {
         MPI_Igatherv(b.in.data(), n, type, b.out.data(), b.counts.data(), b.places.data(), type,
                      root, all, r);
       }},
      {"allgather",
       [](Buffers& b, int n, int, const range::Comm& c) {
         allgather(b.in.data(), n, type, b.out.data(), n, type, c);
       },
       [](Buffers& b, int n, int, MPI_Request* r) {
         MPI_Iallgather(b.in.data(), n, type, b.out.data(), n, type, all, r);
       }},
      {"barrier", [](Buffers&, int, int, const range::Comm& c) { barrier(c); },
       [](Buffers&, int, int, MPI_Request* r) { MPI_Ibarrier(all, r); }},
  };
}

void compare(benchmark::State& state, const Pair& pair, const range::Comm& comm, int n) {
  Buffers buffers{std::vector<double>(static_cast<std::size_t>(n), 1.0),
                  std::vector<double>(static_cast<std::size_t>(n * comm.size())),
                  {},
                  {}};
  for (int rank = 0; rank < comm.size(); ++rank) {
    buffers.counts.push_back(n);
    buffers.places.push_back(n * rank);
  }
  const int batch = micro::crowded(comm) ? 20 : 500;
  const auto ours = [&](int count) {
    for (int i = 0; i < count; ++i) pair.range(buffers, n, i % comm.size(), comm);
  };
  const auto theirs = [&](int count) {
    for (int i = 0; i < count; ++i) {
      MPI_Request request;
      pair.mpi(buffers, n, i % comm.size(), &request);
      comm.parent().waiter().wait_in_mpi(request);
    }
  };
  micro::time_in_turn(state, comm, {{"range_s", batch, ours}, {"mpi_s", batch, theirs}});
}

void add_all(const range::Comm& world) {
  for (const Pair& pair : pairs()) {
    for (const int n : {1, 8, 64, 512}) {
      if (std::string("barrier") == pair.name && n > 1) continue;
      micro::add(std::string(pair.name) + "/doubles:" + std::to_string(n), benchmark::kMicrosecond,
                 micro::crowded(world) ? 25 : 40,
                 [=](auto& state) { compare(state, pair, world, n); });
    }
  }
}

}  // namespace

int main(int argc, char** argv) { return micro::main(argc, argv, add_all); }
