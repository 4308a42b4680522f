// SPDX-License-Identifier: BSD-3-Clause
//
// Requests of which some are complete.
#include <algorithm>

#include "communicators/range/operation.hpp"
#include "communicators/range/request.hpp"

namespace regroup::range {

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
