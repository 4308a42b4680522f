// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/remarks.hpp"

#include <fmt/format.h>

#include "kernel/text/units.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

/// The least slowdown of items in larger groups that is reported.
constexpr double clearly = 1.03;

std::string on_item_times(const Record& record) {
  constexpr double much = 2;
  constexpr double least_s = 1e-3;  // late wakeups make shorter items longer
  const Task& task = record.task;
  if (!task.run().engine->real || task.has_recorded_times()) return {};
  const bool computes = task.has_own_times();
  const int ranks = task.run().group_size;
  const auto item_s = measured_item_s(record.outcome.lives);
  const auto found = item_s.find(ranks);
  if (found == item_s.end()) return {};
  const double said_s = (computes ? believed_time_of(task) : item_time_of(task)).seconds(ranks);
  const double ratio = found->second / said_s;
  if (1 / much <= ratio && ratio <= much) return {};
  if (!computes && found->second < said_s + least_s) return {};
  return fmt::format(
      "warning: an item took {} on {}, not {} as expected from item_ms and speedup{}",
      in_fitting_unit(found->second), counted(ranks, "rank"), in_fitting_unit(said_s),
      computes ? "" : "; the ideal is too short");
}

std::string on_larger_groups(const Record& record) {
  const RegroupEffects& effects = record.effects;
  if (effects.slowdown < clearly) return {};
  if (record.task.run().balancer->name == "spread") {
    if (effects.undone == 0 || effects.kept > 0) return {};
    return fmt::format("groups larger than {} were slower for this walker, so none was kept",
                       record.task.run().group_size);
  }
  return fmt::format(
      "items took {:.2g} × as long in larger groups; the balancer 'spread' detects and undoes such "
      "regroupings",
      effects.slowdown);
}

}  // namespace

std::vector<std::string> remarks_on(const Record& record) {
  std::vector<std::string> remarks;
  if (!record.ok() || !record.task.is_run()) return remarks;
  for (std::string text : {on_item_times(record), on_larger_groups(record)}) {
    if (!text.empty()) remarks.push_back(std::move(text));
  }
  return remarks;
}

}  // namespace regroup
