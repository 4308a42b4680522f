// SPDX-License-Identifier: BSD-3-Clause
#include "library/rank_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>

#include "kernel/files/rank_records.hpp"
#include "library/launcher.hpp"

namespace regroup {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto usual_start = 2s;
constexpr auto before_start = 250ms;  // between two looks before the common start

Clock::duration seconds(double number) {
  constexpr double longest = 1e8;
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(number, longest)));
}

}  // namespace

RankWatch::RankWatch(const std::string& outcome_file) : file_(rank_records_file(outcome_file)) {
  position_.rank = rank_by_launcher();
  try {
    thread_ = std::jthread([this] { watch(); });
  } catch (const std::system_error&) {  // no thread is available
  }
}

void RankWatch::expect(double timeout_s) {
  timeout_s_ = timeout_s;
  position_.doing = Position::Doing::set_up;
}

void RankWatch::end() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

void RankWatch::watch() {
  const auto began = Clock::now();
  std::unique_lock lock(mutex_);
  const auto over_at = [&](Clock::time_point time) {
    return changed_.wait_until(lock, time, [&] { return over_; });
  };
  const char* told = nullptr;
  while (position_.started == 0) {
    if (over_at(Clock::now() + before_start)) return;
    const char* doing = position_.words();
    const bool late = Clock::now() - began > usual_start && position_.started == 0;
    if (!late || doing == told || position_.rank < 0) continue;
    write_rank_record(file_, position_.rank, doing);
    told = doing;
  }
  const Clock::time_point started{Clock::duration(position_.started)};
  const double before_s = std::min(1.0, 0.1 * timeout_s_);
  if (over_at(started + seconds(timeout_s_ - before_s))) return;
  const Clock::duration since(Position::now() - position_.since);
  write_rank_record(file_, position_.rank,
                    fmt::format("{} {} {} {:.3f} {}", position_.leader.load(),
                                position_.chain.load(), position_.items_left.load(),
                                std::chrono::duration<double>(since).count(), position_.words()));
}

}  // namespace regroup
