// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/make.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "communicators/available.hpp"

namespace regroup {
namespace {

/// The functions of all rows; of those whose files are not compiled, nullptr.
template <std::size_t... Rows>
constexpr std::array<MakeCommunicator, sizeof...(Rows)> functions(std::index_sequence<Rows...>) {
  constexpr auto function = []<std::size_t Row>() -> MakeCommunicator {
    if constexpr (available(strategies[Row].name)) {
      return &make<Row>;
    } else {
      return nullptr;
    }
  };
  return {function.template operator()<Rows>()...};
}

}  // namespace

MakeCommunicator maker(std::string_view name) {
  const Strategy* strategy = find_entry(strategies, name);
  if (strategy == nullptr) {
    throw std::invalid_argument(fmt::format("unknown communicator strategy '{}'", name));
  }
  constexpr auto table = functions(std::make_index_sequence<strategies.size()>{});
  const MakeCommunicator function = table[static_cast<std::size_t>(strategy - strategies.data())];
  if (function == nullptr) {
    throw std::invalid_argument(fmt::format("the MPI library lacks what {} calls", name));
  }
  return function;
}

}  // namespace regroup
