// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engines/mpi/black_box.hpp"
#include "regroup/groups.hpp"
#include "regroup/outcome.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// Reads the lost ranks of a run from a file of its launcher: one line per loss, with the rank and
/// the reason, in the order of the losses. Lines in the file are complete and never change.
std::vector<LostRank> read_losses(const std::string& file);

/// Notifies a rank of losses of other ranks. Reads the file of losses up to a hundred times a
/// second while the rank waits. The rank recovers at once if it communicates with a lost rank;
/// otherwise its group recovers between two items, after a call of news() or by `at_rest`.
class LossWatch final : public Lookout {
 public:
  LossWatch(std::string file, BlackBox& box) : file_(std::move(file)), box_(box) {}

  /// Starts the watch. `on_loss` does not return: it abandons the current phase and recovers.
  void begin(std::function<void()> on_loss) { on_loss_ = std::move(on_loss); }
  void end() { on_loss_ = nullptr; }

  void look() override;

  /// Calls `on_loss`.
  [[noreturn]] void recover();

  // Called before and after each item. `time_s`: since the common start.
  void begin_item();
  void end_item(double time_s);

  /// Plans a fault: the rank raises `signal` when it begins its nth item, from 1 on.
  void injure(std::int64_t nth_item, int signal) { injuries_.emplace_back(nth_item, signal); }

  /// Sets the function that updates the record for the guard.
  void on_change(std::function<void()> write_down) { write_down_ = std::move(write_down); }
  void write_down() { write_down_(); }

  /// Whether there are losses from which this rank has not begun to recover.
  bool news();

  /// Sets the ranks of the site that this rank communicates with or waits for.
  void set_peers(RankSet peers) { peers_ = std::move(peers); }
  /// Sets the reaction to news while the rank waits between two items; nullptr: none.
  void set_at_rest(const std::function<void()>* at_rest) { at_rest_ = at_rest; }

  /// The losses from which the rank has recovered or is about to recover.
  const std::vector<LostRank>& heard() const { return heard_; }
  std::vector<LostRank>& heard() { return heard_; }
  RankSet lost() const;

  /// Reads the file, and adds all new losses to `heard`.
  void hear();

  BlackBox& box() { return box_; }

 private:
  using Clock = std::chrono::steady_clock;

  void read();

  std::string file_;
  BlackBox& box_;
  std::function<void()> on_loss_;
  std::function<void()> write_down_ = [] {};
  std::vector<std::pair<std::int64_t, int>> injuries_;
  std::int64_t items_ = 0;  // number of items that the rank has begun
  RankSet peers_;
  const std::function<void()>* at_rest_ = nullptr;
  Clock::time_point next_look_;
  Clock::time_point news_since_;
  std::vector<LostRank> all_;    // all losses in the file
  std::vector<LostRank> heard_;  // the first of these
};

}  // namespace regroup
