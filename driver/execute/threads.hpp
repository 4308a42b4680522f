// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace regroup {

/// Starts up to `number` threads that execute `work`; fewer, or none, if the system allows no more.
inline std::vector<std::jthread> start_threads(std::size_t number,
                                               const std::function<void()>& work) {
  std::vector<std::jthread> threads;
  try {
    while (threads.size() < number) threads.emplace_back(work);
  } catch (const std::system_error&) {  // ulimit -u, or the limit of a control group
  }
  return threads;
}

}  // namespace regroup
