// SPDX-License-Identifier: BSD-3-Clause
//
// Compares each collective of range communicators with that of RBC, the library of the paper on
// range-based communicators, built with the same MPI library and waiting in the same way.
// docs/measuring.md describes where to get RBC.
//
//   mpiexec -n 16 build/against_rbc_micro [--benchmark_filter=bcast]
//
// One iteration is a batch of range collectives followed by a batch of RBC's; the root advances by
// one rank per operation. Times are per operation, the maximum over ranks. `Time` is the mean over
// iterations for range communicators; `range_s` and `rbc_s` are medians in seconds, and `ratio` is
// their quotient: below 1, the range communicator is faster. If ranks outnumber cores, waiting is
// polite; RBC waits in MPI's own blocking calls, which the wrapper makes polite.

#include <RBC.hpp>
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
};

/// One collective: the calls for a range communicator and for RBC.
struct Pair {
  const char* name;
  std::function<void(Buffers&, int n, int root, const range::Comm&)> range;
  std::function<void(Buffers&, int n, int root, const RBC::Comm&)> rbc;
};

const MPI_Datatype type = MPI_DOUBLE;

std::vector<Pair> pairs() {
  return {
      {"bcast",
       [](Buffers& b, int n, int root, const range::Comm& c) {
         range::bcast(b.in.data(), n, type, root, c);
       },
       [](Buffers& b, int n, int root, const RBC::Comm& c) {
         RBC::Bcast(b.in.data(), n, type, root, c);
       }},
      {"reduce",
       [](Buffers& b, int n, int root, const range::Comm& c) {
         range::reduce(b.in.data(), b.out.data(), n, type, MPI_SUM, root, c);
       },
       [](Buffers& b, int n, int root, const RBC::Comm& c) {
         RBC::Reduce(b.in.data(), b.out.data(), n, type, MPI_SUM, root, c);
       }},
      {"scan",
       [](Buffers& b, int n, int, const range::Comm& c) {
         range::scan(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       },
       [](Buffers& b, int n, int, const RBC::Comm& c) {
         RBC::Scan(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       }},
      {"gather",
       [](Buffers& b, int n, int root, const range::Comm& c) {
         range::gather(b.in.data(), n, type, b.out.data(), n, type, root, c);
       },
       [](Buffers& b, int n, int root, const RBC::Comm& c) {
         RBC::Gather(b.in.data(), n, type, b.out.data(), n, type, root, c);
       }},
      {"allreduce",
       [](Buffers& b, int n, int, const range::Comm& c) {
         range::allreduce(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       },
       [](Buffers& b, int n, int, const RBC::Comm& c) {
         RBC::Allreduce(b.in.data(), b.out.data(), n, type, MPI_SUM, c);
       }},
      {"barrier", [](Buffers&, int, int, const range::Comm& c) { range::barrier(c); },
       [](Buffers&, int, int, const RBC::Comm& c) { RBC::Barrier(c); }},
  };
}

void compare(benchmark::State& state, const Pair& pair, const range::Comm& comm, int n) {
  Buffers buffers{std::vector<double>(static_cast<std::size_t>(n), 1.0),
                  std::vector<double>(static_cast<std::size_t>(n * comm.size()))};
  const Waiter& waiter = comm.parent().waiter();
  RBC::Comm rbc;
  waiter.blocking([&] { RBC::Create_Comm_from_MPI(comm.parent().comm(), &rbc); });
  const int batch = micro::crowded(comm) ? 8 : n < 4096 ? 400 : 40;
  const auto ours = [&](int count) {
    for (int i = 0; i < count; ++i) pair.range(buffers, n, i % comm.size(), comm);
  };
  const auto theirs = [&](int count) {
    waiter.blocking([&] {
      for (int i = 0; i < count; ++i) pair.rbc(buffers, n, i % comm.size(), rbc);
    });
  };
  micro::time_in_turn(state, comm, {{"range_s", batch, ours}, {"rbc_s", batch, theirs}});
}

void add_all(const range::Comm& world) {
  for (const Pair& pair : pairs()) {
    for (const int n : {1, 8, 64, 512, 4096, 32768}) {
      if (std::string("barrier") == pair.name && n > 1) continue;
      micro::add(std::string(pair.name) + "/doubles:" + std::to_string(n), benchmark::kMicrosecond,
                 41, [=](auto& state) { compare(state, pair, world, n); });
    }
  }
}

}  // namespace

int main(int argc, char** argv) { return micro::main(argc, argv, add_all); }
