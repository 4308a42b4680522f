// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of operations that are numbered in call order, as MPI's nonblocking collectives are.
//
// MPI has a context for each communicator and counts the operations there. Range communicators of
// one Parent share the context of its MPI communicator, and a tag has too few bits for their ranks
// and a number. So each operation has a name of 64 bits, a digest of its communicator's context and
// its number there, which all members count alike, and each message begins with that name. Its MPI
// tag is a few bits of the name: operations under way together seldom have the same one, and where
// they do, the name says whose message has come.
//
// - Short messages follow their header. They are received in memory of this library, then copied.
// - Long ones have a header of their own, which names the tag of the message with the data. That is
//   received in place, once the header is here. No two messages on their way from one process to
//   another have the same such tag: they are sent synchronously, so that the sender knows.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <unordered_set>
#include <vector>

#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"

namespace regroup::range {

/// A message of a numbered operation, sent or received.
class NumberedMessage {
 public:
  NumberedMessage(const NumberedMessage&) = delete;
  NumberedMessage& operator=(const NumberedMessage&) = delete;
  virtual ~NumberedMessage() = default;

  /// Whether its memory may be used. Throws MpiError.
  virtual bool is_through() = 0;
  /// Ends a receive; false if it is being sent, which MPI cannot take back.
  virtual bool give_up() = 0;
  virtual void add_pending(std::vector<PendingMessage>& pending) = 0;

 protected:
  NumberedMessage() = default;

 private:
  friend class NumberedMessages;

  std::size_t bytes_ = 0;  // of the Parent's memory that it takes
};

class NumberedReceive;

/// Those of one process and Parent.
class NumberedMessages {
 public:
  explicit NumberedMessages(Parent& parent);
  NumberedMessages(const NumberedMessages&) = delete;
  NumberedMessages& operator=(const NumberedMessages&) = delete;
  ~NumberedMessages();

  /// To or from a rank of the Parent. To be given back to `drop`.
  NumberedMessage* send(const Label& label, const void* data, int count, MPI_Datatype type, int to);
  NumberedMessage* receive(const Label& label, void* data, int count, MPI_Datatype type, int from);
  void drop(NumberedMessage* message);

 private:
  friend class NumberedReceive;
  friend class NumberedSend;

  static constexpr std::size_t longest = 8192;  // of a message with its header

  /// Where MPI receives the next message of a sender with a tag, whosever it may be: as many as
  /// there are receives that wait for theirs.
  struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status{};
    int source = 0;
    int tag = 0;
    NumberedReceive* receive = nullptr;
    Slot* next = nullptr;
    alignas(std::max_align_t) std::array<std::byte, longest> bytes;
  };
  /// A whole message with its header, which nobody here has asked for yet.
  struct Stray {
    int source;
    std::vector<std::byte> bytes;
  };
  /// In the order in which they were posted. Owns them.
  struct Slots {
    Slot* first = nullptr;
    Slot* last = nullptr;
  };

  Slots& slots_like(int source, int tag) {
    return slots_[static_cast<unsigned>(source * 31 + tag) % slots_.size()];
  }
  void post(std::unique_ptr<Slot> slot, NumberedReceive& receive);
  Slot& first_like(const Slot& slot);
  void hand_over(Slot& slot);
  bool arrives(NumberedReceive& receive);
  void withdraw(NumberedReceive& receive);
  void take_stray(NumberedReceive& receive);
  std::unique_ptr<Slot> remove(Slot& slot);
  void recycle(std::unique_ptr<Slot> slot) { unused_.push_back(std::move(slot)); }

  int take_data_tag(int to);
  void give_back_data_tag(int to, int tag);

  Parent& parent_;
  std::array<Slots, 64> slots_;
  std::vector<std::unique_ptr<Slot>> unused_;
  std::vector<Stray> strays_;  // in the order in which they were sent
  std::uint64_t receives_ = 0;
  std::unordered_set<std::uint64_t> data_tags_;  // in use, each with its receiver
  std::uint32_t next_data_tag_ = 0;
};

}  // namespace regroup::range
