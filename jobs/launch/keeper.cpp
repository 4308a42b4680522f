// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch/keeper.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "jobs/launch/capped_log.hpp"
#include "jobs/launch/stale_segments.hpp"

namespace regroup {
namespace {

using namespace std::chrono_literals;

void write_report(int report, KeepersReport content) {
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

/// Asks the launcher to end its ranks, and waits a while for it to do so. It may stand still.
void ask_to_end(pid_t child, Output& output) {
  kill(-child, SIGTERM);
  kill(-child, SIGCONT);
  ends_within(2s, child, [&] { output.take(); });
}

std::vector<pid_t> children() {
  std::ifstream list(fmt::format("/proc/self/task/{}/children", getpid()));
  std::vector<pid_t> result;
  for (pid_t child = 0; list >> child;) result.push_back(child);
  return result;
}

}  // namespace

void end_descendants() {
  for (auto left = children(); !left.empty(); left = children()) {
    for (const pid_t child : left) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
}

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

}  // namespace regroup
