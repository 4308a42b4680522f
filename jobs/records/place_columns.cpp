// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "jobs/records/column.hpp"
#include "jobs/records/place_file.hpp"
#include "kernel/files/plain_text.hpp"

namespace regroup {
namespace {

/// Empty where there is no place.
template <class Value>
std::function<std::string(const Row&)> if_placed(Value value) {
  return if_ok([value](const Row& row) {
    const Whereabouts& where = row.outcome->where;
    return where.nodes == 0 ? std::string() : value(where);
  });
}

std::function<std::string(const Row&)> number(int Whereabouts::*member) {
  return if_placed([member](const Whereabouts& where) { return std::to_string(where.*member); });
}

}  // namespace

Columns columns_of_cores() {
  return {{{"cores",
            "cores that the processes may use, of all nodes together, by their affinity and the "
            "quotas of control groups; empty where they are simulated"},
           number(&Whereabouts::cores)},
          {{"oversubscribed",
            "`yes` where on some node ranks outnumber the cores that they may use, or some rank "
            "has no core for itself, as ranks are bound"},
           if_placed([](const Whereabouts& where) {
             return std::string(where.crowded ? "yes" : "no");
           })}};
}

void add_place(Columns& columns, bool runs) {
  columns.push_back({{"nodes", "hosts that the processes were on; empty where simulated"},
                     number(&Whereabouts::nodes)});
  columns.push_back({{"ranks_per_node_min", "fewest ranks on one of them"},
                     number(&Whereabouts::ranks_per_node_min)});
  columns.push_back({{"ranks_per_node_max", "most ranks on one of them"},
                     number(&Whereabouts::ranks_per_node_max)});
  columns.push_back(
      {{"placement",
        "sixteen digits that name the nodes, which rank was where, what ranks were bound to, what "
        "else matters of the nodes, and the MPI library; `places/` has a file of this name"},
       if_placed([](const Whereabouts& where) { return where.placement; })});
  if (runs) {
    columns.push_back({{"groups_across_nodes",
                        "groups (rows of `events.csv`) that had ranks on "
                        "several nodes; simulated ones, too, where `ranks_per_node` says so"},
                       if_ok([](const Row& row) {
                         const Whereabouts& where = row.outcome->where;
                         const bool nowhere = where.nodes == 0 && row.task.ranks_per_node == 0;
                         return nowhere ? "" : std::to_string(where.groups_across_nodes);
                       })});
  }
  columns.push_back({{"began", "when the task was launched, in UTC; empty where simulated"},
                     [](const Row& row) { return row.record.began; }});
  columns.push_back(
      {{"job_id", "the job of the scheduler (Slurm, PBS, Flux or LSF) that it ran in"},
       if_placed([](const Whereabouts& where) { return one_line(where.job_id); })});
  columns.push_back(
      {{"load_before",
        "processes that ran, or waited to, in the minute before (the load average of the system) "
        "on the node that had most of them"},
       if_placed([](const Whereabouts& where) { return fmt::format("{}", where.load_before); })});
}

}  // namespace regroup
