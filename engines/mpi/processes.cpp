// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/processes.hpp"

#include <map>
#include <memory>

namespace regroup {
namespace {

Waiter waiter_of(const Surroundings& found, int ranks) {
  const Waiter waiter(found.how, ranks);
  return found.simulated ? waiter.simulated() : waiter;
}

}  // namespace

Processes::Processes(const std::string& waiting, MPI_Comm world, Lookout* lookout)
    : surroundings_(look_around(waiting, world)),
      waiter_(waiter_of(surroundings_, size_of(world)).with(lookout)),
      site_(world, waiter_) {
  if (!surroundings_.simulated) make_first_contact(site_);
}

SharedClock& Processes::clock() {
  if (!clock_ || clock_->has_other_hosts()) {
    clock_.emplace(world(), waiter_, surroundings_.simulated ? simulated_clock() : own_clock());
  }
  return *clock_;
}

namespace {

/// The attribute of a communicator: a copy of it, with its Processes by way of waiting.
class Kept {
 public:
  explicit Kept(MPI_Comm original) { MPI_Comm_dup(original, &copy_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    processes_.clear();
    MPI_Comm_free(&copy_);
  }

  Processes& waiting(const std::string& how) {
    auto& one = processes_[how];
    if (!one) one = std::make_unique<Processes>(how, copy_);
    return *one;
  }

 private:
  MPI_Comm copy_ = MPI_COMM_NULL;
  std::map<std::string, std::unique_ptr<Processes>> processes_;
};

int free_kept(MPI_Comm, int, void* kept, void*) {
  delete static_cast<Kept*>(kept);
  return MPI_SUCCESS;
}

int key_of_kept() {
  static const int key = [] {
    int created = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_kept, &created, nullptr);
    return created;
  }();
  return key;
}

int free_kept_with_world(MPI_Comm, int, void*, void*) {
  return MPI_Comm_delete_attr(MPI_COMM_WORLD, key_of_kept());
}

/// Makes MPI_Finalize free the attribute of MPI_COMM_WORLD. Only attributes of MPI_COMM_SELF are
/// freed while MPI can still be used (MPI 4.1, section 11.2.4).
void free_in_finalize() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_kept_with_world, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm_free_keyval(&key);
}

}  // namespace

Processes& kept_processes(const std::string& waiting, MPI_Comm world) {
  Kept* kept = nullptr;
  int found = 0;
  MPI_Comm_get_attr(world, key_of_kept(), static_cast<void*>(&kept), &found);
  if (found == 0) {
    kept = new Kept(world);
    MPI_Comm_set_attr(world, key_of_kept(), kept);
    if (world == MPI_COMM_WORLD) free_in_finalize();
  }
  return kept->waiting(waiting);
}

}  // namespace regroup
