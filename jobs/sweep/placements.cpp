// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/placements.hpp"

#include <fmt/format.h>

#include "jobs/records/csv_cells.hpp"
#include "jobs/words/console.hpp"

namespace regroup {

namespace {

/// Names what tasks have in common that shall be at one place.
std::string how_asked(const std::string& ranks, const std::string& ranks_per_node,
                      const std::string& order, const std::string& seed) {
  return fmt::format("{} {} {} {}", ranks, ranks_per_node, order, order == "random" ? seed : "");
}

}  // namespace

Placements::Known Placements::read() const {
  Known known;
  CsvReader reader(results_.path(table_));
  const Scenario usual;
  while (reader.next()) {
    const CsvRow row = reader.row();
    const auto text = [&](std::string_view column, const std::string& older) {
      return row.has(column) ? row[column] : older;
    };
    const std::string placement = row["placement"];
    if (!placement.empty()) {
      known[how_asked(row["ranks"], text("ranks_per_node", std::to_string(usual.ranks_per_node)),
                      text("rank_order", usual.order), row["seed"])]
          .insert(placement);
    }
  }
  return known;
}

void Placements::keep(const Scenario& task, const PlaceFile& place) {
  if (place.placement.empty()) return;
  if (!known_) known_ = read();
  std::set<std::string>& places =
      (*known_)[how_asked(std::to_string(task.ranks), std::to_string(task.ranks_per_node),
                          task.order, std::to_string(task.seed))];
  const std::string other = places.empty() ? "" : *places.begin();
  if (places.insert(place.placement).second && !other.empty() && !said_) {
    said_ = true;
    complain(fmt::format(
        "{} ranks are at another place than in rows before: see {} and {} in {}; tables and plots "
        "keep them apart",
        task.ranks, place_file_name(other), place_file_name(place.placement),
        results_.directory()));
  }
  results_.keep(place_file_name(place.placement), place.text);
}

}  // namespace regroup
