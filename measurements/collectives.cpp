// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "measurements/bench.hpp"
#include "measurements/collective_operations.hpp"
#include "regroup/options.hpp"

namespace regroup {
namespace {

const MPI_Datatype type = MPI_DOUBLE;
const MPI_Op op = MPI_SUM;

// All data are small whole numbers, so that sums of them are exact in any order.
std::vector<double> data_of(int rank, int elements) {
  std::vector<double> data(static_cast<std::size_t>(elements));
  for (int i = 0; i < elements; ++i) data[static_cast<std::size_t>(i)] = rank + 1 + i % 100;
  return data;
}

std::vector<double> sum_of_first(int ranks, int elements) {
  std::vector<double> sum = data_of(0, elements);
  for (double& value : sum) value = ranks * value + 0.5 * ranks * (ranks - 1);
  return sum;
}

std::vector<double> parts_of_all(const Scene& s) {
  std::vector<double> parts;
  for (int rank = 0; rank < s.size; ++rank) {
    const std::vector<double> part = data_of(rank, s.elements);
    parts.insert(parts.end(), part.begin(), part.end());
  }
  return parts;
}

std::vector<double> nothing(const Scene&) { return {}; }
std::vector<double> roots_data(const Scene& s) { return data_of(s.root, s.elements); }
std::vector<double> sum_of_all(const Scene& s) { return sum_of_first(s.size, s.elements); }
std::vector<double> sum_up_to_me(const Scene& s) { return sum_of_first(s.rank + 1, s.elements); }
std::vector<double> sum_before_me(const Scene& s) {
  return s.rank == 0 ? nothing(s) : sum_of_first(s.rank, s.elements);
}
template <std::vector<double> (*what)(const Scene&)>
std::vector<double> at_root(const Scene& s) {
  return s.rank == s.root ? what(s) : nothing(s);
}

using Comm = const range::Comm&;

constexpr std::array operations{
    CollectiveOperation{"bcast", Brings::roots_data,
                        [](Buffers& b, const Scene& s, Comm comm) {
                          return ibcast(b.other.data(), s.elements, type, s.root, comm);
                        },
                        [](Buffers& b, const Scene& s, MPI_Comm comm, MPI_Request* request) {
                          MPI_Ibcast(b.other.data(), s.elements, type, s.root, comm, request);
                        },
                        roots_data},
    CollectiveOperation{
        "reduce", Brings::sums,
        [](Buffers& b, const Scene& s, Comm comm) {
          return ireduce(b.own.data(), b.other.data(), s.elements, type, op, s.root, comm);
        },
        [](Buffers& b, const Scene& s, MPI_Comm comm, MPI_Request* request) {
          MPI_Ireduce(b.own.data(), b.other.data(), s.elements, type, op, s.root, comm, request);
        },
        at_root<sum_of_all>},
    CollectiveOperation{
        "allreduce", Brings::sums,
        [](Buffers& b, const Scene& s, Comm comm) {
          return iallreduce(b.own.data(), b.other.data(), s.elements, type, op, comm);
        },
        [](Buffers& b, const Scene& s, MPI_Comm comm, MPI_Request* request) {
          MPI_Iallreduce(b.own.data(), b.other.data(), s.elements, type, op, comm, request);
        },
        sum_of_all},
    CollectiveOperation{"scan", Brings::sums,
                        [](Buffers& b, const Scene& s, Comm comm) {
                          return iscan(b.own.data(), b.other.data(), s.elements, type, op, comm);
                        },
                        [](Buffers& b, const Scene& s, MPI_Comm comm, MPI_Request* request) {
                          MPI_Iscan(b.own.data(), b.other.data(), s.elements, type, op, comm,
                                    request);
                        },
                        sum_up_to_me},
    CollectiveOperation{"exscan", Brings::sums,
                        [](Buffers& b, const Scene& s, Comm comm) {
                          return iexscan(b.own.data(), b.other.data(), s.elements, type, op, comm);
                        },
                        [](Buffers& b, const Scene& s, MPI_Comm comm, MPI_Request* request) {
                          MPI_Iexscan(b.own.data(), b.other.data(), s.elements, type, op, comm,
                                      request);
                        },
                        sum_before_me},
    CollectiveOperation{"gather", Brings::parts_of_all,
                        [](Buffers& b, const Scene& s, Comm comm) {
                          return igather(b.own.data(), s.elements, type, b.other.data(), s.elements,
                                         type, s.root, comm);
                        },
                        [](Buffers& b, const Scene& s, MPI_Comm comm, MPI_Request* request) {
                          MPI_Igather(b.own.data(), s.elements, type, b.other.data(), s.elements,
                                      type, s.root, comm, request);
                        },
                        at_root<parts_of_all>},
    CollectiveOperation{"gatherv", Brings::parts_of_all,
                        [](Buffers& b, const Scene& s, Comm comm) {
                          return igatherv(b.own.data(), s.elements, type, b.other.data(),
                                          b.counts.data(), b.places.data(), type, s.root, comm);
                        },
                        [](Buffers& b, const Scene& s, MPI_Comm comm, MPI_Request* request) {
                          MPI_Igatherv(b.own.data(), s.elements, type, b.other.data(),
                                       b.counts.data(), b.places.data(), type, s.root, comm,
                                       request);
                        },
                        at_root<parts_of_all>},
    CollectiveOperation{"allgather", Brings::parts_of_all,
                        [](Buffers& b, const Scene& s, Comm comm) {
                          return iallgather(b.own.data(), s.elements, type, b.other.data(),
                                            s.elements, type, comm);
                        },
                        [](Buffers& b, const Scene& s, MPI_Comm comm, MPI_Request* request) {
                          MPI_Iallgather(b.own.data(), s.elements, type, b.other.data(), s.elements,
                                         type, comm, request);
                        },
                        parts_of_all},
    CollectiveOperation{"barrier", Brings::nothing,
                        [](Buffers&, const Scene&, Comm comm) { return ibarrier(comm); },
                        [](Buffers&, const Scene&, MPI_Comm comm, MPI_Request* request) {
                          MPI_Ibarrier(comm, request);
                        },
                        nothing},
};

}  // namespace

const CollectiveOperation& collective_operation(std::string_view name) {
  const CollectiveOperation* operation = find_entry(operations, name);
  if (operation != nullptr) return *operation;
  throw std::invalid_argument(fmt::format("unknown collective operation '{}'", name));
}

Buffers buffers_for(const CollectiveOperation& operation, const Scene& s) {
  Buffers b;
  b.own = data_of(s.rank, s.elements);
  const int parts = operation.brings == Brings::parts_of_all ? s.size : 1;
  b.other.assign(static_cast<std::size_t>(parts) * b.own.size(), -1);
  if (operation.brings == Brings::roots_data && s.rank == s.root) b.other = b.own;
  for (int rank = 0; rank < s.size; ++rank) {
    b.counts.push_back(s.elements);
    b.places.push_back(rank * s.elements);
  }
  return b;
}

void execute(const CollectiveOperation& operation, Buffers& buffers, const Scene& scene,
             const GroupComm& comm, const Waiter& waiter) {
  if (const range::Comm* range = comm.as_range()) {
    operation.start_ours(buffers, scene, *range).wait();
  } else {
    MPI_Request request = MPI_REQUEST_NULL;
    operation.start_mpi(buffers, scene, comm.comm(), &request);
    waiter.wait_in_mpi(request);
  }
}

void verify(const CollectiveOperation& operation, const Scene& scene, const GroupComm& comm,
            const Waiter& waiter) {
  Buffers buffers = buffers_for(operation, scene);
  execute(operation, buffers, scene, comm, waiter);
  const std::vector<double> expected = operation.expected(scene);
  if (std::equal(expected.begin(), expected.end(), buffers.other.begin())) return;
  throw std::runtime_error(fmt::format("{} with root {} gave a wrong result on rank {} of {}",
                                       operation.name, scene.root, scene.rank, scene.size));
}

namespace {

// What a collective operation costs, on a range communicator (ours) or on one of MPI's (MPI's own),
// with or without making the communicator: after Figures 4, 7 and 9 of the RBC paper (arXiv
// 1710.08027).
//
// A sample (samples.hpp) is `calls` operations in a row, the roots of which take turns.

class CollectiveBench {
 public:
  explicit CollectiveBench(const Bench& bench)
      : bench_(bench),
        operation_(collective_operation(bench.subject.options.text("operation"))),
        group_(Members::range(0, bench.integer("group_size"))),
        calls_(bench.integer("calls_per_sample")),
        creation_timed_(bench.subject.options.text("creation") == "timed"),
        scene_{group_.index_of(bench.world.rank()), group_.size(), 0,
               bench.integer("elements_per_rank")} {
    if (is_member()) buffers_ = buffers_for(operation_, scene_);
  }

  std::vector<Sample> times(int samples) {
    comm_ = make_communicator(bench_, group_);
    verify_results();
    if (creation_timed_) free_communicator();
    std::vector<Sample> all = time_samples(bench_, samples, is_member(), [&] {
      if (creation_timed_) comm_ = make_communicator(bench_, group_);
      call_in_a_row();
      if (creation_timed_) free_communicator();
    });
    free_communicator();
    return all;
  }

 private:
  bool is_member() const { return scene_.rank >= 0; }

  void free_communicator() {
    bench_.world.waiter().blocking([&] { comm_ = GroupComm(); });
  }

  void verify_results() {
    if (!is_member()) return;
    for (const int root : {0, scene_.size - 1}) {
      scene_.root = root;
      verify(operation_, scene_, comm_, bench_.world.waiter());
    }
  }

  void call_in_a_row() {
    if (!is_member()) return;
    for (int call = 0; call < calls_; ++call) {
      scene_.root = call % scene_.size;
      execute(operation_, buffers_, scene_, comm_, bench_.world.waiter());
    }
  }

  const Bench& bench_;
  const CollectiveOperation& operation_;
  Members group_;
  int calls_;
  bool creation_timed_;
  Scene scene_;
  Buffers buffers_;
  GroupComm comm_;
};

}  // namespace

Findings measure_collectives(const Bench& bench) {
  return {{{"time_s", CollectiveBench(bench).times(bench.integer("samples"))}}, {}};
}

}  // namespace regroup
