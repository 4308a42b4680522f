// SPDX-License-Identifier: BSD-3-Clause
#include "python/world.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "kernel/clocks/sleep.hpp"
#include "regroup/communicator.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

bool is_running() {
  int initialised = 0;
  int finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
}

std::array<MPI_Comm, 2> first_communicators() { return {MPI_COMM_WORLD, MPI_COMM_SELF}; }

}  // namespace

void load_mpi_for_all() {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(&MPI_Init), &found) == 0) return;
  dlopen(found.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

bool initialise_mpi() {
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised != 0) throw std::runtime_error("MPI has ended, and cannot start again");
  if (is_running()) return false;
  load_mpi_for_all();
  MPI_Init(nullptr, nullptr);
  return true;
}

void finalise_mpi() {
  if (is_running()) MPI_Finalize();
}

void abort_all_ranks() {
  sleep_for(1);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void agree(const std::string& problem, const std::string& identity) {
  const int size = size_of(MPI_COMM_WORLD);
  int first = problem.empty() ? size : rank_in(MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first < size) {
    std::string text = problem;
    auto length = static_cast<int>(text.size());
    MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD);
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), length, MPI_CHAR, first, MPI_COMM_WORLD);
    throw std::invalid_argument(text);
  }
  if (!same_on_all(hash_number(identity), MPI_COMM_WORLD)) {
    throw std::invalid_argument("the configuration of regroup.run() is not the same on all ranks");
  }
}

py::list gather(const std::string& bytes) {
  const bool first = rank_in(MPI_COMM_WORLD) == 0;
  const auto size = static_cast<int>(bytes.size());
  std::vector<int> sizes(first ? static_cast<std::size_t>(size_of(MPI_COMM_WORLD)) : 0);
  MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> starts;
  int total = 0;
  for (const int one : sizes) {
    starts.push_back(total);
    total += one;
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  MPI_Gatherv(bytes.data(), size, MPI_CHAR, all.data(), sizes.data(), starts.data(), MPI_CHAR, 0,
              MPI_COMM_WORLD);
  py::list parts;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    parts.append(py::bytes(
        all.substr(static_cast<std::size_t>(starts[rank]), static_cast<std::size_t>(sizes[rank]))));
  }
  return parts;
}

void KeptErrorHandlers::enter() {
  if (!is_running()) return;
  handlers_.emplace();
  for (std::size_t i = 0; i < handlers_->size(); ++i) {
    MPI_Comm_get_errhandler(first_communicators()[i], &(*handlers_)[i]);
  }
}

void KeptErrorHandlers::leave() {
  if (!handlers_) return;
  for (std::size_t i = 0; i < handlers_->size(); ++i) {
    MPI_Comm_set_errhandler(first_communicators()[i], (*handlers_)[i]);
    MPI_Errhandler_free(&(*handlers_)[i]);
  }
  handlers_.reset();
}

}  // namespace regroup
