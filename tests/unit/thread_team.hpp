// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "regroup/walker.hpp"

namespace regroup {
inline State packed(const Walker& walker) {
  State state;
  Packer packer(state);
  walker.pack(packer);
  return state;
}

struct Estimate {
  double mean;
  double error;  // standard error of the mean
};
/// Estimates the mean of a chain from its block means.
inline Estimate estimate(const std::vector<double>& blocks) {
  double sum = 0;
  double squares = 0;
  for (const double block : blocks) {
    sum += block;
    squares += block * block;
  }
  const auto n = static_cast<double>(blocks.size());
  const double mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / (n - 1))};
}

/// State shared by the threads of a team.
struct Table {
  explicit Table(int members) : given(static_cast<std::size_t>(members)), barrier(members) {}
  std::vector<std::vector<std::int64_t>> given;
  std::span<std::byte> bytes;
  std::barrier<> barrier;
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(int rank, Table& table)
      : Team(rank, static_cast<int>(table.given.size())), table_(table) {}

 private:
  void combine(std::span<std::int64_t> values, Operation operation) override {
    table_.given[static_cast<std::size_t>(rank())].assign(values.begin(), values.end());
    table_.barrier.arrive_and_wait();
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = table_.given.front()[i];
      for (std::size_t m = 1; m < table_.given.size(); ++m) {
        const std::int64_t other = table_.given[m][i];
        values[i] = operation == Operation::sum   ? values[i] + other
                    : operation == Operation::min ? std::min(values[i], other)
                                                  : std::max(values[i], other);
      }
    }
    table_.barrier.arrive_and_wait();
  }

  void broadcast_to_others(std::span<std::byte> bytes, int root) override {
    if (rank() == root) table_.bytes = bytes;
    table_.barrier.arrive_and_wait();
    if (rank() != root) std::memcpy(bytes.data(), table_.bytes.data(), bytes.size());
    table_.barrier.arrive_and_wait();
  }

  Table& table_;
};

/// Calls `work` for each member of a team of `members` threads.
inline void in_a_team(int members, const std::function<void(Team&)>& work) {
  Table table(members);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < members; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadTeam team(rank, table);
      work(team);
    });
  }
}
}  // namespace regroup
