// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "jobs/launch/capped_log.hpp"
#include "jobs/launch/stale_segments.hpp"

namespace regroup {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

volatile std::sig_atomic_t interrupt_came = 0;

/// What the launcher's side tells ours when it is over.
struct Report {
  int error = 0;   // why the command could not be started
  int status = 0;  // of the command, as waitpid gives it
};

void write_report(int report, Report content) {
  [[maybe_unused]] const ssize_t written = write(report, &content, sizeof content);
}

/// In the child: becomes `command`, or reports why not and ends.
[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& environment, int report) {
  setpgid(0, 0);                     // a group of its own, which can be asked to end as a whole
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // should the keeper be killed
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  write_report(report, {errno, 0});
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

/// Both ends of a pipe that no other program inherits.
std::array<int, 2> open_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe is left");
  return ends;
}

/// What the command and its descendants print, on its way into the log.
class Output {
 public:
  /// `pipe`: where it comes out.
  Output(int pipe, int log) : pipe_(pipe), log_(log, most_bytes) {
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
  }

  pollfd to_poll() const { return {open_ ? pipe_ : -1, POLLIN, 0}; }

  /// Takes what is there, but not for ever: more may come as fast as it is taken.
  void take() {
    std::array<char, 1 << 16> piece;
    for (int i = 0; i < 64 && open_; ++i) {
      const ssize_t size = read(pipe_, piece.data(), piece.size());
      if (size < 0) return;
      if (size == 0) open_ = false;  // nobody can print any more
      log_.add({piece.data(), static_cast<std::size_t>(size)});
    }
  }

  /// When all that could print have ended.
  void finish() {
    take();
    log_.finish();
  }

 private:
  static constexpr std::size_t most_bytes = 1'000'000;

  int pipe_;
  CappedLog log_;
  bool open_ = true;
};

/// Whether `child` ends within `patience`. Does `meanwhile` now and then.
template <class Meanwhile>
bool ends_within(std::chrono::milliseconds patience, pid_t child, Meanwhile meanwhile) {
  for (const auto end = Clock::now() + patience; waitpid(child, nullptr, WNOHANG) == 0;) {
    if (Clock::now() > end) return false;
    meanwhile();
    std::this_thread::sleep_for(20ms);
  }
  return true;
}

/// Asks the launcher to end its ranks, and waits a while for it to do so. It may stand still.
void ask_to_end(pid_t child, Output& output) {
  kill(-child, SIGTERM);
  kill(-child, SIGCONT);
  ends_within(2s, child, [&] { output.take(); });
}

/// The keeper stands between us and the launcher and sees to it that nothing is left behind, even
/// if we are killed: a launcher that is asked to end while it starts its ranks may fail to end
/// them. It ends everything when the command has ended, or when `lifeline`, whose other end we
/// hold, is closed. What is printed takes its way through the pipe `printing` into the log.
[[noreturn]] void keep(std::time_t began, const std::vector<std::string>& command,
                       const std::map<std::string, std::string>& environment,
                       std::array<int, 2> printing, int log, int lifeline, int report) noexcept {
  setpgid(0, 0);  // Ctrl-C at the terminal reaches us alone
  prctl(PR_SET_NAME, "regroup-keeper");
  prctl(PR_SET_PDEATHSIG, SIGCONT);  // should we be killed while it stands still
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto [printed, print] = printing;
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(print, STDOUT_FILENO);
  dup2(print, STDERR_FILENO);
  close(print);
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGCHLD, &action, nullptr);
  sigset_t child_ends;
  sigset_t none;
  sigemptyset(&none);
  sigemptyset(&child_ends);
  sigaddset(&child_ends, SIGCHLD);
  sigprocmask(SIG_SETMASK, &child_ends, nullptr);  // it comes while we poll, and only then

  const pid_t child = fork();
  if (child == 0) become(command, environment, report);
  if (child < 0) {
    write_report(report, {errno, 0});
    _exit(127);
  }
  setpgid(child, child);              // as it does itself: whoever comes first
  dup2(STDIN_FILENO, STDOUT_FILENO);  // only what is left can print now
  dup2(STDIN_FILENO, STDERR_FILENO);
  Output output(printed, log);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::array<pollfd, 2> lines{pollfd{lifeline, POLLIN, 0}, output.to_poll()};
    if (ppoll(lines.data(), lines.size(), nullptr, &none) <= 0) continue;
    output.take();
    if (lines[0].revents == 0) continue;
    ask_to_end(child, output);
    break;
  }
  end_descendants();
  remove_stale_segments(began);
  output.finish();
  write_report(report, {0, status});
  _exit(0);
}

/// Waits for the keeper to end everything. One that stands still goes on; one that cannot is
/// killed, and leaves that to us.
void let_end(pid_t keeper) {
  kill(keeper, SIGCONT);
  if (ends_within(10s, keeper, [] {})) return;
  kill(keeper, SIGKILL);
  waitpid(keeper, nullptr, 0);
}

/// The first report, which says why where the command could not be started. A keeper that was
/// killed leaves none.
Report read_report(int report) {
  Report content{0, SIGKILL};
  Report read_content;
  if (read(report, &read_content, sizeof read_content) == sizeof read_content) {
    content = read_content;
  }
  return content;
}

}  // namespace

Ending launch(const std::vector<std::string>& command,
              const std::map<std::string, std::string>& environment, const std::string& log,
              double timeout_s, void (*tick)(void*), void* tick_argument) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // should the keeper be killed
  const int output =
      open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (output < 0) {
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", log, std::strerror(errno)));
  }
  const auto [lifeline, our_lifeline] = open_pipe();
  const auto [our_report, report] = open_pipe();
  const std::array<int, 2> printing = open_pipe();

  const auto began = Clock::now();
  const std::time_t began_date = std::time(nullptr) - 1;  // files may be dated a little early
  const pid_t keeper = fork();
  if (keeper == 0) {
    close(our_lifeline);
    keep(began_date, command, environment, printing, output, lifeline, report);
  }
  const int fork_error = keeper < 0 ? errno : 0;
  for (const int end : {output, lifeline, report, printing[0], printing[1]}) close(end);

  Ending ending;
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
  auto next_tick = began;
  while (keeper > 0 && waitpid(keeper, nullptr, WNOHANG) == 0) {
    if (interrupted() || elapsed() > timeout_s) {
      ending.kind = interrupted() ? Ending::Kind::interrupted : Ending::Kind::timed_out;
      break;
    }
    if (Clock::now() >= next_tick) {
      tick(tick_argument);
      next_tick += 100ms;
    }
    std::this_thread::sleep_for(5ms);
  }
  close(our_lifeline);
  const bool ended = ending.kind == Ending::Kind::exited;
  if (keeper > 0 && !ended) let_end(keeper);
  end_descendants();
  remove_stale_segments(began_date);  // should the keeper have been killed
  ending.wall_s = elapsed();
  const Report last = keeper > 0 ? read_report(our_report) : Report{fork_error, 0};
  close(our_report);
  if (last.error != 0) {
    throw std::runtime_error(
        fmt::format("cannot start '{}': {}", command.front(), std::strerror(last.error)));
  }
  if (ended) {
    const bool signalled = WIFSIGNALED(last.status);
    ending.kind = signalled ? Ending::Kind::signalled : Ending::Kind::exited;
    ending.code = signalled ? WTERMSIG(last.status) : WEXITSTATUS(last.status);
  }
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

std::string quoted(const std::string& word) {
  const auto harmless = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./,:=@%+").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, harmless)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\"'\"'" : std::string(1, c);
  return text + "'";
}

}  // namespace regroup
