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

/// Returns the reports of the chains up to their states. A chain that ended between two reports and
/// now continues repeats its last report, because its state contains the data of that report.
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

/// Throws the error text `wrong` of rank 0 on all ranks, unless it is empty.
void throw_everywhere(std::string wrong, Processes& processes) {
  std::uint64_t length = wrong.size();
  broadcast(&length, 1, MPI_UINT64_T, processes);
  if (length == 0) return;
  wrong.resize(length);
  broadcast(wrong.data(), length, MPI_CHAR, processes);
  throw std::invalid_argument(wrong);
}

}  // namespace

Items read_states(const StateFiles& files, const Items& items, WalkerSource& walkers) {
  Items left = items_left(items, files);
  walkers.reports_before = reports_before(left, walkers.report_every, files);
  walkers.executed_before.clear();
  walkers.failed.clear();
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto failure = files.failure(static_cast<int>(i));
    walkers.executed_before.push_back(failure ? failure->item : items[i] - left[i]);
    if (failure) walkers.failed.push_back(*std::move(failure));
  }
  return left;
}

Items continue_from(const StateFiles& files, std::int64_t save_every, const Items& items,
                    RealRun& real, Processes& processes) {
  WalkerSource& walkers = real.walkers;
  Items left = items;
  std::string wrong;
  if (processes.site().rank() == 0) {
    try {
      std::filesystem::create_directories(files.directory());
      left = read_states(files, items, walkers);
    } catch (const std::exception& error) {
      wrong = error.what();
    }
  }
  throw_everywhere(std::move(wrong), processes);
  broadcast(left.data(), left.size(), MPI_INT64_T, processes);
  walkers.executed_before.resize(items.size());
  broadcast(walkers.executed_before.data(), items.size(), MPI_INT64_T, processes);
  std::vector<int> failed;
  for (const ChainFailure& failure : walkers.failed) failed.push_back(failure.number);
  std::uint64_t number = failed.size();
  broadcast(&number, 1, MPI_UINT64_T, processes);
  failed.resize(number);
  broadcast(failed.data(), number, MPI_INT, processes);
  if (processes.site().rank() != 0) {
    for (const int chain : failed) {
      walkers.failed.push_back(
          {chain, walkers.executed_before[static_cast<std::size_t>(chain)], {}});
    }
  }
  walkers.files = &files;
  walkers.save_every = save_every;
  return left;
}

std::int64_t resumed_items(const RealRun& real) {
  const auto& before = real.walkers.executed_before;
  return std::reduce(before.begin(), before.end());
}

}  // namespace regroup
