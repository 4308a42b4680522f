// SPDX-License-Identifier: BSD-3-Clause
//
// The cost of collective operations on a range communicator or on one of MPI, with or without
// creating the communicator: after Figures 4, 7 and 9 of the RBC paper (arXiv 1710.08027). A sample
// is `calls_per_sample` operations in a row; their roots take turns.
#include "measurements/collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"
#include "measurements/kinds.hpp"
#include "measurements/summary.hpp"
#include "regroup/bench.hpp"

namespace regroup {
namespace {

// ---- operations

using Result = CollectiveOperation::Result;
using Comm = const range::Comm&;

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

std::vector<double> nothing(const Participants&) { return {}; }
std::vector<double> data_of_root(const Participants& p) { return data_of(p.root, p.elements); }
std::vector<double> data_of_all(const Participants& p) {
  std::vector<double> all;
  for (int rank = 0; rank < p.size; ++rank) {
    const std::vector<double> part = data_of(rank, p.elements);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}
std::vector<double> sum_of_all(const Participants& p) { return sum_of_first(p.size, p.elements); }
std::vector<double> sum_up_to_own(const Participants& p) {
  return sum_of_first(p.rank + 1, p.elements);
}
std::vector<double> sum_before_own(const Participants& p) {
  return p.rank == 0 ? nothing(p) : sum_of_first(p.rank, p.elements);
}
template <std::vector<double> (*expected)(const Participants&)>
std::vector<double> at_root(const Participants& p) {
  return p.rank == p.root ? expected(p) : nothing(p);
}

/// The row of an operation whose two forms take the same `arguments`, a tuple, before those that
/// say where.
template <auto on_range, auto in_mpi, auto arguments>
constexpr CollectiveOperation operation(std::string_view name, Result result,
                                        std::vector<double> (*expected)(const Participants&)) {
  return {name, result,
          [](Buffers& b, const Participants& p, Comm comm) {
            const auto start = [&](auto... all) { return on_range(all..., comm, 0); };
            return std::apply(start, arguments(b, p));
          },
          [](Buffers& b, const Participants& p, MPI_Comm comm, MPI_Request* request) {
            std::apply([&](auto... all) { in_mpi(all..., comm, request); }, arguments(b, p));
          },
          expected};
}

constexpr auto no_arguments = [](Buffers&, const Participants&) { return std::tuple(); };
constexpr auto to_broadcast = [](Buffers& b, const Participants& p) {
  return std::tuple(b.received.data(), p.elements, type, p.root);
};
constexpr auto to_combine = [](Buffers& b, const Participants& p) {
  return std::tuple(b.own.data(), b.received.data(), p.elements, type, op);
};
constexpr auto to_combine_at_root = [](Buffers& b, const Participants& p) {
  return std::tuple_cat(to_combine(b, p), std::tuple(p.root));
};
constexpr auto to_gather = [](Buffers& b, const Participants& p) {
  return std::tuple(b.own.data(), p.elements, type, b.received.data(), p.elements, type);
};
constexpr auto to_gather_at_root = [](Buffers& b, const Participants& p) {
  return std::tuple_cat(to_gather(b, p), std::tuple(p.root));
};
constexpr auto to_gather_parts_at_root = [](Buffers& b, const Participants& p) {
  return std::tuple(b.own.data(), p.elements, type, b.received.data(), b.counts.data(),
                    b.begins.data(), type, p.root);
};

constexpr std::array operations{
    operation<range::ibcast, MPI_Ibcast, to_broadcast>("bcast", Result::data_of_root, data_of_root),
    operation<range::ireduce, MPI_Ireduce, to_combine_at_root>("reduce", Result::sum,
                                                               at_root<sum_of_all>),
    operation<range::iallreduce, MPI_Iallreduce, to_combine>("allreduce", Result::sum, sum_of_all),
    operation<range::iscan, MPI_Iscan, to_combine>("scan", Result::sum, sum_up_to_own),
    operation<range::iexscan, MPI_Iexscan, to_combine>("exscan", Result::sum, sum_before_own),
    operation<range::igather, MPI_Igather, to_gather_at_root>("gather", Result::data_of_all,
                                                              at_root<data_of_all>),
    operation<range::igatherv, MPI_Igatherv, to_gather_parts_at_root>(
        "gatherv", Result::data_of_all, at_root<data_of_all>),
    operation<range::iallgather, MPI_Iallgather, to_gather>("allgather", Result::data_of_all,
                                                            data_of_all),
    operation<range::ibarrier, MPI_Ibarrier, no_arguments>("barrier", Result::none, nothing),
};

}  // namespace

const CollectiveOperation& collective_operation(std::string_view name) {
  const CollectiveOperation* operation = find_entry(operations, name);
  if (operation != nullptr) return *operation;
  throw std::invalid_argument(fmt::format("unknown collective operation '{}'", name));
}

Buffers buffers_for(const CollectiveOperation& operation, const Participants& p) {
  Buffers b;
  b.own = data_of(p.rank, p.elements);
  const int parts = operation.result == Result::data_of_all ? p.size : 1;
  b.received.assign(static_cast<std::size_t>(parts) * b.own.size(), -1);
  if (operation.result == Result::data_of_root && p.rank == p.root) b.received = b.own;
  for (int rank = 0; rank < p.size; ++rank) {
    b.counts.push_back(p.elements);
    b.begins.push_back(rank * p.elements);
  }
  return b;
}

void execute(const CollectiveOperation& operation, Buffers& buffers,
             const Participants& participants, const GroupComm& comm, const Waiter& waiter) {
  if (const range::Comm* range = comm.as_range()) {
    operation.start_on_range(buffers, participants, *range).wait();
  } else {
    MPI_Request request = MPI_REQUEST_NULL;
    operation.start_in_mpi(buffers, participants, comm.comm(), &request);
    waiter.wait_in_mpi(request);
  }
}

void verify(const CollectiveOperation& operation, const Participants& participants,
            const GroupComm& comm, const Waiter& waiter) {
  Buffers buffers = buffers_for(operation, participants);
  execute(operation, buffers, participants, comm, waiter);
  const std::vector<double> expected = operation.expected(participants);
  if (std::equal(expected.begin(), expected.end(), buffers.received.begin())) return;
  throw std::runtime_error(fmt::format("{} with root {} gave a wrong result on rank {} of {}",
                                       operation.name, participants.root, participants.rank,
                                       participants.size));
}

namespace {

// ---- measuring

Findings measure_collectives(Bench& bench) {
  const Waiter& waiter = bench.world().waiter();
  const CollectiveOperation& operation = collective_operation(bench.text("operation"));
  const Members group = Members::range(0, bench.integer("group_size"));
  const int calls = bench.integer("calls_per_sample");
  const bool creation_timed = bench.text("creation") == "timed";
  Participants participants{group.index_of(bench.rank()), group.size(), 0,
                            bench.integer("elements_per_rank")};
  const bool joins = participants.rank >= 0;
  Buffers buffers;
  if (joins) buffers = buffers_for(operation, participants);

  GroupComm comm = bench.communicator(group);
  for (const int root : {0, group.size() - 1}) {
    participants.root = root;
    if (joins) verify(operation, participants, comm, waiter);
  }
  if (creation_timed) bench.free(comm);
  Findings findings;
  findings.samples["time_s"] = bench.time(bench.integer("samples"), joins, [&] {
    if (creation_timed) comm = bench.communicator(group);
    for (int call = 0; joins && call < calls; ++call) {
      participants.root = call % group.size();
      execute(operation, buffers, participants, comm, waiter);
    }
    if (creation_timed) bench.free(comm);
  });
  bench.free(comm);
  return findings;
}

void settle_collectives(Measurement& measurement, int ranks) {
  settle_whole_groups(measurement, ranks);
  if (measurement.options.text("operation") == "barrier") {
    measurement.options.set("elements_per_rank", "0");
  }
}

double sample_s_of_collectives(const Measurement& measurement, int ranks) {
  return 2e-7 * ranks * measurement.options.real("elements_per_rank");
}

// ---- summary

/// Operations and elements by communicators. Native operations are those on communicators other
/// than range; of several, the fastest.
std::string summarize_collectives(const MeasuredSetting& setting) {
  const std::vector<std::string> communicators = setting.values("communicator");
  std::vector<Cells> rows{{"operation", "elements_per_rank"}};
  rows.front().insert(rows.front().end(), communicators.begin(), communicators.end());
  rows.front().push_back("range / native");
  for (const std::string& name : setting.values("operation")) {
    for (const std::string& elements : setting.values("elements_per_rank")) {
      Cells row{name, elements};
      std::optional<double> range;
      std::optional<double> native;
      for (const std::string& communicator : communicators) {
        const auto time = setting.median(
            "time_median_s",
            {{"operation", name}, {"elements_per_rank", elements}, {"communicator", communicator}});
        row.push_back(time_text(time));
        if (!time) continue;
        if (communicator == "range") {
          range = time;
        } else if (!native || *time < *native) {
          native = time;
        }
      }
      if (!range && !native) continue;
      row.push_back(range && native && *native > 0 ? rounded(*range / *native, 2) : "");
      rows.push_back(std::move(row));
    }
  }
  return rows.size() == 1 ? "" : text_table(rows, {0});
}

// ---- the row

constexpr std::array<std::string_view, 2> creation_words{"before", "timed"};
constexpr std::array options{
    choice_option("operation", "", names_of_rows<operations>,
                  "nonblocking operation, completed at once"),
    strategy_option("communicator", "", {},
                    "strategy that creates the communicator; with `range`, operations of range "
                    "communicators, with others MPI's"),
    group_size_option,
    integer_option("elements_per_rank", "1", 0, 1 << 24, "doubles of each rank"),
    integer_option("calls_per_sample", "1", 1, 1e6, "operations in a row in a sample"),
    choice_option("creation", "before", creation_words,
                  "whether samples include creating and freeing the communicator (timed)"),
    samples_option,
};
constexpr std::array times{
    SampledTime{"time_s", "time from the common start to the return of the last member"}};
constexpr std::array<std::string_view, 3> compared{"operation", "elements_per_rank",
                                                   "communicator"};

}  // namespace

MeasurementKind collectives_kind() {
  MeasurementKind kind{{"collectives", "cost of collective operations", options}};
  kind.times = times;
  kind.measure = measure_collectives;
  kind.settle = settle_collectives;
  kind.sample_s = sample_s_of_collectives;
  kind.summarize = summarize_collectives;
  kind.compared = compared;
  return kind;
}

}  // namespace regroup
