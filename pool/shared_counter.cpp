// SPDX-License-Identifier: BSD-3-Clause
#include "pool/shared_counter.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <random>
#include <string>

#include "regroup/communicator.hpp"

namespace regroup {
namespace {

using Name = std::array<char, 48>;

std::int64_t* mapped(int file) {
  void* memory = mmap(nullptr, sizeof(std::int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<std::int64_t*>(memory);
}

/// Creates shared memory, filled with zeros, and its name. Returns nullptr on failure.
std::int64_t* create(Name& name) {
  std::random_device random;
  fmt::format_to_n(name.data(), name.size() - 1, "/regroup-{}-{:08x}{:08x}", getpid(), random(),
                   random());
  const int file = shm_open(name.data(), O_CREAT | O_EXCL | O_RDWR, 0600);
  if (file < 0) return nullptr;
  if (ftruncate(file, sizeof(std::int64_t)) != 0) {
    close(file);
    return nullptr;
  }
  return mapped(file);
}

std::int64_t* open(const Name& name) {
  const int file = shm_open(name.data(), O_RDWR, 0);
  return file < 0 ? nullptr : mapped(file);
}

}  // namespace

SharedCounter::SharedCounter(const NodeMap& nodes, const Waiter& waiter, MPI_Comm world) {
  const int rank = rank_in(world);
  const int ranks = size_of(world);
  for (int other = 0; other < ranks; ++other) sets_.push_back(nodes.of(other));
  const auto first = static_cast<std::size_t>(
      std::ranges::find(sets_, sets_[static_cast<std::size_t>(rank)]) - sets_.begin());
  const bool creates = first == static_cast<std::size_t>(rank);

  Name own{};
  if (creates) counter_ = create(own);
  std::vector<Name> names(sets_.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(own.data(), static_cast<int>(own.size()), MPI_CHAR, names.data(),
                 static_cast<int>(own.size()), MPI_CHAR, world, &request);
  waiter.wait(request);
  if (!creates) counter_ = open(names[first]);
  int shared = counter_ != nullptr ? 1 : 0;
  MPI_Iallreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MIN, world, &request);
  waiter.wait(request);
  if (creates) shm_unlink(own.data());
  if (shared == 1) return;
  std::iota(sets_.begin(), sets_.end(), 0);
  if (counter_ != nullptr) munmap(counter_, sizeof *counter_);
  counter_ = nullptr;
}

SharedCounter::~SharedCounter() {
  if (counter_ != nullptr) munmap(counter_, sizeof *counter_);
}

std::int64_t SharedCounter::next() {
  if (counter_ == nullptr) return own_++;
  return std::atomic_ref(*counter_).fetch_add(1, std::memory_order_relaxed);
}

}  // namespace regroup
