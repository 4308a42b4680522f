// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs of sorts: every element is a pure function of the kind of input, its position and the
// seed.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

namespace regroup::sorting {

enum class Input { uniform, gaussian, sorted, reverse, all_equal, few_distinct, staggered, zipf };

struct InputEntry {
  std::string_view name;
  std::string_view help;
  Input input;
};

inline constexpr std::array inputs{
    InputEntry{"uniform", "all numbers are equally likely", Input::uniform},
    InputEntry{"gaussian", "normal distribution: most numbers are near the mean", Input::gaussian},
    InputEntry{"sorted", "numbers in ascending order", Input::sorted},
    InputEntry{"reverse", "numbers in descending order", Input::reverse},
    InputEntry{"all_equal", "all elements are equal", Input::all_equal},
    InputEntry{"few_distinct", "eight different numbers, equally likely", Input::few_distinct},
    InputEntry{"staggered",
               "the range of numbers is divided into one part per rank. The ranks of the first "
               "half have the parts 1, 3, 5, …, the other ranks the parts 0, 2, 4, ….",
               Input::staggered},
    InputEntry{
        "zipf",
        "65,536 different numbers. The k-th smallest is about 1/k times as likely as the smallest.",
        Input::zipf},
};

/// Returns the key, in [0, 1), of element `index` of the `n` elements on `rank`, one of `ranks`.
double input_key(Input input, int rank, int ranks, long long n, long long index,
                 std::uint64_t seed);

/// Returns the element for `key`; elements have the order of keys. A floating-point number is the
/// key itself, integers cover the range of the type, and any other type is T::of(key, number),
/// where `number` distinguishes elements with equal keys.
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

/// Returns the elements of `rank`, one of `ranks`, in an input with `n` elements per rank.
template <class T>
std::vector<T> make_input(Input input, int rank, int ranks, long long n, std::uint64_t seed) {
  std::vector<T> elements;
  elements.reserve(static_cast<std::size_t>(n));
  for (long long index = 0; index < n; ++index) {
    const auto number = static_cast<std::uint64_t>(static_cast<long long>(rank) * n + index);
    elements.push_back(element_of<T>(input_key(input, rank, ranks, n, index, seed), number));
  }
  return elements;
}

}  // namespace regroup::sorting
