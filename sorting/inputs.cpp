// SPDX-License-Identifier: BSD-3-Clause
#include "sorting/inputs.hpp"

#include <cmath>
#include <numbers>

#include "regroup/numbers.hpp"

namespace regroup::sorting {

double input_key(Input input, int rank, int ranks, long long n, long long index,
                 std::uint64_t seed) {
  const long long global = static_cast<long long>(rank) * n + index;
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

}  // namespace regroup::sorting
