// SPDX-License-Identifier: BSD-3-Clause
#include "library/guard.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <stdexcept>

#include "engines/mpi/loss_watch.hpp"
#include "engines/mpi/remains.hpp"
#include "kernel/files/failures.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/rank_records.hpp"
#include "library/launcher.hpp"

namespace regroup {

std::string deaths_file(const std::string& outcome_file) { return outcome_file + ".deaths"; }

std::string losses_file(const std::string& outcome_file) { return outcome_file + ".losses"; }

std::string last_record_file(const std::string& outcome_file, int rank) {
  return fmt::format("{}.record.{}", outcome_file, rank);
}

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto between_looks = 50ms;
constexpr auto longest_stop = 1s;
constexpr auto longest_deafness = 10s;  // or the time of five of the longest items so far

volatile std::sig_atomic_t rank_process = 0;

extern "C" void hand_on(int number) { kill(static_cast<pid_t>(rank_process), number); }

class Guard {
 public:
  Guard(pid_t rank, const std::string& outcome_file, BlackBox& box)
      : rank_(rank), outcome_file_(outcome_file), box_(box) {}

  [[noreturn]] void watch() {
    for (;;) {
      int status = 0;
      const pid_t changed = waitpid(rank_, &status, WNOHANG | WUNTRACED | WCONTINUED);
      if (changed == rank_) look_at(status);
      if (changed < 0) _exit(1);
      injure();
      const std::string reason = reason_to_end();
      if (!reason.empty()) {
        reason_ = reason;
        kill(rank_, SIGKILL);
      }
      wait_a_little();
    }
  }

 private:
  void look_at(int status) {
    if (WIFSTOPPED(status)) stopped_for_ = 0ms;
    if (WIFCONTINUED(status)) stopped_for_.reset();
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    if (!WIFSIGNALED(status)) return;
    const int number = WTERMSIG(status);
    const bool was_told = std::ranges::count(ending_signals, number) > 0;
    if (was_told || box_.started == 0) {  // the whole run ends, or has not begun
      std::signal(number, SIG_DFL);
      raise(number);
      _exit(128 + number);
    }
    report(reason_.empty() ? fmt::format("killed by signal {}", number) : reason_);
  }

  /// Injects the requested faults.
  void injure() {
    const double since_s = since_start_s();
    if (box_.kill_at_s > 0 && since_s >= box_.kill_at_s) kill(rank_, SIGKILL);
    if (box_.stop_at_s > 0 && since_s >= box_.stop_at_s && !stopped_for_) kill(rank_, SIGSTOP);
  }

  double since_start_s() const {
    if (box_.started == 0) return 0;
    return std::chrono::duration<double>(Clock::now().time_since_epoch() -
                                         Clock::duration(box_.started.load()))
        .count();
  }

  std::string reason_to_end() {
    if (!reason_.empty() || box_.started == 0) return {};
    if (stopped_for_ && *stopped_for_ >= longest_stop) return "stopped for a second";
    const Clock::rep began = box_.item_began;
    const auto in_item =
        began == 0 ? Clock::duration(0) : Clock::now().time_since_epoch() - Clock::duration(began);
    if (box_.item_timeout_s > 0 &&
        std::chrono::duration<double>(in_item).count() > box_.item_timeout_s) {
      box_.timed_out = true;
      return fmt::format("in an item for more than {} s", box_.item_timeout_s.load());
    }
    const auto losses = static_cast<int>(read_losses(losses_file(outcome_file_)).size());
    if (losses <= box_.heard) {
      deaf_since_.reset();
      return {};
    }
    if (!deaf_since_) deaf_since_ = Clock::now();
    const auto patience =
        std::max<Clock::duration>(longest_deafness, 5 * Clock::duration(box_.longest_item.load()));
    return Clock::now() - *deaf_since_ > patience ? "blocked when other ranks were lost" : "";
  }

  /// Sleeps until the next look. The end of the rank wakes it up.
  void wait_a_little() {
    const auto asleep = Clock::now();
    timespec time{0, std::chrono::nanoseconds(between_looks).count()};
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigtimedwait(&ends, nullptr, &time);
    // Time during which the guard itself was stopped, with the whole job, does not count.
    if (stopped_for_) {
      *stopped_for_ += std::min<Clock::duration>(Clock::now() - asleep, 2 * between_looks);
    }
  }

  [[noreturn]] void report(const std::string& reason) {
    const int rank = box_.rank;
    const auto record = record_of(box_);
    const std::string bytes(reinterpret_cast<const char*>(record.data()), record.size());
    try {
      replace_file(last_record_file(outcome_file_, rank), bytes);
    } catch (const std::exception&) {  // the other ranks continue without it
    }
    write_rank_record(deaths_file(outcome_file_), rank, reason);
    while (!file_exists_by_now(outcome_file_)) {
      const std::size_t lost = read_losses(losses_file(outcome_file_)).size();
      if (lost >= static_cast<std::size_t>(box_.ranks)) _exit(1);  // no rank is left
      const timespec time{0, std::chrono::nanoseconds(between_looks).count()};
      nanosleep(&time, nullptr);
    }
    _exit(0);
  }

  pid_t rank_;
  const std::string& outcome_file_;
  BlackBox& box_;
  std::optional<Clock::duration> stopped_for_;
  std::optional<Clock::time_point> deaf_since_;
  std::string reason_;
};

}  // namespace

BlackBox& guard_rank(const std::string& outcome_file) {
  BlackBox& box = BlackBox::create();
  const pid_t guard = getpid();
  const pid_t rank = fork();
  if (rank < 0) throw std::runtime_error(fmt::format("no guard: {}", std::strerror(errno)));
  if (rank == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guard) _exit(1);
    return box;
  }
  rank_process = rank;
  for (const int number : ending_signals) std::signal(number, hand_on);
  std::signal(SIGUSR1, SIG_IGN);  // MPICH's launcher reports lost ranks with it
  std::signal(SIGXFSZ, SIG_IGN);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  Guard(rank, outcome_file, box).watch();
}

}  // namespace regroup
