// SPDX-License-Identifier: BSD-3-Clause
//
// The operations of the measurement `collectives`: each is a row of a table. You can add a row with
// your own function of a CollectiveCall (regroup/bench.hpp). Needs no MPI.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace regroup {

struct CollectiveCall;

/// The participants of an operation, as seen by one member.
struct Participants {
  int rank = 0;
  int size = 1;
  int root = 0;  ///< changes from call to call: each member in turn
};

/// Number of parts of a buffer. Each part has the size of the option `bytes`.
enum class BufferParts { none, one, one_per_member };

/// An operation on the communicator of a group.
struct CollectiveOperation {
  std::string_view name;
  std::string_view help;
  BufferParts data;    ///< of each member
  BufferParts result;  ///< of each member

  /// Executes `call`, and returns when it is complete on this member. Called by all members, with
  /// the same `count` and `root`.
  void (*execute)(const CollectiveCall& call) = nullptr;

  /// Expected value of element `element` of part `part` of the result, if the data are those of
  /// collective_datum; empty if this member receives nothing. Every measurement checks it.
  std::optional<double> (*expected)(const Participants& participants, int part,
                                    int element) = nullptr;

  /// Number of parts that a call sends from one member to another; if not 0, results contain the
  /// bandwidth.
  int rated_parts = 0;
};

/// Element `element` of part `part` of the data of member `rank`: an integer, so sums do not depend
/// on the order. Bytes store it modulo 256.
constexpr double collective_datum(int rank, int part, int element) {
  return rank + 1 + 3.0 * part + element % 100;
}

/// The operations of Regroup.
std::span<const CollectiveOperation> collective_operations();

}  // namespace regroup
