// SPDX-License-Identifier: BSD-3-Clause
//
// What sorts are measured and tested with. Every element is a pure function of the kind, its place
// in the whole input, and the seed. Needs no MPI.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string_view>
#include <type_traits>
#include <vector>

#include "regroup/numbers.hpp"
#include "regroup/options.hpp"

namespace regroup::sorting {

enum class Input { uniform, gaussian, sorted, reverse, all_equal, few_distinct, staggered, zipf };

struct InputEntry : Entry {
  Input input;
};

inline constexpr std::array inputs{
    InputEntry{{"uniform", "any number is as likely as any other", {}}, Input::uniform},
    InputEntry{{"gaussian", "a bell: most are near the middle", {}}, Input::gaussian},
    InputEntry{{"sorted", "in order already", {}}, Input::sorted},
    InputEntry{{"reverse", "in the opposite order", {}}, Input::reverse},
    InputEntry{{"all_equal", "one number only", {}}, Input::all_equal},
    InputEntry{{"few_distinct", "eight numbers, all as likely", {}}, Input::few_distinct},
    InputEntry{{"staggered",
                "each rank has numbers of one part of the range, ranks of the first half the odd "
                "parts, the others the even ones",
                {}},
               Input::staggered},
    InputEntry{
        {"zipf", "65,536 numbers, the k-th smallest about 1/k times as likely as the first", {}},
        Input::zipf},
};

/// A number in [0, 1) that is the element `place` of `n` on each of `ranks` ranks.
inline double input_key(Input input, int rank, int ranks, long long n, long long place,
                        std::uint64_t seed) {
  const long long global = static_cast<long long>(rank) * n + place;
  const double all = static_cast<double>(n) * ranks;
  const auto draw = [&](std::uint64_t which) {
    const std::uint64_t bits = hash_combined(hash_combined(hash_combined(seed, which), 0x736f7274u),
                                             static_cast<std::uint64_t>(global));
    return static_cast<double>(bits >> 11) * 0x1p-53;
  };
  switch (input) {
    case Input::uniform:
      return draw(0);
    case Input::gaussian: {
      const double radius = std::sqrt(-2 * std::log(1 - draw(0)));
      const double normal = radius * std::cos(2 * std::numbers::pi * draw(1));
      return std::clamp(0.5 + normal / 16, 0.0, 1 - 0x1p-53);
    }
    case Input::sorted:
      return static_cast<double>(global) / all;
    case Input::reverse:
      return (all - 1 - static_cast<double>(global)) / all;
    case Input::all_equal:
      return 0.5;
    case Input::few_distinct:
      return std::floor(draw(0) * 8) / 8;
    case Input::staggered: {
      const int half = ranks / 2;
      const int part = rank < half ? 2 * rank + 1 : 2 * (rank - half);
      return (part + draw(0)) / ranks * (1 - 0x1p-52);
    }
    case Input::zipf: {
      constexpr double most = 65536;
      return std::min(std::floor(std::exp(draw(0) * std::log(most + 1))), most) / most - 1 / most;
    }
  }
  return 0;
}

/// The element that stands for `key`, in the same order: a floating-point number is the key itself,
/// an integer goes from the type's smallest to its largest, and any other type says by
/// T::of(key, number), where `number` tells equal keys apart.
template <class T>
T element_of(double key, std::uint64_t number) {
  if constexpr (std::floating_point<T>) {
    return static_cast<T>(key);
  } else if constexpr (std::integral<T>) {
    using Bits = std::make_unsigned_t<T>;
    constexpr int bits = std::numeric_limits<Bits>::digits;
    const auto fraction = static_cast<std::uint64_t>(key * 0x1p53);
    const std::uint64_t scaled =
        bits <= 53 ? fraction >> (53 - std::min(bits, 53)) : fraction << (std::max(bits, 53) - 53);
    const std::uint64_t sign = std::is_signed_v<T> ? std::uint64_t{1} << (bits - 1) : 0;
    return static_cast<T>(static_cast<Bits>(scaled ^ sign));
  } else {
    return T::of(key, number);
  }
}

/// What `rank` of `ranks` has of an input of `n` elements for each of them.
template <class T>
std::vector<T> make_input(Input input, int rank, int ranks, long long n, std::uint64_t seed) {
  std::vector<T> elements;
  elements.reserve(static_cast<std::size_t>(n));
  for (long long place = 0; place < n; ++place) {
    const auto number = static_cast<std::uint64_t>(static_cast<long long>(rank) * n + place);
    elements.push_back(element_of<T>(input_key(input, rank, ranks, n, place, seed), number));
  }
  return elements;
}

}  // namespace regroup::sorting
