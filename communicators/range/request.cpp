// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"

namespace regroup::range {

Request::Request(Request&& other) noexcept
    : operation_(std::exchange(other.operation_, nullptr)), bytes_(other.bytes_) {}

Request& Request::operator=(Request&& other) noexcept {
  std::swap(operation_, other.operation_);
  std::swap(bytes_, other.bytes_);
  other.drop();
  return *this;
}

Request::~Request() { drop(); }

namespace {

void rethrow(const std::exception_ptr& error) {
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace

bool Request::complete() const { return operation_ == nullptr || operation_->done(); }

bool Request::test(MPI_Status* status) {
  if (!complete()) operation_->parent().progress();
  if (!complete()) return false;
  rethrow(finish(status));
  return true;
}

void Request::wait(MPI_Status* status) {
  if (!complete()) {
    operation_->parent().wait_until([this] { return operation_->done(); });
  }
  rethrow(finish(status));
}

void Request::drop() noexcept {
  if (operation_ == nullptr) return;
  try {
    wait();
  } catch (...) {
    // There is nobody to tell.
  }
}

std::exception_ptr Request::finish(MPI_Status* status) noexcept {
  if (operation_ == nullptr) {
    if (status != MPI_STATUS_IGNORE) tell_of_nothing(*status);
    return nullptr;
  }
  const std::exception_ptr error = operation_->error();
  if (error == nullptr && status != MPI_STATUS_IGNORE) operation_->tell(*status);
  std::pmr::memory_resource& memory = operation_->parent().memory();
  operation_->~Operation();
  memory.deallocate(operation_, bytes_);
  operation_ = nullptr;
  return error;
}

bool all_complete(std::span<Request> requests) {
  const Parent* progressed = nullptr;
  bool complete = true;
  for (const Request& request : requests) {
    if (request.complete()) continue;
    Parent& parent = request.operation_->parent();
    if (progressed != &parent) parent.progress();
    progressed = &parent;
    complete &= request.complete();
  }
  return complete;
}

namespace {

/// Finishes all; answers the first error.
template <class Finish>
void finish_all(std::span<Request> requests, MPI_Status* statuses, Finish finish) {
  std::exception_ptr first;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
    const std::exception_ptr error = finish(requests[i], status);
    if (first == nullptr) first = error;
  }
  rethrow(first);
}

}  // namespace

bool testall(std::span<Request> requests, MPI_Status* statuses) {
  if (!all_complete(requests)) return false;
  finish_all(requests, statuses,
             [](Request& request, MPI_Status* status) { return request.finish(status); });
  return true;
}

void waitall(std::span<Request> requests, MPI_Status* statuses) {
  const auto open = std::ranges::find_if(requests, [](const Request& r) { return !r.complete(); });
  if (open != requests.end()) {
    Parent& parent = open->operation_->parent();
    const bool one_parent = std::ranges::all_of(requests, [&](const Request& r) {
      return r.complete() || &r.operation_->parent() == &parent;
    });
    if (one_parent) {
      parent.wait_until([&] { return std::ranges::all_of(requests, &Request::complete); });
    } else {
      parent.waiter().until([&] { return all_complete(requests); });
    }
  }
  finish_all(requests, statuses,
             [](Request& request, MPI_Status* status) { return request.finish(status); });
}

// Requests of which some are complete.

class SomeOf {
 public:
  explicit SomeOf(std::span<Request> requests) : requests_(requests) {}

  bool all_null() const {
    return std::ranges::none_of(requests_, [](const Request& request) { return bool(request); });
  }
  bool some_complete() const { return first_complete() != requests_.end(); }

  /// Moves all of them on, unless some are complete, which they are where it answers true.
  bool look() const {
    if (some_complete()) return true;
    const Parent* progressed = nullptr;
    for (const Request& request : requests_) {
      if (!request) continue;
      Parent& parent = request.operation_->parent();
      if (progressed != &parent) parent.progress();
      progressed = &parent;
    }
    return some_complete();
  }

  /// Until some are complete; not to be called where all are null.
  void wait() const {
    if (some_complete()) return;
    Parent& parent = std::ranges::find_if(requests_, [](const Request& r) {
                       return bool(r);
                     })->operation_->parent();
    const bool one_parent = std::ranges::all_of(
        requests_, [&](const Request& r) { return !r || &r.operation_->parent() == &parent; });
    if (one_parent) {
      parent.wait_until([&] { return some_complete(); });
    } else {
      parent.waiter().until([&] { return look(); });
    }
  }

  int finish_first(MPI_Status* status) const {
    const auto first = first_complete();
    if (const auto error = first->finish(status)) std::rethrow_exception(error);
    return static_cast<int>(first - requests_.begin());
  }

  std::vector<int> finish_all(MPI_Status* statuses) const {
    std::vector<int> indices;
    std::exception_ptr first_error;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (!is_complete(requests_[i])) continue;
      MPI_Status* status =
          statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[indices.size()];
      indices.push_back(static_cast<int>(i));
      const auto error = requests_[i].finish(status);
      if (first_error == nullptr) first_error = error;
    }
    if (first_error != nullptr) std::rethrow_exception(first_error);
    return indices;
  }

 private:
  static bool is_complete(const Request& request) { return request && request.complete(); }
  std::span<Request>::iterator first_complete() const {
    return std::ranges::find_if(requests_, is_complete);
  }

  std::span<Request> requests_;
};

namespace {

int of_none(MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE) tell_of_nothing(*status);
  return MPI_UNDEFINED;
}

}  // namespace

std::optional<int> testany(std::span<Request> requests, MPI_Status* status) {
  const SomeOf some(requests);
  if (some.all_null()) return of_none(status);
  if (!some.look()) return {};
  return some.finish_first(status);
}

int waitany(std::span<Request> requests, MPI_Status* status) {
  const SomeOf some(requests);
  if (some.all_null()) return of_none(status);
  some.wait();
  return some.finish_first(status);
}

std::vector<int> testsome(std::span<Request> requests, MPI_Status* statuses) {
  const SomeOf some(requests);
  some.look();
  return some.finish_all(statuses);
}

std::vector<int> waitsome(std::span<Request> requests, MPI_Status* statuses) {
  const SomeOf some(requests);
  if (some.all_null()) return {};
  some.wait();
  return some.finish_all(statuses);
}

}  // namespace regroup::range
