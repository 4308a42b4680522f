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

/// How a process waits for others.
///
/// direct: in MPI's own blocking calls, which keep the core busy; right with one rank per core.
/// polite: nonblocking calls with naps between them, so that the ranks that share the core can run;
/// right wherever ranks outnumber cores.
enum class Waiting { direct, polite };

/// All waiting of a process goes through one waiter.
class Waiter {
 public:
  /// `ranks`: of the world; the more share the cores, the longer the naps grow.
  Waiter(Waiting how, int ranks);

  /// Whether MPI's own blocking calls can be made polite too: the wrapper of MPICH's progress
  /// function (polite_progress.c) is part of this program or was preloaded, and wraps something.
  static bool wrapper_is_in_place();

  Waiting how() const { return how_; }

  /// The same waiter for those who follow others: its naps are longer from the start, so that who
  /// leads finds a core free. With naps of 20 µs, members that poll for the next order delay the
  /// leader that is to give it, by 0.2 ms an item for 32 ranks on 2 cores; with 100 µs they do not.
  Waiter patient() const;

  /// Whether MPI's own blocking calls are right to wait in.
  bool waits_in_mpi() const { return how_ == Waiting::direct || wrapper_ != nullptr; }

  /// Calls `call`, which blocks inside MPI; polite as far as the wrapper is in place.
  template <class Call>
  void blocking(Call call) const {
    if (wrapper_ == nullptr) return call();
    wrapper_(1);
    const AtEnd no_longer([this] { wrapper_(0); });
    call();
  }

  /// Completes `request`. Answers MPI's error code, where the error handler returns.
  int wait(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) const;

  /// The same, by until_in_mpi.
  int wait_in_mpi(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) const;

  /// Completes one of `requests` and answers which, the first where several are.
  int wait_any(std::span<MPI_Request> requests, MPI_Status& status) const;

  /// Calls `done` until it answers true. Polite: several looks at a time, then a nap, which grows
  /// while the wait lasts, so that a short wait ends soon and a long one costs the others little.
  template <class Done>
  void until(Done done) const {
    for (std::chrono::nanoseconds nap = first_nap_;; nap = longer(nap)) {
      for (int look = 0; look < looks_per_nap; ++look) {
        if (done()) return;
      }
      if (how_ == Waiting::polite) sleep(nap);
    }
  }

  /// Calls `done` until it answers true, and between looks `block`, which waits in a call of MPI
  /// for whatever may change that; the same as until(done) where such a call would keep a shared
  /// core busy. The wrapper's naps wake ranks together that wait for each other, so that scans and
  /// barriers of 32 ranks on 2 cores take half as long as by until(). But they may grow to 1 ms,
  /// which is too long for whoever waits for one message.
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
  // Some 5 µs: ranks that end an item together catch each other's message before they nap. With 12
  // looks or 120, a run of items of 1 ms took 2 % longer.
  static constexpr int looks_per_nap = 60;

  std::chrono::nanoseconds longer(std::chrono::nanoseconds nap) const;
  static void sleep(std::chrono::nanoseconds nap);

  Waiting how_;
  void (*wrapper_)(int on) = nullptr;
  std::chrono::nanoseconds first_nap_ = std::chrono::microseconds(20);
  std::chrono::nanoseconds longest_nap_;
};

}  // namespace regroup
