// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/make.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace regroup {
namespace {

template <std::size_t... Rows>
constexpr std::array<MakeCommunicator, sizeof...(Rows)> functions(std::index_sequence<Rows...>) {
  return {&make<Rows>...};
}

}  // namespace

MakeCommunicator maker(std::string_view name) {
  const Strategy* strategy = find_entry(strategies, name);
  if (strategy == nullptr) {
    throw std::invalid_argument(fmt::format("unknown communicator strategy '{}'", name));
  }
  constexpr auto table = functions(std::make_index_sequence<strategies.size()>{});
  return table[static_cast<std::size_t>(strategy - strategies.data())];
}

}  // namespace regroup
