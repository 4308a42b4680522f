// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/placements.hpp"

#include <fmt/format.h>

#include "jobs/records/csv_cells.hpp"
#include "jobs/words/console.hpp"

namespace regroup {

Placements::Known Placements::read() const {
  Known known;
  CsvReader reader(results_.path(table_));
  while (reader.next()) {
    const CsvRow row = reader.row();
    const std::string placement = row["placement"];
    if (!placement.empty()) known[number<int>(row, "ranks")].insert(placement);
  }
  return known;
}

void Placements::keep(int ranks, const PlaceFile& place) {
  if (place.placement.empty()) return;
  if (!known_) known_ = read();
  std::set<std::string>& places = (*known_)[ranks];
  const std::string other = places.empty() ? "" : *places.begin();
  if (places.insert(place.placement).second && !other.empty() && !said_) {
    said_ = true;
    complain(fmt::format(
        "{} ranks are at another place than in rows before: see {} and {} in {}; tables and plots "
        "keep them apart",
        ranks, place_file_name(other), place_file_name(place.placement), results_.directory()));
  }
  results_.keep(place_file_name(place.placement), place.text);
}

}  // namespace regroup
