// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "driver/execute/keeper.hpp"
#include "kernel/files/failures.hpp"
#include "kernel/places/host.hpp"

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
  for (const int number : ending_signals) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    const bool by_nohup = number == SIGHUP && before.sa_handler == SIG_IGN;
    if (!by_nohup) sigaction(number, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);  // writing fails instead, which is reported
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

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Opens a pipe that no other program inherits.
std::array<int, 2> open_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe is left");
  return ends;
}

/// Waits for the keeper to end all processes, and wakes it if it is stopped. Kills it after 10 s;
/// the caller must then end the processes.
void let_end(pid_t keeper) {
  kill(keeper, SIGCONT);
  if (ends_within(10s, keeper, [] {})) return;
  kill(keeper, SIGKILL);
  waitpid(keeper, nullptr, 0);
}

/// Reads the first report, which contains the error if the command could not be started. A keeper
/// that was killed leaves none.
KeepersReport read_report(int report) {
  KeepersReport content;
  const bool whole = read(report, &content, sizeof content) == sizeof content;
  return whole ? content : KeepersReport{0, SIGKILL};
}

/// Returns how long after the end of a command an interrupt may have the same cause. A scheduler
/// may take seconds to signal all processes of a job.
std::chrono::milliseconds shortly() { return job_id().empty() ? 300ms : 3s; }

bool interrupted_within(std::chrono::milliseconds patience) {
  for (const auto end = Clock::now() + patience; !interrupted() && Clock::now() < end;) {
    std::this_thread::sleep_for(10ms);
  }
  return interrupted();
}

}  // namespace

Exit launch(const std::vector<std::string>& command,
            const std::map<std::string, std::string>& environment, const std::string& log,
            const Patience& patience, const std::function<void()>& tick) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // adopts processes if the keeper is killed
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

  Exit ending;
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
  auto next_tick = began;
  double deadline_s = patience.start_s;
  const auto look = [&] {
    if (!ending.taken && patience.taken()) {
      ending.taken = true;
      deadline_s = std::min(deadline_s, elapsed() + patience.end_s);
    }
    if (!ending.began && patience.started()) {
      ending.began = true;
      if (!ending.taken) deadline_s = elapsed() + patience.run_s;
    }
    if (!ending.done && patience.done()) {
      ending.done = true;
      deadline_s = elapsed() + patience.end_s;
    }
  };
  while (keeper > 0 && waitpid(keeper, nullptr, WNOHANG) == 0) {
    const bool late = elapsed() > deadline_s;
    if (late) look();  // it may have finished just now
    if (interrupted() || (late && elapsed() > deadline_s)) {
      ending.kind = interrupted() ? Exit::Kind::interrupted : Exit::Kind::timed_out;
      break;
    }
    if (Clock::now() >= next_tick) {
      look();
      tick();
      next_tick += patience.between_looks;
    }
    std::this_thread::sleep_for(5ms);
  }
  close(our_lifeline);
  const bool ended = ending.kind == Exit::Kind::exited;
  if (keeper > 0 && !ended) let_end(keeper);
  end_descendants();
  remove_stale_segments(began_date);  // if the keeper was killed
  ending.wall_s = elapsed();
  const KeepersReport last = keeper > 0 ? read_report(our_report) : KeepersReport{fork_error, 0};
  close(our_report);
  if (last.error != 0) {
    throw std::runtime_error(
        fmt::format("cannot start '{}': {}", command.front(), std::strerror(last.error)));
  }
  if (ended) {
    const bool signalled = WIFSIGNALED(last.status);
    ending.kind = signalled ? Exit::Kind::signalled : Exit::Kind::exited;
    ending.code = signalled ? WTERMSIG(last.status) : WEXITSTATUS(last.status);
    if ((signalled || ending.code != 0) && interrupted_within(shortly())) {
      ending.kind = Exit::Kind::interrupted;
    }
  }
  ending.began = ending.began || patience.started();
  return ending;
}

}  // namespace regroup
