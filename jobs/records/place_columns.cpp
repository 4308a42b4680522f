// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "jobs/records/column.hpp"
#include "jobs/records/place_file.hpp"
#include "kernel/files/plain_text.hpp"

namespace regroup {
namespace {

/// Empty where there is no place, too.
template <class Value>
Column if_placed(ResultColumn column, Value value) {
  return if_ok(std::move(column), [value](const Row& row) {
    const Whereabouts& where = row.outcome->where;
    return where.nodes == 0 ? std::string() : value(where);
  });
}

Column count(ResultColumn column, int Whereabouts::*member) {
  return if_placed(std::move(column),
                   [member](const Whereabouts& where) { return std::to_string(where.*member); });
}

}  // namespace

Columns columns_of_cores() {
  return {
      count({"cores", content::integer,
             "cores that the processes may use, of all nodes together, by their affinity and the "
             "quotas of control groups; empty where they are simulated"},
            &Whereabouts::cores),
      if_placed(
          {"oversubscribed", content::yes_no,
           "`yes` where on some node ranks outnumber the cores that they may use, or some rank "
           "has no core for itself, as ranks are bound"},
          [](const Whereabouts& where) { return std::string(where.crowded ? "yes" : "no"); })};
}

void add_place(Columns& columns, bool runs) {
  columns.push_back(
      count({"nodes", content::integer, "hosts that the processes were on; empty where simulated"},
            &Whereabouts::nodes));
  columns.push_back(count({"ranks_per_node_min", content::integer, "fewest ranks on one of them"},
                          &Whereabouts::ranks_per_node_min));
  columns.push_back(count({"ranks_per_node_max", content::integer, "most ranks on one of them"},
                          &Whereabouts::ranks_per_node_max));
  columns.push_back(if_placed(
      {"placement", content::text,
       "sixteen digits that name the nodes, which rank was where, what ranks were bound to, what "
       "else matters of the nodes, and the MPI library; `places/` has a file of this name"},
      [](const Whereabouts& where) { return where.placement; }));
  if (runs) {
    columns.push_back(if_ok({"groups_across_nodes", content::integer,
                             "groups (rows of `events.csv`) that had ranks on "
                             "several nodes; simulated ones, too, where `ranks_per_node` says so"},
                            [](const Row& row) {
                              const Whereabouts& where = row.outcome->where;
                              const bool nowhere = where.nodes == 0 && row.task.ranks_per_node == 0;
                              return nowhere ? "" : std::to_string(where.groups_across_nodes);
                            }));
  }
  columns.push_back({{"began", content::maybe(content::utc_time),
                      "when the task was launched, in UTC; empty where simulated"},
                     [](const Row& row) { return row.record.began; }});
  columns.push_back(if_placed({"job_id", content::text,
                               "the job of the scheduler (Slurm, PBS, Flux or LSF) that it ran in"},
                              [](const Whereabouts& where) { return one_line(where.job_id); }));
  columns.push_back(if_placed(
      {"load_average_before", content::number,
       "processes that ran, or waited to, in the minute before (the load average of the system) "
       "on the node that had most of them"},
      [](const Whereabouts& where) { return fmt::format("{}", where.load_average_before); }));
}

}  // namespace regroup
