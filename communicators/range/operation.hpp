// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "communicators/range/comm.hpp"
#include "communicators/range/request.hpp"
#include "communicators/range/tags.hpp"

namespace regroup::range {

/// A communication under way, known to its Parent, which moves it on.
class Operation {
 public:
  /// Throws std::logic_error if it could be mistaken for one under way, and that is checked.
  Operation(const Comm& comm, Kind kind, int tag) : comm_(comm), kind_(kind), tag_(tag) {
    comm_.parent().enter(*this);
  }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() {
    if (!done_) comm_.parent().leave(*this);
  }

  Parent& parent() const { return comm_.parent(); }
  bool done() const { return done_; }

  /// Does what can be done without waiting; true once complete, or failed.
  bool advance() noexcept {
    try {
      done_ = error_ != nullptr || step();
    } catch (...) {
      error_ = std::current_exception();
      done_ = true;
    }
    return done_;
  }

  /// It is complete the next time it is moved on, and whoever waits for it gets this error.
  void fail(std::exception_ptr error) { error_ = std::move(error); }

  /// Its own error, once; others' are none of its business.
  std::exception_ptr error() { return std::exchange(error_, nullptr); }
  void rethrow_error() {
    if (error_ != nullptr) [[unlikely]]
      std::rethrow_exception(error());
  }

  /// Of a complete receive, in ranks of the communicator and the user's tags.
  virtual void tell(MPI_Status& status) const { tell_of_nothing(status); }

  /// Adds the messages that it waits for; false if it waits for something else, too.
  virtual bool add_pending(std::vector<PendingMessage>& pending) = 0;

  bool may_be_mistaken_for(const Operation& other) const {
    return kind_ != Kind::point_to_point &&
           wire_tag(comm_, kind_, tag_) == wire_tag(other.comm_, other.kind_, other.tag_) &&
           overlap_in_two(comm_, other.comm_);
  }

 protected:
  virtual bool step() = 0;
  const Comm& comm() const { return comm_; }

 private:
  Comm comm_;
  Kind kind_;
  int tag_;
  bool done_ = false;
  std::exception_ptr error_;
};

/// An operation that is a state machine: any class with `bool advance()`, true once complete, and
/// `void add_pending(…)`, which adds the messages that it waits for.
template <class Machine>
class MachineOperation final : public Operation {
 public:
  template <class... Arguments>
  MachineOperation(const Comm& comm, Kind kind, int tag, Arguments... arguments)
      : Operation(comm, kind, tag), machine_(comm, kind, tag, arguments...) {}

 private:
  bool step() override { return machine_.advance(); }
  bool add_pending(std::vector<PendingMessage>& pending) override {
    machine_.add_pending(pending);
    return true;
  }

  Machine machine_;
};

/// Starts an operation in memory of the Parent's pool.
template <class SomeOperation, class... Arguments>
Request start_operation(const Comm& comm, Arguments... arguments) {
  std::pmr::memory_resource& memory = comm.parent().memory();
  void* place = memory.allocate(sizeof(SomeOperation));
  try {
    return Request(new (place) SomeOperation(comm, arguments...), sizeof(SomeOperation));
  } catch (...) {
    memory.deallocate(place, sizeof(SomeOperation));
    throw;
  }
}

inline void require_collective(const Comm& comm, int tag) {
  require_member(comm);
  require_tag(tag);
}

/// The nonblocking form of a collective: starts its state machine.
template <class Machine, class... Arguments>
Request start(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
  require_collective(comm, tag);
  return start_operation<MachineOperation<Machine>>(comm, kind, tag, arguments...);
}

/// The blocking form: starts the state machine, on the stack, and moves it on, among what else is
/// under way, until it is through.
template <class Machine, class... Arguments>
void run_in_steps(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
  require_collective(comm, tag);
  MachineOperation<Machine> operation(comm, kind, tag, arguments...);
  comm.parent().wait_until([&] { return operation.done(); });
  operation.rethrow_error();
}

/// The same, but where nothing else is under way, nobody needs steps: its lanes wait inside MPI for
/// what they have posted, which saves a short collective of two ranks a third of its time. For
/// machines that do one thing after the other.
template <class Machine, class... Arguments>
void run(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
  require_collective(comm, tag);
  Parent& parent = comm.parent();
  if (!parent.may_run_alone()) return run_in_steps<Machine>(comm, kind, tag, arguments...);
  parent.run_alone([&] {
    Machine machine(comm, kind, tag, arguments...);
    while (!machine.advance()) {
    }
  });
}

}  // namespace regroup::range
