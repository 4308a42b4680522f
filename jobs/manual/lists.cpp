// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/manual/lists.hpp"

#include <fmt/format.h>

#include "communicators/available.hpp"
#include "jobs/catalog/catalog.hpp"
#include "jobs/configuration/balancings.hpp"
#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/results/sample_rows.hpp"
#include "jobs/summaries/table_columns.hpp"
#include "jobs/summaries/table_data.hpp"
#include "jobs/sweep/result_files.hpp"
#include "kernel/measurement/patterns.hpp"
#include "kernel/measurement/sampled.hpp"

namespace regroup {
namespace {

template <class Rows>
std::vector<ListRow> rows_of(const Rows& rows) {
  std::vector<ListRow> all;
  for (const auto& row : rows) {
    all.push_back({std::string(row.name), std::string(row.help)});
    if constexpr (requires { row.options; }) {
      for (const OptionSpec& spec : row.options) {
        all.back().options.push_back(ConfigKey::of(spec, false));
      }
    }
  }
  return all;
}

const std::string not_on_simgrid = "unsupported on engine simgrid";
const std::string ends_by_itself = "ends by itself; unsupported on engine virtual";

std::vector<ListRow> strategy_rows() {
  std::vector<ListRow> rows = rows_of(standard_catalog().strategies);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Strategy& strategy = standard_catalog().strategies[i];
    const bool parent = strategy.caller == Caller::parent;
    rows[i].notes.push_back(
        fmt::format("{}-collective: {}", parent ? "parent" : "group",
                    !strategy.serves_balancers()   ? "measured only, serves no balancer"
                    : parent                       ? "serves balancers that regroup in exchanges"
                    : strategy.forms == Forms::any ? "serves every balancer"
                                                   : "serves balancers whose groups are ranges"));
    if (!available(strategy.name)) rows[i].lacking = "unsupported: the MPI library lacks its calls";
    if (!strategy.smpi) rows[i].notes.push_back(not_on_simgrid);
  }
  return rows;
}

std::vector<ListRow> walker_rows() {
  std::vector<ListRow> rows = rows_of(standard_catalog().walkers);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const WalkerEntry& walker = standard_catalog().walkers[i];
    if (!walker.observes.empty())
      rows[i].notes.push_back(fmt::format("observes {}", walker.observes));
    if (walker.open_end) rows[i].notes.push_back(ends_by_itself);
    if (!walker.smpi) rows[i].notes.push_back(not_on_simgrid);
  }
  return rows;
}

/// The key `communicator` of each balancer, which is no option of its own.
List strategies_of_balancers() {
  List list{"communicators", "communicator strategies that balancers can be run with", "balancer"};
  for (const BalancerEntry& balancer : standard_catalog().balancers) {
    if (const auto key = communicator_key(balancer)) {
      list.rows.push_back({std::string(balancer.name), "", {}, {*key}});
    }
  }
  return list;
}

template <class Columns>
List list_of(const std::string& word, const std::string& title, const Columns& columns) {
  List list{word, title, "column"};
  for (const ResultColumn& column : columns) {
    ListRow& row = list.rows.emplace_back(ListRow{column.name, column.help});
    row.content = column.content;
  }
  return list;
}

}  // namespace

std::vector<List> lists_of_choices() {
  return {
      {"engines", "engines", "engine", rows_of(standard_catalog().engines)},
      {"balancers", "balancers", "balancer", rows_of(standard_catalog().balancers)},
      {"strategies", "communicator strategies", "strategy", strategy_rows()},
      {"workloads", "workloads", "workload", rows_of(standard_catalog().workloads)},
      {"wants", "what walkers may want", "wants", rows_of(standard_catalog().wants)},
      {"speedups", "speed-up models", "speed-up", rows_of(standard_catalog().speedups)},
      {"walkers", "walkers", "walker", walker_rows()},
      {"costs", "cost models of virtual time", "cost model", rows_of(standard_catalog().costs)},
      {"patterns", "patterns of groups, whose creation is measured", "pattern",
       rows_of(standard_catalog().patterns)},
      {"measurements", "kinds of measurement (regroup KIND CONFIG)", "kind",
       rows_of(standard_catalog().measurements)},
      {"parameters",
       "parameters of a configuration (each may be a list)",
       "",
       {},
       keys_of_parameters()},
  };
}

std::vector<List> lists_of_files() {
  std::vector<List> lists{
      strategies_of_balancers(),
      {"keys", "keys of the configuration of an experiment", "", {}, configuration_keys()}};
  for (const MeasurementKind& kind : standard_catalog().measurements) {
    lists.push_back({std::string(kind.name),
                     fmt::format("keys of a configuration of measurements of {}", kind.name),
                     "",
                     {},
                     configuration_keys(&kind)});
  }
  lists.push_back({"samples", fmt::format("times that {} has samples of", samples_file), "figure",
                   rows_of(sampled_times())});
  for (const ResultFile& file : all_result_files()) {
    lists.push_back(list_of(file.name, fmt::format("columns of {}", file.name), file.columns));
  }
  lists.push_back(
      {"table", "columns of what regroup table prints", "column", rows_of(table_columns())});
  lists.push_back(
      list_of("table.csv", "columns of what regroup table prints as csv and json", data_columns()));
  return lists;
}

}  // namespace regroup
