// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "communicators/range/reduce.hpp"

namespace regroup::range {

/// What the members of a new communicator agree on.
struct Agreement {
  std::uint64_t key = 0;      ///< before: the same for all of them, and seldom for others
  std::int32_t fresh = 0;     ///< the first member's number for it
  std::uint32_t channel = 0;  ///< afterwards: free on all of them, and taken there; 0 if none is
  bool complete = false;      ///< whether this is afterwards
};

/// What NoChannel says where members agree that there is none.
[[noreturn]] void throw_nothing_is_free();

/// Agrees on a channel. Every member offers up to 64 channels of a common window that are free
/// there, and takes them meanwhile, so that creations under way never agree on the same one. A
/// reduction finds what all offer, and the first member broadcasts its choice. Without one, the
/// next window follows; after all windows several times over, NoChannel.
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
    std::int32_t which;  // of the window
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
