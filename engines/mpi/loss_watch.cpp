// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/loss_watch.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "kernel/files/files.hpp"

namespace regroup {
namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 10ms;

}  // namespace

std::vector<LostRank> read_losses(const std::string& file) {
  std::vector<LostRank> lost;
  std::istringstream lines(read_file(file).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    LostRank one;
    if (!(words >> one.rank >> std::ws)) continue;
    std::getline(words, one.reason);
    lost.push_back(std::move(one));
  }
  return lost;
}

void LossWatch::read() {
  if (Clock::now() < next_look_) return;
  std::vector<LostRank> lost = read_losses(file_);
  if (lost.size() > all_.size()) {
    if (all_.size() == heard_.size()) news_since_ = Clock::now();
    all_ = std::move(lost);
  }
  next_look_ = Clock::now() + between_looks;
}

bool LossWatch::news() {
  if (!on_loss_) return false;
  read();
  return all_.size() > heard_.size();
}

void LossWatch::recover() {
  on_loss_();
  std::abort();
}

void LossWatch::begin_item() {
  box_.item_began = Clock::now().time_since_epoch().count();
  ++items_;
  for (const auto& [nth, signal] : injuries_) {
    if (nth == items_) std::raise(signal);
  }
}

void LossWatch::end_item(double time_s) {
  const Clock::rep took = Clock::now().time_since_epoch().count() - box_.item_began.exchange(0);
  if (took > box_.longest_item) box_.longest_item = took;
  box_.executed += 1;
  box_.busy_until_s = time_s;
}

void LossWatch::look() {
  if (!news()) return;
  const bool touched =
      std::any_of(all_.begin() + static_cast<std::ptrdiff_t>(heard_.size()), all_.end(),
                  [&](const LostRank& one) { return peers_.contains(one.rank); });
  // Others may have left a regrouping in which this rank waits for them.
  const auto patience = 2s + 3 * Clock::duration(box_.longest_item.load());
  if (touched || Clock::now() - news_since_ > patience) return on_loss_();
  if (at_rest_ != nullptr) (*at_rest_)();
}

void LossWatch::hear() {
  next_look_ = {};
  read();
  heard_.insert(heard_.end(), all_.begin() + static_cast<std::ptrdiff_t>(heard_.size()),
                all_.end());
  box_.heard = static_cast<int>(heard_.size());
}

RankSet LossWatch::lost() const {
  std::vector<RankRange> ranges;
  for (const LostRank& one : heard_) ranges.push_back({one.rank, one.rank});
  return RankSet::of(std::move(ranges));
}

}  // namespace regroup
