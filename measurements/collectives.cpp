// SPDX-License-Identifier: BSD-3-Clause
//
// The cost of collective operations on a range communicator or an MPI communicator, with or without
// its creation: after Figures 4, 7 and 9 of the RBC paper (arXiv 1710.08027). A sample consists of
// `calls_per_sample` consecutive operations, whose roots take turns.
#include "measurements/collectives.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernel/numbers/statistics.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"
#include "measurements/kinds.hpp"
#include "measurements/summary.hpp"

namespace regroup {

// ---- calls

namespace {

constexpr std::int64_t word_bytes = sizeof(double);

int number_of(BufferParts parts, int members) {
  if (parts == BufferParts::one_per_member) return members;
  return parts == BufferParts::one ? 1 : 0;
}

unsigned char byte_of(double value) {
  return static_cast<unsigned char>(static_cast<std::int64_t>(value));
}

}  // namespace

PartsBuffer::PartsBuffer(int parts, std::int64_t bytes)
    : holds_doubles_(bytes % word_bytes == 0),
      count_(static_cast<int>(holds_doubles_ ? bytes / word_bytes : bytes)),
      words_(static_cast<std::size_t>(parts * bytes / word_bytes + 1), -1) {}

void PartsBuffer::set(int part, int element, double value) {
  if (holds_doubles_) {
    words_[index(part, element)] = value;
  } else {
    reinterpret_cast<unsigned char*>(words_.data())[index(part, element)] = byte_of(value);
  }
}

bool PartsBuffer::holds(int part, int element, double value) const {
  if (holds_doubles_) return words_[index(part, element)] == value;
  const auto byte = reinterpret_cast<const unsigned char*>(words_.data())[index(part, element)];
#ifdef OPEN_MPI  // 4.1 saturates some sums of bytes
  if (value > 255) return true;
#endif
  return byte == byte_of(value);
}

OwnedCall::OwnedCall(const CollectiveOperation& operation, const GroupComm& comm,
                     const Waiter& waiter, std::int64_t bytes)
    : operation_(operation),
      parts_of_result_(number_of(operation.result, comm.size())),
      data_(number_of(operation.data, comm.size()), bytes),
      result_(parts_of_result_, bytes),
      counts_(static_cast<std::size_t>(comm.size()), data_.count()),
      call_{.comm = comm,
            .waiter = waiter,
            .participants = {comm.rank(), comm.size(), 0},
            .count = data_.count(),
            .type = data_.holds_doubles() ? MPI_DOUBLE : MPI_UNSIGNED_CHAR,
            .data = data_.data(),
            .result = result_.data(),
            .counts = counts_.data()} {
  for (int member = 0; member < comm.size(); ++member) {
    begins_.push_back(member * data_.count());
  }
  call_.begins = begins_.data();
  for (int part = 0; part < number_of(operation.data, comm.size()); ++part) {
    for (int element = 0; element < data_.count(); ++element) {
      data_.set(part, element, collective_datum(comm.rank(), part, element));
    }
  }
}

void OwnedCall::verify(int root) {
  const Participants& p = call_.participants;
  execute(root);
  for (int part = 0; part < parts_of_result_; ++part) {
    for (int element = 0; element < result_.count(); ++element) {
      const std::optional<double> value = operation_.expected(p, part, element);
      if (!value || result_.holds(part, element, *value)) continue;
      throw std::runtime_error(fmt::format("{} with root {} gave a wrong result on rank {} of {}",
                                           operation_.name, root, p.rank, p.size));
    }
  }
}

namespace {

// ---- measuring

Findings measure_collectives(Bench& bench) {
  const CollectiveOperation& operation = *bench.measurement().operation;
  const Members group = Members::range(0, bench.integer("group_size"));
  const int calls = bench.integer("calls_per_sample");
  const int bytes = bench.integer("bytes");
  const bool creation_timed = bench.text("creation") == "timed";
  const bool joins = group.index_of(bench.rank()) >= 0;

  GroupComm comm = bench.communicator(group);
  OwnedCall call(operation, comm, bench.world().waiter(), bytes);
  for (const int root : {0, group.size() - 1}) {
    if (joins) call.verify(root);
  }
  if (creation_timed) bench.free(comm);
  Bench::Durations durations = bench.durations(bench.integer("samples"), joins, [&] {
    if (creation_timed) comm = bench.communicator(group);
    for (int i = 0; joins && i < calls; ++i) call.execute(i % group.size());
    if (creation_timed) bench.free(comm);
  });
  bench.free(comm);

  Findings findings;
  const auto per_call = [&](std::vector<Sample> samples) {
    for (Sample& sample : samples) sample.value_s /= calls;
    return samples;
  };
  const std::vector<Sample>& slowest = findings.samples["time_s"] =
      per_call(std::move(durations.largest));
  if (operation.rated_parts > 0 && bytes > 0) {
    std::vector<double> times;
    for (const Sample& sample : slowest) times.push_back(sample.value_s);
    findings.figures["mb_per_s"] = 1e-6 * bytes * operation.rated_parts / median(std::move(times));
  }
  findings.samples["mean_rank_s"] = per_call(std::move(durations.mean));
  findings.samples["fastest_rank_s"] = per_call(std::move(durations.smallest));
  return findings;
}

void settle_collectives(Measurement& measurement, int ranks) {
  settle_whole_groups(measurement, ranks);
  const CollectiveOperation* operation = measurement.operation;
  if (operation->data == BufferParts::none && operation->result == BufferParts::none) {
    measurement.options.set("bytes", "0");
  }
}

/// MPI counts elements as `int`, even those of all parts together.
std::string hindrance_of_collectives(const Measurement& measurement, int ranks, std::uint64_t) {
  const CollectiveOperation& operation = *measurement.operation;
  const std::int64_t members = measurement.options.integer("group_size");
  const bool many = operation.data == BufferParts::one_per_member ||
                    operation.result == BufferParts::one_per_member;
  const std::int64_t bytes = measurement.options.integer("bytes") * (many ? members : 1);
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (bytes <= most) return hindrance_by_group(measurement, ranks);
  return fmt::format("{} has {} bytes on one rank; at most {}", operation.name, bytes, most);
}

double sample_s_of_collectives(const Measurement& measurement, int ranks) {
  const Options& options = measurement.options;
  return 2.5e-8 * ranks * options.real("bytes") * options.real("calls_per_sample");
}

// ---- summary

/// Returns a table of operations and sizes by communicator. The native time is that of the fastest
/// communicator other than range.
std::string summarize_collectives(const MeasuredSetting& setting) {
  const std::vector<std::string> communicators = setting.values("communicator");
  std::vector<Cells> rows{{"operation", "bytes"}};
  rows.front().insert(rows.front().end(), communicators.begin(), communicators.end());
  rows.front().push_back("range / native");
  for (const std::string& name : setting.values("operation")) {
    for (const std::string& bytes : setting.values("bytes")) {
      Cells row{name, bytes};
      std::optional<double> range;
      std::optional<double> native;
      for (const std::string& communicator : communicators) {
        const Options options{
            {"operation", name}, {"bytes", bytes}, {"communicator", communicator}};
        const auto time = setting.median("time_median_s", options);
        const auto rate = setting.median("mb_per_s", options);
        row.push_back(rate ? fmt::format("{:.4g} MB/s", *rate) : time_text(time));
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
    operation_option("operation",
                     "operation to measure. An operation of MPI is started by its nonblocking "
                     "function, such as MPI_Ibcast, and then waited for."),
    strategy_option("communicator", "", {},
                    "strategy that creates the communicator. With `range` and `icreate_group`, the "
                    "operation is that of range communicators, otherwise that of MPI."),
    group_size_option,
    bytes_option("bytes", "8", 0, 1 << 27,
                 "amount of data per rank or, for operations such as `alltoall` that send "
                 "different data to each member, per pair of ranks. Elements are doubles if the "
                 "number is a multiple of 8, otherwise bytes."),
    integer_option("calls_per_sample", "1", 1, 1e6, "number of consecutive operations in a sample"),
    choice_option("creation", "before", creation_words,
                  "when the communicator is created: once before all samples (`before`), or in "
                  "each sample, whose time then includes creating and freeing it (`timed`)"),
    samples_option,
};
constexpr std::array times{
    SampledTime{"time_s", "time of a call on the slowest rank, mean over the calls of a sample"},
    SampledTime{"mean_rank_s", "time of a call, mean over the ranks of the group", Becomes::median},
    SampledTime{"fastest_rank_s", "time of a call on the fastest rank", Becomes::median},
};
constexpr std::array figures{Figure{"mb_per_s",
                                    "bandwidth in 10^6 bytes per second, from `time_median_s`. "
                                    "Only for the operation `bandwidth`, and not for 0 bytes."}};
constexpr std::array<std::string_view, 3> compared{"operation", "bytes", "communicator"};

}  // namespace

MeasurementKind collectives_kind() {
  MeasurementKind kind{{"collectives", "cost of collective operations and of messages", options}};
  kind.times = times;
  kind.figures = figures;
  kind.measure = measure_collectives;
  kind.settle = settle_collectives;
  kind.hindrance = hindrance_of_collectives;
  kind.sample_s = sample_s_of_collectives;
  kind.summarize = summarize_collectives;
  kind.compared = compared;
  return kind;
}

}  // namespace regroup
