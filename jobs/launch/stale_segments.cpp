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
