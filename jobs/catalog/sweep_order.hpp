// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

#include "kernel/options.hpp"

namespace regroup {

/// The key of configurations of measurements that says in which order they are made. Runs are
/// always made as written, their repetitions in turns.
inline constexpr std::string_view as_written = "as_written";
inline constexpr std::array<std::string_view, 2> sweep_order_words{"random", as_written};
inline constexpr OptionSpec sweep_order_key = choice_option(
    "sweep_order", "random", sweep_order_words,
    "in which order measurements are made: drawn by their seeds, one repetition after the other, "
    "so that no drift of the machine looks like a difference (random), or as the lists stand");

}  // namespace regroup
