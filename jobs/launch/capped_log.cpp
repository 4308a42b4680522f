// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/launch/capped_log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace regroup {

CappedLog::CappedLog(int file, std::size_t most_bytes)
    : file_(file), most_bytes_(most_bytes), last_(most_bytes / 2, '\0') {}

/// What cannot be written is lost: the run itself is no worse for it.
void CappedLog::write_to_file(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void CappedLog::add(std::string_view output) {
  write_to_file(output.substr(0, most_bytes_ - std::min(most_bytes_, taken_)));
  taken_ += output.size();
  if (output.size() > last_.size()) output.remove_prefix(output.size() - last_.size());
  for (std::size_t part = 0; !output.empty(); output.remove_prefix(part)) {
    part = std::min(output.size(), last_.size() - oldest_);
    output.copy(last_.data() + oldest_, part);
    oldest_ = (oldest_ + part) % last_.size();
  }
}

void CappedLog::finish() {
  if (taken_ <= most_bytes_) return;
  const std::size_t half = last_.size();
  if (ftruncate(file_, static_cast<off_t>(half)) != 0) return;
  write_to_file(fmt::format("\n[{} bytes of output are left out here]\n", taken_ - 2 * half));
  write_to_file(std::string_view(last_).substr(oldest_));
  write_to_file(std::string_view(last_).substr(0, oldest_));
}

}  // namespace regroup
