// SPDX-License-Identifier: BSD-3-Clause
//
// The memory of a balancer, as numbers. The compiler finds the fields, so none can be forgotten.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "regroup/groups.hpp"

namespace regroup {

using Memory = std::vector<std::int64_t>;

/// Converts to the type of any field; used only in unevaluated expressions.
struct AnyField {
  template <class Field>
  operator Field() const;
};

template <class Aggregate, std::size_t... index>
constexpr bool takes_fields(std::index_sequence<index...>) {
  return requires { Aggregate{(static_cast<void>(index), AnyField())...}; };
}

/// Number of fields of an aggregate.
template <class Aggregate, std::size_t at_least = 0>
constexpr std::size_t field_count() {
  if constexpr (takes_fields<Aggregate>(std::make_index_sequence<at_least + 1>())) {
    return field_count<Aggregate, at_least + 1>();
  } else {
    return at_least;
  }
}

/// References to all fields of `value`, an aggregate without base classes and C arrays. A
/// structured binding must name each field, so a wrong count does not compile.
template <class Aggregate>
constexpr auto fields_of(Aggregate& value) {
  using Type = std::remove_const_t<Aggregate>;
  static_assert(std::is_aggregate_v<Type>, "neither an aggregate nor a type with its own append()");
  constexpr std::size_t count = field_count<Type>();
  static_assert(count <= 16, "too many fields: combine some of them in a struct");
  if constexpr (count == 0) {
    return std::tie();
  } else if constexpr (count == 1) {
    auto& [a] = value;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
}

/// Appends `value` to `memory`. Different values append different sequences, of which none is a
/// prefix of another. Supports numbers, enumerations, optionals, containers, pairs, and aggregates
/// of these; a class with private members needs an overload.
template <class Value>
void append(Memory& memory, const Value& value) {
  if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>) {
    memory.push_back(static_cast<std::int64_t>(value));
  } else if constexpr (std::is_floating_point_v<Value>) {
    memory.push_back(std::bit_cast<std::int64_t>(static_cast<double>(value)));
  } else if constexpr (requires { value.has_value() ? &*value : nullptr; }) {
    memory.push_back(value.has_value());
    if (value) append(memory, *value);
  } else if constexpr (std::ranges::sized_range<const Value>) {
    memory.push_back(static_cast<std::int64_t>(std::ranges::size(value)));
    for (const auto& element : value) append(memory, element);
  } else {
    const auto append_all = [&](const auto&... field) { (append(memory, field), ...); };
    if constexpr (requires { std::tuple_size<Value>::value; }) {
      std::apply(append_all, value);
    } else {
      std::apply(append_all, fields_of(value));
    }
  }
}

inline void append(Memory& memory, const RankSet& ranks) { append(memory, ranks.ranges()); }

}  // namespace regroup
