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
    // The caller discards the request, and its error with it.
  }
}

std::exception_ptr Request::finish(MPI_Status* status) noexcept {
  if (operation_ == nullptr) {
    if (status != MPI_STATUS_IGNORE) set_empty(*status);
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

// Functions of several requests.

class Requests {
 public:
  explicit Requests(std::span<Request> requests) : requests_(requests) {}

  bool all_null() const {
    return std::ranges::none_of(requests_, [](const Request& request) { return bool(request); });
  }
  bool all_complete() const { return std::ranges::all_of(requests_, &Request::complete); }
  bool some_complete() const { return first_complete() != requests_.end(); }

  void progress() const {
    const Parent* progressed = nullptr;
    for (const Request& request : requests_) {
      if (request.complete()) continue;
      Parent& parent = request.operation_->parent();
      if (progressed != &parent) parent.progress();
      progressed = &parent;
    }
  }

  /// `enough` must return true at the latest when all requests are complete.
  template <class Enough>
  void wait_until(Enough enough) const {
    if (enough()) return;
    Parent& parent = std::ranges::find_if_not(requests_, &Request::complete)->operation_->parent();
    const bool one_parent = std::ranges::all_of(requests_, [&](const Request& request) {
      return request.complete() || &request.operation_->parent() == &parent;
    });
    if (one_parent) {
      parent.wait_until(enough);
    } else {
      parent.waiter().until([&] {
        progress();
        return enough();
      });
    }
  }

  int finish_first(MPI_Status* status) const {
    const auto first = first_complete();
    rethrow(first->finish(status));
    return static_cast<int>(first - requests_.begin());
  }

  void finish_all(MPI_Status* statuses) const {
    finish([](const Request&) { return true; }, statuses, [](int) {});
  }

  std::vector<int> finish_some(MPI_Status* statuses) const {
    std::vector<int> indices;
    finish(is_complete, statuses, [&](int index) { indices.push_back(index); });
    return indices;
  }

 private:
  static bool is_complete(const Request& request) { return request && request.complete(); }
  std::span<Request>::iterator first_complete() const {
    return std::ranges::find_if(requests_, is_complete);
  }

  /// Finishes the requests for which `wanted` is true, calls `note` with the index of each, and
  /// throws the first error.
  template <class Wanted, class Note>
  void finish(Wanted wanted, MPI_Status* statuses, Note note) const {
    std::exception_ptr first;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (!wanted(requests_[i])) continue;
      MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses++;
      const std::exception_ptr error = requests_[i].finish(status);
      if (first == nullptr) first = error;
      note(static_cast<int>(i));
    }
    rethrow(first);
  }

  std::span<Request> requests_;
};

bool testall(std::span<Request> requests, MPI_Status* statuses) {
  const Requests all(requests);
  all.progress();
  if (!all.all_complete()) return false;
  all.finish_all(statuses);
  return true;
}

void waitall(std::span<Request> requests, MPI_Status* statuses) {
  const Requests all(requests);
  all.wait_until([&] { return all.all_complete(); });
  all.finish_all(statuses);
}

namespace {

int of_none(MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE) set_empty(*status);
  return MPI_UNDEFINED;
}

}  // namespace

std::optional<int> testany(std::span<Request> requests, MPI_Status* status) {
  const Requests some(requests);
  if (some.all_null()) return of_none(status);
  if (!some.some_complete()) some.progress();
  if (!some.some_complete()) return {};
  return some.finish_first(status);
}

int waitany(std::span<Request> requests, MPI_Status* status) {
  const Requests some(requests);
  if (some.all_null()) return of_none(status);
  some.wait_until([&] { return some.some_complete(); });
  return some.finish_first(status);
}

std::vector<int> testsome(std::span<Request> requests, MPI_Status* statuses) {
  const Requests some(requests);
  if (!some.some_complete()) some.progress();
  return some.finish_some(statuses);
}

std::vector<int> waitsome(std::span<Request> requests, MPI_Status* statuses) {
  const Requests some(requests);
  if (some.all_null()) return {};
  some.wait_until([&] { return some.some_complete(); });
  return some.finish_some(statuses);
}

}  // namespace regroup::range
