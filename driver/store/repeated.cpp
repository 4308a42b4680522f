// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/repeated.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "kernel/numbers/statistics.hpp"
#include "kernel/text/units.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

void Repeated::read(const std::string& directory) {
  if (!experiment_.repetitions.adaptive()) return;
  std::unordered_map<std::uint64_t, std::size_t> indices;  // by run
  for (std::size_t i = 0; i < experiment_.size(); ++i) {
    indices.emplace(hash_from(fingerprint(experiment_.at(i))).value(), i);
  }
  each_record(directory, nullptr, experiment_.catalog(), [&](const CsvRow&, const Record& record) {
    const auto run = hash_from(record.run);
    const auto found = run ? indices.find(*run) : indices.end();
    if (found != indices.end()) add(found->second, record);
  });
}

void Repeated::add(std::size_t index, const Record& record) {
  if (!experiment_.repetitions.adaptive() || !record.ok()) return;
  by_setting_[experiment_.setting(index)][experiment_.repetition(index)] = record.makespan_s;
}

std::vector<double> Repeated::makespans_s(std::size_t index, int last) const {
  std::vector<double> all;
  const auto known = by_setting_.find(experiment_.setting(index));
  if (known == by_setting_.end()) return all;
  for (const auto& [repetition, makespan_s] : known->second) {
    if (repetition <= last) all.push_back(makespan_s);
  }
  return all;
}

bool Repeated::needs(std::size_t index) const {
  const Repetitions& rule = experiment_.repetitions;
  const int repetition = experiment_.repetition(index);
  if (!rule.adaptive() || repetition <= rule.at_least) return true;
  const std::vector<double> before = makespans_s(index, repetition - 1);
  return !before.empty() && !rule.suffice(before);
}

std::string Repeated::note(std::size_t index) const {
  const Repetitions& rule = experiment_.repetitions;
  const int repetition = experiment_.repetition(index);
  if (!rule.adaptive() || repetition < rule.at_least) return {};
  const std::vector<double> all = makespans_s(index, repetition);
  if (!rule.suffice(all) && repetition < rule.at_most) return {};
  const auto within = all.empty() ? std::nullopt : dispersion_of(all).within();
  if (!within) return {};
  return fmt::format("the median of {} is known to ± {:.2g} %", counted(all.size(), "run"),
                     100 * *within);
}

}  // namespace regroup
