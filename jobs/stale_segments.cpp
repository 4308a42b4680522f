// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/stale_segments.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {
namespace {

namespace fs = std::filesystem;

/// UCX, MPICH, Open MPI.
constexpr std::array<std::string_view, 4> beginnings{"ucx_shm_posix_", "mpich_", "vader_segment.",
                                                     "sm_segment."};

struct Segment {
  fs::path path;
  dev_t device;
  ino_t inode;
};

/// What a loop over a directory calls with every path in it. What vanishes meanwhile is passed
/// over.
template <class Visit>
void each_in(const fs::path& directory, Visit visit) {
  std::error_code gone;
  fs::directory_iterator at(directory, gone);
  while (!gone && at != fs::directory_iterator()) {
    visit(at->path());
    at.increment(gone);
  }
}

std::vector<Segment> candidates(std::time_t since) {
  std::vector<Segment> found;
  each_in("/dev/shm", [&](const fs::path& path) {
    const std::string name = path.filename();
    const bool known =
        std::ranges::any_of(beginnings, [&](std::string_view b) { return name.starts_with(b); });
    struct stat file {};
    if (!known || lstat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return;
    if (file.st_uid == geteuid() && file.st_ctime >= since) {
      found.push_back({path, file.st_dev, file.st_ino});
    }
  });
  return found;
}

/// Drops those that the process has open, or in its memory.
void drop_used(const fs::path& process, std::vector<Segment>& segments) {
  each_in(process / "fd", [&](const fs::path& descriptor) {
    struct stat file {};
    if (stat(descriptor.c_str(), &file) != 0) return;
    std::erase_if(segments, [&](const Segment& segment) {
      return segment.device == file.st_dev && segment.inode == file.st_ino;
    });
  });
  std::ifstream maps(process / "maps");
  for (std::string line; std::getline(maps, line);) {
    std::erase_if(segments,
                  [&](const Segment& segment) { return line.ends_with(segment.path.native()); });
  }
}

}  // namespace

void remove_stale_segments(std::time_t since) {
  std::vector<Segment> segments = candidates(since);
  if (segments.empty()) return;
  each_in("/proc", [&](const fs::path& path) {
    const std::string name = path.filename();
    if (name.find_first_not_of("0123456789") == std::string::npos) drop_used(path, segments);
  });
  for (const Segment& segment : segments) unlink(segment.path.c_str());
}

}  // namespace regroup
