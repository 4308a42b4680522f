// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

#include "communicators/range/matching.hpp"
#include "communicators/range/numbered.hpp"
#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"

namespace regroup::range {

/// How elements of a datatype lie in memory, in bytes. Source: MPI 4.1, section 5.1.
struct Layout {
  long long size;   ///< that an element has in a message
  MPI_Aint extent;  ///< from one element to the next
  MPI_Aint lowest;  ///< where its first byte is: the true lower bound
  MPI_Aint span;    ///< from there to its last byte: the true extent

  /// In memory as in a message.
  bool is_plain() const { return extent == size && span == size && lowest == 0; }
};

/// The bytes of the commonest types, 0 of others. To ask MPI three times, as for others, takes 20
/// ns, and short collectives of two ranks take 200.
inline int bytes_of_common(MPI_Datatype type) {
  if (type == MPI_DOUBLE) return sizeof(double);
  if (type == MPI_BYTE || type == MPI_CHAR) return 1;
  if (type == MPI_INT) return sizeof(int);
  if (type == MPI_FLOAT) return sizeof(float);
  if (type == MPI_INT64_T) return sizeof(std::int64_t);
  return 0;
}

Layout ask_for_layout(MPI_Datatype type);

/// Throws MpiError for what is no datatype.
inline Layout layout_of(MPI_Datatype type) {
  const int bytes = bytes_of_common(type);
  return bytes > 0 ? Layout{bytes, bytes, 0, bytes} : ask_for_layout(type);
}

inline long long size_of(MPI_Datatype type) {
  if (const int bytes = bytes_of_common(type)) return bytes;
  int size = 0;
  throw_on_error(MPI_Type_size(type, &size));
  return size;
}

/// The bytes of a message of `count` elements.
inline long long message_bytes(int count, MPI_Datatype type) { return count * size_of(type); }

/// `count`, or 0 where elements have no bytes. All members of a collective see the same number of
/// bytes, though perhaps not the same `count`: it is bytes that say whether there are messages.
inline int count_with_bytes(int count, MPI_Datatype type) {
  return count != 0 && size_of(type) == 0 ? 0 : count;
}

/// `base` moved on by `elements` elements of `type`.
inline void* element(void* base, long long elements, MPI_Datatype type) {
  return elements == 0 ? base : static_cast<std::byte*>(base) + elements * layout_of(type).extent;
}

/// Copies within the process, as a message to oneself would; nothing to where it is.
void copy_elements(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                   MPI_Datatype to_type);

/// Whether the order of the ranks matters to nobody.
bool commutes(MPI_Op op);

/// right = left op right, so that ranks stay in order where `left` is of lower ranks.
void combine(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op);

/// Tests; a null request is through (which SimGrid's MPI_Test does not say).
inline bool request_is_through(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
  if (request == MPI_REQUEST_NULL) return true;
  int through = 0;
  throw_on_error(MPI_Test(&request, &through, status));
  return through != 0;
}

/// Ends a receive, if there is one: it writes to its memory no longer.
inline void give_up_receive(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return;
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// The messages of one operation of a range communicator: they all have the operation's tag, and it
/// goes on when those it has posted are through. Ranks are those of the communicator. Of an
/// operation that runs alone, `settled` waits for them.
class Lane {
 public:
  /// Bytes of a message up to which MPI libraries send it at once: 8 KB for MPICH in shared memory.
  /// From there on they ask the receiver first, and the sender has to wake up once more when it
  /// answers.
  static constexpr long long sent_at_once = 8192;

  Lane(const Comm& comm, const Label& label)
      : comm_(comm),
        label_(label),
        waits_(comm.parent().runs_alone() && !label.is_numbered()),
        under_way_(&comm.parent().memory()) {
    under_way_.reserve(few_messages);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    if (give_up()) return;
    for (Message& message : under_way_) {
      if (message.request != MPI_REQUEST_NULL) MPI_Request_free(&message.request);
      if (message.numbered != nullptr) numbered().drop(message.numbered);
    }
  }

  int rank() const { return comm_.rank(); }
  int size() const { return comm_.size(); }
  std::pmr::memory_resource& memory() const { return comm_.parent().memory(); }

  void send(const void* data, int count, MPI_Datatype type, int to) {
    if (label_.is_numbered()) {
      add(numbered().send(label_, data, count, type, comm_.parent_rank(to)), false);
      return;
    }
    // A request for what is sent already would take as long as half a short message.
    if (waits_ && message_bytes(count, type) <= sent_at_once) {
      throw_on_error(MPI_Send(data, count, type, comm_.parent_rank(to), label_.tag, mpi_comm()));
      return;
    }
    throw_on_error(
        MPI_Isend(data, count, type, comm_.parent_rank(to), label_.tag, mpi_comm(), next(false)));
  }
  void receive(void* data, int count, MPI_Datatype type, int from) {
    if (label_.is_numbered()) {
      add(numbered().receive(label_, data, count, type, comm_.parent_rank(from)), true);
      return;
    }
    comm_.parent().matching().receive(data, count, type, comm_.parent_rank(from), label_.tag,
                                      next(true));
  }

  /// Whether all messages posted so far are through.
  bool settled() {
    // One after another: a look at messages that are not there yet costs one call, not all.
    while (through_ < under_way_.size()) {
      MPI_Request& request = under_way_[through_].request;
      if (NumberedMessage*& message = under_way_[through_].numbered; message != nullptr) {
        if (!message->is_through()) return false;
        numbered().drop(std::exchange(message, nullptr));
      } else if (waits_) {
        throw_on_error(MPI_Wait(&request, MPI_STATUS_IGNORE));
      } else if (!request_is_through(request)) {
        return false;
      }
      ++through_;
    }
    under_way_.clear();
    through_ = 0;
    return true;
  }

  /// Where an error has ended the operation, messages may be under way. This ends its receives;
  /// false if there are messages that it sends, which MPI cannot take back.
  bool give_up() { return under_way_.empty() || give_up_what_is_under_way(); }

  void add_pending(std::vector<PendingMessage>& pending) {
    for (std::size_t i = through_; i < under_way_.size(); ++i) {
      if (NumberedMessage* message = under_way_[i].numbered) {
        message->add_pending(pending);
      } else {
        pending.push_back({&under_way_[i].request});
      }
    }
  }

 private:
  struct Message {
    MPI_Request request;
    bool is_receive;
    NumberedMessage* numbered = nullptr;  // in place of the request
  };

  static constexpr std::size_t few_messages = 4;

  MPI_Comm mpi_comm() const { return comm_.parent().comm(); }
  NumberedMessages& numbered() const { return comm_.parent().numbered(); }
  void add(NumberedMessage* message, bool is_receive) {
    under_way_.push_back({MPI_REQUEST_NULL, is_receive, message});
  }
  MPI_Request* next(bool is_receive) {
    return &under_way_.emplace_back(Message{MPI_REQUEST_NULL, is_receive}).request;
  }

  bool give_up_what_is_under_way() {
    bool all = true;
    for (Message& message : under_way_) {
      if (message.numbered != nullptr) {
        if (!message.numbered->give_up()) {
          all = false;
        } else {
          numbered().drop(std::exchange(message.numbered, nullptr));
        }
        continue;
      }
      if (message.is_receive) give_up_receive(message.request);
      all &= message.request == MPI_REQUEST_NULL;
    }
    return all;
  }

  Comm comm_;
  Label label_;
  bool waits_;
  std::pmr::vector<Message> under_way_;
  std::size_t through_ = 0;
};

/// Memory of a Parent for some times `count` elements of an MPI type, for messages of `lane`.
class Buffer {
 public:
  Buffer(Lane& lane, int times, int count, MPI_Datatype type);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  /// Where the i-th `count` elements are, in MPI's sense: the address that MPI calls take.
  void* at(int i) const { return start_ - lowest_ + static_cast<std::ptrdiff_t>(i) * pitch_; }

 private:
  Lane& lane_;
  std::size_t bytes_ = 0;
  MPI_Aint lowest_ = 0;
  std::ptrdiff_t pitch_ = 0;
  std::byte* start_ = nullptr;
};

}  // namespace regroup::range
