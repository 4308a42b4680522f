// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/loss_board.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "kernel/files/files.hpp"
#include "kernel/files/rank_records.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/guard.hpp"

namespace regroup {

std::string LossBoard::look() {
  const std::string file = deaths_file(outcome_file_);
  if (!file_exists_by_now(file)) return {};
  std::string news;
  const auto reasons = read_rank_records(file, static_cast<int>(known_.size()));
  for (std::size_t rank = 0; rank < known_.size(); ++rank) {
    if (known_[rank] || reasons[rank].empty()) continue;
    known_[rank] = true;
    const std::string reason = one_line(reasons[rank]);
    lines_ += fmt::format("{} {}\n", rank, reason);
    news += fmt::format("{}rank {} was lost: {}", news.empty() ? "" : "; ", rank, reason);
  }
  if (!news.empty()) replace_file(losses_file(outcome_file_), lines_);
  return news;
}

void LossBoard::remove() const {
  for (const std::string& file : {deaths_file(outcome_file_), losses_file(outcome_file_)}) {
    std::filesystem::remove(file);
  }
  for (std::size_t rank = 0; rank < known_.size(); ++rank) {
    if (known_[rank]) {
      std::filesystem::remove(last_record_file(outcome_file_, static_cast<int>(rank)));
    }
  }
}

}  // namespace regroup
