// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <list>

#include "communicators/waiting/waiter.hpp"

namespace regroup {

/// Sends small messages without waiting for their receivers. It keeps what MPI has not taken over
/// yet, until reap() or finish().
class Outbox {
 public:
  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  template <class Content>
  void send(const Content& content, int to, int tag, MPI_Comm comm) {
    static_assert(sizeof content <= capacity);
    Letter& letter = next_letter();
    std::memcpy(letter.content.data(), &content, sizeof content);
    post(letter, sizeof content, to, tag, comm);
  }

  /// Completes what has reached its receiver by now, oldest first, up to the first that has not.
  void reap();

  /// Waits until all receivers have what was sent to them, or MPI has taken it over.
  void finish(const Waiter& waiter);

 private:
  static constexpr std::size_t capacity = 64;  // bytes

  struct Letter {
    std::array<std::byte, capacity> content;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  Letter& next_letter();
  void post(Letter& letter, std::size_t size, int to, int tag, MPI_Comm comm);

  std::list<Letter> under_way_;
  std::list<Letter> spare_;
};

}  // namespace regroup
