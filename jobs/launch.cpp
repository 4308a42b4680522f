// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace regroup {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

volatile std::sig_atomic_t interrupt_came = 0;

/// In the child: becomes `command`, or reports why not through `report` and ends.
[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& environment, int log,
                         int report) {
  setpgid(0, 0);                     // Ctrl-C at the terminal reaches us alone; we pass it on
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // the launcher ends its ranks when we are killed
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execvp(arguments.front(), arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(127);
}

std::vector<pid_t> children() {
  std::ifstream list(fmt::format("/proc/self/task/{}/children", getpid()));
  std::vector<pid_t> result;
  for (pid_t child = 0; list >> child;) result.push_back(child);
  return result;
}

/// Ends all descendants. As their subreaper we inherit those whose parents are gone.
void end_descendants() {
  for (auto left = children(); !left.empty(); left = children()) {
    for (const pid_t child : left) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
}

/// Asks the launcher to end its ranks, and waits a while for it to do so.
void ask_to_end(pid_t child) {
  kill(-child, SIGTERM);
  for (int i = 0; i < 40; ++i) {
    if (waitpid(child, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace

Ending launch(const std::vector<std::string>& command,
              const std::map<std::string, std::string>& environment, const std::string& log,
              double timeout_s, void (*tick)(void*), void* tick_argument) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (output < 0) {
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", log, std::strerror(errno)));
  }
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) throw std::runtime_error("no pipe is left");

  const auto began = Clock::now();
  const pid_t child = fork();
  if (child == 0) become(command, environment, output, report[1]);
  close(output);
  close(report[1]);
  int error = child < 0 ? errno : 0;
  if (child > 0 && read(report[0], &error, sizeof error) <= 0) error = 0;
  close(report[0]);
  if (error != 0) {
    if (child > 0) waitpid(child, nullptr, 0);
    throw std::runtime_error(
        fmt::format("cannot start '{}': {}", command.front(), std::strerror(error)));
  }

  Ending ending;
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
  auto next_tick = began;
  for (;;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      ending.kind = WIFSIGNALED(status) ? Ending::Kind::signalled : Ending::Kind::exited;
      ending.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
      break;
    }
    if (interrupted() || elapsed() > timeout_s) {
      ending.kind = interrupted() ? Ending::Kind::interrupted : Ending::Kind::timed_out;
      ask_to_end(child);
      break;
    }
    if (Clock::now() >= next_tick) {
      tick(tick_argument);
      next_tick += 100ms;
    }
    std::this_thread::sleep_for(5ms);
  }
  end_descendants();
  ending.wall_s = elapsed();
  return ending;
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_came = 1; };
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupt_came != 0; }

bool can_start(const std::string& program, const std::string& path) {
  const auto is_program = [](const std::string& file) {
    return std::filesystem::is_regular_file(file) && access(file.c_str(), X_OK) == 0;
  };
  if (program.find('/') != std::string::npos) return is_program(program);
  std::istringstream directories(path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    if (is_program(directory + "/" + program)) return true;
  }
  return false;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  std::string word;
  char quote = 0;
  bool inside = false;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (inside) result.push_back(std::exchange(word, {}));
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) result.push_back(word);
  return result;
}

}  // namespace regroup
