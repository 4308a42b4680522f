// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/numbered.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "communicators/range/lane.hpp"
#include "communicators/range/matching.hpp"

namespace regroup::range {
namespace {

constexpr int data_follow = -1;

/// The beginning of each message.
struct Header {
  std::uint64_t name;
  std::int32_t data_tag;  ///< of the message with the data, or data_follow
  std::int32_t unused = 0;
};

Header header_of(const std::byte* message) {
  Header header;
  std::memcpy(&header, message, sizeof header);
  return header;
}

void pack(const void* data, int count, MPI_Datatype type, std::byte* to, long long bytes) {
  if (bytes == 0) return;
  if (bytes_of_common(type) > 0) {
    std::memcpy(to, data, static_cast<std::size_t>(bytes));
    return;
  }
  int end = 0;
  throw_on_error(MPI_Pack(data, count, type, to, static_cast<int>(bytes), &end, MPI_COMM_SELF));
}

void unpack(const std::byte* from, long long bytes, void* data, int count, MPI_Datatype type) {
  if (bytes > message_bytes(count, type)) throw_mpi_error(MPI_ERR_TRUNCATE);
  if (bytes == 0) return;
  if (bytes_of_common(type) > 0) {
    std::memcpy(data, from, static_cast<std::size_t>(bytes));
    return;
  }
  int begin = 0;
  throw_on_error(MPI_Unpack(from, static_cast<int>(bytes), &begin, data,
                            static_cast<int>(bytes / size_of(type)), type, MPI_COMM_SELF));
}

}  // namespace

class NumberedSend final : public NumberedMessage {
 public:
  NumberedSend(NumberedMessages& messages, int to) : messages_(messages), to_(to) {}

  bool is_through() override {
    if (!request_is_through(first_) || !request_is_through(data_)) return false;
    if (data_tag_ != data_follow) {
      messages_.give_back_data_tag(to_, std::exchange(data_tag_, data_follow));
    }
    return true;
  }
  bool give_up() override { return first_ == MPI_REQUEST_NULL && data_ == MPI_REQUEST_NULL; }
  void add_pending(std::vector<PendingMessage>& pending) override {
    for (MPI_Request* request : {&first_, &data_}) {
      if (*request != MPI_REQUEST_NULL) pending.push_back({request});
    }
  }

 private:
  friend class NumberedMessages;

  NumberedMessages& messages_;
  int to_;
  int data_tag_ = data_follow;
  MPI_Request first_ = MPI_REQUEST_NULL;
  MPI_Request data_ = MPI_REQUEST_NULL;
  // The first message follows in memory.
};

class NumberedReceive final : public NumberedMessage {
 public:
  NumberedReceive(NumberedMessages& messages, std::uint64_t name, void* data, int count,
                  MPI_Datatype type, int from, std::uint64_t number)
      : messages_(messages),
        name_(name),
        data_(data),
        count_(count),
        type_(type),
        from_(from),
        number_(number) {}

  bool is_through() override {
    if (!arrived_ && !messages_.arrives(*this)) return false;
    if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
    return request_is_through(rest_);
  }
  bool give_up() override {
    if (!arrived_) messages_.withdraw(*this);
    give_up_receive(rest_);
    return true;
  }
  void add_pending(std::vector<PendingMessage>& pending) override {
    if (!arrived_) {
      pending.push_back({&slot_->request, &slot_->status});
    } else if (rest_ != MPI_REQUEST_NULL) {
      pending.push_back({&rest_});
    }
  }

 private:
  friend class NumberedMessages;

  bool wants(int source, std::uint64_t name) const { return source == from_ && name == name_; }

  /// Takes a whole message with its header, which belongs to this receive.
  void take(const std::byte* message, std::size_t bytes) {
    arrived_ = true;
    slot_ = nullptr;
    try {
      const Header header = header_of(message);
      if (header.data_tag == data_follow) {
        unpack(message + sizeof header, static_cast<long long>(bytes - sizeof header), data_,
               count_, type_);
      } else {
        messages_.parent_.matching().receive(data_, count_, type_, from_, header.data_tag, &rest_);
      }
    } catch (...) {
      // Kept for the operation of this receive, which need not be the one that is advanced.
      fail(std::current_exception());
    }
  }
  void fail(std::exception_ptr error) {
    arrived_ = true;
    slot_ = nullptr;
    error_ = std::move(error);
  }

  NumberedMessages& messages_;
  std::uint64_t name_;
  void* data_;
  int count_;
  MPI_Datatype type_;
  int from_;
  std::uint64_t number_;  // smaller for receives that started earlier
  NumberedMessages::Slot* slot_ = nullptr;
  MPI_Request rest_ = MPI_REQUEST_NULL;
  bool arrived_ = false;
  std::exception_ptr error_;
};

NumberedMessages::NumberedMessages(Parent& parent) : parent_(parent) {}

NumberedMessages::~NumberedMessages() = default;

NumberedMessage* NumberedMessages::send(const Label& label, const void* data, int count,
                                        MPI_Datatype type, int to) {
  const long long bytes = message_bytes(count, type);
  const bool is_long = bytes > static_cast<long long>(longest - sizeof(Header));
  const std::size_t first_bytes = sizeof(Header) + (is_long ? 0 : static_cast<std::size_t>(bytes));
  const std::size_t size = sizeof(NumberedSend) + first_bytes;
  void* place = parent_.memory().allocate(size);
  auto* message = new (place) NumberedSend(*this, to);
  message->bytes_ = size;
  try {
    auto* const first = static_cast<std::byte*>(place) + sizeof(NumberedSend);
    if (is_long) message->data_tag_ = take_data_tag(to);
    const Header header{label.name, message->data_tag_};
    std::memcpy(first, &header, sizeof header);
    if (!is_long) pack(data, count, type, first + sizeof header, bytes);
    throw_on_error(MPI_Isend(first, static_cast<int>(first_bytes), MPI_BYTE, to, label.tag,
                             parent_.comm(), &message->first_));
    if (is_long) {
      throw_on_error(
          MPI_Issend(data, count, type, to, message->data_tag_, parent_.comm(), &message->data_));
    }
  } catch (...) {
    drop(message);
    throw;
  }
  return message;
}

NumberedMessage* NumberedMessages::receive(const Label& label, void* data, int count,
                                           MPI_Datatype type, int from) {
  void* place = parent_.memory().allocate(sizeof(NumberedReceive));
  auto* message =
      new (place) NumberedReceive(*this, label.name, data, count, type, from, ++receives_);
  message->bytes_ = sizeof(NumberedReceive);
  try {
    if (!strays_.empty()) take_stray(*message);
    if (message->arrived_) return message;
    std::unique_ptr<Slot> slot;
    if (unused_.empty()) {
      slot = std::make_unique<Slot>();
    } else {
      slot = std::move(unused_.back());
      unused_.pop_back();
    }
    slot->source = from;
    slot->tag = label.tag;
    post(std::move(slot), *message);
  } catch (...) {
    message->arrived_ = true;  // it has no slot
    drop(message);
    throw;
  }
  return message;
}

void NumberedMessages::drop(NumberedMessage* message) {
  if (!message->give_up()) {
    // MPI still reads its memory, which is leaked rather than overwritten.
    auto* send = static_cast<NumberedSend*>(message);
    for (MPI_Request* request : {&send->first_, &send->data_}) {
      if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
    }
    return;
  }
  const std::size_t bytes = message->bytes_;
  message->~NumberedMessage();
  parent_.memory().deallocate(message, bytes);
}

void NumberedMessages::take_stray(NumberedReceive& receive) {
  const auto found = std::ranges::find_if(strays_, [&](const Stray& stray) {
    return receive.wants(stray.source, header_of(stray.bytes.data()).name);
  });
  if (found == strays_.end()) return;
  receive.take(found->bytes.data(), found->bytes.size());
  strays_.erase(found);
}

void NumberedMessages::post(std::unique_ptr<Slot> slot, NumberedReceive& receive) {
  parent_.matching().receive(slot->bytes.data(), static_cast<int>(longest), MPI_BYTE, slot->source,
                             slot->tag, &slot->request);
  slot->receive = &receive;
  receive.slot_ = slot.get();
  slot->next = nullptr;
  Slots& slots = slots_like(slot->source, slot->tag);
  (slots.first == nullptr ? slots.first : slots.last->next) = slot.get();
  slots.last = slot.release();
}

NumberedMessages::Slot& NumberedMessages::first_like(const Slot& slot) {
  Slot* first = slots_like(slot.source, slot.tag).first;
  while (first->source != slot.source || first->tag != slot.tag) first = first->next;
  return *first;
}

std::unique_ptr<NumberedMessages::Slot> NumberedMessages::remove(Slot& slot) {
  Slots& slots = slots_like(slot.source, slot.tag);
  Slot* before = nullptr;
  for (Slot* other = slots.first; other != &slot; other = other->next) before = other;
  (before == nullptr ? slots.first : before->next) = slot.next;
  if (slots.last == &slot) slots.last = before;
  return std::unique_ptr<Slot>(&slot);
}

/// Whether `receive` has its message. Messages that have arrived are handed over in the order in
/// which MPI has matched them, which is the order in which they were sent.
bool NumberedMessages::arrives(NumberedReceive& receive) {
  while (!receive.arrived_) {
    Slot& first = first_like(*receive.slot_);
    if (!request_is_through(first.request, &first.status)) return false;
    hand_over(first);
  }
  return true;
}

/// Gives the message in `slot` to its receive, and that one's slot to the receive of `slot`. If its
/// receive has not been posted yet, stores the message as a stray and posts the slot again.
void NumberedMessages::hand_over(Slot& slot) {
  int count = 0;
  MPI_Get_count(&slot.status, MPI_BYTE, &count);
  const auto bytes = static_cast<std::size_t>(count);
  const std::uint64_t name = header_of(slot.bytes.data()).name;
  NumberedReceive* owner = nullptr;
  for (const Slot* other = slots_like(slot.source, slot.tag).first; other != nullptr;
       other = other->next) {
    NumberedReceive* receive = other->receive;
    if (receive->wants(slot.source, name) &&
        (owner == nullptr || receive->number_ < owner->number_)) {
      owner = receive;
    }
  }
  NumberedReceive& waiting = *slot.receive;
  std::unique_ptr<Slot> removed = remove(slot);
  if (owner == nullptr) {
    const std::byte* first = removed->bytes.data();
    strays_.push_back({removed->source, {first, first + bytes}});
    try {
      post(std::move(removed), waiting);
    } catch (...) {
      waiting.fail(std::current_exception());
    }
    return;
  }
  if (owner != &waiting) {
    waiting.slot_ = owner->slot_;
    waiting.slot_->receive = &waiting;
  }
  owner->take(removed->bytes.data(), bytes);
  recycle(std::move(removed));
}

/// Cancels a receive whose operation has failed. Its slot may receive a message of another
/// operation meanwhile.
void NumberedMessages::withdraw(NumberedReceive& receive) {
  receive.name_ = 0;  // no message belongs to it any more
  for (;;) {
    Slot& slot = *receive.slot_;
    for (Slot* first = &first_like(slot);
         first != &slot && request_is_through(first->request, &first->status);
         first = &first_like(slot)) {
      hand_over(*first);
    }
    int cancelled = 0;
    if (slot.request != MPI_REQUEST_NULL) {
      MPI_Cancel(&slot.request);
      MPI_Wait(&slot.request, &slot.status);
      MPI_Test_cancelled(&slot.status, &cancelled);
    }
    if (cancelled != 0) {
      receive.slot_ = nullptr;
      receive.arrived_ = true;
      recycle(remove(slot));
      return;
    }
    hand_over(slot);
    if (receive.arrived_) return;
  }
}

/// Reserves a tag for a data message: of kind users_own on the Parent's channels except channel 0,
/// where the user has these tags, or, if there is no such channel, of kind numbered.
int NumberedMessages::take_data_tag(int to) {
  constexpr std::uint32_t of_kind = 1U << Parent::tag_bits;
  const Channels& channels = parent_.channels();
  const std::uint32_t first = std::max(channels.base(), 1U);
  const std::uint32_t number_of_channels = channels.base() + 1 + channels.number() - first;
  const std::uint32_t tags =
      number_of_channels > 0 ? number_of_channels * of_kind : of_kind - numbered_tags;
  for (std::uint32_t tried = 0; tried < tags; ++tried) {
    const std::uint32_t number = next_data_tag_++ % tags;
    const int tag =
        number_of_channels > 0
            ? static_cast<int>((first + number / of_kind) * tags_of_channel + number % of_kind)
            : (static_cast<int>(Kind::numbered) << Parent::tag_bits) + numbered_tags +
                  static_cast<int>(number);
    const auto key =
        std::uint64_t{static_cast<std::uint32_t>(to)} << 32 | static_cast<std::uint32_t>(tag);
    if (data_tags_.insert(key).second) return tag;
  }
  throw NoChannel("range communicators: too many long messages to one process are under way");
}

void NumberedMessages::give_back_data_tag(int to, int tag) {
  data_tags_.erase(std::uint64_t{static_cast<std::uint32_t>(to)} << 32 |
                   static_cast<std::uint32_t>(tag));
}

}  // namespace regroup::range
