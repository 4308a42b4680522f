// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace regroup {

/// How the ranks of a task shall lie on their nodes.
struct Arrangement {
  int ranks_per_node = 0;               ///< 0: as they came
  std::string_view order = "launcher";  ///< one of order_words
  std::uint64_t seed = 1;               ///< of what is drawn
};

/// Nodes have other numbers of ranks than asked for; on every rank alike.
struct Misplaced : std::runtime_error {
  using runtime_error::runtime_error;
};

/// The processes of a task in the order that was asked for.
class ArrangedWorld {
 public:
  /// Collective over `world`, which is split where the order is not the launcher's. `host`: equal
  /// for ranks on one node. Throws Misplaced.
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
