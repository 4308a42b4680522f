// SPDX-License-Identifier: BSD-3-Clause
#include "library/continuation.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>

namespace regroup {
namespace {

/// What the chains, which have items `left`, had reported by their states. One that ended between
/// two reports and goes on makes its last report again: its state has what that was about.
std::vector<ChainReport> reports_before(std::span<const std::int64_t> left,
                                        std::int64_t report_every, const StateFiles& files) {
  std::vector<ChainReport> all;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const int chain = static_cast<int>(i);
    const auto failure = files.failure(chain);
    const auto saved = files.read(chain);
    std::int64_t items = failure ? failure->item : saved ? saved->items : 0;
    if (left[i] > 0 && report_every > 0) items -= items % report_every;
    std::ranges::move(files.take_reports(chain, items), std::back_inserter(all));
  }
  return all;
}

void broadcast(void* data, std::size_t count, MPI_Datatype type, Processes& processes) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(data, static_cast<int>(count), type, 0, processes.world(), &request);
  processes.waiter().wait(request);
}

/// All ranks throw what rank 0 found wrong; empty: nothing.
void throw_everywhere(std::string wrong, Processes& processes) {
  std::uint64_t length = wrong.size();
  broadcast(&length, 1, MPI_UINT64_T, processes);
  if (length == 0) return;
  wrong.resize(length);
  broadcast(wrong.data(), length, MPI_CHAR, processes);
  throw std::invalid_argument(wrong);
}

}  // namespace

Items continue_from(const StateFiles& files, std::int64_t save_every, const Items& items,
                    Hands& hands, Processes& processes) {
  WalkerSource& walkers = hands.walkers;
  Items left = items;
  Items failed_at(items.size(), -1);
  std::string wrong;
  if (processes.site().rank() == 0) {
    try {
      std::filesystem::create_directories(files.directory());
      left = items_left(items, files);
      walkers.reports_before = reports_before(left, walkers.report_every, files);
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (auto failure = files.failure(static_cast<int>(i))) {
          failed_at[i] = failure->item;
          walkers.failed.push_back(*std::move(failure));
        }
      }
    } catch (const std::exception& error) {
      wrong = error.what();
    }
  }
  throw_everywhere(std::move(wrong), processes);
  broadcast(left.data(), left.size(), MPI_INT64_T, processes);
  broadcast(failed_at.data(), failed_at.size(), MPI_INT64_T, processes);
  walkers.files = &files;
  walkers.save_every = save_every;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool failed = failed_at[i] >= 0;
    walkers.executed_before.push_back(failed ? failed_at[i] : items[i] - left[i]);
    if (failed && processes.site().rank() != 0) {
      walkers.failed.push_back({static_cast<int>(i), failed_at[i], {}});
    }
  }
  return left;
}

std::int64_t resumed_items(const Hands& hands) {
  const auto& before = hands.walkers.executed_before;
  return std::reduce(before.begin(), before.end());
}

}  // namespace regroup
