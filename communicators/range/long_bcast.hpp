// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/range/bcast.hpp"
#include "communicators/range/pipeline.hpp"

namespace regroup::range {

/// A broadcast in pieces of as many bytes, since members need not have the same datatype, whose
/// elements would end in different places. What does not lie in memory as its bytes are sent is
/// packed.
class LongBcastMachine {
 public:
  LongBcastMachine(const Comm& comm, Kind kind, int tag, void* data, int count, MPI_Datatype type,
                   int root);
  LongBcastMachine(const LongBcastMachine&) = delete;
  LongBcastMachine& operator=(const LongBcastMachine&) = delete;
  ~LongBcastMachine();

  bool advance();
  void add_pending(std::vector<PendingMessage>& pending) { pipeline_.add_pending(pending); }

 private:
  bool pass_on();

  Comm comm_;
  Kind kind_;
  int tag_;
  int root_;
  void* data_;
  int count_;
  MPI_Datatype type_;
  int bytes_;
  std::byte* packed_ = nullptr;
  bool through_ = false;
  Pipeline<BcastMachine> pipeline_;
};

}  // namespace regroup::range
