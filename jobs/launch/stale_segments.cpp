// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch/stale_segments.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
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

}  // namespace

void remove_stale_segments(std::time_t since) {
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
