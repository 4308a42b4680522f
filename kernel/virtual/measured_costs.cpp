// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/virtual/measured_costs.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "kernel/csv.hpp"
#include "kernel/exact_math.hpp"
#include "kernel/user_error.hpp"

namespace regroup {

std::vector<std::pair<double, double>> read_measured_costs(const std::string& file,
                                                           const std::string& strategy,
                                                           bool by_parent) {
  const CsvTable table = read_csv(file);
  const std::size_t name = table.column("strategy");
  const std::size_t pattern = table.column("pattern");
  const std::size_t status = table.column("status");
  const std::size_t size = table.column(by_parent ? "ranks" : "group_size");
  const std::size_t time = table.column("create_median_s");

  std::map<double, double> points;  // of several rows with one size, the last counts
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::vector<std::string>& row = table.rows[i];
    if (row[name] != strategy || row[pattern] != "one_group" || row[status] != "ok") continue;
    const double ranks = std::strtod(row[size].c_str(), nullptr);
    const double seconds = std::strtod(row[time].c_str(), nullptr);
    if (!(ranks >= 1) || !(seconds >= 0)) {
      throw UserError(
          fmt::format("{}:{}: '{}' ranks in '{}' s cannot be", file, i + 2, row[size], row[time]));
    }
    points[ranks > 1 ? exact::log2(ranks) : 0] = seconds;
  }
  if (points.empty()) {
    throw UserError(fmt::format("{}: there is no row of {} with pattern one_group and status ok",
                                file, strategy));
  }
  return {points.begin(), points.end()};
}

}  // namespace regroup
