// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "kernel/chains/walker.hpp"

namespace regroup {

inline constexpr std::array delay_options{
    integer_option("state_bytes", "0", 0, 1 << 27,
                   "of the state that is handed to those who join a group"),
};
inline std::int64_t delay_state_bytes(const Options& options) {
  return options.integer("state_bytes");
}

/// Sleeps for the time of every item: the paper's. It needs no core, so items of more ranks than
/// cores run side by side.
std::unique_ptr<Walker> make_sleep(const Options& options, ChainName chain);

/// Keeps a core busy for that time.
std::unique_ptr<Walker> make_spin(const Options& options, ChainName chain);

}  // namespace regroup
