// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/words/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>

#include "jobs/words/describe.hpp"
#include "kernel/files/plain_text.hpp"

namespace regroup {

static constexpr std::size_t most_bytes = 1900;  // of a message

void open_console() {
  std::signal(SIGPIPE, SIG_IGN);
  // A file gets the lowest number that is free. Opened for the wrong direction, all use fails.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void tell_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void complain(std::string_view message) {
  // It may quote what somebody wrote: an endless word, or one that a terminal obeys.
  const std::string line =
      fmt::format("regroup: {}\n", one_line(shortened(std::string(message), most_bytes)));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool output_is_whole() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

}  // namespace regroup
