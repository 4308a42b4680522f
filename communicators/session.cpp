// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/session.hpp"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "communicators/range/error.hpp"

namespace regroup {

/// Closed before MPI_Finalize: with MPICH 4.0 a session that is open then, or that an attribute's
/// callback closes, makes some processes leave too early, which ends the others.
class Session {
 public:
  Session() {
    range::throw_on_error(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &handle_));
    range::throw_on_error(MPI_Group_from_session_pset(handle_, "mpi://WORLD", &world_));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    MPI_Group_free(&world_);
    MPI_Session_finalize(&handle_);
  }
  MPI_Group world() const { return world_; }

 private:
  MPI_Session handle_ = MPI_SESSION_NULL;
  MPI_Group world_ = MPI_GROUP_NULL;
};

GroupHandle session_group(Site& parent, const Members& members) {
  if (!parent.session()) parent.session() = std::make_shared<Session>();
  const MPI_Group world = parent.session()->world();
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  int same = MPI_UNEQUAL;
  MPI_Comm_compare(parent.comm(), MPI_COMM_WORLD, &same);
  if (same != MPI_IDENT && same != MPI_CONGRUENT) {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(parent.comm(), &all);
    const GroupHandle owner(all);
    std::vector<int> in_world(ranks.size());
    MPI_Group_translate_ranks(all, members.size(), ranks.data(), world, in_world.data());
    ranks = in_world;
  }
  return subgroup(world, Members::list(std::move(ranks)));
}

std::string string_tag(int tag) { return fmt::format("org.regroup.{}", tag); }

}  // namespace regroup
