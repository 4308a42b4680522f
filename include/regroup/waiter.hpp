// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <chrono>
#include <span>
#include <utility>

namespace regroup {

/// Calls `end` when its scope is left, also by an exception.
template <class End>
class AtEnd {
 public:
  explicit AtEnd(End end) : end_(std::move(end)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() { end_(); }

 private:
  End end_;
};

/// How a process waits. direct: in MPI's blocking calls, which keep the core busy. polite:
/// nonblocking calls with naps, for ranks that share cores.
enum class Waiting { direct, polite };

/// Called repeatedly while a process waits; `look` may never return.
class Lookout {
 public:
  virtual void look() = 0;

 protected:
  ~Lookout() = default;
};

/// Waits for requests and conditions. All waits of a process use one Waiter and copies of it.
class Waiter {
 public:
  /// `ranks`: number of ranks of the world. From 128 on, naps grow longer.
  Waiter(Waiting how, int ranks);

  /// Returns the same on all processes of `comm`: direct if every node has a core for each of its
  /// processes, otherwise polite. Collective.
  static Waiter automatic(MPI_Comm comm);

  /// Whether the wrapper of MPICH's progress function (polite_progress.c), which makes MPI's
  /// blocking calls polite, is part of this program or preloaded.
  static bool wrapper_is_in_place();

  Waiting how() const { return how_; }

  /// Returns a copy with longer naps, for ranks that wait for orders: with naps of 20 µs, members
  /// that poll for the next order delay their leader by 0.2 ms per item (32 ranks on 2 cores), with
  /// 100 µs not at all.
  Waiter patient() const;

  /// Returns a copy that calls `lookout`, which must outlive it, while it waits. The copy waits
  /// inside MPI only in blocking().
  Waiter with(Lookout* lookout) const;

  /// Returns a copy that naps, for simulated processes: no simulated time passes while they poll.
  Waiter simulated() const;

  /// Whether the process may wait inside blocking MPI calls.
  bool waits_in_mpi() const {
    return lookout_ == nullptr && (how_ == Waiting::direct || wrapper_ != nullptr);
  }

  /// Calls `call`, which blocks inside MPI; polite if the wrapper is in place. Calls may be nested.
  template <class Call>
  void blocking(Call call) const {
    if (wrapper_ == nullptr) return call();
    const AtEnd as_before([this, before = wrapper_(1)] { wrapper_(before); });
    call();
  }

  /// Completes `request` and returns MPI's error code.
  int wait(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) const;

  /// As wait, but uses until_in_mpi.
  int wait_in_mpi(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) const;

  /// Completes one of `requests` and returns its index, the first if several are complete.
  int wait_any(std::span<MPI_Request> requests, MPI_Status& status) const;

  /// Calls `done` until it returns true. Polite or simulated: naps after several calls; naps grow
  /// with the wait.
  template <class Done>
  void until(Done done) const {
    for (std::chrono::nanoseconds nap = first_nap_;; nap = longer(nap)) {
      for (int look = 0; look < looks_per_nap; ++look) {
        if (done()) return;
      }
      if (lookout_ != nullptr) lookout_->look();
      if (naps_) sleep(nap);
    }
  }

  /// Calls `done` until it returns true, and `block`, a blocking MPI call, in between; as
  /// until(done) unless waits_in_mpi(). The wrapper wakes ranks that wait for each other together,
  /// which halves the time of scans and barriers (32 ranks on 2 cores). But its naps grow to 1 ms,
  /// too long for a single message.
  template <class Done, class Block>
  void until_in_mpi(Done done, Block block) const {
    if (!waits_in_mpi()) return until(done);
    if (done()) return;
    blocking([&] {
      do {
        block();
      } while (!done());
    });
  }

 private:
  // 60 calls take 5 µs: ranks that end an item together receive each other's messages before they
  // nap. With 12 or 120 calls, runs with items of 1 ms take 2 % longer.
  static constexpr int looks_per_nap = 60;

  std::chrono::nanoseconds longer(std::chrono::nanoseconds nap) const;
  static void sleep(std::chrono::nanoseconds nap);

  Waiting how_;
  bool naps_;
  int (*wrapper_)(int on) = nullptr;  // returns the previous value
  std::chrono::nanoseconds first_nap_ = std::chrono::microseconds(20);
  std::chrono::nanoseconds longest_nap_;
  Lookout* lookout_ = nullptr;
};

}  // namespace regroup
