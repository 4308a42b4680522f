// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace regroup {

/// Prints the name of the running test when a signal ends the program. A test that takes longer
/// than `seconds` is considered deadlocked and ended by SIGALRM.
class NameOnSignal : public testing::EmptyTestEventListener {
 public:
  explicit NameOnSignal(unsigned seconds) : seconds_(seconds) {
    for (const int number : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGSEGV}) {
      struct sigaction before {};
      sigaction(number, nullptr, &before);
      if (before.sa_handler != SIG_DFL) continue;  // the sanitizers print more
      struct sigaction action {};
      action.sa_handler = print_name;
      action.sa_flags = static_cast<int>(SA_RESETHAND);
      sigaction(number, &action, nullptr);
    }
  }

  void OnTestStart(const testing::TestInfo& test) override {
    std::snprintf(text, sizeof text, "\nin the test %s.%s: ", test.test_suite_name(), test.name());
    alarm(seconds_);
  }

 private:
  static void print_name(int number) {
    const char* what = number == SIGALRM ? "it takes too long, a deadlock?\n" : "it crashed\n";
    for (const char* part : {static_cast<const char*>(text), what}) {
      if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
    }
    raise(number);  // again, without this handler
  }

  inline static char text[300];
  unsigned seconds_;
};

}  // namespace regroup
