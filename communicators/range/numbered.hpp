// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of operations that are numbered in call order, as MPI's nonblocking collectives are.
//
// MPI has a context for each communicator and counts the operations there. Range communicators of
// one Parent share the context of its MPI communicator, and a tag has too few bits for their ranks
// and a number. So each operation has a name of 64 bits: a digest of its communicator's context and
// of its number there, which every member counts. Each message begins with that name, and its MPI
// tag is a few bits of it. Simultaneous operations seldom have the same tag; if they do, the name
// tells which operation a message belongs to.
//
// - Short messages follow their header. They are received in memory of this library, then copied.
// - Long ones are announced by a header that contains the tag of a second message with the data,
//   which is received in place once the header has arrived. No two data messages in transit between
//   the same two processes have the same tag: they are sent synchronously, so the sender knows when
//   a tag is free again.
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

  /// Whether it is complete, so that its memory may be used. Throws MpiError.
  virtual bool is_through() = 0;
  /// Cancels a receive. Returns false for a send in progress, which MPI cannot cancel.
  virtual bool give_up() = 0;
  virtual void add_pending(std::vector<PendingMessage>& pending) = 0;

 protected:
  NumberedMessage() = default;

 private:
  friend class NumberedMessages;

  std::size_t bytes_ = 0;  // allocated in the Parent's memory
};

class NumberedReceive;

/// The numbered messages of one process and Parent.
class NumberedMessages {
 public:
  explicit NumberedMessages(Parent& parent);
  NumberedMessages(const NumberedMessages&) = delete;
  NumberedMessages& operator=(const NumberedMessages&) = delete;
  ~NumberedMessages();

  /// `to` and `from` are ranks of the Parent. The caller returns the message with `drop`.
  NumberedMessage* send(const Label& label, const void* data, int count, MPI_Datatype type, int to);
  NumberedMessage* receive(const Label& label, void* data, int count, MPI_Datatype type, int from);
  void drop(NumberedMessage* message);

 private:
  friend class NumberedReceive;
  friend class NumberedSend;

  static constexpr std::size_t longest = 8192;  // bytes of a message with its header

  /// A buffer in which MPI receives the next message of a sender with a tag, whichever operation it
  /// belongs to. There is one for each pending receive.
  struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status{};
    int source = 0;
    int tag = 0;
    NumberedReceive* receive = nullptr;
    Slot* next = nullptr;
    alignas(std::max_align_t) std::array<std::byte, longest> bytes;
  };
  /// A whole message with its header, for which no receive has been posted yet.
  struct Stray {
    int source;
    std::vector<std::byte> bytes;
  };
  /// Owns its slots, in the order in which they were posted.
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
  std::unordered_set<std::uint64_t> data_tags_;  // in use, combined with the receiver
  std::uint32_t next_data_tag_ = 0;
};

}  // namespace regroup::range
