// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/repeated.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernel/numbers/statistics.hpp"
#include "kernel/text/units.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

namespace {

/// Returns the makespans of the repetitions up to `last` that ended well.
std::vector<double> times_up_to(const std::map<int, std::optional<double>>& setting, int last) {
  std::vector<double> all;
  for (const auto& [repetition, makespan_s] : setting) {
    if (repetition <= last && makespan_s) all.push_back(*makespan_s);
  }
  return all;
}

}  // namespace

void Repeated::read(const std::string& directory,
                    const std::function<bool(const std::string& run)>& counts) {
  if (!experiment_.repetitions.adaptive()) return;
  std::unordered_map<std::uint64_t, std::size_t> indices;  // by run
  for (std::size_t i = 0; i < experiment_.size(); ++i) {
    indices.emplace(hash_from(fingerprint(experiment_.at(i))).value(), i);
  }
  each_record(directory, nullptr, experiment_.catalog(), [&](const CsvRow&, const Record& record) {
    const auto run = hash_from(record.run);
    const auto found = run ? indices.find(*run) : indices.end();
    if (found == indices.end() || (counts && !counts(record.run))) return;
    add(found->second, record);
  });
}

void Repeated::add(std::size_t index, const Record& record) {
  if (!experiment_.repetitions.adaptive()) return;
  auto& makespan_s = by_setting_[experiment_.setting(index)][experiment_.repetition(index)];
  if (record.ok()) makespan_s = record.makespan_s;
}

const Repeated::Setting& Repeated::setting_of(std::size_t index) const {
  static const Setting none;
  const auto found = by_setting_.find(experiment_.setting(index));
  return found == by_setting_.end() ? none : found->second;
}

bool Repeated::needs(std::size_t index) const {
  const Repetitions& rule = experiment_.repetitions;
  const int repetition = experiment_.repetition(index);
  if (!rule.adaptive() || repetition <= rule.at_least) return true;
  const Setting& setting = setting_of(index);
  const std::vector<double> before = times_up_to(setting, repetition - 1);
  if (!before.empty()) return !rule.suffice(before);
  const auto tried = std::distance(setting.begin(), setting.upper_bound(rule.at_least));
  return tried < rule.at_least;
}

std::string Repeated::note(std::size_t index) const {
  const Repetitions& rule = experiment_.repetitions;
  const int repetition = experiment_.repetition(index);
  if (!rule.adaptive() || repetition < rule.at_least) return {};
  const std::vector<double> all = times_up_to(setting_of(index), repetition);
  if (!rule.suffice(all) && repetition < rule.at_most) return {};
  const auto within = all.empty() ? std::nullopt : dispersion_of(all).within();
  if (!within) return {};
  return fmt::format("the median of {} is known to ± {:.2g} %", counted(all.size(), "run"),
                     100 * *within);
}

}  // namespace regroup
