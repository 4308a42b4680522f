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

/// Writes output of any length to a file that never becomes larger than about `most_bytes`: of more
/// than these the first half stays, and the last half takes the place of the rest in the end.
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

  /// To be called after all output.
  void finish() {
    if (taken_ <= most_bytes_) return;
    const std::size_t half = last_.size();
    if (ftruncate(file_, static_cast<off_t>(half)) != 0) return;
    write_to_file(fmt::format("\n[{} bytes of output omitted]\n", taken_ - 2 * half));
    write_to_file(std::string_view(last_).substr(oldest_));
    write_to_file(std::string_view(last_).substr(0, oldest_));
  }

 private:
  /// What cannot be written is lost: the run itself is no worse for it.
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
  std::size_t taken_ = 0;  // of the output, in bytes
  std::string last_;  // half as many bytes as may be, from `oldest_` on and then from the start
  std::size_t oldest_ = 0;
};

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

namespace {

/// UCX, MPICH, Open MPI.
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

/// The kernel leases a file only where nobody else has it open or in memory, also those whom we
/// cannot see: processes of other containers that share /dev/shm.
bool is_used_by_nobody(int file) {
  fcntl(file, F_SETSIG, SIGURG);  // which is ignored: it comes should somebody open it just now
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
