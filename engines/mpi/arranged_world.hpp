// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace regroup {

/// The requested placement of the ranks of a task.
struct Arrangement {
  int ranks_per_node = 0;               ///< 0: any number
  std::string_view order = "launcher";  ///< one of order_words
  std::uint64_t seed = 1;               ///< of a random order
};

/// Thrown, on every rank, if nodes do not have the requested number of ranks.
struct Misplaced : std::runtime_error {
  using runtime_error::runtime_error;
};

/// The processes of a task in the requested order.
class ArrangedWorld {
 public:
  /// Collective over `world`, which is split if the order is not the launcher's. `host`: equal for
  /// ranks on the same node. Throws Misplaced.
  ArrangedWorld(const std::string& host, const Arrangement& asked, MPI_Comm world);
  ArrangedWorld(const ArrangedWorld&) = delete;
  ArrangedWorld& operator=(const ArrangedWorld&) = delete;
  ~ArrangedWorld();

  MPI_Comm comm() const { return comm_; }
  int rank() const;

 private:
  MPI_Comm comm_;
  bool split_ = false;
};

}  // namespace regroup
