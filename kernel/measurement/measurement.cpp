// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/measurement/measurement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "communicators/strategies.hpp"
#include "kernel/measurement/patterns.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

using nlohmann::json;

template <class Rows>
std::vector<std::string_view> names(const Rows& rows) {
  std::vector<std::string_view> all;
  for (const auto& row : rows) all.push_back(row.name);
  return all;
}

const std::vector<std::string_view> strategy_names = names(strategies);
const std::vector<std::string_view> pattern_names = names(patterns());

constexpr OptionSpec samples_spec = integer_option(
    "samples", "30", 1, 1e6, "how often each is timed, after three that do not count");
constexpr OptionSpec group_size_spec =
    integer_option("group_size", "", 1, 1 << 20, "ranks of a group");

const std::array creation_options{
    choice_option("strategy", "", strategy_names, "communicator strategy"),
    choice_option("pattern", "one_group", pattern_names, "which groups are formed"),
    group_size_spec,
    samples_spec,
    real_option("item_ms", "2", 0, 1e4,
                "items that those outside the group execute meanwhile; 0: not measured"),
    real_option("late_ms", "5", 0, 1e4,
                "how much later than the others one member comes; 0: not measured"),
};

constexpr std::array creation_figures{
    Figure{"groups", "groups that are formed"},
    Figure{"formed_min", "ranks of the smallest group that came out"},
    Figure{"formed_max", "ranks of the largest group that came out"},
    Figure{"batch", "creations in a row that one sample times; its time is their mean"},
    Figure{"create_min_s", "time to create, largest over the members: smallest sample"},
    Figure{"create_median_s", "… median of the samples"},
    Figure{"create_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"create_high_s", "… upper end"},
    Figure{"free_min_s", "time to free, largest over the members: smallest sample"},
    Figure{"free_median_s", "… median of the samples"},
    Figure{"free_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"free_high_s", "… upper end"},
    Figure{"bystander_s",
           "what a rank outside loses by one creation, mean over these ranks: median"},
    Figure{"bystander_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"bystander_high_s", "… upper end"},
    Figure{"busy_create_s", "median time to create while the others execute items"},
    Figure{"late_create_s", "median time to create with one late member, minus its delay"},
    Figure{"messages", "messages of one creation sent by calls of MPI, all ranks together"},
    Figure{"bytes", "bytes in these"},
    Figure{"transport_messages",
           "messages of one creation that MPI hands to its network (MPICH over UCX only)"},
    Figure{"transport_bytes", "bytes in these"},
    Figure{"alive_before", "communicators of a rank before, most over the ranks"},
    Figure{"alive_most", "… at any time"},
    Figure{"alive_after", "… after"},
};

constexpr std::array<std::string_view, 9> operation_words{
    "bcast", "reduce", "allreduce", "scan", "exscan", "gather", "gatherv", "allgather", "barrier"};
constexpr std::array<std::string_view, 2> creation_words{"before", "timed"};
const std::array collective_options{
    choice_option("operation", "", operation_words, "nonblocking operation, completed at once"),
    choice_option("communicator", "", strategy_names,
                  "how its communicator is made; range takes our operations, others MPI's"),
    group_size_spec,
    integer_option("elements", "1", 0, 1 << 24, "doubles of each rank"),
    integer_option("calls", "1", 1, 1e6, "operations in a row that a sample times"),
    choice_option("creation", "before", creation_words,
                  "whether making and freeing the communicator is part of a sample"),
    samples_spec,
};

constexpr std::array collective_figures{
    Figure{"time_min_s",
           "time from the common start to the return of the last member: smallest sample"},
    Figure{"time_median_s", "… median of the samples"},
    Figure{"time_low_s", "… lower end of the 95 % confidence interval of the median"},
    Figure{"time_high_s", "… upper end"},
};

constexpr std::array steps_options{group_size_spec, samples_spec};

constexpr std::array steps_figures{
    Figure{"look_s", "a leader looks for a request that is not there: median"},
    Figure{"message_s", "a message reaches a leader that waits: median"},
    Figure{"tell_s",
           "what an item takes longer because the leader orders it to the members of its group: "
           "median"},
    Figure{"exchange_s", "loads are exchanged among the leaders of all groups: median"},
};

const std::array kinds{
    MeasurementKind{{"creation", "what forming communicators costs", creation_options},
                    creation_figures},
    MeasurementKind{{"collectives", "what collective operations cost", collective_options},
                    collective_figures},
    MeasurementKind{{"steps", "what the other steps of the mpi engine cost", steps_options},
                    steps_figures},
};

json as_json(const Measurement& m) {
  json parameters = json::object();
  for (const auto& [name, value] : m.parameters) parameters[name] = value;
  return {{"kind", m.kind},
          {"experiment", m.experiment},
          {"ranks", m.ranks},
          {"waiting", m.waiting},
          {"repetition", m.repetition},
          {"seed", m.seed},
          {"parameters", std::move(parameters)},
          {"timeout_s", m.timeout_s}};
}

}  // namespace

std::span<const MeasurementKind> measurement_kinds() { return kinds; }

std::string to_json(const Measurement& measurement) { return as_json(measurement).dump(); }

bool is_measurement(const std::string& text) { return json::parse(text).contains("kind"); }

Measurement measurement_from_json(const std::string& text) {
  const json value = json::parse(text);
  Measurement m;
  value.at("kind").get_to(m.kind);
  value.at("experiment").get_to(m.experiment);
  value.at("ranks").get_to(m.ranks);
  value.at("waiting").get_to(m.waiting);
  value.at("repetition").get_to(m.repetition);
  value.at("seed").get_to(m.seed);
  value.at("timeout_s").get_to(m.timeout_s);
  for (const auto& [name, option] : value.at("parameters").items()) {
    m.parameters.set(name, option.get<std::string>());
  }
  const MeasurementKind* kind = find_entry(measurement_kinds(), m.kind);
  if (kind == nullptr || m.ranks < 1) {
    throw std::invalid_argument(
        fmt::format("unknown measurement of '{}' on {} ranks", m.kind, m.ranks));
  }
  check_options(*kind, m.parameters);
  return m;
}

std::string to_json(const Findings& f) {
  return json{{"figures", f.figures},
              {"cores", f.cores},
              {"waiting", f.waiting},
              {"library", f.library},
              {"setup_s", f.setup_s}}
      .dump();
}

Findings findings_from_json(const std::string& text) {
  const json value = json::parse(text);
  Findings f;
  value.at("figures").get_to(f.figures);
  value.at("cores").get_to(f.cores);
  value.at("waiting").get_to(f.waiting);
  value.at("library").get_to(f.library);
  value.at("setup_s").get_to(f.setup_s);
  return f;
}

std::string fingerprint(const Measurement& measurement) {
  json value = as_json(measurement);
  value.erase("timeout_s");
  return hash_text(value.dump());
}

std::string impossible(const Measurement& m) {
  const int group_size = static_cast<int>(m.parameters.integer("group_size"));
  if (group_size > m.ranks) {
    return fmt::format("a group of {} does not fit into {} ranks", group_size, m.ranks);
  }
  if (m.kind == "steps") return {};
  const bool creation = m.kind == "creation";
  const Strategy& strategy =
      *find_entry(strategies, m.parameters.text(creation ? "strategy" : "communicator"));
  std::vector<Layer> layers{{Members::range(0, group_size)}};
  if (creation) {
    const Pattern& pattern = *find_entry(patterns(), m.parameters.text("pattern"));
    layers = pattern.layers(m.ranks, group_size, m.seed);
  }
  for (const Layer& layer : layers) {
    for (const Members& group : layer) {
      if (strategy.forms == Forms::ranges && !group.is_range()) {
        return fmt::format("{} forms ranges of its parent only", strategy.name);
      }
      if (!strategy.serves_balancers() && group.size() != m.ranks) {
        return fmt::format("{} is entered by all ranks and forms {} only", strategy.name,
                           strategy.forms == Forms::whole ? "a copy of its parent"
                                                          : "what shares a part of the machine");
      }
    }
  }
  return {};
}

}  // namespace regroup
