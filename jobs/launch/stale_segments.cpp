// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch/stale_segments.hpp"

#include <fcntl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace regroup {
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

/// Of System V: without a key, so that nobody can find them any more, in nobody's memory, and of a
/// process that has ended. UCX takes them out as soon as it has them, unless it is killed between.
void remove_segments_of_system_v(std::time_t since) {
  std::ifstream list("/proc/sysvipc/shm");
  std::string line;
  for (std::getline(list, line); std::getline(list, line);) {
    std::istringstream row(line);
    long key = 0, perms = 0, size = 0, last = 0, attached = 0, group = 0, creators_group = 0;
    long read = 0, detached = 0, changed = 0;
    int id = 0;
    pid_t creator = 0;
    uid_t owner = 0, made_by = 0;
    row >> key >> id >> perms >> size >> creator >> last >> attached >> owner >> group >> made_by >>
        creators_group >> read >> detached >> changed;
    const bool is_left = row && key == IPC_PRIVATE && attached == 0 && owner == geteuid() &&
                         changed >= since && creator > 0 && kill(creator, 0) != 0;
    if (is_left) shmctl(id, IPC_RMID, nullptr);
  }
}

}  // namespace

void remove_stale_segments(std::time_t since) {
  remove_segments_of_system_v(since);
  using Entries = std::filesystem::directory_iterator;
  std::error_code gone;
  for (Entries at("/dev/shm", gone); !gone && at != Entries(); at.increment(gone)) {
    if (!is_of_mpi(at->path().filename().string())) continue;
    const std::string path = at->path().string();
    const int file = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (is_ours(file, since) && is_used_by_nobody(file)) unlink(path.c_str());
    close(file);
  }
}

}  // namespace regroup
