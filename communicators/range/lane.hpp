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

/// Memory layout of the elements of a datatype, in bytes. Source: MPI 4.1, section 5.1.
struct Layout {
  long long size;   ///< of an element in a message
  MPI_Aint extent;  ///< distance between consecutive elements
  MPI_Aint lowest;  ///< offset of the first byte: the true lower bound
  MPI_Aint span;    ///< distance from the first to the last byte: the true extent

  /// Whether elements occupy contiguous memory without gaps.
  bool is_plain() const { return extent == size && span == size && lowest == 0; }
};

/// Returns the size in bytes of the most common types, and 0 for others. Other types need three MPI
/// calls, which take 20 ns; a short collective of two ranks takes 200 ns.
inline int bytes_of_common(MPI_Datatype type) {
  if (type == MPI_DOUBLE) return sizeof(double);
  if (type == MPI_BYTE || type == MPI_CHAR) return 1;
  if (type == MPI_INT) return sizeof(int);
  if (type == MPI_FLOAT) return sizeof(float);
  if (type == MPI_INT64_T) return sizeof(std::int64_t);
  return 0;
}

Layout ask_for_layout(MPI_Datatype type);

/// Throws MpiError if `type` is not a datatype.
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

/// Returns the size in bytes of a message of `count` elements.
inline long long message_bytes(int count, MPI_Datatype type) { return count * size_of(type); }

/// Returns `count`, or 0 if elements have no bytes. Members of a collective may pass different
/// counts for the same number of bytes, so only the bytes determine whether messages are exchanged.
inline int count_with_bytes(int count, MPI_Datatype type) {
  return count != 0 && size_of(type) == 0 ? 0 : count;
}

/// Returns the address `elements` elements of `type` after `base`.
inline void* element(void* base, long long elements, MPI_Datatype type) {
  return elements == 0 ? base : static_cast<std::byte*>(base) + elements * layout_of(type).extent;
}

/// Copies elements, like a message from a process to itself, unless both buffers are the same.
void copy_elements(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                   MPI_Datatype to_type);

/// Whether `op` is commutative.
bool commutes(MPI_Op op);

/// Computes right = left op right. To keep the order of ranks, `left` must come from lower ranks.
void combine(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op);

/// Whether `request` is complete or null, for which SimGrid's MPI_Test does not return true.
inline bool request_is_through(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
  if (request == MPI_REQUEST_NULL) return true;
  int through = 0;
  throw_on_error(MPI_Test(&request, &through, status));
  return through != 0;
}

/// Cancels a receive unless it is null. Afterwards, MPI no longer writes to its buffer.
inline void give_up_receive(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return;
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// The messages of one operation of a range communicator. All have the operation's tag, and the
/// operation continues when all posted messages are complete. Ranks are those of the communicator.
/// If the operation runs alone (see Parent::run_alone), `settled` waits for the messages.
class Lane {
 public:
  /// Largest message, in bytes, that MPI libraries send eagerly: 8 KB for MPICH in shared memory.
  /// Longer messages need a rendezvous with the receiver, for which the sender wakes up once more.
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
    // Creating a request for MPI_Isend takes half as long as sending a short message.
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

  /// Whether all messages posted so far are complete.
  bool settled() {
    // Tests messages in order, so that each call tests only one incomplete message.
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

  /// Cancels pending receives after an error has ended the operation. Returns false if sends are
  /// pending, which MPI cannot cancel.
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
    NumberedMessage* numbered = nullptr;  // instead of the request
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

/// Memory of a Parent for `times` blocks of `count` elements of a type, for messages of `lane`.
class Buffer {
 public:
  Buffer(Lane& lane, int times, int count, MPI_Datatype type);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  /// Returns the address of the i-th block, as MPI calls expect it.
  void* at(int i) const { return start_ - lowest_ + static_cast<std::ptrdiff_t>(i) * pitch_; }

 private:
  Lane& lane_;
  std::size_t bytes_ = 0;
  MPI_Aint lowest_ = 0;
  std::ptrdiff_t pitch_ = 0;
  std::byte* start_ = nullptr;
};

}  // namespace regroup::range
