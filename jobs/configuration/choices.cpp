// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/choices.hpp"

namespace regroup {

std::size_t Choices::size() const {
  std::size_t number = 1;
  for (const auto& [option, values] : options) number = product(number, values.size());
  return number;
}

Choice Choices::at(std::size_t place) const {
  Choice choice{name, {}};
  for (const auto& [option, values] : options) {
    choice.options.set(option, values[place % values.size()]);
    place /= values.size();
  }
  return choice;
}

bool overlap(const Choices& a, const Choices& b) {
  if (a.name != b.name) return false;
  for (std::size_t i = 0; i < a.options.size(); ++i) {
    if (std::ranges::find_first_of(a.options[i].second, b.options[i].second) ==
        a.options[i].second.end()) {
      return false;
    }
  }
  return true;
}

}  // namespace regroup
