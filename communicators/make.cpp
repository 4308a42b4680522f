// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/make.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "communicators/constructors.hpp"

namespace regroup {
namespace {

constexpr std::array entries = constructor::all;

}  // namespace

std::span<const Constructor> constructors() { return entries; }

MakeCommunicator maker(std::string_view strategy) {
  const auto found = std::ranges::find(entries, strategy, &Constructor::name);
  if (found != entries.end()) return found->make;
  throw std::invalid_argument(fmt::format("the MPI library lacks what {} calls", strategy));
}

MakeCommunicator maker(const Strategy& strategy) {
  return strategy.make != nullptr ? strategy.make : maker(strategy.name);
}

}  // namespace regroup
