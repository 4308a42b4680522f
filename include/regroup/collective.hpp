// SPDX-License-Identifier: BSD-3-Clause
//
// The operations that the measurement `collectives` times: each a row of a table. A function of
// one's own is another row, with a CollectiveCall (regroup/bench.hpp). Needs no MPI.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace regroup {

struct CollectiveCall;

/// The participants of an operation, as one member sees them.
struct Participants {
  int rank = 0;
  int size = 1;
  int root = 0;  ///< the members take turns from call to call
};

/// The parts of a buffer; each has as many bytes as the option `bytes` says.
enum class BufferParts { none, one, one_per_member };

/// An operation on the communicator of a group.
struct CollectiveOperation {
  std::string_view name;
  std::string_view help;
  BufferParts data;    ///< of each member
  BufferParts result;  ///< of each member

  /// Executes `call`, and returns when this member is done. Called by all members, which have the
  /// same `count` and `root`.
  void (*execute)(const CollectiveCall& call) = nullptr;

  /// The value of element `element` of part `part` of the result after a call with the data of
  /// collective_datum; none if this member receives nothing. Every measurement checks it.
  std::optional<double> (*expected)(const Participants& participants, int part,
                                    int element) = nullptr;

  /// BufferParts that a call sends from one member to another; if not 0, results have the rate.
  int rated_parts = 0;
};

/// Element `element` of part `part` of the data of member `rank`: a whole number, so sums are the
/// same in any order. Bytes hold it modulo 256.
constexpr double collective_datum(int rank, int part, int element) {
  return rank + 1 + 3.0 * part + element % 100;
}

/// The operations that come with Regroup.
std::span<const CollectiveOperation> collective_operations();

}  // namespace regroup
