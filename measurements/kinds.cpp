// SPDX-License-Identifier: BSD-3-Clause
#include "measurements/kinds.hpp"

#include <fmt/format.h>

#include <array>

#include "measurements/summary.hpp"

namespace regroup {

std::span<const MeasurementKind> measurement_kinds() {
  static const std::array kinds{creation_kind(), collectives_kind(), steps_kind(), items_kind(),
                                sort_kind()};
  return kinds;
}

bool settle_whole_groups(Measurement& measurement, int ranks) {
  const Strategy* strategy = measurement.strategy;
  if (strategy == nullptr || strategy->serves_balancers()) return false;
  if (measurement.options.has("group_size")) {
    measurement.options.set("group_size", std::to_string(ranks));
  }
  return true;
}

std::string hindrance_by_size(int group_size, int ranks) {
  if (group_size <= ranks) return {};
  return fmt::format("a group of {} does not fit into {} ranks", group_size, ranks);
}

std::string hindrance_by_strategy(const Strategy& strategy, const Members& group, int ranks) {
  if (!strategy.serves_balancers() && group.size() != ranks) {
    return fmt::format("{} is entered by all ranks and forms {} only", strategy.name,
                       strategy.forms == Forms::whole ? "a copy of its parent"
                                                      : "what shares a part of the machine");
  }
  return {};
}

void settle(Measurement& measurement, int ranks) {
  if (measurement.kind->settle != nullptr) return measurement.kind->settle(measurement, ranks);
  settle_whole_groups(measurement, ranks);
}

bool is_left_out(const Measurement& measurement, int ranks) {
  if (measurement.kind->left_out != nullptr) return measurement.kind->left_out(measurement, ranks);
  const Options& options = measurement.options;
  return options.has("group_size") && options.integer("group_size") > ranks;
}

std::string hindrance(const Measurement& measurement, int ranks, std::uint64_t seed) {
  const auto of_kind = measurement.kind->hindrance;
  return of_kind != nullptr ? of_kind(measurement, ranks, seed)
                            : hindrance_by_group(measurement, ranks);
}

std::string hindrance_by_group(const Measurement& measurement, int ranks) {
  if (!measurement.options.has("group_size")) return {};
  const auto group_size = static_cast<int>(measurement.options.integer("group_size"));
  const std::string reason = hindrance_by_size(group_size, ranks);
  if (!reason.empty() || measurement.strategy == nullptr) return reason;
  return hindrance_by_strategy(*measurement.strategy, Members::range(0, group_size), ranks);
}

bool draws(const Measurement& measurement) {
  return measurement.kind->draws != nullptr && measurement.kind->draws(measurement);
}

double measuring_s(const Measurement& measurement, int ranks) {
  // All ranks synchronize a few times per sample: 64 ranks on 2 cores take 60 to 150 ms.
  double sample_s = 1e-3 * ranks;
  const auto more = measurement.kind->sample_s;
  if (more != nullptr) sample_s += more(measurement, ranks);
  return sample_s * measurement.options.real("samples");
}

std::string summary_of(const MeasuredSetting& setting) {
  const auto summarize = setting.kind().summarize;
  return summarize != nullptr ? summarize(setting) : table_of(setting);
}

}  // namespace regroup
