// SPDX-License-Identifier: BSD-3-Clause
//
// The table of collective operations, on range communicators and, by nonblocking functions, on MPI
// communicators. Point-to-point operations send from the root to the next member, so calls whose
// roots take turns are a ping-pong between two members, and a ring among more.
#include <array>
#include <cstddef>
#include <tuple>

#include "regroup/bench.hpp"
#include "regroup/range.hpp"

namespace regroup {
namespace {

using Call = const CollectiveCall&;

// ---- collectives

/// Executes an operation. Both forms take the tuple `arguments`, followed by the communicator and,
/// for range communicators, a tag, or for MPI, the request.
template <auto on_range, auto in_mpi, auto arguments>
void collective(Call call) {
  if (const range::Comm* range = call.comm.as_range()) {
    const auto start = [&](auto... all) { return on_range(all..., *range, 0); };
    std::apply(start, arguments(call)).wait();
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  std::apply([&](auto... all) { in_mpi(all..., call.comm.comm(), &request); }, arguments(call));
  call.waiter.wait_in_mpi(request);
}

constexpr auto no_arguments = [](Call) { return std::tuple(); };
constexpr auto to_broadcast = [](Call c) {
  // The root only reads the buffer.
  const bool root = c.participants.rank == c.participants.root;
  void* buffer = root ? const_cast<void*>(c.data) : c.result;
  return std::tuple(buffer, c.count, c.type, c.participants.root);
};
constexpr auto to_combine = [](Call c) {
  return std::tuple(c.data, c.result, c.count, c.type, MPI_SUM);
};
constexpr auto to_combine_at_root = [](Call c) {
  return std::tuple_cat(to_combine(c), std::tuple(c.participants.root));
};
constexpr auto to_combine_parts = [](Call c) {
  return std::tuple(c.data, c.result, c.counts, c.type, MPI_SUM);
};
constexpr auto to_exchange = [](Call c) {
  return std::tuple(c.data, c.count, c.type, c.result, c.count, c.type);
};
constexpr auto to_exchange_with_root = [](Call c) {
  return std::tuple_cat(to_exchange(c), std::tuple(c.participants.root));
};
constexpr auto to_gather_parts = [](Call c) {
  return std::tuple(c.data, c.count, c.type, c.result, c.counts, c.begins, c.type);
};
constexpr auto to_gather_parts_at_root = [](Call c) {
  return std::tuple_cat(to_gather_parts(c), std::tuple(c.participants.root));
};
constexpr auto to_scatter_parts = [](Call c) {
  return std::tuple(c.data, c.counts, c.begins, c.type, c.result, c.count, c.type,
                    c.participants.root);
};
constexpr auto to_exchange_parts = [](Call c) {
  return std::tuple(c.data, c.counts, c.begins, c.type, c.result, c.counts, c.begins, c.type);
};

// ---- messages

constexpr int message_tag = 0;

/// Nonblocking messages among members of a range communicator.
struct RangeMessages {
  using Request = range::Request;

  const range::Comm& comm;

  void send(const void* data, int count, MPI_Datatype type, int to, Request& request) const {
    request = range::isend(data, count, type, to, message_tag, comm);
  }
  void receive(void* data, int count, MPI_Datatype type, int from, Request& request) const {
    request = range::irecv(data, count, type, from, message_tag, comm);
  }
  void wait(Request& request) const { request.wait(); }
};

struct MpiMessages {
  using Request = MPI_Request;

  MPI_Comm comm;
  const Waiter& waiter;

  void send(const void* data, int count, MPI_Datatype type, int to, Request& request) const {
    MPI_Isend(data, count, type, to, message_tag, comm, &request);
  }
  void receive(void* data, int count, MPI_Datatype type, int from, Request& request) const {
    MPI_Irecv(data, count, type, from, message_tag, comm, &request);
  }
  void wait(Request& request) const { waiter.wait_in_mpi(request); }
};

constexpr int nobody = -1;

/// Sends `number` messages to `to`, and receives `number` from `from`, all into the same buffer.
template <int number, class Messages>
void transfer(const Messages& messages, Call call, int count, int to, int from) {
  std::array<typename Messages::Request, number> incoming;
  std::array<typename Messages::Request, number> outgoing;
  for (std::size_t i = 0; i < number && from != nobody; ++i) {
    messages.receive(call.result, count, call.type, from, incoming[i]);
  }
  for (std::size_t i = 0; i < number && to != nobody; ++i) {
    messages.send(call.data, count, call.type, to, outgoing[i]);
  }
  for (std::size_t i = 0; i < number && to != nobody; ++i) messages.wait(outgoing[i]);
  for (std::size_t i = 0; i < number && from != nobody; ++i) messages.wait(incoming[i]);
}

int next(const Participants& p, int rank) { return (rank + 1) % p.size; }
int previous(const Participants& p, int rank) { return (rank + p.size - 1) % p.size; }

constexpr auto latency = [](const auto& messages, Call call) {
  const Participants& p = call.participants;
  const int receiver = next(p, p.root);
  transfer<1>(messages, call, call.count, p.rank == p.root ? receiver : nobody,
              p.rank == receiver ? p.root : nobody);
};

constexpr int window = 64;

constexpr auto bandwidth = [](const auto& messages, Call call) {
  const Participants& p = call.participants;
  const int receiver = next(p, p.root);
  const int to = p.rank == p.root ? receiver : nobody;
  const int from = p.rank == receiver ? p.root : nobody;
  transfer<window>(messages, call, call.count, to, from);
  transfer<1>(messages, call, 0, from, to);
};

constexpr auto shift = [](const auto& messages, Call call) {
  const Participants& p = call.participants;
  transfer<1>(messages, call, call.count, next(p, p.rank), previous(p, p.rank));
};

template <auto exchange>
void by_messages(Call call) {
  if (const range::Comm* range = call.comm.as_range()) {
    exchange(RangeMessages{*range}, call);
  } else {
    exchange(MpiMessages{call.comm.comm(), call.waiter}, call);
  }
}

// ---- results

using Result = std::optional<double>;
using In = const Participants&;

Result nothing(In, int, int) { return {}; }
Result part_of_root(In p, int, int element) { return collective_datum(p.root, p.rank, element); }
Result data_of_each(In, int part, int element) { return collective_datum(part, 0, element); }
Result part_of_each(In p, int part, int element) { return collective_datum(part, p.rank, element); }
Result data_of_root_elsewhere(In p, int, int element) {
  return p.rank == p.root ? Result() : collective_datum(p.root, 0, element);
}
Result data_of_root_after_it(In p, int, int element) {
  return p.rank == next(p, p.root) ? collective_datum(p.root, 0, element) : Result();
}
Result data_of_previous(In p, int, int element) {
  return collective_datum(previous(p, p.rank), 0, element);
}
double sum_of_first(int ranks, int part, int element) {
  double sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += collective_datum(rank, part, element);
  return sum;
}
Result sum_of_all(In p, int, int element) { return sum_of_first(p.size, 0, element); }
Result sum_of_parts(In p, int, int element) { return sum_of_first(p.size, p.rank, element); }
Result sum_up_to_own(In p, int, int element) { return sum_of_first(p.rank + 1, 0, element); }
Result sum_before_own(In p, int, int element) {
  return p.rank == 0 ? Result() : sum_of_first(p.rank, 0, element);
}
template <Result (*expected)(In, int, int)>
Result at_root(In p, int part, int element) {
  return p.rank == p.root ? expected(p, part, element) : Result();
}

constexpr BufferParts none = BufferParts::none;
constexpr BufferParts one = BufferParts::one;
constexpr BufferParts each = BufferParts::one_per_member;

constexpr std::array operations{
    CollectiveOperation{"bcast", "sends the root's data to all members", one, one,
                        collective<range::ibcast, MPI_Ibcast, to_broadcast>,
                        data_of_root_elsewhere},
    CollectiveOperation{"reduce", "computes the sum of all data, at the root", one, one,
                        collective<range::ireduce, MPI_Ireduce, to_combine_at_root>,
                        at_root<sum_of_all>},
    CollectiveOperation{"allreduce", "computes the sum of all data, on all members", one, one,
                        collective<range::iallreduce, MPI_Iallreduce, to_combine>, sum_of_all},
    CollectiveOperation{"scan", "computes on each member the sum of data up to its own", one, one,
                        collective<range::iscan, MPI_Iscan, to_combine>, sum_up_to_own},
    CollectiveOperation{"exscan", "computes on each member the sum of data before its own", one,
                        one, collective<range::iexscan, MPI_Iexscan, to_combine>, sum_before_own},
    CollectiveOperation{"gather", "collects all data, at the root", one, each,
                        collective<range::igather, MPI_Igather, to_exchange_with_root>,
                        at_root<data_of_each>},
    CollectiveOperation{
        "gatherv", "`gather` with a separate number of elements for each member", one, each,
        collective<range::igatherv, MPI_Igatherv, to_gather_parts_at_root>, at_root<data_of_each>},
    CollectiveOperation{"allgather", "collects all data, on all members", one, each,
                        collective<range::iallgather, MPI_Iallgather, to_exchange>, data_of_each},
    CollectiveOperation{
        "allgatherv", "`allgather` with a separate number of elements for each member", one, each,
        collective<range::iallgatherv, MPI_Iallgatherv, to_gather_parts>, data_of_each},
    CollectiveOperation{"scatter", "sends a part of the root's data to each member", each, one,
                        collective<range::iscatter, MPI_Iscatter, to_exchange_with_root>,
                        part_of_root},
    CollectiveOperation{"scatterv", "`scatter` with a separate number of elements for each member",
                        each, one, collective<range::iscatterv, MPI_Iscatterv, to_scatter_parts>,
                        part_of_root},
    CollectiveOperation{"alltoall", "sends a part of each member's data to each member", each, each,
                        collective<range::ialltoall, MPI_Ialltoall, to_exchange>, part_of_each},
    CollectiveOperation{
        "alltoallv", "`alltoall` with a separate number of elements for each part", each, each,
        collective<range::ialltoallv, MPI_Ialltoallv, to_exchange_parts>, part_of_each},
    CollectiveOperation{
        "reduce_scatter",
        "`reduce_scatter_block` with a separate number of elements for each member", each, one,
        collective<range::ireduce_scatter, MPI_Ireduce_scatter, to_combine_parts>, sum_of_parts},
    CollectiveOperation{
        "reduce_scatter_block", "computes the sum of all data, and leaves a part on each member",
        each, one, collective<range::ireduce_scatter_block, MPI_Ireduce_scatter_block, to_combine>,
        sum_of_parts},
    CollectiveOperation{"barrier", "synchronizes all members, without data", none, none,
                        collective<range::ibarrier, MPI_Ibarrier, no_arguments>, nothing},
    CollectiveOperation{"sendrecv", "sends a message from each member to the next", one, one,
                        by_messages<shift>, data_of_previous},
    CollectiveOperation{"latency", "sends one message from the root to the next member", one, one,
                        by_messages<latency>, data_of_root_after_it},
    CollectiveOperation{
        "bandwidth",
        "sends 64 messages from the root to the next member, which replies with an empty message",
        one, one, by_messages<bandwidth>, data_of_root_after_it, window},
};

}  // namespace

std::span<const CollectiveOperation> collective_operations() { return operations; }

}  // namespace regroup
