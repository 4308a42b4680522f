// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/repetitions.hpp"

#include <algorithm>

#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/statistics.hpp"

namespace regroup {

int Repetitions::certain() const {
  return adaptive() ? std::min(at_most, std::max(at_least, fewest_samples)) : at_most;
}

bool Repetitions::suffice(const std::vector<double>& makespans_s) const {
  if (makespans_s.empty()) return false;
  const auto within = dispersion_of(makespans_s).within();
  return within && *within <= until;
}

std::optional<double> percentage(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" %");
  if (!text.ends_with('%') || end == text.npos) return std::nullopt;
  const auto percent = parse<double>(std::string_view(text).substr(0, end + 1));
  if (!percent || !(*percent >= 0.01 && *percent <= 100)) return std::nullopt;
  return *percent / 100;
}

}  // namespace regroup
