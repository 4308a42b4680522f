// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "communicators/range/reduce.hpp"

namespace regroup::range {

/// Input and result of an agreement among the members of a new communicator.
struct Agreement {
  std::uint64_t key = 0;      ///< input: equal on all members, seldom equal for other groups
  std::int32_t fresh = 0;     ///< the first member's number for the communicator
  std::uint32_t channel = 0;  ///< result: a channel taken on all members, or 0 if none was free
  bool complete = false;      ///< whether the agreement has ended
};

/// Throws NoChannel with the message that no channel is free on all members.
[[noreturn]] void throw_nothing_is_free();

/// Agrees on a channel. Each member offers up to 64 channels of a common window that are free on it
/// and reserves them, so that simultaneous creations never agree on the same one. A reduction finds
/// the channels that all offer, and the first member broadcasts its choice. If there is none, the
/// next window follows; after several rounds through all windows, `advance` throws NoChannel.
class AgreementMachine {
 public:
  AgreementMachine(const Comm& comm, const Label& label, Agreement* agreement);
  AgreementMachine(const AgreementMachine&) = delete;
  AgreementMachine& operator=(const AgreementMachine&) = delete;
  ~AgreementMachine() { withdraw(); }

  bool advance();
  void add_pending(std::vector<PendingMessage>& pending);

 private:
  struct Answer {
    std::int32_t fresh;
    std::int32_t which;  // index in the window, or `none`
  };

  Channels& channels() const { return comm_.parent().channels(); }
  int window_size() const;
  int most_rounds() const;
  std::uint32_t candidate(int i) const;
  void offer();
  void answer();
  void withdraw();

  Comm comm_;
  Label label_;
  Agreement& agreement_;
  int round_ = 0;
  std::uint64_t offered_ = 0;
  std::uint64_t offered_by_all_ = 0;
  Answer answer_{};
  std::optional<ReduceMachine> reduce_;
  std::optional<BcastMachine> bcast_;
};

}  // namespace regroup::range
