// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch/interrupts.hpp"

#include <csignal>

namespace regroup {
namespace {

volatile std::sig_atomic_t interrupt_came = 0;

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_came = 1; };
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupt_came != 0; }

}  // namespace regroup
