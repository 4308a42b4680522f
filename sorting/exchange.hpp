// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sorting/assignment.hpp"
#include "sorting/buffer.hpp"
#include "sorting/link.hpp"

namespace regroup::sorting {

// Tags of messages of elements; of the user's ones the last.
inline constexpr int small_tag = range::Parent::max_tag;
inline constexpr int large_tag = range::Parent::max_tag - 1;
inline constexpr int pair_tag = range::Parent::max_tag - 2;

/// The elements of one part of a level under way: the caller's own to whom they are assigned, and
/// to the caller as many as it is to hold, from whoever has them. A rank knows by the number of
/// elements that it has received them all. Not to be moved while under way.
template <class T>
class Exchange {
 public:
  /// Sends the elements from `from` on in `pieces`, whose `to` less `first` is a rank of `link`;
  /// from must stay until it is complete.
  void start(const Link& link, MPI_Datatype type, int tag, const T* from,
             std::span<const Piece> pieces, int first, long long expected) {
    link_ = &link;
    type_ = type;
    tag_ = tag;
    received_.resize(static_cast<std::size_t>(expected));
    for (const Piece& piece : pieces) {
      if (piece.to - first == link.rank()) {
        std::copy_n(from, piece.count, received_.data() + there_);
        there_ += piece.count;
      } else {
        sends_.push_back(
            link.send(from, static_cast<int>(piece.count), type, piece.to - first, tag));
        bytes_sent_ += piece.count * static_cast<long long>(sizeof(T));
      }
      from += piece.count;
    }
    messages_sent_ = static_cast<long long>(sends_.size());
    receive_next();
  }

  /// Moves on; true when all is sent and received.
  bool advance() {
    while (there_ < expected()) {
      MPI_Status status;
      if (!receive_.test(&status)) return false;
      int count = 0;
      MPI_Get_count(&status, type_, &count);
      there_ += count;
      ++messages_received_;
      receive_next();
    }
    while (!sends_.empty() && sends_.back().test()) sends_.pop_back();
    return sends_.empty();
  }

  Buffer<T>& received() { return received_; }
  long long held() const { return static_cast<long long>(received_.size()); }
  long long messages_received() const { return messages_received_; }
  long long messages_sent() const { return messages_sent_; }
  long long bytes_sent() const { return bytes_sent_; }

 private:
  long long expected() const { return static_cast<long long>(received_.size()); }

  /// From anybody, into the next free place: no message has more than what is still to come.
  void receive_next() {
    if (there_ == expected()) return;
    receive_ = link_->receive(received_.data() + there_, static_cast<int>(expected() - there_),
                              type_, MPI_ANY_SOURCE, tag_);
  }

  const Link* link_ = nullptr;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  int tag_ = 0;
  Buffer<T> received_;
  long long there_ = 0;
  Pending receive_;
  std::vector<Pending> sends_;
  long long messages_received_ = 0;
  long long messages_sent_ = 0;
  long long bytes_sent_ = 0;
};

}  // namespace regroup::sorting
