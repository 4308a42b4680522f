// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/launching.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "jobs/launch/engine.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/selection/shard_directories.hpp"
#include "jobs/words/console.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {

void Launching::learn(const std::string& directory) {
  std::vector<std::string> directories = shard_directories(directory);
  directories.push_back(directory);
  for (const std::string& one : directories) {
    const std::string path = one + "/" + file_of("run");
    if (!is_there(path)) continue;
    try {
      learn_from_file(path);
    } catch (const UserError& error) {  // no reason not to plan
      complain(fmt::format("{}; nothing was learnt from it", error.what()));
    }
  }
}

void Launching::learn_from_file(const std::string& path) {
  CsvReader reader(path);
  while (reader.next()) {
    const CsvRow row = reader.row();
    if (row["status"] != "ok" || row["clock"] != "wall") continue;
    const auto ranks = parse<int>(row["ranks"]);
    const auto wall_s = parse<double>(row["wall_s"]);
    const auto makespan_s = parse<double>(row["makespan_s"]);
    if (!seen_.insert(row["run"]).second) continue;  // merged, and in its shard
    if (!ranks || *ranks < 1 || !wall_s || !makespan_s) continue;
    const double other_s = *wall_s - *makespan_s;
    if (std::isfinite(other_s) && other_s > 0) measured_s_[*ranks].push_back(other_s);
  }
}

std::size_t Launching::runs() const {
  std::size_t sum = 0;
  for (const auto& [ranks, all] : measured_s_) sum += all.size();
  return sum;
}

double Launching::seconds(int ranks) const {
  if (measured_s_.empty()) return usual_launching_s(ranks);
  auto nearest = measured_s_.lower_bound(ranks);
  if (nearest == measured_s_.end() ||
      (nearest != measured_s_.begin() &&
       ranks - std::prev(nearest)->first < nearest->first - ranks)) {
    --nearest;
  }
  const auto& [known, all] = *nearest;
  return median(all) * usual_launching_s(ranks) / usual_launching_s(known);
}

}  // namespace regroup
