// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/keeper.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace regroup {
namespace {

/// Writes output of any length to a file of at most about `most_bytes`. Of longer output, the file
/// keeps the beginning and the end, half as many bytes each; until finish(), only the beginning.
class CappedLog {
 public:
  /// `file`, open for appending, is borrowed.
  CappedLog(int file, std::size_t most_bytes)
      : file_(file), most_bytes_(most_bytes), last_(most_bytes / 2, '\0') {}

  void add(std::string_view output) {
    write_to_file(output.substr(0, most_bytes_ - std::min(most_bytes_, taken_)));
    taken_ += output.size();
    if (output.size() > last_.size()) output.remove_prefix(output.size() - last_.size());
    for (std::size_t part = 0; !output.empty(); output.remove_prefix(part)) {
      part = std::min(output.size(), last_.size() - oldest_);
      output.copy(last_.data() + oldest_, part);
      oldest_ = (oldest_ + part) % last_.size();
    }
  }

  /// Call after all output.
  void finish() {
    if (taken_ <= most_bytes_) return;
    const std::size_t half = last_.size();
    if (ftruncate(file_, static_cast<off_t>(half)) != 0) return;
    write_to_file(fmt::format("\n[{} bytes of output omitted]\n", taken_ - 2 * half));
    write_to_file(std::string_view(last_).substr(oldest_));
    write_to_file(std::string_view(last_).substr(0, oldest_));
  }

 private:
  /// Drops output that cannot be written: the run itself does not need it.
  void write_to_file(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = write(file_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  int file_;
  std::size_t most_bytes_;
  std::size_t taken_ = 0;  // bytes of output so far
  std::string last_;       // a ring of the last `most_bytes_ / 2` bytes, from `oldest_` on
  std::size_t oldest_ = 0;
};

using namespace std::chrono_literals;

void write_report(int report, KeepersReport content) {
  [[maybe_unused]] const ssize_t written = write(report, &content, sizeof content);
}

/// Executes `command` in the child, or reports the error and exits.
[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& environment, int report) {
  setpgid(0, 0);                     // a process group, which can be signalled as a whole
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // if the keeper is killed
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

/// Copies the output of the command and its descendants into the log.
class Output {
 public:
  /// `pipe`: the read end.
  Output(int pipe, int log) : pipe_(pipe), log_(log, most_bytes) {
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
  }

  pollfd to_poll() const { return {open_ ? pipe_ : -1, POLLIN, 0}; }

  /// Reads available output, up to a limit: more may arrive as fast as it is read.
  void take() {
    std::array<char, 1 << 16> piece;
    for (int i = 0; i < 64 && open_; ++i) {
      const ssize_t size = read(pipe_, piece.data(), piece.size());
      if (size < 0) return;
      if (size == 0) open_ = false;  // all writers have ended
      log_.add({piece.data(), static_cast<std::size_t>(size)});
    }
  }

  /// Call after all writers have ended.
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

/// Asks the launcher to end its ranks, and waits up to 2 s. SIGCONT wakes it if it is stopped.
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
  setpgid(0, 0);  // Ctrl-C at the terminal reaches only the command
  prctl(PR_SET_NAME, "regroup-keeper");
  prctl(PR_SET_PDEATHSIG, SIGCONT);  // wakes this process if the command is killed
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
  sigprocmask(SIG_SETMASK, &child_ends, nullptr);  // SIGCHLD arrives only during ppoll

  const pid_t child = fork();
  if (child == 0) become(command, environment, report);
  if (child < 0) {
    write_report(report, {errno, 0});
    _exit(127);
  }
  setpgid(child, child);              // the child does the same; either may be first
  dup2(STDIN_FILENO, STDOUT_FILENO);  // only descendants keep the write end
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

namespace {

/// Prefixes of the files of UCX, MPICH and Open MPI.
constexpr std::array<std::string_view, 4> beginnings{"ucx_shm_posix_", "mpich_", "vader_segment.",
                                                     "sm_segment."};

bool is_of_mpi(const std::string& name) {
  return std::ranges::any_of(beginnings, [&](std::string_view b) { return name.starts_with(b); });
}

bool is_ours(int file, std::time_t since) {
  struct stat found {};
  return fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
         found.st_ctime >= since;
}

/// The kernel grants a write lease only if no other process has the file open or mapped, not even
/// one that we cannot see: in another container that shares /dev/shm.
bool is_used_by_nobody(int file) {
  fcntl(file, F_SETSIG, SIGURG);  // ignored by default; sent if a process opens the file
  return fcntl(file, F_SETLEASE, F_WRLCK) == 0;
}

void remove_segments_of_system_v(std::time_t since) {
  std::ifstream list("/proc/sysvipc/shm");
  std::string line;
  for (std::getline(list, line); std::getline(list, line);) {
    std::istringstream row(line);
    SystemVSegment segment;
    long perms = 0, size = 0, last = 0, group = 0, made_by = 0, creators_group = 0;
    long read = 0, detached = 0;
    row >> segment.key >> segment.id >> perms >> size >> segment.creator >> last >>
        segment.attached >> segment.owner >> group >> made_by >> creators_group >> read >>
        detached >> segment.changed;
    if (row && is_stale(segment, since)) shmctl(segment.id, IPC_RMID, nullptr);
  }
}

}  // namespace

bool is_stale(const SystemVSegment& segment, std::time_t since) {
  return segment.key == IPC_PRIVATE && segment.attached == 0 && segment.owner == geteuid() &&
         segment.changed >= since && segment.creator > 0 && kill(segment.creator, 0) != 0;
}

void remove_stale_segments(std::time_t since) {
  remove_segments_of_system_v(since);
  using Files = std::filesystem::directory_iterator;
  std::error_code gone;
  for (Files at("/dev/shm", gone); !gone && at != Files(); at.increment(gone)) {
    if (!is_of_mpi(at->path().filename().string())) continue;
    const std::string path = at->path().string();
    const int file = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (is_ours(file, since) && is_used_by_nobody(file)) unlink(path.c_str());
    close(file);
  }
}

}  // namespace regroup
