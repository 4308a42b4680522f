// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/rank_records.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "kernel/files/files.hpp"

namespace regroup {
namespace {

constexpr std::size_t record_bytes = 128;  // of each rank, padded with zeros

}  // namespace

std::string rank_records_file(const std::string& outcome_file) { return outcome_file + ".ranks"; }

void write_rank_record(const std::string& file, int rank, std::string_view line) {
  std::array<char, record_bytes> record{};
  line.substr(0, record_bytes).copy(record.data(), record_bytes);
  const int target = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (target < 0) return;
  [[maybe_unused]] const ssize_t written =
      pwrite(target, record.data(), record_bytes, static_cast<off_t>(record_bytes) * rank);
  close(target);
}

std::vector<std::string> read_rank_records(const std::string& file, int ranks) {
  std::vector<std::string> lines(static_cast<std::size_t>(ranks));
  if (!file_exists_by_now(file)) return lines;
  const std::string all = read_file(file).value_or("");
  for (std::size_t rank = 0; rank < lines.size() && rank * record_bytes < all.size(); ++rank) {
    const std::string record = all.substr(rank * record_bytes, record_bytes);
    lines[rank] = record.substr(0, record.find('\0'));
  }
  return lines;
}

}  // namespace regroup
